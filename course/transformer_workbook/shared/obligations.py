"""What every component owes, whatever it computes; watched here, judged like other evidence.

A component answers anew: neither an earlier call nor another instance shows in its result. It
leaves its arguments, the modes and weights of modules (those that it is given, and itself), and
torch's own state as they were. A new module is in training, with weights of its own. Apart from
dropout, it computes the same in training as in evaluation.
What the reference itself changes (a training step changes weights) is nobody's fault.
"""

import functools
import inspect
import types
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import torch
from torch import nn

SETTINGS = ("gradients", "default dtype", "autocast")
TORCH_STATE = {
    "gradients": torch.is_grad_enabled,
    "default dtype": torch.get_default_dtype,
    "autocast": torch.is_autocast_enabled,
    "random numbers": torch.get_rng_state,
}


@dataclass
class Conduct:
    """What a component did besides returning its result, over all calls of one probe.

    `inputs_changed`, `modes_changed` and `weights_changed` name parameters of the component
    ("self" for a module's own), `state_changed` what it left changed in torch, by the names in
    TORCH_STATE. `shares_weights` tells whether two modules that were made have one parameter in
    common, `mode_matters` whether the result in training differs from the one in evaluation,
    without dropout.
    """

    inputs_changed: list[str] = field(default_factory=list)
    modes_changed: list[str] = field(default_factory=list)
    weights_changed: list[str] = field(default_factory=list)
    state_changed: list[str] = field(default_factory=list)
    shares_weights: bool = False
    mode_matters: bool = False


OBLIGATIONS = tuple(Conduct.__dataclass_fields__)


def call_twice(probe, component, inputs: dict) -> tuple[dict, Conduct]:
    """What `probe` returns for `inputs` after it was called with others, and the conduct.

    The first call has inputs of the same shapes and other values, and its result is not used;
    where no input is a tensor, there is none. The second call works with the modules that the
    first one made, their weights drawn anew: what a function, a class or a module keeps of the
    first call shows in the second result.
    """
    watch = _Watch(component)
    workshop = _Workshop(component, watch)
    if any(isinstance(value, torch.Tensor) for value in inputs.values()):
        torch.manual_seed(FIRST_SEED)
        with suppress(BaseException), _torch_state_restored():
            probe(workshop.make_first, **{name: _other_values(of) for name, of in inputs.items()})
    # Probes of random behaviour compare properties, and must not pass or fail by luck.
    torch.manual_seed(SECOND_SEED)
    with _torch_state_restored(), _watched(component, watch):
        inputs = {name: _copy(value) for name, value in inputs.items()}
        before = {name: _copy(value) for name, value in inputs.items()}
        found = probe(workshop.make_again if workshop.makes_modules else watch.component, **inputs)
    conduct = watch.conduct
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor) and _differs(value, before[name]):
            _note(conduct.inputs_changed, name)
    if workshop.makes_modules:
        with suppress(Exception), _torch_state_restored():
            conduct.mode_matters = _mode_matters(component, workshop, watch)
    return found, conduct


# Other ones than a component would seed torch with itself.
FIRST_SEED, SECOND_SEED = 2017, 1706


