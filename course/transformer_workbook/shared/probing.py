"""Calls a student's component and brings back evidence.

A probe is a plain function `probe(component, **inputs) -> dict` of named tensors and values. It
holds no expected answer, so it may run beside untrusted code. The probes of each lesson are in
the package `probes`; what they share is here.
"""

import builtins
import difflib
import importlib
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

from .evidence import Evidence, Failure
from .fence import WriteThisYourself
from .obligations import call_twice


class Missing(Exception):
    """Nothing of the component's name was defined."""


class Unnamed(AttributeError):
    """What the student made lacks an attribute whose name the course fixes."""


def find_probe(lesson: str, name: str):
    """The probe `name` of a lesson such as "01-attention"."""
    module = importlib.import_module(f"transformer_workbook.probes.{module_name(lesson)}")
    return getattr(module, name)


def module_name(lesson: str) -> str:
    """The Python name of a lesson's modules: "01-attention" gives "attention"."""
    return lesson.partition("-")[2].replace("-", "_")


def gather(probe, namespace: dict, component: str, inputs: dict) -> Evidence:
    """Call one probe on `namespace[component]`; whatever happens, evidence comes back."""
    try:
        if component not in namespace:
            raise Missing(component)
        found, conduct = call_twice(probe, namespace[component], inputs)
        tensors, values = _sort(found)
    except BaseException as error:  # a student's sys.exit() is evidence too
        return Evidence(failure=describe(error, namespace))
    return Evidence(tensors, {**values, **vars(conduct)})


def describe(error: BaseException, namespace: dict) -> Failure:
    """What a student has to know of an exception: its kind, message, line, and a suggestion."""
    line = _own_line(error, namespace)
    kind = "exception"
    if isinstance(error, NameError) and "'____'" in str(error):
        kind = "blank"
    elif isinstance(error, WriteThisYourself):
        kind = "forbidden"
    elif isinstance(error, Missing):
        kind = "missing"
    elif isinstance(error, Unnamed):
        # What is told is the student's class and the name: the access was the probe's.
        owner = type(error.obj).__name__
        return Failure("unnamed", owner, error.name, "", _suggestion(error, namespace))
    elif isinstance(error, MemoryError) or "can't allocate memory" in _text(error):  # torch's
        kind = "out_of_memory"
    return Failure(kind, type(error).__name__, _text(error), line, _suggestion(error, namespace))


def as_refused(found: Evidence, called: list[str]) -> Evidence:
    """The evidence; what failed after torch's own version was `called` failed for that reason.

    The refusal itself may be lost: in a thread, or where TorchScript makes an error of its own.
    """
    if not (found.failure and called):
        return found
    kind = WriteThisYourself.__name__
    return Evidence(failure=replace(found.failure, kind="forbidden", type=kind, message=called[0]))


def _text(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except BaseException:
        return ""


def _own_line(error: BaseException, namespace: dict) -> str:
    """The innermost line of the student's own cells in the traceback."""
    line = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is namespace or frame.f_globals.get("__name__") == "__main__":
            summary = traceback.FrameSummary(frame.f_code.co_filename, number, frame.f_code.co_name)
            line = summary.line or line
    if isinstance(error, SyntaxError) and isinstance(error.text, str):
        line = error.text.strip()  # the cell did not run, so no frame has its line
    return line


def _suggestion(error: BaseException, namespace: dict) -> str:
    """The attribute or name that was probably meant, for a misspelt one."""
    wrong = getattr(error, "name", None)
    if not isinstance(wrong, str):
        return ""
    if isinstance(error, AttributeError):
        try:
            known = dir(getattr(error, "obj", None))
        except BaseException:  # a student's own __dir__
            return ""
    elif isinstance(error, NameError):
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)
                  if frame.f_globals is namespace]  # fmt: skip
        known = [name for frame in frames for name in (*frame.f_locals, *frame.f_globals)]
        known += dir(builtins)
    else:
        return ""
    known = [name for name in known if isinstance(name, str)]
    return next(iter(difflib.get_close_matches(wrong, known, n=1, cutoff=0.8)), "")


