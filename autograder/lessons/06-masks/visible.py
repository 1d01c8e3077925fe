"""The cases of the checks in the notebook of lesson 06. Inputs and results go to students."""

from functools import partial

import torch

from autograder.lesson.cases import Case


def cases(draw):
    return {
        "padding_mask": [
            padding(draw, "by hand", 0, [2, 3], 3, "2 sentences, one of them padded"),
            padding(draw, "other padding", 4, [5, 1, 3], 5, "padding is token 4"),
            padding(draw, "square", 0, [3, 2, 1], 3, "as many sentences as tokens"),
            on_the_left(draw, "left", 3, [2, 4], 4, "padding on the left"),
            anywhere("in between", [[5, 1, 5, 2, 5]], 5, "padding in between"),
            anywhere("one token", [[0], [6]], 6, "sentences of 1 token"),
            padding_there(draw, "device", 0, [1, 3], 3, "ids on another device"),
        ],
        "causal_mask": [
            Case("by hand", "mask_future", {"size": 3}, says="3 positions"),
            Case("larger", "mask_future", {"size": 5}, says="5 positions"),
            Case("smallest", "mask_future", {"size": 1}, says="1 position"),
            Case("long", "mask_future", {"size": 300}, says="300 positions"),
            Case("device", "mask_future_there", {"size": 4}, says="on another device"),
        ],
        "target_mask": [
            target(draw, "by hand", 0, [3, 2], 3, "2 sentences, one of them padded"),
            target(draw, "other padding", 2, [4, 1, 5], 5, "padding is token 2"),
            target(draw, "square", 0, [2, 4, 3, 1], 4, "as many sentences as tokens"),
            on_the_left(draw, "left", 3, [2, 4], 4, "padding on the left"),
            anywhere("in between", [[5, 1, 5, 2, 5]], 5, "padding in between"),
            anywhere("no padding", [[1, 2], [2, 3], [1, 4]], 0, "no padding"),
            anywhere("one token", [[0], [6]], 6, "sentences of 1 token"),
            target(draw, "empty end", 0, [2, 1], 4, "all sentences shorter than the row"),
            long_target(draw, "long", 0, [130], 130, "a sentence of 130 tokens"),
            target_there(draw, "device", 0, [4, 2], 4, "ids on another device"),
        ],
        "bug_hunt_1": [
            packed([[0, 0, 1, 1, 1]], 2, "one row", "one row of two sentences, window 2"),
            packed(
                [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1]],
                3,
                "two rows",
                "two rows of two sentences each, window 3",
            ),
            packed([[3, 3, 1, 1, 1, 1]], 2, "any order", "sentences 3 and 1, window 2"),
            packed([[5, 5, 5, 5, 5]], 3, "one sentence", "one sentence of 5 tokens, window 3"),
        ],
    }


def sentences(draw, pad_id, lengths, width):
    """Ids padded on the right to `width`, some of them below the padding's."""
    others = torch.tensor([token for token in range(9) if token != pad_id])
    ids = others[draw.integers(0, 8, len(lengths), width)]
    for row, length in zip(ids, lengths, strict=True):
        row[0] = 0 if pad_id else 8
        row[length:] = pad_id
    return ids


def masked(draw, name, pad_id, lengths, width, says="", probe="mask_ids", control=""):
    inputs = {"ids": sentences(draw, pad_id, lengths, width), "pad_id": pad_id}
    return Case(name, probe, inputs, says=says, control=control)


padding = partial(masked, control="padding-ignored")
padding_there = partial(masked, probe="mask_ids_there")
target = partial(masked, control="padding-forgotten")
target_there = partial(masked, probe="mask_ids_there", control="target-device-ignored")
long_target = partial(masked, probe="count_visible")


def on_the_left(draw, name, pad_id, lengths, width, says=""):
    """The same sentences with their padding in front."""
    case = padding(draw, name, pad_id, lengths, width)
    ids = case.inputs["ids"]
    turned = torch.stack(
        [row.roll(width - length) for row, length in zip(ids, lengths, strict=True)]
    )
    return Case(name, "mask_ids", {"ids": turned, "pad_id": pad_id}, says=says)


def anywhere(name, ids, pad_id, says=""):
    return Case(name, "mask_ids", {"ids": torch.tensor(ids), "pad_id": pad_id}, says=says)


def packed(segments, window, name, says=""):
    inputs = {"segments": torch.tensor(segments), "window": window}
    return Case(name, "mask_packed", inputs, says=says)
