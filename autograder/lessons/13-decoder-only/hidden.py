"""The tests that earn points. Nobody receives them; inputs are drawn from the instructor's secret."""

from autograder.lesson.cases import Test

from .visible import call


def tests(draw):
    # Each kind of hidden case has a visible one of its kind; sizes and numbers differ.
    cases = [call(draw, "hidden odd", 3, 5, 2), call(draw, "hidden one", 1, 4, 6)]
    return {"apply_rotary": [Test("values", 4, cases=cases)]}
