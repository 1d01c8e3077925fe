"""How the components of lesson 02 are called."""

import torch

from transformer_workbook.shared.probing import (
    error_of,
    fill_parameters,
    gradients,
    named,
    part_of,
    what_dropout_did,
)
from transformer_workbook.shared.words import LEFT_NO_TENSOR, Wording, refused, wording

KEPT = {"weights": Wording("what the attribute `weights` holds after the call", is_result=False)}


@wording(KEPT)
def attend(MultiHeadAttention, d_model, num_heads, query, key, value, mask=None):
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, query.dtype)
    output = attention(query, key, value, mask)
    return {"output": output, "weights": named(attention, "weights")}


@wording(KEPT)
def attend_to_itself(MultiHeadAttention, d_model, num_heads, x, mask=None):
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, x.dtype)
    output = attention(x, x, x, mask)
    return {"output": output, "weights": named(attention, "weights")}


@wording(KEPT)
def attend_twice(MultiHeadAttention, d_model, num_heads, first, second):
    """One module on two inputs of different lengths, then another module on the first.

    What stays is of the module's own last call: the first one alone has a mask.
    """
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, first.dtype)
    fresh = _with_known_parameters(MultiHeadAttention, d_model, num_heads, first.dtype)
    length = first.size(1)
    attention(first, first, first, torch.ones(length, length, dtype=torch.bool).tril())
    output = attention(second, second, second)
    fresh(first, first, first)
    return {"output": output, "weights": named(attention, "weights")}


@wording(
    {
        "output with other hidden keys": Wording(
            "the output with other hidden keys",
            "Only keys and values that the mask hides were changed, yet the output changed.",
        )
    }
)
def change_the_hidden(
    MultiHeadAttention, d_model, num_heads, query, key, value, other_key, other_value, mask
):
    """Keys and values that differ only where the mask, given by name, hides them."""
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, query.dtype)
    return {
        "output": attention(query, key, value, mask=mask),
        "output with other hidden keys": attention(query, other_key, other_value, mask=mask),
    }


@wording(
    {
        "output before the last word": "the output before the last word",
        "output with another last word": Wording(
            "the output before another last word",
            "Only the last word was changed, which the mask hides from the words before it, yet "
            "their output changed.",
        ),
    }
)
def change_the_end(MultiHeadAttention, d_model, num_heads, x, other, mask):
    """Two sentences that differ in their last word only, each attending to itself."""
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, x.dtype)
    before = (slice(None), slice(-1))
    return {
        "output before the last word": part_of(attention(x, x, x, mask), before),
        "output with another last word": part_of(attention(other, other, other, mask), before),
    }


def attend_backward(MultiHeadAttention, d_model, num_heads, query, key, value, mask=None):
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, query.dtype)
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    output = attention(query, key, value, mask)
    return gradients(output, leaves | dict(attention.named_parameters()))


@wording({"output with key and value exchanged": "the output with key and value swapped"})
def drop_everything(MultiHeadAttention, d_model, num_heads, query, key, value):
    """With dropout of 1 no weight is left in training, and nothing can be learned about it; in
    evaluation nothing is dropped, and another memory of the same shape gives another output."""
    attention = fill_parameters(MultiHeadAttention(d_model, num_heads, dropout=1.0))
    query.requires_grad_()
    output = attention(query, key, value)
    evidence = {"output in training": output, **gradients(output, {"query": query})}
    attention.eval()
    return evidence | {
        "output in evaluation": attention(query, key, value),
        "output with key and value exchanged": attention(query, value, key),
    }


@wording(
    {
        "whole heads dropped": Wording(
            wrong="Dropout leaves out single numbers of a head. Where it acts on the attention "
            "weights, a dropped weight takes its whole head with it: there is only one key "
            "here.",
            missing=LEFT_NO_TENSOR,
        )
    }
)
def drop_some(MultiHeadAttention, d_model, num_heads, x, dropout=None):
    """One key, and a w_o that changes nothing: a dropped weight takes its whole head along."""
    rate = {} if dropout is None else {"dropout": dropout}
    attention = fill_parameters(MultiHeadAttention(d_model, num_heads, **rate))
    with torch.no_grad():
        mixing = named(attention, "w_o")
        mixing.weight.copy_(torch.eye(d_model))
        mixing.bias.zero_()
    x = x.repeat(100, 10, 1)  # few sentences, since a loop over them is right, too
    key = x[:, :1]
    output, left = attention(x, key, key), attention.eval()(x, key, key)
    evidence = what_dropout_did(left, output)
    if evidence:
        heads = zip(*(x.tensor_split(num_heads, dim=-1) for x in (output, left)), strict=True)
        evidence["whole heads dropped"] = all(_is_whole(now, before) for now, before in heads)
    return evidence


def _is_whole(now, before):
    """Whether each vector is dropped as a whole or not at all, but for what was 0 before."""
    is_zero, was_zero = now == 0, before == 0
    return bool(((is_zero | was_zero).all(-1) | (~is_zero | was_zero).all(-1)).all())


def list_parameters(MultiHeadAttention, d_model, num_heads, x):
    """Names and shapes of the parameters of a module that has been used once."""
    attention = _with_known_parameters(MultiHeadAttention, d_model, num_heads, x.dtype)
    output = attention(x, x, x)
    learned = attention.named_parameters()
    parameters = sorted(f"{name} {tuple(value.shape)}" for name, value in learned)
    return {"output": output, "parameters": parameters}


@wording(
    {
        "raised": refused("num_heads does not divide d_model"),
        "accepted": "the output for sizes that fit",
    }
)
def refuse(MultiHeadAttention, d_model, num_heads, x):
    """Sizes that do not fit raise; those of x, with one head, do not."""
    raised = error_of(lambda: MultiHeadAttention(d_model, num_heads))
    attention = _with_known_parameters(MultiHeadAttention, x.size(-1), 1, x.dtype)
    return {"raised": raised, "accepted": attention(x, x, x)}


@wording({"distance": "the distance"})
def measure_distance(looking_distance, weights, real):
    return {"distance": looking_distance(weights, real)}


def _with_known_parameters(MultiHeadAttention, d_model, num_heads, dtype):
    return fill_parameters(MultiHeadAttention(d_model, num_heads, dropout=0.0)).to(dtype)
