"""The tests of lesson 00 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import averaging, merge, merge_backward, split, split_backward


def tests(draw):
    return {
        "split_heads": [
            Test("where each feature goes", 3, says="tensors of many sizes", cases=[
                split(draw, "sizes", (3, 5, 28), 4),
                split(draw, "more heads than words", (2, 3, 35), 7),
                split(draw, "as many heads as words", (3, 4, 20), 4),
                split(draw, "one sentence", (1, 6, 15), 5),
                split(draw, "one word", (3, 1, 8), 2),
                split(draw, "one head", (3, 5, 7), 1),
                split(draw, "one feature", (3, 2, 5), 5),
            ]),
            Test("gradients and dtype", 2, says="gradients, and numbers in float64", cases=[
                split_backward(draw, "gradients", (3, 4, 10), 5),
                split(draw, "float64", (2, 5, 12), 3).in_float64(),
            ]),
        ],
        "merge_heads": [
            Test("where each feature goes", 3, says="tensors of many sizes", cases=[
                merge(draw, "sizes", (3, 4, 5, 7)),
                merge(draw, "more heads than words", (2, 7, 3, 5)),
                merge(draw, "as many heads as words", (3, 4, 4, 5)),
                merge(draw, "one sentence", (1, 5, 6, 3)),
                merge(draw, "one word", (3, 2, 1, 4)),
                merge(draw, "one head", (3, 1, 5, 7)),
                merge(draw, "one feature", (3, 5, 2, 1)),
            ]),
            Test("gradients and dtype", 2, says="gradients, and numbers in float64", cases=[
                merge_backward(draw, "gradients", (3, 5, 4, 2)),
                merge(draw, "float64", (2, 3, 5, 4)).in_float64(),
            ]),
        ],
        "bug_hunt_1": [
            Test("means", 2, says="sentences of other lengths", cases=[
                averaging(draw, "long", (7, 3, 4), [2, 7, 5]),
                averaging(draw, "wide", (3, 4, 5), [3, 1, 2, 3]),
                averaging(draw, "zeros", (5, 3, 4), [5, 4, 2], one_feature=0.0),
                averaging(draw, "behind", (6, 4, 3), [3, 6, 1, 4], behind=True),
            ]),
        ],
    }  # fmt: skip
