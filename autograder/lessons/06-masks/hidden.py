"""The tests of lesson 06 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import (
    anywhere,
    long_target,
    on_the_left,
    packed,
    padding,
    padding_there,
    target,
    target_there,
)


def tests(draw):
    return {
        "padding_mask": [
            Test("padding on the right", 2, says="sentences of many lengths", cases=[
                padding(draw, "batch", 0, [4, 6, 1], 6),
                padding(draw, "other padding", 5, [2, 7], 7),
                padding(draw, "one sentence", 3, [2], 4),
                padding(draw, "square", 6, [4, 2, 1, 3], 4),
                padding_there(draw, "elsewhere", 2, [2, 4, 3], 4),
            ]),
            Test("padding elsewhere", 1, says="on the left, everywhere, nowhere", cases=[
                on_the_left(draw, "left", 1, [3, 5, 4], 5),
                anywhere("nowhere", [[3, 1, 2], [4, 4, 1]], 0),
                anywhere("everywhere", [[2, 2, 2, 2], [1, 0, 2, 2]], 2),
                anywhere("one token", [[7], [3]], 7),
            ]),
        ],
        "causal_mask": [
            Test("triangle", 2, says="sequences of many lengths", cases=[
                Case("even", "mask_future", {"size": 6}),
                Case("odd", "mask_future", {"size": 7}),
                Case("two", "mask_future", {"size": 2}),
                Case("one", "mask_future", {"size": 1}),
                Case("long", "mask_future", {"size": 290}),
            ]),
            Test("device", 1, says="a mask on the device that was asked for", cases=[
                Case("elsewhere", "mask_future_there", {"size": 3}),
            ]),
        ],
        "target_mask": [
            Test("both", 3, says="padding and future, sentences of many lengths", cases=[
                target(draw, "batch", 0, [4, 6, 1], 6),
                target(draw, "other padding", 5, [2, 7], 7),
                target(draw, "one sentence", 3, [2], 5),
                target(draw, "square", 6, [1, 5, 3, 2, 4], 5),
                anywhere("no padding", [[3, 1, 2], [4, 4, 1]], 0),
                anywhere("one token", [[7], [3]], 7),
                anywhere("in between", [[5, 2, 5, 5, 3, 2]], 5),
                long_target(draw, "long", 1, [150, 140], 150),
            ]),
            Test("padding on the left", 1, says="padding before the real tokens", cases=[
                on_the_left(draw, "left", 1, [3, 5, 4], 5),
            ]),
            Test("device", 1, says="a mask on the device that the ids are on", cases=[
                target_there(draw, "elsewhere", 1, [2, 5, 3], 5),
            ]),
        ],
        "bug_hunt_1": [
            Test("packed rows", 2, says="other rows and windows", cases=[
                packed([[0, 0, 0, 1, 1, 2], [0, 1, 1, 1, 1, 1]], 3, "three sentences"),
                packed([[4, 4, 4, 4, 4, 4, 4]], 2, "one sentence"),
                packed([[1, 2, 3], [5, 5, 2], [0, 0, 0]], 1, "window 1"),
                packed([[6, 6, 2, 2, 3]], 4, "numbers in any order"),
            ]),
        ],
    }  # fmt: skip
