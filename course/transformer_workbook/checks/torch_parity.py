"""Copies weights into the counterparts in torch.nn, to compare their outputs."""

import torch
from torch import nn

from ..shared.language import _


def copy_weights(ours: nn.Module, theirs: nn.Module) -> None:
    """Copy the weights of one of your modules into its counterpart in torch.nn, in place.

    Attentions, feed-forward networks and norms are paired in the order of their creation.
    Raises ValueError if their numbers differ.
    """
    targets = [part for part in theirs.modules() if isinstance(part, nn.MultiheadAttention)]
    attentions = _having(ours, "w_q", "w_k", "w_v", "w_o")
    with torch.no_grad():
        for our, their in _pairs(_("attentions"), attentions, targets):
            inner = (our.w_q, our.w_k, our.w_v)
            their.in_proj_weight.copy_(torch.cat([linear.weight for linear in inner]))
            their.in_proj_bias.copy_(torch.cat([linear.bias for linear in inner]))
            their.out_proj.load_state_dict(our.w_o.state_dict())
        networks = _having(theirs, "linear1", "linear2")
        for our, their in _pairs(_("networks"), _having(ours, "w_1", "w_2"), networks):
            their.linear1.load_state_dict(our.w_1.state_dict())
            their.linear2.load_state_dict(our.w_2.state_dict())
        norms = [part for part in theirs.modules() if isinstance(part, nn.LayerNorm)]
        for our, their in _pairs(_("norms"), _having(ours, "gamma", "beta"), norms):
            their.weight.copy_(our.gamma)
            their.bias.copy_(our.beta)


def _having(module: nn.Module, *names: str) -> list[nn.Module]:
    return [part for part in module.modules() if all(hasattr(part, name) for name in names)]


def _pairs(what: str, ours: list, theirs: list) -> zip:
    if len(ours) != len(theirs):
        raise ValueError(
            _(
                "Your module has {ours} {what}, torch's counterpart {theirs}: compare how both "
                "were made."
            ).format(what=what, ours=len(ours), theirs=len(theirs))
        )
    return zip(ours, theirs, strict=True)
