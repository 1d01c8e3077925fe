"""The tests of lesson 02 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    another_end,
    backward,
    blind_row,
    cross,
    distance,
    dropping,
    itself,
    masked,
    one_key,
    other_hidden,
    parameters,
    refused,
    some_dropped,
    twice,
)


def tests(draw):
    return {
        "MultiHeadAttention": [
            Test("cross-attention", 3, says="queries, keys and values of many sizes", cases=[
                cross(draw, "three heads", 15, 3, (2, 4, 6)),
                cross(draw, "more keys than features", 6, 2, (3, 2, 7)),
                cross(draw, "one head", 7, 1, (2, 5, 3)),
                cross(draw, "one feature a head", 5, 5, (2, 4, 4)),
                one_key(draw, "one key", 8, 2, (3, 2, 1)),
                cross(draw, "float64", 10, 5, (2, 3, 4)).in_float64(),
            ]),
            Test("self-attention", 2, says="sentences that look at themselves", cases=[
                itself(draw, "sentence", 12, 4, (3, 5)),
                itself(draw, "as many words as heads", 12, 3, (2, 3)),
                twice(draw, "twice", 10, 2, (2, 6), (3, 4)),
            ]),
            Test("masks", 3, says="masks of every shape that broadcasts", cases=[
                masked(draw, "padding", 9, 3, (2, 4, 7), (2, 1, 1, 7)),
                masked(draw, "one query", 8, 2, (3, 1, 5), (3, 1, 1, 5)),
                masked(draw, "by head", 8, 2, (3, 4, 5), (3, 2, 4, 5)),
                masked(draw, "shared", 8, 4, (3, 5, 5), (1, 1, 5, 5)),
                masked(draw, "heads alone", 6, 3, (3, 4, 5), (3, 4, 5)),
                masked(draw, "matrix", 10, 5, (2, 3, 6), (3, 6)),
                other_hidden(draw, "other padding", 12, 3, (3, 4, 6)),
                another_end(draw, "other end", 10, 5, (2, 6)),
                blind_row(draw, "blind row", 8, 2, (2, 3, 6)),
            ]),
            Test("parameters", 2, says="the names, shapes and number of parameters", cases=[
                parameters(draw, "names", 14, 7),
                parameters(draw, "names of one head", 9, 1),
            ]),
            Test("gradients", 2, says="gradients of inputs and of all parameters", cases=[
                backward(draw, "gradients", 8, 4, (3, 5, 6)),
            ]),
            Test("dropout", 2, says="dropout on the weights, in training only", cases=[
                dropping(draw, "everything", 12, 4, (3, 5, 4)),
                some_dropped(draw, "half", 12, 3, dropout=0.5),
                some_dropped(draw, "usual", 9, 3),
            ]),
            Test("sizes that do not fit", 1, says="a ValueError where heads do not fit", cases=[
                refused(draw, "refused", 16, 5),
                refused(draw, "more heads than features", 4, 8),
            ]),
        ],
        "bug_hunt_1": [
            Test("distances", 2, says="more sentences, heads and words", cases=[
                distance(draw, "batch", (3, 2, 6), [6, 2, 4]),
                distance(draw, "many heads", (2, 5, 3), [1, 3]),
            ]),
        ],
    }  # fmt: skip
