"""The tests of lesson 01 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    backward,
    blind_row,
    by_name,
    exactly_hidden,
    large_scores,
    masked,
    plain,
    smoothing,
    with_dropout,
)


def tests(draw):
    return {
        "scaled_dot_product_attention": [
            Test("scores and weights", 3, says="queries, keys and values of many sizes", cases=[
                plain(draw, "batch", (3, 4, 5), (3, 7, 5), (3, 7, 2)),
                plain(draw, "heads", (2, 3, 5, 4), (2, 3, 6, 4), (2, 3, 6, 7)),
                plain(draw, "no batch", (4, 3), (6, 3), (6, 5)),
                plain(draw, "square", (2, 5, 5), (2, 5, 5), (2, 5, 5)),
                plain(draw, "one query", (2, 1, 6), (2, 4, 6), (2, 4, 3)),
                plain(draw, "float64", (2, 3, 4), (2, 5, 4), (2, 5, 6)).in_float64(),
                large_scores(draw, "large scores", sizes=(3, 4, 3)),
            ]),
            Test("masks", 3, says="masks of every shape that broadcasts", cases=[
                masked(draw, "full", 2, 4, 6, (2, 3, 4, 6)),
                masked(draw, "padding", 3, 4, 6, (3, 1, 1, 6)),
                masked(draw, "causal", 2, 5, 5, (1, 1, 5, 5)),
                masked(draw, "no batch axis", 2, 4, 6, (4, 6)),
                masked(draw, "shared by heads", 2, 4, 5, (2, 1, 4, 5)),
                masked(draw, "one axis", 3, 4, 7, (7,)),
                masked(draw, "by sentence", 3, 5, 4, (3, 5, 4)),
                exactly_hidden(draw, "exactly zero"),
                by_name(draw, "by name", sizes=(3, 2, 6)),
            ]),
            Test("a row that sees no key", 1, says="a query that may look at nothing", cases=[
                blind_row(draw, "blind row", sizes=(3, 2, 4)),
            ]),
            Test("gradients", 2, says="the gradients of query, key and value", cases=[
                backward(draw, "gradients", sizes=(3, 4, 6)),
                backward(draw, "gradients, dropout", sizes=(3, 2, 5), drops=True),
            ]),
            Test("dropout", 1, says="dropout on the weights", cases=[
                with_dropout(draw, "dropout", sizes=(3, 4, 7)),
                with_dropout(draw, "dropout and mask", sizes=(2, 5, 3), hides=True),
            ]),
        ],
        "bug_hunt_1": [
            Test("smoothing", 2, says="signals of other lengths and widths", cases=[
                smoothing(draw, "long", 9, 1.5),
                smoothing(draw, "wide", 6, 3.0),
            ]),
        ],
    }  # fmt: skip
