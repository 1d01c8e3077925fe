"""How scores change that were recorded earlier, and who decides whether they may drop."""

from collections.abc import Callable
from dataclasses import dataclass

from .collect.submissions import Collected
from .model import Graded

SAME = 1e-6  # points; less than this is rounding


@dataclass(frozen=True)
class ScoreChange:
    """One submission's score as it was recorded and as it would be; None where there is none."""

    student: str
    lesson: str
    before: float | None
    before_of: float
    after: float | None
    after_of: float

    @property
    def drops(self) -> bool:
        """Whether points are lost. No score at all, after a fault of the grader, is a loss too."""
        if self.before is None:
            return False
        return self.after is None or self.after < self.before - SAME


def score_change(before: Graded | None, after: Graded) -> ScoreChange | None:
    """How the score changes; None where it stays, or where none was recorded before."""
    if before is None:
        return None
    if before.score is None or after.score is None:
        stays = before.score is after.score
    else:
        stays = abs(before.score - after.score) <= SAME
    if stays:
        return None
    return ScoreChange(
        after.student, after.lesson, before.score, before.max_score, after.score, after.max_score
    )


class Callbacks:
    """What a run asks and tells. These agree to drops if `yes`, and tell nobody anything."""

    def __init__(self, yes: bool = False):
        self.yes = yes

    def collected(self, found: Collected) -> None:
        """This is what will be graded."""

    def absent(self, results: list[Graded]) -> None:
        """These students of the roster handed in nothing of these lessons."""

    def may_drop(self, changes: list[ScoreChange]) -> bool:
        """Whether to record all these changes, some of which lose points. None is recorded yet."""
        return self.yes

    def kept(self, changes: list[ScoreChange], lessons: list[str]) -> None:
        """These changes were not recorded, nor anything of these lessons, which have changed."""

    def changed(self, changes: list[ScoreChange]) -> None:
        """These changes are recorded."""

    def not_handed_in(self, count: int) -> None:
        """So many submissions were recorded earlier and are not in SUBMITTED any more."""

    def not_in_gradebook(self, count: int) -> None:
        """So many of these are not in the gradebook, which is a newer one."""


@dataclass(frozen=True)
class Declined:
    """What stays as it was recorded: submissions, as (student, lesson), and whole lessons."""

    submissions: frozenset[tuple[str, str]] = frozenset()
    lessons: frozenset[str] = frozenset()

    def __contains__(self, result: Graded | ScoreChange) -> bool:
        return result.lesson in self.lessons or (result.student, result.lesson) in self.submissions


def ask(
    changes: list[ScoreChange], has_changed: Callable[[str], bool], callbacks: Callbacks
) -> Declined:
    """Ask whether scores may drop, if any would; what stays as it was recorded.

    Where the answer is no, a lesson that has itself changed (`has_changed`) stays whole; of any
    other lesson, only those submissions that would lose points.
    """
    drops = [change for change in changes if change.drops]
    if not drops or callbacks.may_drop(changes):
        return Declined()
    lessons = {lesson for lesson in {drop.lesson for drop in drops} if has_changed(lesson)}
    callbacks.kept(drops, sorted(lessons))
    submissions = frozenset((drop.student, drop.lesson) for drop in drops)
    return Declined(submissions, frozenset(lessons))