def _other_values(value):
    """A tensor of the same shape and kind with its numbers in other places."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().flatten().roll(1).reshape(value.shape)


@contextmanager
def _torch_state_restored():
    gradients, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    try:
        yield
    finally:
        torch.set_grad_enabled(gradients)
        torch.set_default_dtype(dtype)


class _Workshop:
    """Makes modules of a class twice: the second time, those of the first time come back."""

    def __init__(self, component, watch: "_Watch"):
        self.component, self.watch, self.conduct = component, watch, watch.conduct
        self.makes_modules = isinstance(component, type) and issubclass(component, nn.Module)
        self._made: dict[str, list[tuple[nn.Module, torch.Tensor]]] = {}
        self._taken: dict[str, int] = {}
        self.arguments: list[tuple[nn.Module, tuple, dict]] = []  # of the second time

    def make_first(self, *args, **kwargs):
        module = self.component(*args, **kwargs)
        if self.makes_modules and _are_plain((*args, *kwargs.values())):
            made = self._made.setdefault(repr((args, kwargs)), [])
            made.append((module, torch.get_rng_state()))
        return module

    def make_again(self, *args, **kwargs):
        settings = {name: TORCH_STATE[name]() for name in SETTINGS}
        with self.watch.looking_away():  # __init__ may set what no later call may change
            new = self.component(*args, **kwargs)  # it draws as many random numbers as ever
        for name in SETTINGS:
            if TORCH_STATE[name]() != settings[name]:
                _note(self.conduct.state_changed, name)
        if not _are_plain((*args, *kwargs.values())):
            return new
        if not all(_modes(new)):
            _note(self.conduct.modes_changed, "self")
        key = repr((args, kwargs))
        place = self._taken[key] = self._taken.get(key, -1) + 1
        made = self._made.get(key, [])
        module = new
        if place < len(made):
            used, random_state = made[place]
            # Two streams of random numbers never meet, unless something seeds them.
            if torch.equal(random_state, torch.get_rng_state()):
                _note(self.conduct.state_changed, "random numbers")
            if any(one is other for one in new.parameters() for other in used.parameters()):
                self.conduct.shares_weights = True
            module = _as_new(used, new)
        self.arguments.append((module, args, kwargs))
        return module


def _are_plain(values) -> bool:
    return all(value is None or isinstance(value, bool | int | float | str) for value in values)


def _as_new(used: nn.Module, new: nn.Module) -> nn.Module:
    """The used module with the weights, gradients and modes of a new one; or the new one, where
    the two are not made alike."""
    ours, theirs = dict(used.named_parameters()), dict(new.named_parameters())
    parts, new_parts = list(used.modules()), list(new.modules())
    if ours.keys() != theirs.keys() or len(parts) != len(new_parts):
        return new
    saved = used.state_dict(keep_vars=True)
    for name, tensor in new.state_dict(keep_vars=True).items():
        if name in saved:
            saved[name].data = tensor.data.clone()
    for name, parameter in theirs.items():
        ours[name].requires_grad_(parameter.requires_grad)
        ours[name].grad = None
    for part, new_part in zip(parts, new_parts, strict=True):
        part.training = new_part.training
    return used


class _Watch:
    """Compares what there is before and after each call from outside of a component."""

    def __init__(self, component):
        self.conduct = Conduct()
        self.first_call: tuple = ()  # of forward: the module, its arguments, and its result
        self._depth = 0
        self.component = component if isinstance(component, type) else self.around(component)

    @contextmanager
    def looking_away(self):
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def around(self, function):
        @functools.wraps(function)
        def watched(*args, **kwargs):
            if self._depth:
                return function(*args, **kwargs)
            given = tuple(map(_copy, args[1:])), {name: _copy(of) for name, of in kwargs.items()}
            before = _State(function, args, kwargs)
            try:
                with self.looking_away():
                    result = function(*args, **kwargs)
            finally:
                before.compare(self.conduct)
            if function.__name__ == "forward" and not self.first_call:
                self.first_call = (args[0], *given, _snapshots(result))
            return result

        return watched


class _State:
    """All that a call must leave as it is."""

    def __init__(self, function, args, kwargs):
        self._arguments = _by_name(function, args, kwargs)
        self._tensors = {name: _snapshots(of) for name, of in self._arguments.items()}
        self._modes = {name: _modes(of) for name, of in self._arguments.items()}
        self._weights = {name: _weights(of) for name, of in self._arguments.items()}
        # In training, dropout draws; how much, is not laid down.
        draws = function.__name__ == "forward" and args and any(_modes(args[0]))
        watched = SETTINGS if draws else TORCH_STATE
        self._torch = {name: TORCH_STATE[name]() for name in watched}

    def compare(self, conduct: Conduct) -> None:
        """Note in `conduct` what differs now."""
        for name, value in self._arguments.items():
            if any(_differs(tensor, before) for tensor, before in self._tensors[name]):
                _note(conduct.inputs_changed, name)
            if _modes(value) != self._modes[name]:
                _note(conduct.modes_changed, name)
            if _are_other_weights(_weights(value), self._weights[name]):
                _note(conduct.weights_changed, name)
        for name, before in self._torch.items():
            now = TORCH_STATE[name]()
            if not (torch.equal(now, before) if isinstance(now, torch.Tensor) else now == before):
                _note(conduct.state_changed, name)


def _by_name(function, args, kwargs) -> dict:
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):  # the call itself will say so
        bound = {**{str(place): value for place, value in enumerate(args)}, **kwargs}
    return dict(bound)


def _snapshots(value, depth: int = 0) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The tensors in a value, each with a copy; of what may be read only once, none."""
    if isinstance(value, torch.Tensor):
        return [(value, value.detach().clone())]
    if depth > 3:
        return []
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [pair for one in value for pair in _snapshots(one, depth + 1)]
    return []


