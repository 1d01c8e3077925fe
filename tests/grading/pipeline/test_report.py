"""The report on a class tells of all that is recorded, also of lessons that have changed since."""

from autograder.grading.model import Graded
from autograder.grading.report.report import _misconceptions
from autograder.judging.judge import Verdict


def test_misconceptions_of_components_that_are_gone_come_last(hand):
    there = hand.components[0]
    verdicts = tuple(
        Verdict(name, "test", 0.0, 1.0, "failed", "some-mistake", "") for name in ("gone", there)
    )
    one = Graded("Amina", hand.lesson.id, 2.0, verdicts)
    assert [row["component"] for row in _misconceptions(hand.lesson, [one])] == [there, "gone"]
