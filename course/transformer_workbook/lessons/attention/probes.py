"""How the components of lesson 01 are called."""

import torch
from torch import nn

from transformer_workbook.shared.probing import gradients
from transformer_workbook.shared.words import Wording, wording

# One of two results may be None though the call returned both.
WORDS = {
    "output": Wording("the output", is_result=False),
    "weights": Wording("the matrix of attention weights", is_result=False),
    "blind rows alike": Wording(wrong="A query that sees no key should weigh all alike, or none."),
}


def pair(result, *names):
    """Two results by name; a tensor or a dict alone is the first, and is not unpacked."""
    if isinstance(result, torch.Tensor | dict):
        return {names[0]: result}
    first, second = result
    return {names[0]: first, names[1]: second}


@wording(WORDS)
def attend(attention, query, key, value, mask=None):
    hides = () if mask is None else (mask,)
    return pair(attention(query, key, value, *hides), "output", "weights")


@wording(WORDS)
def attend_backward(attention, query, key, value, mask, kept=None):
    dropout = None if kept is None else lambda weights: weights * kept
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    evidence = pair(attention(query, key, value, mask, dropout), "output", "weights")
    fits = mask is not None and getattr(evidence.get("weights"), "shape", None) == mask.shape
    if fits and not mask.any(dim=-1).all():
        row = evidence["weights"].detach()[~mask.any(dim=-1)]
        alike = [torch.full_like(row, share) for share in (0, 1 / row.size(-1))]
        evidence["blind rows alike"] = any(torch.allclose(row, like) for like in alike)
    return {**evidence, **gradients(evidence["output"], leaves)}


@wording(
    {
        **WORDS,
        "output without": "the output without a mask",
        "weights without": "the matrix of attention weights without a mask",
    }
)
def attend_by_name(attention, query, key, value, mask):
    """A mask and a dropout that is switched off, given by name; afterwards neither."""
    dropout = nn.Dropout(0.5).eval()
    result = attention(query, key, value, dropout=dropout, mask=mask)
    without = attention(query, key, value)
    return {
        **pair(result, "output", "weights"),
        **pair(without, "output without", "weights without"),
    }


@wording(WORDS)
def attend_with_dropout(attention, query, key, value, kept, mask=None):
    """Dropout that keeps exactly the weights where `kept` is 1, so that its effect is known."""
    result = attention(query, key, value, mask, lambda weights: weights * kept)
    return pair(result, "output", "weights")


@wording({"smoothed": "the smoothed signal"})
def smooth(smooth, positions, signal, width):
    return pair(smooth(positions, signal, width), "smoothed", "weights")
