"""Parts that can be taken out of the trained translator, each by hooks on torch's modules.

Nothing is trained again: the other parts run as if the missing one were there.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import nn

from ...shared.language import N_
from ..warm_up.standins import merge_heads, split_heads


def _each(name: str, change: Callable[[nn.Module], None]) -> Callable[[nn.Module], None]:
    """Changes the parts whose name, such as "encoder.layers.0.self_attn", ends in a pattern."""

    def knock_out(model: nn.Module) -> None:
        for part in [part for path, part in model.named_modules() if re.search(f"{name}$", path)]:
            change(part)

    return knock_out


def _zero(module: nn.Module) -> None:
    module.register_forward_hook(lambda _module, _inputs, output: torch.zeros_like(output))


def _skip(module: nn.Module) -> None:
    module.register_forward_hook(lambda _module, inputs, _output: inputs[0])


def _unscaled(attention: nn.Module) -> None:
    root = (attention.w_q.out_features / attention.num_heads) ** 0.5
    attention.w_q.register_forward_hook(lambda _module, _inputs, output: output * root)


def _viewed_heads(attention: nn.Module) -> None:
    """Heads cut out of the row of numbers by `view` alone, on the way in and on the way out."""
    heads = attention.num_heads

    def viewed_in(_module, _inputs, x):
        return merge_heads(x.reshape(len(x), heads, x.shape[1], -1))

    def viewed_out(_module, inputs):
        return (split_heads(*inputs, heads).reshape(inputs[0].shape),)

    for projection in (attention.w_q, attention.w_k, attention.w_v):
        projection.register_forward_hook(viewed_in)
    attention.w_o.register_forward_pre_hook(viewed_out)


def _first_head(attention: nn.Module) -> None:
    width = attention.w_o.in_features // attention.num_heads

    def first(_module, inputs):
        return (inputs[0] * (torch.arange(inputs[0].shape[-1]) < width),)

    attention.w_o.register_forward_pre_hook(first)


def _no_residual(connection: nn.Module) -> None:
    kept: list[torch.Tensor] = []
    connection.register_forward_pre_hook(lambda _module, inputs: kept.append(inputs[0]))
    connection.norm.register_forward_pre_hook(lambda _module, inputs: (inputs[0] - kept.pop(),))


def _no_scale(tokens: nn.Module) -> None:
    tokens.register_forward_hook(lambda _module, _inputs, x: x / x.shape[-1] ** 0.5)


def _without_masks(*names: str) -> Callable[[nn.Module], None]:
    def hook(_module, inputs, keywords):
        return inputs, keywords | {name: None for name in names if name in keywords}

    return _each("coder", lambda stack: stack.register_forward_pre_hook(hook, with_kwargs=True))


def _no_training(model: nn.Module) -> None:
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for matrix in (weight for weight in model.parameters() if weight.ndim == 2):
            matrix.copy_(0.1 * torch.randn(matrix.shape, generator=generator))


class KnockOut(NamedTuple):
    """A part that can be taken out."""

    label: str  # of the translator that lacks it
    change: Callable[[nn.Module], None]


# By the name that a lesson gives.
KNOCK_OUTS = {
    "positions": KnockOut(N_("without positions"), _each(r"_embed\.1", _skip)),
    "causal mask": KnockOut(
        N_("without the mask that hides the future"), _without_masks("tgt_mask")
    ),
    "padding mask": KnockOut(
        N_("without the mask that hides padding"), _without_masks("mask", "src_mask")
    ),
    "all heads but one": KnockOut(N_("with one head in four"), _each("_attn", _first_head)),
    "swap": KnockOut(N_("heads cut by view alone"), _each("_attn", _viewed_heads)),
    "attention": KnockOut(  # queries of zeros fit all keys alike
        N_("every word weighted alike"), _each("w_q", _zero)
    ),
    "scaling": KnockOut(N_("scores not scaled"), _each("_attn", _unscaled)),
    "residuals": KnockOut(N_("without residuals"), _each(r"sublayers\.\d", _no_residual)),
    "norms": KnockOut(N_("without norms"), _each(r"sublayers\.\d\.norm", _skip)),
    "feed-forward": KnockOut(N_("without feed-forward networks"), _each("feed_forward", _zero)),
    "embedding scale": KnockOut(N_("embeddings not scaled"), _each(r"_embed\.0", _no_scale)),
    "encoder": KnockOut(N_("without the encoder's layers"), _each("^encoder", _skip)),
    "cross-attention": KnockOut(N_("cross-attention thrown away"), _each("cross_attn", _zero)),
    "training": KnockOut(N_("before training"), _no_training),
}
