"""The tests of lesson 03 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    alone,
    connected,
    constant,
    far,
    fresh,
    gradient,
    gradient_connected,
    normalized,
    parameters,
    root_mean_square,
    small,
    some_dropped,
    swapped,
)


def tests(draw):
    return {
        "LayerNorm": [
            Test("mean, variance, scale and shift", 3, says="inputs of many shapes", cases=[
                fresh(draw, "fresh", (3, 4, 6)),
                normalized(draw, "batch", (4, 3, 7)),
                normalized(draw, "no batch", (5, 6)),
                swapped(draw, "four axes", (2, 3, 4, 5)),
                far(draw, "far from 0", (3, 2, 16)),
                normalized(draw, "features alone", (7,)),
                normalized(draw, "one position", (3, 1, 5)),
                alone(draw, "alone", (4, 3, 5)),
                normalized(draw, "in float64", (2, 3, 5)).in_float64(),
            ]),
            Test("eps", 1, says="eps, and where it stands", cases=[
                normalized(draw, "large eps", (2, 3, 6), eps=2.0),
                small(draw, "small numbers", (3, 4, 5)),
                constant(draw, "constant", (3, 2, 8)),
            ]),
            Test("parameters", 1, says="gamma and beta: parameters of the right shape", cases=[
                parameters("parameters", 7),
            ]),
            Test("gradients", 1, says="the gradients of x, gamma and beta", cases=[
                gradient(draw, "gradients", (3, 4, 5)),
            ]),
        ],
        "SublayerConnection": [
            Test("post-norm", 2, says="post-norm, as in the paper", cases=[
                connected(draw, "default", (3, 4, 6)),
                connected(draw, "asked for", (2, 5, 3), norm_first=False),
                connected(draw, "post-norm in float64", (2, 3, 5), norm_first=False).in_float64(),
            ]),
            Test("pre-norm", 2, says="pre-norm", cases=[
                connected(draw, "pre-norm", (3, 4, 6), norm_first=True),
                connected(draw, "one position", (2, 1, 7), norm_first=True),
                connected(draw, "pre-norm in float64", (2, 3, 5), norm_first=True).in_float64(),
            ]),
            Test("dropout", 2, says="where dropout stands, and how much it drops", cases=[
                connected(draw, "all dropped, post-norm", (3, 4, 5), training=True,
                          norm_first=False),
                connected(draw, "all dropped, pre-norm", (3, 4, 5), training=True,
                          norm_first=True),
                some_dropped(draw, "half", 5, dropout=0.5),
                some_dropped(draw, "usual", 6),
            ]),
            Test("gradients", 1, says="the gradients, post-norm and pre-norm", cases=[
                gradient_connected(draw, "post-norm, gradients", (3, 4, 5), False),
                gradient_connected(draw, "pre-norm, gradients", (3, 4, 5), True),
            ]),
        ],
        "bug_hunt_1": [
            Test("root mean square", 2, says="inputs of other shapes, and a large eps", cases=[
                root_mean_square(draw, "usual eps", (3, 4, 6)),
                root_mean_square(draw, "square", (2, 5, 5), 1e-6),
                root_mean_square(draw, "eps", (2, 3, 7), 1.5),
            ]),
        ],
    }  # fmt: skip
