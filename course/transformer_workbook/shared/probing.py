"""Calls a student's component through a probe and returns evidence.

A probe is a plain function `probe(component, **inputs) -> dict` of named tensors and values: None,
text, booleans, numbers, lists; of others the type is told. It holds no expected answer, so it may
run beside untrusted code. The probes of each lesson are in its folder in `lessons`. The first half
of this module runs a probe, the second half is what probes of several lessons share.
"""

import builtins
import difflib
import functools
import importlib
import math
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from .dropout_kept import eval_mode_between
from .evidence import Evidence, Failure, Probe
from .forbidden_calls import WriteThisYourself
from .language import _
from .names_in_line import names_in
from .obligations import call_once, call_twice
from .time_limit import SECONDS, TookTooLong, loop_around, time_limit


class Missing(Exception):
    """Nothing of the component's name was defined."""


class Unnamed(AttributeError):
    """The student's object lacks an attribute whose name the course fixes."""


def find_probe(lesson: str, name: str) -> Probe:
    """The probe `name` of a lesson such as "01-attention"; a lesson without own ones has `probes`.

    Raises ImportError or AttributeError where there is none.
    """
    package = __name__.rpartition(".shared.")[0]
    home = f"{package}.lessons.{module_name(lesson)}.probes"
    shared = f"{package}.shared.probes"
    probe: Probe = getattr(importlib.import_module(home if find_spec(home) else shared), name)
    return probe


def module_name(lesson: str) -> str:
    """The Python name of a lesson's modules: "01-attention" gives "attention"."""
    return lesson.partition("-")[2].replace("-", "_")


def gather(
    probe: Probe,
    namespace: dict[str, Any],
    component: str,
    inputs: dict[str, Any],
    watched: bool = True,
    can_be_stopped: bool = False,
    seconds: float | None = SECONDS,
) -> Evidence:
    """Call one probe on `namespace[component]`. Never raises: an exception becomes a failure.

    Unless `watched`, it is called once and obligations are not checked, in a third of the time.
    If it `can_be_stopped`, by a person at a notebook, a KeyboardInterrupt is raised after all.
    `seconds` is how long it may compute.
    """
    try:
        if component not in namespace:
            raise Missing(component)
        if not watched:
            with time_limit(seconds):
                return gather_once(probe, namespace, component, inputs)
        twice = eval_mode_between(probe)
        with time_limit(seconds):
            result, violations = call_twice(twice, namespace[component], inputs, can_be_stopped)
        tensors, values = _tensors_and_values(result)
    except BaseException as error:  # a student's sys.exit() is evidence too
        if can_be_stopped and isinstance(error, KeyboardInterrupt):
            raise
        return Evidence(failure=describe(error, namespace))
    return Evidence(tensors, {**values, **vars(violations)})


def gather_once(
    probe: Probe,
    namespace: dict[str, Any],
    component: str,
    inputs: dict[str, Any],
    seed: int | None = None,
) -> Evidence:
    """As `gather`, unwatched. `seed` is that of `call_once`. Raises what the probe raises."""
    return Evidence(*_tensors_and_values(call_once(probe, namespace[component], inputs, seed)))


def _tensors_and_values(result: object) -> tuple[dict[str, torch.Tensor], dict[str, object]]:
    if not isinstance(result, dict):
        message = _("a probe returns a dict, not {type}")
        raise TypeError(message.format(type=type(result).__name__))
    tensors: dict[str, torch.Tensor] = {}
    values: dict[str, object] = {}
    for name, value in result.items():
        if isinstance(value, torch.Tensor):
            # A subclass of Tensor may override comparisons, so keep the plain data.
            tensors[name] = torch.Tensor.detach(value).clone().as_subclass(torch.Tensor)
        elif value is None or isinstance(value, str | bool | int | float | list):
            values[name] = value
        else:
            values[name] = f"<{type(value).__name__}>"
    return tensors, values


