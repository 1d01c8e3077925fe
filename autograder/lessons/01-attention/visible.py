"""The cases of the checks in the notebook of lesson 01. Inputs and results go to students."""

import math

import torch

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "scaled_dot_product_attention": [
            plain(draw, "plain", (2, 3, 4), (2, 5, 4), (2, 5, 6), "no mask, 3 queries, 5 keys"),
            masked(draw, "masked", 2, 3, 5, (2, 3, 5), "a mask that hides some keys"),
            plain(draw, "no batch", (3, 5), (4, 5), (4, 2), "two axes: no batch"),
            plain(draw, "heads", (2, 4, 6, 5), (2, 4, 3, 5), (2, 4, 3, 2), "four axes"),
            plain(draw, "square", (1, 4, 3), (1, 4, 3), (1, 4, 3), "as many queries as keys"),
            plain(draw, "one query", (3, 1, 4), (3, 5, 4), (3, 5, 2), "one query"),
            masked(draw, "by head", 2, 5, 4, (2, 3, 5, 4), "four axes, a mask for each head"),
            masked(draw, "padding", 2, 4, 5, (2, 1, 1, 5), "four axes, one mask for a sentence"),
            masked(draw, "shared by heads", 3, 4, 5, (3, 1, 4, 5), "one mask for all heads"),
            masked(draw, "shared by all", 2, 4, 4, (1, 1, 4, 4), "one mask for all sentences"),
            masked(draw, "matrix", 3, 4, 5, (4, 5), "a mask of two axes, no batch"),
            masked(draw, "one axis", 2, 3, 5, (5,), "a mask of one axis, the keys"),
            exactly_hidden(draw, "exactly 0", "hidden keys weigh exactly 0", sizes=(2, 4, 5)),
            blind_row(draw, "blind row", "one query sees no key at all"),
            large_scores(draw, "large scores", "one query whose scores are all above 100"),
            by_name(draw, "by name", "mask and dropout given by name, then neither"),
            backward(draw, "gradients", "the gradients of query, key and value"),
            backward(
                draw, "gradients, dropout", "the gradients with dropout", (2, 4, 3), drops=True
            ),
            with_dropout(draw, "dropout", "dropout that removes every other weight"),
            with_dropout(draw, "dropout and mask", "dropout and a mask", hides=True),
            plain(draw, "float64", (2, 4, 3), (2, 5, 3), (2, 5, 4), "float64").in_float64(),
        ],
        "bug_hunt_1": [
            smoothing(draw, "short", 5, 1.0, "5 positions, width 1"),
            smoothing(draw, "narrow", 4, 0.5, "4 positions, width 0.5"),
        ],
    }


def plain(draw, name, query, key, value, says=""):
    inputs = {
        "query": draw.normal(*query),
        "key": draw.normal(*key),
        "value": draw.normal(*value),
    }
    return Case(name, "attend", inputs, says=says)


def masked(draw, name, batch, t_q, t_k, mask_shape, says=""):
    """A mask of any shape that broadcasts; hidden keys have to weigh exactly nothing."""
    heads = () if len(mask_shape) < 4 else (3,)
    query = draw.normal(batch, *heads, t_q, 4)
    key = draw.normal(batch, *heads, t_k, 4)
    value = draw.normal(batch, *heads, t_k, 5)
    mask = draw.mask(*mask_shape)
    return Case(
        name,
        "attend",
        {"query": query, "key": key, "value": value, "mask": mask},
        says=says,
        control="mask-ignored",
    )


def exactly_hidden(draw, name, says="", sizes=(2, 3, 6)):
    """Scores close together, so that a mask that is not low enough leaves something behind."""
    inputs = drawn(draw, *sizes, d_k=8)
    return Case(
        name,
        "attend",
        inputs,
        rules={"weights": Rule("zero", where="hidden")},
        masks={"hidden": ~inputs["mask"]},
        says=says,
        control="mask-not-low-enough",
    )


def blind_row(draw, name, says="", sizes=(2, 3, 5)):
    """A query that sees no key prefers none; the rows of the others are compared."""
    inputs = drawn(draw, *sizes)
    inputs["mask"][1, 0] = False
    seeing = inputs["mask"].any(dim=-1, keepdim=True)
    return Case(
        name,
        "attend_backward",
        inputs,
        rules={"output": Rule(where="seeing"), "weights": Rule(where="seeing")}
        | {f"{name}.grad": Rule("finite") for name in ("query", "key", "value")},
        masks={"seeing": seeing},
        says=says,
        control="mask-minus-infinity",
    )


def large_scores(draw, name, says="", sizes=(2, 3, 5)):
    """One row far above the others, and too large for the exponentials of float32.

    All scores are exact in float32: multiples of 2 ** -17 below 128.
    """
    inputs = drawn(draw, *sizes)
    del inputs["mask"]
    inputs["query"][..., 0] = 0.0
    inputs["query"][:, 1] = torch.tensor([15.0, 0.5, -0.5, 1.0])
    inputs["key"][..., 0] = 15.0
    return Case(name, "attend", inputs, says=says)


def by_name(draw, name, says="", sizes=(2, 4, 3)):
    return Case(name, "attend_by_name", drawn(draw, *sizes), says=says, control="mask-ignored")


def backward(draw, name, says="", sizes=(2, 3, 5), drops=False):
    inputs = drawn(draw, *sizes)
    if not drops:
        return Case(name, "attend_backward", inputs, says=says)
    inputs["kept"] = every_other(*sizes)
    return Case(name, "attend_backward", inputs, EITHER_WEIGHTS, says=says)


def with_dropout(draw, name, says="", sizes=(2, 3, 5), hides=False):
    inputs = drawn(draw, *sizes) | {"kept": every_other(*sizes)}
    if not hides:
        del inputs["mask"]
    return Case(name, "attend_with_dropout", inputs, EITHER_WEIGHTS, says=says)


# The weights returned may be those before or after dropout.
EITHER_WEIGHTS = {"weights": Rule("finite")}


def every_other(*shape):
    """1 for the weights that are kept, 0 for those that dropout removes."""
    return (torch.arange(math.prod(shape)).reshape(shape) % 2).float()


def drawn(draw, batch, t_q, t_k, d_k=4):
    return {
        "query": draw.normal(batch, t_q, d_k),
        "key": draw.normal(batch, t_k, d_k),
        "value": draw.normal(batch, t_k, 6),
        "mask": draw.mask(batch, t_q, t_k),
    }


def smoothing(draw, name, length, width, says=""):
    inputs = {
        "positions": draw.normal(length, scale=2.0),
        "signal": draw.normal(length),
        "width": width,
    }
    return Case(name, "smooth", inputs, says=says)
