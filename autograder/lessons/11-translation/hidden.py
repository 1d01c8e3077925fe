"""The tests of lesson 11 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import averaged, grouped, on_pair, scored, step


def tests(draw):
    return {
        "token_batches": [
            Test("within max_tokens", 2, says="many sentences of different lengths", cases=[
                grouped("many", [5, 31, 2, 17, 11, 7, 23, 3, 13, 29, 19], 64),
                grouped("all alike", [2] * 31, 25),
                grouped("exactly full", [8, 2, 4, 6, 7, 5], 24),
            ]),
            Test("the ends", 1, says="one sentence, and some that are too long", cases=[
                grouped("one", [9], 20),
                grouped("none", [], 11),
                grouped("two too long", [30, 3, 40, 5], 20),
                grouped("all too long", [30, 25, 40], 20),
            ]),
        ],
        "mixed_precision_step": [
            Test("the step", 2, says="losses and weights of two steps", cases=[
                step(draw, "unscaled", (3, 5), (3, 6), 0, max_norm=100.0),
                step(draw, "rate", (3, 4), (3, 4), 2, max_norm=100.0, scheduled=True),
                step(draw, "default norm", (4, 3), (4, 6), 0),
                step(draw, "old gradients", (3, 5), (3, 4), 0, max_norm=100.0, stale=True),
            ]),
            Test("the scaled loss", 2, says="a scaler that scales, and clipping", cases=[
                step(draw, "with a scale", (3, 4), (3, 5), 0, max_norm=100.0, scale=256.0),
                step(draw, "clipped too", (3, 4), (3, 5), 3, max_norm=0.5, scale=4096.0),
                on_pair(draw, "too large a scale", "overflow", (3, 4), (3, 3), 0),
            ]),
            Test("precision", 1, says="what is computed in which dtype", cases=[
                on_pair(draw, "low", "precision", (3, 2), (3, 5), 0, dtype="bfloat16"),
                on_pair(draw, "half", "precision", (3, 5), (3, 2), 0, dtype="float16"),
                on_pair(draw, "full", "precision", (3, 2), (3, 5), 0, dtype=""),
                on_pair(draw, "elsewhere", "device", (3, 2), (3, 4), 0),
            ]),
        ],
        "average_weights": [
            Test("the mean of each entry", 2, says="states of many entries", cases=[
                averaged(draw, "four states", 4, [(3, 2), (5,)]),
                averaged(draw, "one state", 1, [(2, 4)]),
                averaged(draw, "two states", 2, [(4,), (2, 2, 3)]),
                averaged(draw, "eight states", 8, [(3,)]),
            ]),
        ],
        "bug_hunt_1": [
            Test("BLEU", 2, says="several sentences at once", cases=[
                scored("two sentences", [[1, 2, 3, 4, 5], [6, 7, 8, 9]],
                       [[1, 2, 3, 4, 6], [6, 7, 8, 9, 5]], "", 3),
                scored("long and short", [[1, 2, 3, 4, 5, 6], [7, 8, 9, 2]],
                       [[1, 2, 3, 4, 5], [7, 8, 9, 2, 3]], "", 3),
                scored("repeated and short", [[4, 4, 5, 6, 7]], [[4, 5, 6, 7, 8, 9, 1]], "", 2),
                scored("repeated in both", [[7, 8, 9, 7, 8, 7]], [[7, 8, 7, 8, 5, 6, 7]], "", 2),
                scored("long", [[1, 2, 3, 4, 5, 6, 7, 1, 2]], [[1, 2, 3, 4, 5, 6]]),
            ]),
        ],
    }  # fmt: skip