def describe(error: BaseException, namespace: dict[str, Any]) -> Failure:
    """An exception as a failure; `namespace` holds the globals of the student's cells."""
    line, names = _own_line(error, namespace)
    kind = "exception"
    if isinstance(error, NameError) and "'____'" in str(error):
        kind = "blank"
    elif isinstance(error, WriteThisYourself):
        kind = "forbidden"
    elif isinstance(error, Missing):
        kind = "missing"
    elif isinstance(error, TookTooLong):
        kind, line = "timeout", _endless_loop(error, namespace) or line
    elif isinstance(error, Unnamed):
        # The access was in the probe, so name the student's class and not a line.
        owner = type(error.obj).__name__
        return Failure("unnamed", owner, error.name or "", "", _suggestion(error, namespace))
    elif isinstance(error, MemoryError) or "can't allocate memory" in _text(error):  # torch's
        kind = "out_of_memory"
    suggestion = _suggestion(error, namespace)
    return Failure(kind, type(error).__name__, _text(error), line, suggestion, names)


def as_refused(evidence: Evidence, called: list[str]) -> Evidence:
    """The evidence; if it failed and `called` holds a forbidden function, that is the cause.

    The refusal itself may be lost: in a thread, or where TorchScript raises an error of its own.
    """
    if not (evidence.failure and called):
        return evidence
    refused = {"kind": "forbidden", "type": WriteThisYourself.__name__, "message": called[0]}
    return Evidence(failure=replace(evidence.failure, **refused))


