"""The tests of lesson 12 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import (
    DEEP,
    LEARNED,
    attend,
    dropping,
    dropping_some,
    fuse,
    normalize,
    smooth,
    utilize,
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
        "fuse": [
            Test("the same model", 2, says="what a fused model says, its weights and mode", cases=[
                fuse(draw, "learned", LEARNED, (3, 5, 4)),
                fuse(draw, "pre-norm", DEEP, (2, 3, 6), training=True),
                Case("three layers", "fuse_an_encoder", {**DEEP, "num_layers": 3}),
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