def _sort(found) -> tuple[dict, dict]:
    if not isinstance(found, dict):
        raise TypeError(f"a probe returns a dict, not {type(found).__name__}")
    tensors, values = {}, {}
    for name, value in found.items():
        if isinstance(value, torch.Tensor):
            # A subclass of Tensor could answer comparisons as it likes; plain bytes cannot.
            tensors[name] = torch.Tensor.detach(value).clone().as_subclass(torch.Tensor)
        elif value is None or isinstance(value, str | bool | int | float | list):
            values[name] = value
        else:
            values[name] = f"<{type(value).__name__}>"
    return tensors, values


@contextmanager
def standing_in(namespace: dict, stand_ins: dict):
    """While this lasts, other components of `namespace` are replaced by their stand-ins.

    One wrong component must not fail those that use it.
    """
    saved = {name: namespace[name] for name in stand_ins if name in namespace}
    namespace.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            namespace.pop(name, None)
        namespace.update(saved)


# What probes of several lessons share.


def named(owner, name: str):
    """The attribute `name` of what a student made, where the course fixes that name.

    Raises Unnamed where there is none: an AttributeError would look like one of the student's.
    """
    try:
        return getattr(owner, name)
    except AttributeError:
        raise Unnamed(name=name, obj=owner) from None


