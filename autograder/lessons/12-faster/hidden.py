"""The tests of lesson 12 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    DEEP,
    ENDED_BY_PADDING,
    LEARNED,
    MISCOUNTED,
    NARROW,
    OTHER_DEFAULTS,
    SMALL,
    UNSORTED,
    attend,
    beam,
    consult,
    drop_numbers,
    dropping,
    dropping_some,
    fuse,
    greedy,
    interrupted,
    normalize,
    smooth,
    step,
    utilize,
    write,
)


def tests(draw):
    return {
        "FusedMultiHeadAttention": [
            Test("attention", 2, says="queries, keys, values and masks of many sizes", cases=[
                attend(draw, "three heads", 15, 3, (2, 4, 6)),
                attend(draw, "self-attention's mask", 8, 2, (3, 4, 4), (3, 1, 4, 4)),
                attend(draw, "by head", 6, 3, (2, 3, 7), (2, 3, 3, 7)),
                attend(draw, "one query", 10, 5, (3, 1, 5), (3, 1, 1, 5)),
            ]),
            Test("dropout", 1, says="dropout in training only", cases=[
                dropping(draw, "everything", 12, 4, (3, 5)),
                dropping_some("half", 3, (30, 40), 6, 0.5),
            ]),
        ],
        "FusedLayerNorm": [
            Test("norm", 1, says="other sizes, other eps", cases=[
                normalize(draw, "vectors", (4, 7), 1e-5),
                normalize(draw, "sentences", (2, 5, 6), 0.5),
            ]),
        ],
        "FusedLabelSmoothing": [
            Test("the loss", 3, says="with padding and without, more smoothing and less", cases=[
                smooth(draw, "flat", (5, 8), 2, []),
                smooth(draw, "batch", (3, 4, 7), 0, [(0, 3), (2, 2), (2, 3)]),
                smooth(draw, "half", (2, 3, 5), 4, [(1, 1)], smoothing=0.5),
                smooth(draw, "none", (3, 2, 6), 1, [(2, 1)], smoothing=0.0),
                smooth(draw, "one", (2, 2, 6), 0, [(0, 1), (1, 0), (1, 1)]),
                smooth(draw, "nothing real", (1, 3, 6), 2, [(0, 0), (0, 1), (0, 2)]),
            ]),
        ],
        "FastDropout": [
            Test("numbers dropped", 2, says="other sizes, other rates", cases=[
                drop_numbers("a tenth", (30, 40, 30), 0.1),
                drop_numbers("most", (7, 11, 401), 0.75),
                drop_numbers("all of them", (3, 5), 1.0),
            ]),
        ],
        "fuse": [
            Test("the same model", 2, says="what a fused model says, its weights and mode", cases=[
                fuse(draw, "learned", LEARNED, (3, 5, 4)),
                fuse(draw, "pre-norm", DEEP, (2, 3, 6), training=True),
            ]),
        ],
        "CachedMultiHeadAttention": [
            Test("writing", 3, says="self-attention, one position a step", cases=[
                write(draw, "four heads", 12, 4, 3, 6, [1, 2, 0]),
                write(draw, "twice the same", 9, 3, 2, 5, [1, 1], padded=[(1, 2), (1, 4)]),
            ]),
            Test("the memory", 2, says="cross-attention, computed once", cases=[
                consult(draw, "two sentences", 10, 2, (2, 6), [[[1], [1]], [[0], [1]]], first=3),
                consult(draw, "beams", 12, 3, (3, 4),
                        [[[1, 1], [0, 1], [1, 1]], [[1, 1], [0, 0], [0, 1]]]),
                consult(draw, "one position", 8, 4, (3, 1),
                        [[[1, 1], [0, 1], [1, 0]], [[0, 0], [1, 1], [0, 1]]],
                        control="memory-by-its-length"),
            ]),
        ],
        "CachedDecoder": [
            Test("steps", 3, says="other models, rows that leave", cases=[
                step(draw, "learned", LEARNED, (4, 3), 6, [[1, 1], [1, 0], [1, 1], [0, 1]],
                     [[0, 0], [0, 0], [1, 0], [1, 1]], [[1, 1], [0, 0], [1, 1], [1, 0]]),
                step(draw, "in training", DEEP, (3, 5), 4, [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
                     [[2, 1, 1], [0, 2, 2], [1, 1, 0]], [[1, 0, 1], [0, 1, 0], [1, 1, 1]],
                     training=True),
                interrupted(draw, "interrupted", DEEP, (3, 4)),
            ]),
        ],
        "cached_greedy_decode": [
            Test("translations", 3, says="other models, sources and lengths", cases=[
                greedy(draw, "learned", LEARNED, (5, 4), 9),
                greedy(draw, "deep", DEEP, (4, 6), 9, all_end=True),
                greedy(draw, "in train mode", SMALL, (6, 3), 10, training=True),
                greedy(draw, "bos_id alone", LEARNED, (3, 1), 1),
                greedy(draw, "padding written", DEEP, (5, 4), 9, pad=2.0,
                       mistakes=ENDED_BY_PADDING),
            ]),
        ],
        "cached_beam_search": [
            Test("the search", 4, says="other models, beams and penalties", cases=[
                beam(draw, "beam of 2", LEARNED, (5, 4), 9, [2], mistakes=UNSORTED),
                beam(draw, "beam of 1", DEEP, (4, 3), 7, [1]),
                beam(draw, "beam of 5", SMALL, (6, 5), 8, [5, 2.5], mistakes=MISCOUNTED),
                beam(draw, "one source", SMALL, (1, 4), 10, [9, 2.0], mistakes=NARROW),
                beam(draw, "default beam", DEEP, (7, 5), 11, None, training=True,
                     mistakes=OTHER_DEFAULTS),
                beam(draw, "bos_id alone", DEEP, (3, 5), 1, [3]),
                beam(draw, "padding written", LEARNED, (5, 4), 8, [2], pad=2.0,
                     mistakes=ENDED_BY_PADDING),
            ]),
        ],
        "bug_hunt_1": [
            Test("the share", 2, says="other batches", cases=[
                utilize(draw, "much padding", (4, 6), [(0, 5), (2, 4), (2, 5), (3, 5)], 11,
                        large=True),
                utilize(draw, "one row", (1, 7), [(0, 6)], 0),
            ]),
        ],
    }  # fmt: skip
