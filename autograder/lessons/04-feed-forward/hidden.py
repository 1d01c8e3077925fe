"""The tests of lesson 04 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import alone, fed, gated, gradient, parameters, some_dropped


def tests(draw):
    return {
        "PositionwiseFeedForward": [
            Test("two layers and a ReLU", 4, says="inputs of many shapes", cases=[
                fed(draw, "batch", (3, 4, 6), 11),
                fed(draw, "one word", (4, 1, 5), 9),
                fed(draw, "one sentence", (1, 4, 3), 7),
                fed(draw, "d_ff equals d_model", (2, 5, 5), 5),
                fed(draw, "in float64", (2, 4, 3), 8).in_float64(),
            ]),
            Test("position by position", 2, says="a word alone and among others", cases=[
                alone(draw, "first", (3, 4, 5), 8, 0),
                alone(draw, "last", (2, 6, 3), 7, 5),
            ]),
            Test("dropout", 2, says="where dropout stands, when it acts, how much it drops", cases=[
                fed(draw, "train mode", (3, 4, 5), 7, dropout=1.0, training=True),
                fed(draw, "eval mode", (3, 4, 5), 7, dropout=1.0, training=False),
                some_dropped(draw, "half", 5, dropout=0.5),
                some_dropped(draw, "usual", 6),
            ]),
            Test("parameters", 1, says="w_1 and w_2: two linear layers with bias", cases=[
                parameters("wide", 6, 13),
                parameters("narrow", 5, 2),
            ]),
            Test("gradients", 1, says="the gradients of x and of every parameter", cases=[
                gradient(draw, "gradients", (3, 5, 4), 9),
            ]),
        ],
        "bug_hunt_1": [
            Test("gated network", 2, says="inputs of other shapes", cases=[
                gated(draw, "batch", (3, 4, 5), 7),
                gated(draw, "narrow", (2, 5, 6), 3),
            ]),
        ],
    }  # fmt: skip