def _modes(value) -> list[bool]:
    return [part.training for part in value.modules()] if isinstance(value, nn.Module) else []


def _weights(value) -> dict[str, tuple[torch.Tensor, bool]]:
    """A module's parameters by name: copies, and whether they learn."""
    if not isinstance(value, nn.Module):
        return {}
    return {
        name: (parameter.detach().clone(), parameter.requires_grad)
        for name, parameter in value.named_parameters()
    }


def _are_other_weights(now: dict, before: dict) -> bool:
    return now.keys() != before.keys() or any(
        _differs(weight, before[name][0]) or learns != before[name][1]
        for name, (weight, learns) in now.items()
    )


def _differs(tensor: torch.Tensor, before: torch.Tensor) -> bool:
    now = tensor.detach()
    if now.device.type == "meta":
        return False
    if now.shape != before.shape or now.dtype != before.dtype:
        return True
    return not torch.equal(torch.nan_to_num(now), torch.nan_to_num(before))


def _note(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


@contextmanager
def _watched(component, watch: "_Watch"):
    """While this lasts, calls of a class's own public methods are watched."""
    methods = _public_methods(component) if isinstance(component, type) else {}
    own = {name: vars(component)[name] for name in methods if name in vars(component)}
    for name, method in methods.items():
        setattr(component, name, watch.around(method))
    try:
        yield
    finally:
        for name in methods:
            delattr(component, name)
        for name, method in own.items():
            setattr(component, name, method)


def _public_methods(component: type) -> dict:
    return {
        name: method
        for name in dir(component)
        if not name.startswith("_") and not hasattr(nn.Module, name) or name == "forward"
        if isinstance(method := getattr(component, name, None), types.FunctionType)
        and isinstance(inspect.getattr_static(component, name), types.FunctionType)
    }


def _mode_matters(component: type, workshop: _Workshop, watch: _Watch) -> bool:
    """Whether the first call has another result in the other mode, without dropout."""
    if not watch.first_call:
        return False
    module, args, kwargs, result = watch.first_call
    with _without_dropout():
        again = _call(module, not module.training, args, kwargs)
    if _have_equal_numbers(result, again):
        return False
    # Dropout of another kind, perhaps: ask a module that was made without it.
    made = next((a, k) for one, a, k in workshop.arguments if one is module)
    signature = inspect.signature(component)
    bound = signature.bind(*made[0], **made[1])
    if "dropout" in signature.parameters:
        bound.arguments["dropout"] = 0.0
    twin = component(*bound.args, **bound.kwargs)
    for ours, theirs in zip(twin.parameters(), module.parameters(), strict=True):
        ours.data = theirs.detach().clone()
    results = [_call(twin, training, args, kwargs) for training in (True, False)]
    return not _have_equal_numbers(*results)


@contextmanager
def _without_dropout():
    original = torch.nn.functional.dropout
    torch.nn.functional.dropout = lambda input, *_, **__: input
    try:
        yield
    finally:
        torch.nn.functional.dropout = original


def _call(module: nn.Module, training: bool, args, kwargs) -> list:
    modes = _modes(module)
    module.train(training)
    with torch.no_grad():
        result = module(*map(_copy, args), **{name: _copy(of) for name, of in kwargs.items()})
    for part, mode in zip(module.modules(), modes, strict=True):
        part.training = mode
    return _snapshots(result)


def _have_equal_numbers(one: list, other: list) -> bool:
    return all(
        a.is_meta or torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-4, equal_nan=True)
        for (_, a), (_, b) in zip(one, other, strict=True)
    )


def _copy(value):
    return value.detach().clone() if isinstance(value, torch.Tensor) else value
