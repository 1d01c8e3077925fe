"""Forbids torch's built-in version of a component while the student's is being probed.

Functions and methods written in Python get another code object, so an alias or a saved reference
raises too. Operators are overridden in torch's dispatcher: they raise for any caller, under any
name, in any thread, through TorchScript or with dispatch modes disabled.
"""

import functools
import importlib
import inspect
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

import torch

_Refusal = Callable[..., NoReturn]

# What else computes the same as a function or class. "aten::" marks an operator by its name in
# torch's dispatcher. Names that this version of torch lacks are skipped.
EQUIVALENT_CALLS: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("equivalent_calls.json").read_text(encoding="utf-8")
)

# The dispatch keys under which an operator may have a kernel; all others lead to one of these.
KEYS = (
    "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CPU", "CUDA", "MPS", "MkldnnCPU",
    "Meta", "NestedTensorCPU", "FuncTorchBatched", "FuncTorchBatchedDecomposition",
    "FuncTorchVmapMode",
)  # fmt: skip


class WriteThisYourself(Exception):
    """Raised by a torch built-in that is the very exercise."""


@contextmanager
def forbidden(names: Iterable[str]) -> Iterator[list[str]]:
    """While this lasts, the named functions and classes raise WriteThisYourself when called.

    `names` are dotted paths such as "torch.nn.functional.scaled_dot_product_attention"; everything
    in EQUIVALENT_CALLS that computes the same raises, too. Yields a list to which each refused call
    appends the name that was forbidden.
    """
    called: list[str] = []
    done = set()
    with ExitStack() as stack:
        library = stack.enter_context(torch.library._scoped_library("aten", "IMPL"))
        for alias, name in aliases(names).items():
            refuse = _refusal(name, called)
            functions, operator = _behind(alias)
            kernels = [(operator, key) for key in _kernel_keys(operator)]
            for function in functions:
                if function not in done:
                    stack.enter_context(_refused(function, refuse))
            for operator, key in kernels:
                if (operator, key) not in done:
                    with warnings.catch_warnings(action="ignore"):  # "overriding a kernel"
                        library.impl(operator[len("aten::") :], refuse, key, allow_override=True)
            done |= {*functions, *kernels}
        yield called


def aliases(names: Iterable[str]) -> dict[str, str]:
    """Everything to refuse for `names`: {alias: the name that a message uses for it}."""
    name_by_alias = {}
    for name in names:
        name_by_alias[name] = name
        for alias in EQUIVALENT_CALLS.get(name, ()):
            name_by_alias |= {alias: name} if "::" in alias else aliases([alias])
    return name_by_alias


def find(path: str) -> Any:
    """The object at a dotted path; None where this version of torch lacks it."""
    owner, _, attribute = path.rpartition(".")
    try:
        module: Any = importlib.import_module(owner)
    except ImportError:
        module = find(owner) if owner else None
    return getattr(module, attribute, None)


def _behind(alias: str) -> tuple[list[FunctionType], str]:
    """The Python functions that an alias stands for, and its operator ("" if it has none)."""
    target = None if alias.startswith("aten::") else find(alias)
    if inspect.isclass(target):  # __init__ and its own methods, without other dunders
        parts = [(name, part) for name, part in vars(target).items() if inspect.isfunction(part)]
        return [part for name, part in parts if name == "__init__" or not name.startswith("__")], ""
    if inspect.isfunction(target):
        return [target], ""
    return [], f"aten::{alias.rpartition('.')[2]}" if inspect.isbuiltin(target) else alias


@functools.cache
def _kernel_keys(operator: str) -> tuple[str, ...]:
    """The dispatch keys under which an operator has a kernel; none if torch does not know it."""
    try:
        return tuple(
            key for key in KEYS if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
        )
    except RuntimeError:
        return ()


def _refusal(name: str, called: list[str]) -> _Refusal:
    def refuse(*_: object, **__: object) -> NoReturn:
        called.append(name)
        raise WriteThisYourself(name)

    return refuse


@contextmanager
def _refused(function: FunctionType, refuse: _Refusal) -> Iterator[None]:
    """Replace the function's code: its name may be bound in many places."""

    def gate(*_: object, refuse: _Refusal, **__: object) -> None:
        refuse()

    saved = function.__code__, function.__kwdefaults__
    # The function keeps its closure, so the new code must declare as many free variables.
    code = gate.__code__.replace(co_freevars=saved[0].co_freevars)
    function.__code__, function.__kwdefaults__ = code, {"refuse": refuse}
    try:
        yield
    finally:
        function.__code__, function.__kwdefaults__ = saved