def gradients(output: torch.Tensor, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Gradients of a weighted sum of `output`, as {"name.grad": ...}; zeros where none flows.

    The weights differ from place to place, since the plain sum of a softmax has no gradient. Of
    an output that is no tensor there are none.
    """
    if not isinstance(output, torch.Tensor):
        return {f"{name}.grad": None for name in inputs}
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    cotangent = torch.cos(count).reshape(output.shape)
    grads = torch.autograd.grad(
        output, list(inputs.values()), cotangent, allow_unused=True, retain_graph=True
    )
    return {
        f"{name}.grad": torch.zeros_like(leaf) if grad is None else grad
        for (name, leaf), grad in zip(inputs.items(), grads, strict=True)
    }


def fill_parameters(module: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Give every parameter small known values that depend on its name's last part and shape.

    Attribute names inside a layer are the student's choice, so only the names that the course
    fixes (`w_q`, `gamma`, ...) tell parameters of one shape apart. Returns the module.
    """
    with torch.no_grad():
        for name, parameter in named_parameters(module):
            parts = name.split(".")[-2:]
            known = [part for part in parts if part in FIXED_NAMES]
            key = f"{seed}|{'.'.join(known)}|{tuple(parameter.shape)}"
            _fill(parameter, key, offset=1.0 if "gamma" in parts else 0.0)
    return module


def fill_norms(module: torch.nn.Module, seed: int = 0) -> dict[str, list[torch.Tensor]]:
    """Give the norms in a module known values by what each parameter starts as.

    How a norm's parameters are called is open where it is only used: what starts at 1 is its
    gamma and what starts at 0 its beta. Returns the parameters of both kinds.
    """
    kinds: dict[str, list[torch.Tensor]] = {"gamma": [], "beta": []}
    for parameter in module.parameters():
        kinds["gamma" if parameter.flatten()[0] == 1 else "beta"].append(parameter)
    with torch.no_grad():
        for kind, parameters in kinds.items():
            for parameter in parameters:
                key = f"{seed}|{kind}|{tuple(parameter.shape)}"
                _fill(parameter, key, offset=1.0 if kind == "gamma" else 0.0)
    return kinds


def named_parameters(module: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """A module's parameters; those of torch's own LayerNorm have the names of the course's."""
    of_norms = {}
    for part in module.modules():
        if isinstance(part, torch.nn.LayerNorm):
            of_norms |= {id(part.weight): "gamma", id(part.bias): "beta"}
    for name, parameter in module.named_parameters():
        owner, dot, last = name.rpartition(".")
        yield f"{owner}{dot}{of_norms.get(id(parameter), last)}", parameter


def _fill(parameter: torch.Tensor, key: str, offset: float) -> None:
    scale = 1 / max(parameter.shape[-1], 1) ** 0.5 if parameter.shape[1:] else 0.5
    pattern = _pattern(key, parameter.numel()).reshape(parameter.shape)
    parameter.copy_(pattern * scale + offset)


@contextmanager
def filled_when_called(seed: int = 0):
    """While this lasts, each module gets known parameters the first time that it is called.

    The values depend on the parameter's shape and on how many of that shape came before, on no
    attribute's name: two modules differ, one that is used twice does not, and one that is kept
    where torch does not find it (a plain list) gets its values like all others. The parameters of
    torch's own LayerNorm count as `gamma` and `beta`, which is what the course calls them.
    """
    filled: list[torch.Tensor] = []
    counts: Counter = Counter()

    def fill(name, parameter):
        if not isinstance(parameter, torch.nn.Parameter) or any(parameter is p for p in filled):
            return
        kind = f"{name}|{tuple(parameter.shape)}"
        with torch.no_grad():
            _fill(parameter, f"{seed}|{counts[kind]}|{kind}", 1.0 if name == "gamma" else 0.0)
        filled.append(parameter)
        counts[kind] += 1

    def fill_module(module, inputs):
        names = NORM_NAMES if isinstance(module, torch.nn.LayerNorm) else {}
        for name, parameter in module.named_parameters(recurse=False):
            fill(names.get(name, name), parameter)

    # Who takes a module's parameters and calls torch's function with them calls no module.
    linear, layer_norm = torch.nn.functional.linear, torch.nn.functional.layer_norm

    def filled_linear(input, weight, bias=None):
        fill("weight", weight)
        fill("bias", bias)
        return linear(input, weight, bias)

    def filled_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
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


@contextmanager
def certain_dropout():
    """While this lasts, dropout in training scales by 1 - p instead of drawing lots.

    What drops nothing and what drops everything stay as they are; a wrong rate shows each time
    in the same way.
    """
    original = torch.nn.functional.dropout

    def scale(input, p=0.5, training=True, inplace=False):
        return input * (1 - p) if training else input

    torch.nn.functional.dropout = scale
    try:
        yield
    finally:
        torch.nn.functional.dropout = original


def part_of(output, place):
    """`output[place]`; what is no tensor stays as it is, so that a verdict says what it is."""
    return output[place] if isinstance(output, torch.Tensor) else output


def called_twice(call) -> torch.Tensor | None:
    """The outputs of two calls, on a first axis of their own; None where one is no tensor."""
    outputs = [call(), call()]
    if all(isinstance(one, torch.Tensor) and one.shape == outputs[0].shape for one in outputs):
        return torch.stack(outputs)
    return None


def what_dropout_did(given: torch.Tensor, output: torch.Tensor) -> dict:
    """How dropout turned `given`, which is large and holds no 0, into `output`.

    The share is rounded to a twentieth, so that nothing depends on luck if there are ten thousand
    numbers or more. Of an output that is no tensor of that shape there is nothing to tell.
    """
    if not isinstance(output, torch.Tensor) or output.shape != given.shape:
        return {}
    gone = output == 0
    share = round(20 * gone.float().mean().item()) / 20
    some = [(gone.any(dim=axis) != gone.all(dim=axis)).any() for axis in range(gone.dim())]
    return {
        "share dropped": share,
        "each dropped for itself": bool(all(some)),
        "the others scaled up": torch.allclose(
            output * (1 - share), given.masked_fill(gone, 0.0), atol=1e-5
        ),
    }


NORM_NAMES = {"weight": "gamma", "bias": "beta"}
FIXED_NAMES = {
    "w_q", "w_k", "w_v", "w_o", "w_1", "w_2", "gamma", "beta", "proj", "embedding",
    "weight", "bias",
}  # fmt: skip


def _pattern(key: str, count: int) -> torch.Tensor:
    """Values in (-1, 1) that look random and are the same on every machine."""
    state = 2166136261
    for byte in key.encode():
        state = (state ^ byte) * 16777619 % 2**32
    index = torch.arange(count, dtype=torch.int64)
    mixed = (index * 2654435761 + state) % 2**32
    mixed = ((mixed ^ (mixed >> 15)) * 739982445) % 2**32
    mixed = ((mixed ^ (mixed >> 12)) * 695872825) % 2**32
    mixed = mixed ^ (mixed >> 15)
    return (mixed % 4096).to(torch.float64) / 2048 - 1


def error_of(action) -> str:
    """The type of exception that `action()` raises, or "none".

    An exception class of the student's own goes by the name of Python's that it extends.
    """
    try:
        action()
    except Exception as error:
        return next(of.__name__ for of in type(error).__mro__ if of.__module__ == "builtins")
    return "none"
