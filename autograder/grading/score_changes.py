"""How recorded scores change, and the question whether they may drop."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.results.submission import SAME, SubmissionId, SubmissionResult


@dataclass(frozen=True)
class ScoreChange:
    """One submission's total as it was recorded and as it would be; None if there is none.

    If the points of a lesson have changed, shares of the points are compared.
    """

    student: str
    lesson: str
    before: float | None
    before_of: float
    after: float | None
    after_of: float

    @property
    def id(self) -> SubmissionId:
        return self.student, self.lesson

    @property
    def drops(self) -> bool:
        """Whether points are lost. No score at all, after a fault of the grader, is a loss too."""
        if self.before is None:
            return False
        return self.after is None or self.gain < -SAME

    @property
    def is_reweighed(self) -> bool:
        """Whether the lesson has other points than before."""
        return abs(self.after_of - self.before_of) > SAME

    @property
    def gain(self) -> float:
        """Points that are gained, or lost; shares of all points where these have changed."""
        if self.is_reweighed:
            before, after = self.shares
            return after - before
        return (self.after or 0.0) - (self.before or 0.0)

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of all points, before and after."""
        before, after = self.before or 0.0, self.after or 0.0
        return _share(before, self.before_of), _share(after, self.after_of)


def _share(points: float, of: float) -> float:
    return points / of if of else 0.0


def score_change(before: SubmissionResult, after: SubmissionResult) -> ScoreChange | None:
    """How the score changes; None where it stays."""
    change = ScoreChange(
        after.student, after.lesson, before.total, before.max_total, after.total, after.max_total
    )
    if before.total is None or after.total is None:
        stays = before.total is after.total
    else:
        stays = abs(before.total - after.total) <= SAME and not change.drops
    return None if stays else change


@dataclass(frozen=True)
class Declined:
    """The scores that stay as recorded: of submissions, and of whole lessons."""

    submissions: frozenset[SubmissionId] = frozenset()
    lessons: frozenset[str] = frozenset()

    def __contains__(self, result: SubmissionResult | ScoreChange) -> bool:
        return result.lesson in self.lessons or result.id in self.submissions


def ask(
    changes: list[ScoreChange],
    has_changed: Callable[[str], bool],
    may_drop: Callable[[list[ScoreChange]], bool],
) -> Declined:
    """Ask whether scores may drop, if any would; the scores that stay as recorded.

    If the answer is no, a lesson that has itself changed (`has_changed`), or has other points,
    stays whole; of any other lesson, only those submissions that would lose points.
    """
    drops = [change for change in changes if change.drops]
    if not drops or may_drop(changes):
        return Declined()
    lessons = {drop.lesson for drop in drops if drop.is_reweighed or has_changed(drop.lesson)}
    return Declined(frozenset(drop.id for drop in drops), frozenset(lessons))
