"""The cases of the checks in the notebook of lesson 01. Inputs and results go to students."""

import torch

from autograder.authoring.cases import Case, Rule


def cases(draw):
    return {
        "scaled_dot_product_attention": [
            plain(draw, "plain", (2, 3, 4), (2, 5, 4), (2, 5, 6), "no mask, 3 queries, 5 keys"),
            masked(draw, "masked", 2, 3, 5, (2, 3, 5), "a mask that hides some keys"),
            plain(draw, "square", (1, 4, 3), (1, 4, 3), (1, 4, 3), "as many queries as keys"),
            blind_row(draw, "blind row", "one query sees no key at all"),
            backward(draw, "gradients", "the gradients of query, key and value"),
            with_dropout(draw, "dropout", "dropout that removes every other weight"),
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


def exactly_hidden(draw, name, says=""):
    """Scores close together, so that a mask that is not low enough leaves something behind."""
    query, key, value = draw.normal(2, 3, 8), draw.normal(2, 6, 8), draw.normal(2, 6, 5)
    mask = draw.mask(2, 3, 6)
    return Case(
        name,
        "attend",
        {"query": query, "key": key, "value": value, "mask": mask},
        rules={"weights": Rule("zero", where="hidden")},
        masks={"hidden": ~mask},
        says=says,
        control="mask-not-low-enough",
    )


def blind_row(draw, name, says=""):
    """A query that sees no key: its row need only stay finite, all others are compared."""
    query, key, value = draw.normal(2, 3, 4), draw.normal(2, 5, 4), draw.normal(2, 5, 6)
    mask = draw.mask(2, 3, 5)
    mask[1, 0] = False
    seeing = mask.any(dim=-1, keepdim=True)
    return Case(
        name,
        "attend",
        {"query": query, "key": key, "value": value, "mask": mask},
        rules={"output": Rule(where="seeing"), "weights": Rule(where="seeing")},
        masks={"seeing": seeing},
        says=says,
        control="mask-minus-infinity",
    )


def backward(draw, name, says="", sizes=(2, 3, 5)):
    batch, t_q, t_k = sizes
    inputs = {
        "query": draw.normal(batch, t_q, 4),
        "key": draw.normal(batch, t_k, 4),
        "value": draw.normal(batch, t_k, 6),
        "mask": draw.mask(batch, t_q, t_k),
    }
    return Case(name, "attend_backward", inputs, says=says)


def with_dropout(draw, name, says="", sizes=(2, 3, 5)):
    batch, t_q, t_k = sizes
    kept = (torch.arange(batch * t_q * t_k).reshape(batch, t_q, t_k) % 2).float()
    inputs = {
        "query": draw.normal(batch, t_q, 4),
        "key": draw.normal(batch, t_k, 4),
        "value": draw.normal(batch, t_k, 6),
        "kept": kept,
    }
    # The weights returned may be those before or after dropout.
    rules = {"weights": Rule("finite")}
    return Case(name, "attend_with_dropout", inputs, rules, says=says)


def smoothing(draw, name, length, width, says=""):
    inputs = {
        "positions": draw.normal(length, scale=2.0),
        "signal": draw.normal(length),
        "width": width,
    }
    return Case(name, "smooth", inputs, says=says)
