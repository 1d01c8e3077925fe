"""How the components of lesson 01 are called."""

from torch import nn

from transformer_workbook.shared.probing import gradients
from transformer_workbook.shared.words import wording


def attend(attention, query, key, value, mask=None):
    hides = () if mask is None else (mask,)
    output, weights = attention(query, key, value, *hides)
    return {"output": output, "weights": weights}


def attend_backward(attention, query, key, value, mask, kept=None):
    dropout = None if kept is None else lambda weights: weights * kept
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    output, weights = attention(query, key, value, mask, dropout)
    return {"output": output, "weights": weights, **gradients(output, leaves)}


@wording(
    {
        "output without": "the output without a mask",
        "weights without": "the matrix of attention weights without a mask",
    }
)
def attend_by_name(attention, query, key, value, mask):
    """A mask and a dropout that is switched off, given by name; afterwards neither."""
    dropout = nn.Dropout(0.5).eval()
    output, weights = attention(query, key, value, dropout=dropout, mask=mask)
    output_without, weights_without = attention(query, key, value)
    return {
        "output": output,
        "weights": weights,
        "output without": output_without,
        "weights without": weights_without,
    }


def attend_with_dropout(attention, query, key, value, kept, mask=None):
    """Dropout that keeps exactly the weights where `kept` is 1, so that its effect is known."""
    output, weights = attention(query, key, value, mask, lambda weights: weights * kept)
    return {"output": output, "weights": weights}


@wording({"smoothed": "the smoothed signal"})
def smooth(smooth, positions, signal, width):
    smoothed, weights = smooth(positions, signal, width)
    return {"smoothed": smoothed, "weights": weights}
