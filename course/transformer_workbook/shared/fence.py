"""Refuses torch's own version of what is to be built, while it is being probed.

Functions and methods written in Python are refused in place, so an alias or a saved reference
leads to the refusal as well. Operators are refused where torch dispatches them: whoever calls
them, by whatever name, in any thread, through TorchScript or with modes switched off.
"""

import functools
import importlib
import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType

import torch

# What else leads to the numbers of a function or class. An operator has the name that it has in
# torch's dispatcher; what this version of torch does not have is left out.
WAYS = {
    "torch.nn.functional.scaled_dot_product_attention": (
        "aten::_scaled_dot_product_attention_math",
        "aten::_scaled_dot_product_attention_math_for_mps",
        "aten::_scaled_dot_product_flash_attention_for_cpu",
        "aten::_scaled_dot_product_flash_attention",
        "aten::_scaled_dot_product_efficient_attention",
        "aten::_scaled_dot_product_cudnn_attention",
        "aten::_scaled_dot_product_fused_attention_overrideable",
        "aten::_flash_attention_forward",
        "aten::_efficient_attention_forward",
        "torch.nn.attention.flex_attention.flex_attention",
        "torch.nn.MultiheadAttention",
    ),
    "torch.nn.MultiheadAttention": (
        "torch.nn.functional.multi_head_attention_forward",
        "torch.ao.nn.quantizable.MultiheadAttention",
        "aten::_native_multi_head_attention",
        "torch.nn.TransformerEncoderLayer",
        "torch.nn.TransformerDecoderLayer",
    ),
    "torch.nn.TransformerEncoderLayer": ("aten::_transformer_encoder_layer_fwd",),
    "torch.nn.LayerNorm": (
        "torch.nn.functional.layer_norm",
        "torch.layer_norm",
        "torch.native_layer_norm",
        "torch.nn.GroupNorm",
        "torch.nn.functional.group_norm",
        "torch.group_norm",
        "torch.native_group_norm",
        "torch.nn.functional.batch_norm",
        "torch.batch_norm",
        "torch.native_batch_norm",
        "torch.nn.functional.instance_norm",
        "torch.instance_norm",
        "aten::_batch_norm_impl_index",
        "aten::_native_batch_norm_legit",
        "aten::_native_batch_norm_legit_no_training",
        "aten::_batch_norm_with_update",
        "aten::_batch_norm_no_update",
        "torch.nn.RMSNorm",
    ),
    "torch.nn.RMSNorm": (
        "torch.nn.functional.rms_norm",
        "torch.rms_norm",
        "aten::_fused_rms_norm",
    ),
    "torch.nn.utils.clip_grad_norm_": (
        "torch.nn.utils.clip_grad_norm",
        "torch.nn.utils.clip_grads_with_norm_",
        "torch.nn.utils.get_total_norm",
        "torch.nn.utils.clip_grad._get_total_norm",
        "torch.nn.utils.clip_grad._clip_grads_with_norm_",
    ),
    "torch.nn.Transformer.generate_square_subsequent_mask": (
        "torch.nn.modules.transformer._generate_square_subsequent_mask",
        "torch.nn.attention.bias.CausalBias",
        "torch.nn.attention.bias.causal_upper_left",
        "torch.nn.attention.bias.causal_lower_right",
    ),
}

# Where an operator's own code may be; the other keys of the dispatcher lead to one of these.
KEYS = (
    "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CPU", "CUDA", "MPS", "MkldnnCPU",
    "Meta", "NestedTensorCPU", "FuncTorchBatched", "FuncTorchBatchedDecomposition",
    "FuncTorchVmapMode",
)  # fmt: skip


class WriteThisYourself(Exception):
    """Raised by a torch built-in that is the very exercise."""


@contextmanager
def forbidden(names: Iterable[str]) -> Iterator[list[str]]:
    """While this lasts, what is named, and what else leads to it, asks to be written.

    `names` are dotted paths such as "torch.nn.functional.scaled_dot_product_attention". Yields a
    list that grows by each name that is called and refused.
    """
    called: list[str] = []
    closed = set()
    with ExitStack() as stack:
        library = stack.enter_context(torch.library._scoped_library("aten", "IMPL"))
        for way, said in ways(names).items():
            refuse = _refusal(said, called)
            functions, operator = _behind(way)
            for function in functions:
                if function not in closed:
                    stack.enter_context(_refused(function, refuse))
            for key in _keys_of(operator):
                if (operator, key) not in closed:
                    with warnings.catch_warnings(action="ignore"):  # that it takes a place
                        library.impl(operator.removeprefix("aten::"), refuse, key)
            closed |= {*functions, *((operator, key) for key in _keys_of(operator))}
        yield called


def ways(names: Iterable[str]) -> dict[str, str]:
    """All that leads to what is named, and by which name it is spoken of."""
    found = {}
    for name in names:
        found[name] = name
        for way in WAYS.get(name, ()):
            found |= {way: name} if "::" in way else ways([way])
    return found


def find(path: str):
    """What a dotted path leads to; None where this version of torch does not have it."""
    owner, _, attribute = path.rpartition(".")
    try:
        module = importlib.import_module(owner)
    except ImportError:
        module = find(owner) if owner else None
    return getattr(module, attribute, None)


def _behind(way: str) -> tuple[list[FunctionType], str]:
    """The Python functions behind a name, and the operator; there may be none, or an empty one."""
    found = None if way.startswith("aten::") else find(way)
    if inspect.isclass(found):  # what it does itself, but for what Python asks of every class
        own = [(name, one) for name, one in vars(found).items() if inspect.isfunction(one)]
        return [one for name, one in own if name == "__init__" or not name.startswith("__")], ""
    if inspect.isfunction(found):
        return [found], ""
    return [], f"aten::{way.rpartition('.')[2]}" if inspect.isbuiltin(found) else way


@functools.cache
def _keys_of(operator: str) -> tuple[str, ...]:
    """Where an operator has code of its own; nowhere if torch does not know it."""
    try:
        return tuple(
            key for key in KEYS if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
        )
    except RuntimeError:
        return ()


def _refusal(name: str, called: list[str]) -> Callable:
    def refuse(*_, **__):
        called.append(name)
        raise WriteThisYourself(name)

    return refuse


@contextmanager
def _refused(function: FunctionType, refuse: Callable):
    """The function itself is changed, and not what its name means: it may have many names."""

    def gate(*_, refuse, **__):
        refuse()

    saved = function.__code__, function.__kwdefaults__
    # A function keeps its closure, so its code has to go on naming what is in it.
    code = gate.__code__.replace(co_freevars=saved[0].co_freevars)
    function.__code__, function.__kwdefaults__ = code, {"refuse": refuse}
    try:
        yield
    finally:
        function.__code__, function.__kwdefaults__ = saved
