"""The tests of lesson 09 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import (
    all_padding,
    clipped,
    gradient,
    measured,
    one_short,
    rates,
    shifted,
    smoothed,
    step,
)


def tests(draw):
    return {
        "shift_right": [
            Test("shifted", 2, says="targets of many lengths", cases=[
                shifted(draw, "long", 3, 7),
                shifted(draw, "square", 4, 4),
                shifted(draw, "short", 2, 2),
            ]),
        ],
        "LabelSmoothing": [
            Test("the smoothed target", 3, says="log-probabilities of many shapes", cases=[
                smoothed(draw, "flat", (4, 6), 0, []),
                smoothed(draw, "batch", (3, 4, 7), 0, [(0, 3), (2, 2), (2, 3)]),
                smoothed(draw, "strong", (2, 5, 6), 3, [(1, 3), (1, 4)], smoothing=0.5),
                smoothed(draw, "last token is padding", (2, 3, 5), 4, [(0, 2)], smoothing=0.25),
                smoothed(draw, "certain", (3, 2, 5), 1, [(2, 1)], smoothing=0.0),
            ]),
            Test("padding", 2, says="much padding, little, none, and nothing else", cases=[
                smoothed(draw, "one padded position", (3, 3, 6), 0, [(1, 2)],
                         control="squeezed-index"),
                smoothed(draw, "no padding", (2, 4, 7), 5, []),
                smoothed(draw, "one real token", (2, 3, 7), 1,
                         [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]),
                all_padding(draw, "padding alone", (2, 3, 6), 0),
                smoothed(draw, "one after the other", (5, 7), 4, [(0,), (3,)]),
            ]),
            Test("gradients", 1, says="the gradient of the log-probabilities", cases=[
                gradient(draw, "gradients", (3, 4, 6), 2, [(0, 3), (2, 1), (2, 2), (2, 3)]),
            ]),
        ],
        "noam_lr": [
            Test("the schedule", 2, says="many steps, widths and warm-ups", cases=[
                rates("around the peak", [1, 4, 5, 6, 50], "", draw.pick(4, 9, 25), warmup=5),
                rates("long warm-up", [1, 10, 100, 1000], "", 2, warmup=100),
                rates("factor", [2, 7, 14], "", 16, warmup=7, factor=0.5),
                rates("default", [1000, 4000, 8000, 64000], "", 2),
            ]),
            Test("step 0", 1, says="step 0, which schedulers begin with", cases=[
                rates("step 0", [0, 1, 2], "", 9, warmup=4),
            ]),
        ],
        "train_step": [
            Test("one step after the other", 2, says="losses and weights of two steps", cases=[
                step(draw, "plain", (3, 5), (3, 6), 0, max_norm=100.0),
                step(draw, "other padding", (2, 4), (2, 4), 3, max_norm=100.0),
                step(draw, "old gradients", (3, 4), (3, 5), 0, max_norm=100.0, stale=True,
                     groups=True),
            ]),
            Test("clipping", 2, says="gradients that are too large", cases=[
                step(draw, "clipped", (3, 4), (3, 5), 2, max_norm=0.5),
                step(draw, "default", (4, 3), (4, 6), 0, groups=True),
            ]),
            Test("schedule", 1, says="the scheduler, after the optimizer", cases=[
                step(draw, "scheduled", (3, 4), (3, 4), 0, max_norm=100.0, scheduled=True),
            ]),
        ],
        "evaluate": [
            Test("the mean per token", 2, says="batches of different sizes", cases=[
                measured(draw, "three batches",
                         [((2, 4), (2, 3)), ((4, 3), (4, 6)), ((1, 2), (1, 5))], 0, False),
                # Shares of padding far apart: who counts the padding too weighs quite differently.
                measured(draw, "other padding", [((1, 3), (1, 4)), ((2, 2), (2, 7))], 6, False),
                measured(draw, "little is real",
                         [((1, 2), (1, 4)), ((3, 4), (3, 6)), ((1, 3), (1, 4))], 4, False),
                measured(draw, "one batch", [((3, 4), (3, 5))], 0, False),
                measured(draw, "one token", [((1, 2), (1, 4))], 3, False),
            ]),
            Test("eval mode", 1, says="the mode in which it measures, and leaves", cases=[
                measured(draw, "in train mode", [((2, 3), (2, 5)), ((3, 2), (3, 3))], 0, True),
            ]),
        ],
        "bug_hunt_1": [
            Test("clipping", 2, says="long and short gradients", cases=[
                clipped(draw, "long", [(3, 4), (5,), (2,)], 1.0, 0.5),
                clipped(draw, "short", [(4, 2), (3,)], 0.25, 9.0),
                one_short(draw, "one short", (2, 2), (6,)),
                Case("one tensor", "clip", {"max_norm": 2.0, "a": 3 + draw.normal(6)}),
            ]),
        ],
    }  # fmt: skip
