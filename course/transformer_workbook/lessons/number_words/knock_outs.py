"""Parts that can be taken out of the trained translator, each by hooks on torch's modules.

Nothing is trained again: the other parts run as if the missing one were there.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import nn

from ...shared.language import N_
from ..warm_up.standins import merge_heads, split_heads


def _attentions(model: nn.Module) -> list[nn.Module]:
    within = [layer.self_attn for stack in (model.encoder, model.decoder) for layer in stack.layers]
    return within + [layer.cross_attn for layer in model.decoder.layers]


def _layers(model: nn.Module) -> list[nn.Module]:
    return [*model.encoder.layers, *model.decoder.layers]


def _connections(model: nn.Module) -> list[nn.Module]:
    return [connection for layer in _layers(model) for connection in layer.sublayers]


def _zero(module: nn.Module) -> None:
    module.register_forward_hook(lambda _module, _inputs, output: torch.zeros_like(output))


def _skip(module: nn.Module) -> None:
    module.register_forward_hook(lambda _module, inputs, _output: inputs[0])


def _equal_weights(model: nn.Module) -> None:
    """Queries of zeros fit all keys alike."""
    for attention in _attentions(model):
        _zero(attention.w_q)


def _unscaled(model: nn.Module) -> None:
    for attention in _attentions(model):
        root = (attention.w_q.out_features / attention.num_heads) ** 0.5
        attention.w_q.register_forward_hook(lambda _m, _i, output, root=root: output * root)


def _viewed_heads(model: nn.Module) -> None:
    """Heads cut out of the row of numbers by `view` alone, on the way in and on the way out."""
    for attention in _attentions(model):
        heads = attention.num_heads

        def viewed_in(_module, _inputs, x, heads=heads):
            return merge_heads(x.reshape(len(x), heads, x.shape[1], -1))

        def viewed_out(_module, inputs, heads=heads):
            (x,) = inputs
            return (split_heads(x, heads).reshape(x.shape),)

        for projection in (attention.w_q, attention.w_k, attention.w_v):
            projection.register_forward_hook(viewed_in)
        attention.w_o.register_forward_pre_hook(viewed_out)


def _first_head(model: nn.Module) -> None:
    for attention in _attentions(model):
        width = attention.w_o.in_features // attention.num_heads

        def first(_module, inputs, width=width):
            return (inputs[0] * (torch.arange(inputs[0].shape[-1]) < width),)

        attention.w_o.register_forward_pre_hook(first)


def _no_residuals(model: nn.Module) -> None:
    for connection in _connections(model):
        kept: list[torch.Tensor] = []

        def keep(_module, inputs, kept=kept):
            kept[:] = [inputs[0]]

        def subtract(_module, inputs, kept=kept):
            return (inputs[0] - kept.pop(),)

        connection.register_forward_pre_hook(keep)
        connection.norm.register_forward_pre_hook(subtract)


def _no_norms(model: nn.Module) -> None:
    for connection in _connections(model):
        _skip(connection.norm)


def _no_feed_forward(model: nn.Module) -> None:
    for layer in _layers(model):
        _zero(layer.feed_forward)


def _no_positions(model: nn.Module) -> None:
    _skip(model.src_embed[1])
    _skip(model.tgt_embed[1])


def _no_embedding_scale(model: nn.Module) -> None:
    for tokens in (model.src_embed[0], model.tgt_embed[0]):
        tokens.register_forward_hook(lambda _m, _i, output: output / output.shape[-1] ** 0.5)


def _without_mask(name: str) -> Callable[[nn.Module], None]:
    def hook(_module, inputs, keywords):
        return inputs, {**keywords, name: None} if name in keywords else keywords

    def knock_out(model: nn.Module) -> None:
        for stack in (model.encoder, model.decoder):
            stack.register_forward_pre_hook(hook, with_kwargs=True)

    return knock_out


def _no_padding_mask(model: nn.Module) -> None:
    _without_mask("mask")(model)
    _without_mask("src_mask")(model)


def _no_encoder(model: nn.Module) -> None:
    _skip(model.encoder)


def _no_cross_attention(model: nn.Module) -> None:
    for layer in model.decoder.layers:
        _zero(layer.cross_attn)


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
    "positions": KnockOut(N_("without positions"), _no_positions),
    "causal mask": KnockOut(
        N_("without the mask that hides the future"), _without_mask("tgt_mask")
    ),
    "padding mask": KnockOut(N_("without the mask that hides padding"), _no_padding_mask),
    "all heads but one": KnockOut(N_("with one head in four"), _first_head),
    "swap": KnockOut(N_("heads cut by view alone"), _viewed_heads),
    "attention": KnockOut(N_("every word weighted alike"), _equal_weights),
    "scaling": KnockOut(N_("scores not scaled"), _unscaled),
    "residuals": KnockOut(N_("without residuals"), _no_residuals),
    "norms": KnockOut(N_("without norms"), _no_norms),
    "feed-forward": KnockOut(N_("without feed-forward networks"), _no_feed_forward),
    "embedding scale": KnockOut(N_("embeddings not scaled"), _no_embedding_scale),
    "encoder": KnockOut(N_("without the encoder's layers"), _no_encoder),
    "cross-attention": KnockOut(N_("cross-attention thrown away"), _no_cross_attention),
    "training": KnockOut(N_("before training"), _no_training),
}
