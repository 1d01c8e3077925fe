"""The cases of the checks. Students receive their inputs and results, not this file."""

from autograder.lesson.cases import Case


def cases(draw):
    return {
        # Sizes that are all different: no wrong axis may fit by luck.
        "apply_rotary": [call(draw, "small", 2, 3, 4)],
    }


def call(draw, name, *shape):
    inputs = {
        "x": draw.normal(*shape),
        "base": draw.normal(*shape),
    }
    return Case(name, "call", inputs, says="a small one")
