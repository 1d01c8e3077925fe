"""The tests of lesson 13 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    DEEP,
    LEARNED,
    POST_NORM,
    PRE_NORM,
    SMALL,
    ask,
    greedy,
    project,
    read_on,
    remember,
    step,
)


def tests(draw):
    return {
        "KeyValueCache": [
            Test("keeping", 3, says="other sizes, pieces and rows", cases=[
                remember(draw, "one by one", (3, 2, 6), [1, 1, 1, 1], 7),
                remember(draw, "pieces", (2, 4, 3), [2, 3, 1], 9),
                remember(draw, "other rows", (3, 3, 4), [1, 2, 1], 4, order=[2, 2, 0]),
                remember(draw, "double precision", (2, 1, 5), [4, 1], 5).in_float64(),
            ]),
        ],
        "keys_and_values": [
            Test("projected and cut", 1, says="other sizes", cases=[
                project(draw, "one row", 3, (1, 5, 9)),
                project(draw, "rows", 4, (4, 2, 8)),
            ]),
        ],
        "attend": [
            Test("attention", 2, says="queries, keys and masks of other sizes", cases=[
                ask(draw, "three heads", 3, (2, 1, 6), 12),
                ask(draw, "self-attention's mask", 2, (3, 4, 4), 8, mask_shape=(3, 1, 4, 4)),
                ask(draw, "padding hidden", 5, (4, 1, 5), 10, mask_shape=(4, 1, 1, 5)),
                ask(draw, "nothing hidden", 4, (3, 4, 4), 8),
            ]),
        ],
        "cached_layer": [
            Test("layers", 3, says="encoder's and decoder's layers, other pieces", cases=[
                read_on(draw, "one by one", POST_NORM, 3, [1, 1, 1, 1]),
                read_on(draw, "a long prompt", PRE_NORM, 4, [4, 2]),
                read_on(draw, "pre-norm decoder", PRE_NORM, 2, [1, 1, 1, 1], memory=(2, 5)),
                read_on(draw, "wide beam", POST_NORM, 8, [1, 1, 1], memory=(2, 4),
                        control="one-row-for-each-source"),
                read_on(draw, "nothing hidden", PRE_NORM, 4, [1, 1, 1], memory=(2, 3),
                        masked=False),
            ]),
        ],
        "CachedDecoder": [
            Test("steps", 3, says="other models, rows that continue others", cases=[
                step(draw, "learned", LEARNED, (4, 3), [[1, 1], [1, 0], [0, 1], [0, 0]], 6),
                step(draw, "deep alone", DEEP, (3, 5), [[0], [0], [0]], 4),
                step(draw, "wide", SMALL, (2, 4), [[3, 1, 1, 0], [2, 2, 2, 3]], 5),
            ]),
        ],
        "cached_greedy_decode": [
            Test("translations", 2, says="other models, sources and lengths", cases=[
                greedy(draw, "learned", LEARNED, (5, 4), 9),
                greedy(draw, "deep", DEEP, (4, 6), 9, all_end=True),
                greedy(draw, "in train mode", SMALL, (6, 3), 10, training=True),
                greedy(draw, "bos_id alone", LEARNED, (3, 1), 1),
                greedy(draw, "padding written", DEEP, (5, 4), 9, pad=2.0),
            ]),
        ],
    }  # fmt: skip
