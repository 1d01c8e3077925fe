"""How the components of lesson 00 are called."""

from transformer_workbook.shared.probing import gradients
from transformer_workbook.shared.words import wording


@wording({"heads": "the tensor of heads"})
def split(split_heads, x, num_heads):
    return {"heads": split_heads(x, num_heads)}


def split_backward(split_heads, x, num_heads):
    x.requires_grad_()
    return gradients(split_heads(x, num_heads), {"x": x})


@wording({"merged": "the merged tensor"})
def merge(merge_heads, x):
    return {"merged": merge_heads(x)}


def merge_backward(merge_heads, x):
    x.requires_grad_()
    return gradients(merge_heads(x), {"x": x})


@wording({"means": "the table of means"})
def average(sentence_means, x, real):
    return {"means": sentence_means(x, real)}
