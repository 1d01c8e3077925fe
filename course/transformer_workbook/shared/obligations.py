"""What no component may do, whatever it computes: recorded here, judged as evidence.

- State: neither an earlier call nor another instance may change a result.
- Side effects: a call leaves its arguments as they were, and torch's own state, and the modes and
  weights of every module that it is given (its own included).
- Construction: a new module is in training mode and shares no weights with another instance.
- Mode: apart from dropout, training mode and eval mode compute the same.

A violation that the reference commits too (a training step changes weights) is not held against a
student; see `diagnosis.compare`.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from .evidence import Probe

_Function = Callable[..., Any]
_Args = tuple[Any, ...]
_Kwargs = dict[str, Any]
_Snapshots = list[tuple[torch.Tensor, torch.Tensor]]  # each tensor with a copy
_Weights = dict[str, tuple[torch.Tensor, bool]]  # each with `requires_grad`

TORCH_FLAGS: dict[str, Callable[[], Any]] = {
    "gradients": torch.is_grad_enabled,
    "default dtype": torch.get_default_dtype,
    "autocast": torch.is_autocast_enabled,
}
RANDOM, SEED = "random numbers", "seed"
TORCH_STATE = {**TORCH_FLAGS, RANDOM: torch.get_rng_state}

# A component that seeds torch itself would choose others.
FIRST_SEED, SECOND_SEED = 2017, 1706


@dataclass
class Violations:
    """The obligations that a component violated, over all calls of one probe.

    `inputs_changed`, `modes_changed` and `weights_changed` name parameters of the component
    ("self" for a module's own). `state_changed` names entries of TORCH_STATE, or SEED.
    `shares_weights` tells whether two instances have a parameter in common, `mode_matters` whether
    training mode and eval mode give different results without dropout, `as_before` whether an
    earlier call with other numbers had the very same results.
    """

    inputs_changed: list[str] = field(default_factory=list)
    modes_changed: list[str] = field(default_factory=list)
    weights_changed: list[str] = field(default_factory=list)
    state_changed: list[str] = field(default_factory=list)
    shares_weights: bool = False
    mode_matters: bool = False
    as_before: bool = False


OBLIGATIONS = tuple(Violations.__dataclass_fields__)


def call_twice(
    probe: Probe, component: Any, inputs: dict[str, Any], can_be_stopped: bool = False
) -> tuple[dict[str, object], Violations]:
    """Run `probe(component, **inputs)` after a first run with other values.

    The first run gets inputs of the same shapes with other values, and its result is discarded;
    it is skipped where no input is a tensor. The second run reuses the modules that the first one
    built, with freshly drawn weights. So if a function, a class or a module stores anything in the
    first run, the second result shows it. Returns that result, and the violations of both runs.
    Raises what the second run of the probe raises; if it `can_be_stopped`, a KeyboardInterrupt of
    the first run, too.
    """
    watcher = _CallWatcher(component)
    factory = _ModuleFactory(component, watcher)
    varied = {name: _other_values(value) for name, value in inputs.items()}
    earlier = None
    if any(isinstance(value, torch.Tensor) for value in inputs.values()):
        seed_torch(FIRST_SEED)
        try:
            with _torch_state_restored():
                earlier = probe(factory.build, **varied)
        except BaseException as error:
            if can_be_stopped and isinstance(error, KeyboardInterrupt):
                raise
    # Probes of random behavior compare properties, and must not pass or fail by luck.
    seed_torch(SECOND_SEED)
    with _torch_state_restored(), _methods_watched(component, watcher):
        inputs = {name: _copy(value) for name, value in inputs.items()}
        before = {name: _copy(value) for name, value in inputs.items()}
        result = probe(factory.rebuild if factory.builds_modules else watcher.component, **inputs)
    violations = watcher.violations
    if any(_differs(value, varied[name]) for name, value in before.items() if _is_tensor(value)):
        violations.as_before = _is_the_same(earlier, result)
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor) and _differs(value, before[name]):
            _add(violations.inputs_changed, name)
    if factory.builds_modules:
        with suppress(Exception), _torch_state_restored():
            violations.mode_matters = _mode_matters(component, factory, watcher)
    return result, violations


def call_once(
    probe: Probe, component: Any, inputs: dict[str, Any], seed: int | None = None
) -> dict[str, object]:
    """Run `probe(component, **inputs)`, with copies of the inputs. Raises what the probe raises.

    Without a seed, random numbers are those of the second call of `call_twice`.
    """
    seed_torch(SECOND_SEED if seed is None else seed)
    with _torch_state_restored():
        return probe(component, **{name: _copy(value) for name, value in inputs.items()})


def seed_torch(seed: int) -> None:
    """As torch.manual_seed, which takes as long as a small probe where no device was used yet."""
    if torch.cuda.is_initialized() or torch.backends.mps.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def _other_values(value: Any) -> Any:
    """A tensor of the same shape and dtype, its numbers rolled by one; others as they are."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().flatten().roll(1).reshape(value.shape)


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def _is_the_same(earlier: object, result: object) -> bool:
    """Whether all tensors of more than one entry are equal in two results, and there is one."""
    if (
        not isinstance(earlier, dict)
        or not isinstance(result, dict)
        or earlier.keys() != result.keys()
    ):
        return False
    tensors = {name for name, value in result.items() if _is_tensor(value) and value.numel() > 1}
    return bool(tensors) and all(
        _is_tensor(earlier[name])
        and earlier[name].shape == result[name].shape
        and torch.equal(earlier[name], result[name])
        for name in tensors
    )


@contextmanager
def _torch_state_restored() -> Iterator[None]:
    gradients, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    try:
        yield
    finally:
        torch.set_grad_enabled(gradients)
        torch.set_default_dtype(dtype)


# Modules: built in the first run, reused in the second.


class _ModuleFactory:
    """Stands for the component's class: `build` in the first run, `rebuild` in the second."""

    def __init__(self, component: Any, watcher: "_CallWatcher"):
        self.component, self.watcher = component, watcher
        self.builds_modules = isinstance(component, type) and issubclass(component, nn.Module)
        self._built: dict[str, list[tuple[nn.Module, torch.Tensor]]] = {}  # with the RNG state
        self._reused: dict[str, int] = {}
        self.rebuilt: list[tuple[nn.Module, _Args, _Kwargs]] = []  # with constructor arguments

    def build(self, *args: Any, **kwargs: Any) -> Any:
        module = self.component(*args, **kwargs)
        if self.builds_modules and _are_plain((*args, *kwargs.values())):
            built = self._built.setdefault(repr((args, kwargs)), [])
            built.append((module, torch.get_rng_state()))
        return module

    def rebuild(self, *args: Any, **kwargs: Any) -> Any:
        """The module that `build` returned for these arguments, with the weights of a new one.

        The new one, if none is left, or if the arguments are modules themselves.
        """
        violations = self.watcher.violations
        flags = {name: read() for name, read in TORCH_FLAGS.items()}
        with self.watcher.paused():  # __init__ may set what no later call may change
            new = self.component(*args, **kwargs)  # draws as many random numbers as ever
        for name, read in TORCH_FLAGS.items():
            if read() != flags[name]:
                _add(violations.state_changed, name)
        if not _are_plain((*args, *kwargs.values())):
            return new
        if not all(_modes(new)):
            _add(violations.modes_changed, "self")
        key = repr((args, kwargs))
        index = self._reused[key] = self._reused.get(key, -1) + 1
        built = self._built.get(key, [])
        module = new
        if index < len(built):
            used, rng_state = built[index]
            # The two runs have different seeds: equal RNG states mean that the component seeds.
            if torch.equal(rng_state, torch.get_rng_state()):
                _add(violations.state_changed, SEED)
            if set(map(id, new.parameters())) & set(map(id, used.parameters())):
                violations.shares_weights = True
            module = _renewed(used, new)
        self.rebuilt.append((module, args, kwargs))
        return module


def _are_plain(values: _Args) -> bool:
    return all(value is None or isinstance(value, bool | int | float | str) for value in values)


def _renewed(used: nn.Module, new: nn.Module) -> nn.Module:
    """`used` with the weights and modes of `new` and no gradients; `new` if their parts differ."""
    used_parameters, new_parameters = dict(used.named_parameters()), dict(new.named_parameters())
    used_parts, new_parts = list(used.modules()), list(new.modules())
    if used_parameters.keys() != new_parameters.keys() or len(used_parts) != len(new_parts):
        return new
    used_state = used.state_dict(keep_vars=True)
    for name, tensor in new.state_dict(keep_vars=True).items():
        if name in used_state:
            used_state[name].data = tensor.data.clone()
    for name, parameter in new_parameters.items():
        used_parameters[name].requires_grad_(parameter.requires_grad)
        used_parameters[name].grad = None
    for used_part, new_part in zip(used_parts, new_parts, strict=True):
        used_part.training = new_part.training
    return used


# Calls: the state before and after each one.


class _CallWatcher:
    """Records what each call from outside the component changes."""

    def __init__(self, component: Any) -> None:
        self.violations = Violations()
        self.first_forward: _Args = ()  # the module, args, kwargs, and snapshots of the result
        self._depth = 0
        self.component = component if isinstance(component, type) else self.watch(component)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def watch(self, function: _Function) -> _Function:
        """The function, watched unless it is called from within the component."""

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return function(*args, **kwargs)
            is_first_forward = _name_of(function) == "forward" and not self.first_forward
            if is_first_forward:
                copies = tuple(map(_copy, args[1:])), {k: _copy(v) for k, v in kwargs.items()}
            before = _StateBefore(function, args, kwargs)
            try:
                with self.paused():
                    result = function(*args, **kwargs)
            finally:
                before.compare(self.violations)
            if is_first_forward:
                self.first_forward = (args[0], *copies, _snapshots(result))
            return result

        return watched


@contextmanager
def _methods_watched(component: Any, watcher: _CallWatcher) -> Iterator[None]:
    """While this lasts, calls of a class's own public methods are watched."""
    methods = _public_methods(component) if isinstance(component, type) else {}
    own_methods = {name: vars(component)[name] for name in methods if name in vars(component)}
    for name, method in methods.items():
        setattr(component, name, watcher.watch(method))
    try:
        yield
    finally:
        for name in methods:
            delattr(component, name)
        for name, method in own_methods.items():
            setattr(component, name, method)


def _public_methods(component: type) -> dict[str, _Function]:
    return {
        name: method
        for name in dir(component)
        if not name.startswith("_") and not hasattr(nn.Module, name) or name == "forward"
        if isinstance(method := getattr(component, name, None), types.FunctionType)
        and isinstance(inspect.getattr_static(component, name), types.FunctionType)
    }


class _StateBefore:
    """What a call must leave as it was: its arguments, their modes and weights, torch's state."""

    def __init__(self, function: _Function, args: _Args, kwargs: _Kwargs):
        self._arguments = _by_name(function, args, kwargs)
        self._tensors = {name: _snapshots(value) for name, value in self._arguments.items()}
        self._modes = {
            part: (name, part.training)
            for name, value in self._arguments.items()
            for part in _parts(value)
        }
        self._weights = {name: _weights(value) for name, value in self._arguments.items()}
        # In training mode dropout advances the RNG state, by how much is left open.
        draws = _name_of(function) == "forward" and args and any(_modes(args[0]))
        watched = TORCH_FLAGS if draws else TORCH_STATE
        self._torch = {name: read() for name, read in watched.items()}

    def compare(self, violations: Violations) -> None:
        """Add what differs now to `violations`."""
        for name, value in self._arguments.items():
            if any(_differs(tensor, before) for tensor, before in self._tensors[name]):
                _add(violations.inputs_changed, name)
            if _weights_differ(_weights(value), self._weights[name]):
                _add(violations.weights_changed, name)
        for part, (name, was_training) in self._modes.items():
            if part.training != was_training:
                _add(violations.modes_changed, name)
        for name, before in self._torch.items():
            now = TORCH_STATE[name]()
            if not (torch.equal(now, before) if isinstance(now, torch.Tensor) else now == before):
                _add(violations.state_changed, name)


def _name_of(function: _Function) -> str:
    """The function's name; a callable object, such as a partial, has none."""
    return getattr(function, "__name__", "")


def _by_name(function: _Function, args: _Args, kwargs: _Kwargs) -> dict[str, Any]:
    """The arguments of a call by parameter name; by position where they do not fit."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):  # the call itself will raise
        bound = {**{str(index): value for index, value in enumerate(args)}, **kwargs}
    return dict(bound)


def _snapshots(value: Any, depth: int = 0) -> _Snapshots:
    """The tensors in nested lists, tuples and dicts, each with a copy; iterators are left alone."""
    if isinstance(value, torch.Tensor):
        return [(value, value.detach().clone())]
    if depth > 3:
        return []
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [pair for item in value for pair in _snapshots(item, depth + 1)]
    return []


def _parts(value: object) -> list[nn.Module]:
    return list(value.modules()) if isinstance(value, nn.Module) else []


def _modes(value: object) -> list[bool]:
    return [part.training for part in _parts(value)]


def _weights(value: object) -> _Weights:
    """A module's parameters by name: a copy, and `requires_grad`."""
    if not isinstance(value, nn.Module):
        return {}
    return {
        name: (parameter.detach().clone(), parameter.requires_grad)
        for name, parameter in value.named_parameters()
    }


def _weights_differ(now: _Weights, before: _Weights) -> bool:
    return now.keys() != before.keys() or any(
        _differs(weight, before[name][0]) or requires_grad != before[name][1]
        for name, (weight, requires_grad) in now.items()
    )


def _differs(tensor: torch.Tensor, before: torch.Tensor) -> bool:
    now = tensor.detach()
    if now.device.type == "meta":
        return False
    if now.shape != before.shape or now.dtype != before.dtype:
        return True
    if torch.equal(now, before):
        return False
    return not torch.equal(torch.nan_to_num(now), torch.nan_to_num(before))


def _add(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


# Training mode against eval mode.


def _mode_matters(component: type, factory: _ModuleFactory, watcher: _CallWatcher) -> bool:
    """Whether the first forward gives another result in the other mode, without dropout."""
    if not watcher.first_forward:
        return False
    module, args, kwargs, result = watcher.first_forward
    with _without_dropout():
        result_of_other_mode = _forward(module, not module.training, args, kwargs)
    if _are_close(result, result_of_other_mode):
        return False
    # The dropout may not be torch's. Compare the modes of a module that is built without any.
    built_with = next((a, k) for rebuilt, a, k in factory.rebuilt if rebuilt is module)
    signature = inspect.signature(component)
    bound = signature.bind(*built_with[0], **built_with[1])
    if "dropout" in signature.parameters:
        bound.arguments["dropout"] = 0.0
    twin = component(*bound.args, **bound.kwargs)
    for ours, theirs in zip(twin.parameters(), module.parameters(), strict=True):
        ours.data = theirs.detach().clone()
    results = [_forward(twin, training, args, kwargs) for training in (True, False)]
    return not _are_close(*results)


@contextmanager
def _without_dropout() -> Iterator[None]:
    original = torch.nn.functional.dropout
    torch.nn.functional.dropout = lambda input, *_, **__: input
    try:
        yield
    finally:
        torch.nn.functional.dropout = original


def _forward(module: nn.Module, training: bool, args: _Args, kwargs: _Kwargs) -> _Snapshots:
    """Snapshots of what a module returns in one mode; its own modes are given back."""
    modes = _modes(module)
    module.train(training)
    with torch.no_grad():
        result = module(*map(_copy, args), **{name: _copy(v) for name, v in kwargs.items()})
    for part, mode in zip(module.modules(), modes, strict=True):
        part.training = mode
    return _snapshots(result)


def _are_close(left: _Snapshots, right: _Snapshots) -> bool:
    return all(
        a.is_meta or torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-4, equal_nan=True)
        for (_, a), (_, b) in zip(left, right, strict=True)
    )


def _copy(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value