def _text(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except BaseException:
        return ""


def _own_line(error: BaseException, namespace: dict[str, Any]) -> tuple[str, str]:
    """The innermost line of the student's cells in the traceback, and its names as in `names_in`.

    Both are empty if there is none.
    """
    line, own_frame = "", None
    for frame, number in _own_frames(error, namespace):
        summary = traceback.FrameSummary(frame.f_code.co_filename, number, frame.f_code.co_name)
        line, own_frame = (summary.line, frame) if summary.line else (line, own_frame)
    if isinstance(error, SyntaxError) and isinstance(error.text, str):
        return error.text.strip(), ""  # the cell did not compile, so no frame has its line
    return line, names_in(line, own_frame) if own_frame else ""


def _own_frames(error: BaseException, namespace: dict[str, Any]) -> Iterator[tuple[FrameType, int]]:
    """The frames of the student's cells in the traceback, outermost first, with their lines."""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is namespace or frame.f_globals.get("__name__") == "__main__":
            yield frame, number


def _endless_loop(error: BaseException, namespace: dict[str, Any]) -> str:
    """The line of the innermost `while` that code was in as it was stopped; "" without one."""
    lines = [loop_around(*place) for place in _own_frames(error, namespace)]
    return next(filter(None, reversed(lines)), "")


def _suggestion(error: BaseException, namespace: dict[str, Any]) -> str:
    """The attribute or name that a misspelled one resembles; empty if there is none."""
    wrong = getattr(error, "name", None)
    if not isinstance(wrong, str):
        return ""
    if isinstance(error, AttributeError):
        try:
            names = dir(getattr(error, "obj", None))
        except BaseException:  # a student's own __dir__
            return ""
    elif isinstance(error, NameError):
        frames = [frame for frame, _number in traceback.walk_tb(error.__traceback__)
                  if frame.f_globals is namespace]  # fmt: skip
        names = [name for frame in frames for name in (*frame.f_locals, *frame.f_globals)]
        names += dir(builtins)
    else:
        return ""
    names = [name for name in names if isinstance(name, str)]
    return next(iter(difflib.get_close_matches(wrong, names, n=1, cutoff=0.8)), "")


@contextmanager
def standing_in(namespace: dict[str, Any], stand_ins: Mapping[str, object]) -> Iterator[None]:
    """While this lasts, `namespace` holds `stand_ins` (by name) instead of the student's own.

    So a wrong component does not make those that use it fail.
    """
    saved = {name: namespace[name] for name in stand_ins if name in namespace}
    namespace.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            namespace.pop(name, None)
        namespace.update(saved)


# Shared by the probes: attributes and gradients.


def named(owner: object, name: str) -> Any:
    """The attribute `name` of a student's object, where the course fixes that name.

    Raises Unnamed where there is none: an AttributeError would look like a bug of the student's.
    """
    try:
        return getattr(owner, name)
    except AttributeError:
        raise Unnamed(name=name, obj=owner) from None


def gradients(output: object, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor | None]:
    """Gradients of a weighted sum of `output`, as {"name.grad": ...}; zeros where none flows.

    Each has the shape of its input. The weights of the sum differ, since the plain sum of a softmax
    has gradient 0. Where `output` is not a tensor, every gradient is None.
    """
    if not isinstance(output, torch.Tensor):
        return {f"{name}.grad": None for name in inputs}
    index = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    cotangent = torch.cos(index).reshape(output.shape)
    grads = torch.autograd.grad(
        output, list(inputs.values()), cotangent, allow_unused=True, retain_graph=True
    )
    return {
        f"{name}.grad": torch.zeros_like(leaf) if grad is None else grad
        for (name, leaf), grad in zip(inputs.items(), grads, strict=True)
    }


# Shared by the probes: parameters with known values.

NORM_NAMES = {"weight": "gamma", "bias": "beta"}
FIXED_NAMES = {
    "w_q", "w_k", "w_v", "w_o", "w_1", "w_2", "w_gate", "w_up", "w_down", "gamma", "beta",
    "proj", "embedding", "weight", "bias",
}  # fmt: skip


def fill_parameters(module: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Give every parameter small known values that depend on its shape and its name's last parts.

    Attribute names inside a layer are the student's choice, so only the names that the course
    fixes (`w_q`, `gamma`, ...) tell parameters of one shape apart. Returns the module.
    """
    with torch.no_grad():
        for name, parameter in named_parameters(module):
            parts = name.split(".")[-2:]
            fixed = [part for part in parts if part in FIXED_NAMES]
            key = f"{seed}|{'.'.join(fixed)}|{tuple(parameter.shape)}"
            _fill(parameter, key, offset=1.0 if "gamma" in parts else 0.0)
    return module


def fill_norms(module: torch.nn.Module, seed: int = 0) -> dict[str, list[torch.nn.Parameter]]:
    """Give the norms in a module known values, their parameters told apart by initial value.

    A student may name a norm's parameters freely: the one initialized to 1 is gamma, to 0 beta.
    Returns the parameters of both kinds.
    """
    kinds: dict[str, list[torch.nn.Parameter]] = {"gamma": [], "beta": []}
    for parameter in module.parameters():
        kinds["gamma" if parameter.flatten()[0] == 1 else "beta"].append(parameter)
    with torch.no_grad():
        for kind, parameters in kinds.items():
            for parameter in parameters:
                key = f"{seed}|{kind}|{tuple(parameter.shape)}"
                _fill(parameter, key, offset=1.0 if kind == "gamma" else 0.0)
    return kinds


def named_parameters(module: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """A module's parameters by name; those of torch's LayerNorm are called gamma and beta.

    A shared parameter has the name that the course fixes, whichever part is made first.
    """
    names: dict[int, list[str]] = {}
    for name, parameter in module.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    norm_names: dict[int, str] = {}
    for part in module.modules():
        if isinstance(part, torch.nn.LayerNorm):
            norm_names |= {id(part.weight): "gamma", id(part.bias): "beta"}
    for parameter in module.parameters():
        name = min(names[id(parameter)], key=_how_free)
        owner, dot, last = name.rpartition(".")
        yield f"{owner}{dot}{norm_names.get(id(parameter), last)}", parameter


def _how_free(name: str) -> tuple[int, str]:
    """Sorts the names of one parameter: those that the course fixes come first."""
    last = name.split(".")[-2:]
    return -sum(part in FIXED_NAMES for part in last), ".".join(last)


def _fill(parameter: torch.Tensor, key: str, offset: float) -> None:
    parameter.copy_(_values(key, tuple(parameter.shape), offset))


@functools.lru_cache(maxsize=512)
def _values(key: str, shape: tuple[int, ...], offset: float) -> torch.Tensor:
    """What a parameter of this shape is filled with, in float64."""
    scale = 1 / max(shape[-1], 1) ** 0.5 if shape[1:] else 0.5
    return _pattern(key, math.prod(shape)).reshape(shape) * scale + offset


def _pattern(key: str, count: int) -> torch.Tensor:
    """`count` pseudo-random float64 values in [-1, 1), the same on every machine for one key."""
    state = 2166136261  # FNV-1a hash of the key
    for byte in key.encode():
        state = (state ^ byte) * 16777619 % 2**32
    # NumPy takes a third of torch's time for arrays as small as these.
    mixed = (np.arange(count, dtype=np.int64) * 2654435761 + state) % 2**32
    mixed = ((mixed ^ (mixed >> 15)) * 739982445) % 2**32
    mixed = ((mixed ^ (mixed >> 12)) * 695872825) % 2**32
    mixed = mixed ^ (mixed >> 15)
    return torch.from_numpy(mixed % 4096 / 2048 - 1)


@contextmanager
def filled_when_called(seed: int = 0) -> Iterator[None]:
    """While this lasts, each module's parameters get known values on its first call.

    The values depend on the parameter's own name, its shape and how many of these came before, not
    on where the module is kept. So two modules differ, a module that is called twice keeps its
    values, and one that torch does not register (in a plain list) is filled too. The parameters of
    torch's LayerNorm count as `gamma` and `beta`, as in the course.
    """
    filled: dict[int, torch.Tensor] = {}  # by id; kept, so that no id is given twice
    counts = Counter[str]()

    def fill(name: str, parameter: torch.Tensor | None) -> None:
        if id(parameter) in filled or not isinstance(parameter, torch.nn.Parameter):
            return
        key = f"{name}|{tuple(parameter.shape)}"
        with torch.no_grad():
            _fill(parameter, f"{seed}|{counts[key]}|{key}", 1.0 if name == "gamma" else 0.0)
        filled[id(parameter)] = parameter
        counts[key] += 1

    def fill_module(module: torch.nn.Module, inputs: object) -> None:
        names = NORM_NAMES if isinstance(module, torch.nn.LayerNorm) else {}
        for name, parameter in module._parameters.items():  # named_parameters takes far longer
            fill(names.get(name, name), parameter)

    # Code that passes a module's parameters to torch's functions never calls the module.
    linear, layer_norm = torch.nn.functional.linear, torch.nn.functional.layer_norm

    def filled_linear(
        input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
    ) -> torch.Tensor:
        fill("weight", weight)
        fill("bias", bias)
        return linear(input, weight, bias)

    def filled_layer_norm(
        input: torch.Tensor,
        normalized_shape: Sequence[int],
        weight: torch.Tensor | None = None,
        bias: torch.Tensor | None = None,
        eps: float = 1e-5,
    ) -> torch.Tensor:
        fill("gamma", weight)
        fill("beta", bias)
        return layer_norm(input, normalized_shape, weight, bias, eps)

    hook = torch.nn.modules.module.register_module_forward_pre_hook(fill_module)
    torch.nn.functional.linear, torch.nn.functional.layer_norm = filled_linear, filled_layer_norm
    try:
        yield
    finally:
        hook.remove()
        torch.nn.functional.linear, torch.nn.functional.layer_norm = linear, layer_norm


# Shared by the probes: dropout, outputs, errors.


@contextmanager
def certain_dropout() -> Iterator[None]:
    """While this lasts, dropout is deterministic: in training mode it multiplies by 1 - p.

    With p = 0 and p = 1 that is what dropout does; a wrong p always changes the result.
    """
    original = torch.nn.functional.dropout

    def scale(
        input: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
    ) -> torch.Tensor:
        return input * (1 - p) if training else input

    torch.nn.functional.dropout = scale
    try:
        yield
    finally:
        torch.nn.functional.dropout = original


def part_of(output: Any, place: Any) -> Any:
    """`output[place]`; anything but a tensor is returned whole, for the finding to name."""
    return output[place] if isinstance(output, torch.Tensor) else output


def without_padding(ids: Any, pad_id: int) -> Any:
    """What was written, without padding at the end of all rows; what is no table stays."""
    if not isinstance(ids, torch.Tensor) or ids.dim() != 2:
        return ids
    written = (ids != pad_id).any(dim=0).nonzero()
    return ids[:, : written.max() + 1] if len(written) else ids[:, :1]


def called_twice(call: Callable[[], object]) -> torch.Tensor | None:
    """The outputs of two calls, stacked: (2, ...); None unless both are tensors of one shape."""
    first, second = call(), call()
    if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
        return None
    return torch.stack([first, second]) if first.shape == second.shape else None


def what_dropout_did(given: torch.Tensor, output: object) -> dict[str, object]:
    """Properties of the dropout that turned `given` into `output`: what was 0 before is not judged.

    The share dropped is rounded to a twentieth, which is stable from ten thousand entries on.
    Empty where `output` is not a tensor of the same shape.
    """
    if not isinstance(output, torch.Tensor) or output.shape != given.shape:
        return {}
    was_there = given != 0
    dropped = (output == 0) & was_there
    share = round(20 * (dropped.sum() / was_there.sum().clamp(min=1)).item()) / 20
    varies = [(dropped.any(dim=d) != dropped.all(dim=d)).any() for d in range(dropped.dim())]
    return {
        "share dropped": share,
        "each dropped for itself": bool(all(varies)),
        "the others scaled up": torch.allclose(
            output * (1 - share), given.masked_fill(dropped, 0.0), atol=1e-5
        ),
    }


def error_of(action: Callable[[], object]) -> str:
    """The type of exception that `action()` raises, or "none".

    An exception class of the student's own is named by the built-in class that it extends.
    """
    try:
        action()
    except Exception as error:
        return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
    return "none"


TWO_DEVICES = "tensors on two devices"


def where_it_runs(device_of: Callable[[], str]) -> str:
    """What `device_of()` returns, or `TWO_DEVICES`; it calls a component on the device "meta".

    That device has no numbers. Code that looks at one number after the other is as right as any:
    what it reads there are zeros, and where even that fails, it passes. A default device that the
    call leaves behind is told, too.
    """
    with default_device_restored(), _ZerosForReaders():
        try:
            device = device_of()
        except (RuntimeError, NotImplementedError) as error:
            device = TWO_DEVICES if _are_two_devices(error) else "meta"
        left_as_default = torch.empty(0).device.type
    return device if left_as_default == "cpu" else f"{left_as_default}, for all that follows"


def on_one_device(*tensors: torch.Tensor | None) -> None:
    """Raise RuntimeError, as torch does on a GPU, if the tensors are not on one device."""
    if len({tensor.device for tensor in tensors if isinstance(tensor, torch.Tensor)}) > 1:
        raise RuntimeError("expected all tensors to be on the same device")


@contextmanager
def default_device_restored() -> Iterator[None]:
    """Torch's default device is the CPU again at the end."""
    try:
        yield
    finally:
        torch.set_default_device(None)


class _ZerosForReaders(TorchFunctionMode):
    """What cannot be done with a tensor on "meta" is done with zeros of its shape."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if function is torch.nn.functional.embedding:
            on_one_device(*args)  # a GPU refuses what "meta" lets pass
        try:
            return function(*args, **(kwargs or {}))
        except (RuntimeError, NotImplementedError) as error:
            if _are_two_devices(error):
                raise
            result = function(*map(_with_zeros, args), **(kwargs or {}))
            stays = isinstance(result, torch.Tensor) and function not in _BRING_TO_THE_CPU
            return result.to("meta") if stays else result


_BRING_TO_THE_CPU = (torch.Tensor.cpu, torch.Tensor.to, torch.tensor)


def _with_zeros(value: Any) -> Any:
    """A value whose tensors on "meta", in lists too, are zeros on the CPU."""
    if type(value) in (list, tuple):
        return type(value)(map(_with_zeros, value))
    is_meta = isinstance(value, torch.Tensor) and value.is_meta
    return torch.zeros(value.shape, dtype=value.dtype, device="cpu") if is_meta else value


def _are_two_devices(error: Exception) -> bool:
    return "expected device" in str(error) or "same device" in str(error)
