"""The cases of the checks in the notebook of lesson 00. Inputs and results go to students."""

import math

import torch

from autograder.lesson.cases import Case


def cases(draw):
    return {
        "split_heads": [
            counted_split("two heads", (1, 3, 4), 2, "the numbers 0, 1, 2, ...: 3 words, 2 heads"),
            split(draw, "batch", (2, 3, 20), 4, "2 sentences of 3 words, 20 features, 4 heads"),
            split(draw, "one head", (2, 4, 6), 1, "one head, which holds all features"),
            split(draw, "narrow", (2, 5, 3), 3, "as many heads as features"),
            split(draw, "as many heads as words", (2, 3, 6), 3, "as many heads as words"),
            split(draw, "one word", (2, 1, 6), 3, "sentences of one word"),
            split(draw, "float64", (2, 3, 10), 2, "numbers in float64").in_float64(),
            split_backward(draw, "gradients", (2, 3, 8), 4, "gradients that flow back to x"),
        ],
        "merge_heads": [
            counted_merge("two heads", (1, 2, 3, 2), "the numbers 0, 1, 2, ...: 2 heads, 3 words"),
            merge(draw, "batch", (2, 4, 3, 5), "2 sentences, 4 heads, 3 words, 5 features each"),
            merge(draw, "one head", (2, 1, 4, 6), "one head alone"),
            merge(draw, "narrow", (2, 3, 5, 1), "heads with one feature each"),
            merge(draw, "as many heads as words", (2, 3, 3, 2), "as many heads as words"),
            merge(draw, "one word", (2, 3, 1, 2), "sentences of one word"),
            merge(draw, "float64", (2, 2, 3, 5), "numbers in float64").in_float64(),
            merge_backward(draw, "gradients", (2, 4, 3, 2), "gradients that flow back to x"),
        ],
        "bug_hunt_1": [
            averaging(draw, "padded", (4, 2, 3), [4, 2], "2 sentences, of 4 words and of 2"),
            averaging(draw, "three", (5, 3, 2), [1, 5, 3], "3 sentences, of 1, 5 and 3 words"),
            averaging(draw, "zeros", (4, 2, 3), [3, 4], "words with features that are 0", 0.0),
            averaging(draw, "behind", (4, 3, 2), [2, 4, 1], "padding in front", behind=True),
        ],
    }


def counted(*shape):
    """0, 1, 2, ... in that shape, so that it is plain to see where each number went."""
    return torch.arange(math.prod(shape), dtype=torch.float32).reshape(shape)


def counted_split(name, shape, num_heads, says=""):
    return Case(name, "split", {"x": counted(*shape), "num_heads": num_heads}, says=says)


def split(draw, name, shape, num_heads, says=""):
    return Case(name, "split", {"x": draw.normal(*shape), "num_heads": num_heads}, says=says)


def split_backward(draw, name, shape, num_heads, says=""):
    inputs = {"x": draw.normal(*shape), "num_heads": num_heads}
    return Case(name, "split_backward", inputs, says=says)


def counted_merge(name, shape, says=""):
    return Case(name, "merge", {"x": counted(*shape)}, says=says)


def merge(draw, name, shape, says=""):
    """A tensor that lies in memory head by head, as a matrix product leaves it."""
    return Case(name, "merge", {"x": draw.normal(*shape)}, says=says)


def merge_backward(draw, name, shape, says=""):
    return Case(name, "merge_backward", {"x": draw.normal(*shape)}, says=says)


def averaging(draw, name, shape, lengths, says="", one_feature=None, behind=False):
    """Sentences of these lengths, padded to the longest; shape is (T, N, D).

    A number for `one_feature` stands in place of the first feature of every second word, and of the
    whole second word. With `behind` the words stand behind the padding.
    """
    places = torch.arange(shape[0])
    real = places[None, :] < torch.tensor(lengths)[:, None]
    if behind:
        real = real.flip(1)
    x = draw.normal(*shape)
    if one_feature is not None:
        x[::2, :, 0] = x[1] = one_feature
    return Case(name, "average", {"x": x, "real": real}, says=says)
