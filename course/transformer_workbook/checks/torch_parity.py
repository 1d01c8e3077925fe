"""Copies weights into the counterparts in torch.nn, to compare their outputs."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn

from ..shared.language import _
from ..shared.order_of_use import having, order_of_use, sorted_by_use


def copy_weights(ours: nn.Module, theirs: nn.Module) -> None:
    """Copy the weights of one of your modules into its counterpart in torch.nn, in place.

    Attentions, feed-forward networks and norms are paired in the order in which `ours` uses them.
    Raises ValueError if their numbers differ.
    """
    attentions = having(ours, "w_q", "w_k", "w_v", "w_o")
    two_layered = [part for part in ours.modules() if _two_layers(part)]
    # A network may keep its two layers in a sequence as well.
    networks = [*{id(_two_layers(part)[0]): part for part in two_layered}.values()]
    norms = [part for part in ours.modules() if _scale_and_shift(part)]
    targets = [part for part in theirs.modules() if isinstance(part, nn.MultiheadAttention)]
    if targets and max(len(attentions), len(networks), len(norms)) > 1:
        order = order_of_use(ours, *_inputs(ours, targets[0].embed_dim))
        attentions, networks, norms = (
            sorted_by_use(parts, order) for parts in (attentions, networks, norms)
        )
    with torch.no_grad():
        for our, their in _pairs(_("attentions"), attentions, targets):
            inner = (our.w_q, our.w_k, our.w_v)
            their.in_proj_weight.copy_(torch.cat([linear.weight for linear in inner]))
            their.in_proj_bias.copy_(torch.cat([linear.bias for linear in inner]))
            their.out_proj.load_state_dict(our.w_o.state_dict())
        for our, their in _pairs(_("networks"), networks, having(theirs, "linear1", "linear2")):
            first, second = _two_layers(our)
            their.linear1.load_state_dict(first.state_dict())
            their.linear2.load_state_dict(second.state_dict())
        layer_norms = [part for part in theirs.modules() if isinstance(part, nn.LayerNorm)]
        for our, their in _pairs(_("norms"), norms, layer_norms):
            scale, shift = _scale_and_shift(our)
            their.weight.copy_(scale)
            their.bias.copy_(shift)


def _two_layers(module: nn.Module) -> tuple[Any, ...]:
    """The two layers of a network, by the course's names or in sequence; none for other modules."""
    if isinstance(module, nn.Sequential):
        layers = tuple(part for part in module if isinstance(part, nn.Linear))
        return layers if len(layers) == 2 else ()
    return (module.w_1, module.w_2) if hasattr(module, "w_1") and hasattr(module, "w_2") else ()


def _scale_and_shift(module: nn.Module) -> tuple[torch.Tensor, ...]:
    """The two vectors of a norm, under the course's names or torch's; none for other modules."""
    for names in (("gamma", "beta"), ("weight", "bias")):
        vectors: tuple[Any, ...] = tuple(getattr(module, name, None) for name in names)
        if all(isinstance(vector, torch.Tensor) and vector.dim() == 1 for vector in vectors):
            return vectors
    return ()


def _inputs(module: nn.Module, d_model: int) -> list[torch.Tensor]:
    """One position for each argument that the module requires: a token's id, or its vector."""
    parameter = next(module.parameters())
    if any(isinstance(part, nn.Embedding) for part in module.modules()):
        one_position = torch.ones(1, 1, dtype=torch.long, device=parameter.device)
    else:
        one_position = torch.ones(1, 1, d_model, dtype=parameter.dtype, device=parameter.device)
    arguments = inspect.signature(module.forward).parameters.values()
    return [
        one_position
        for argument in arguments
        if argument.default is argument.empty and argument.kind < argument.VAR_POSITIONAL
    ]


def _pairs(
    parts: str, ours: Sequence[nn.Module], theirs: Sequence[nn.Module]
) -> Iterator[tuple[Any, Any]]:
    if len(ours) != len(theirs):
        raise ValueError(
            _(
                "Your module has {ours} {what}, torch's counterpart {theirs}: compare how both "
                "were made."
            ).format(what=parts, ours=len(ours), theirs=len(theirs))
        )
    return zip(ours, theirs, strict=True)
