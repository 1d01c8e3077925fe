"""How scores change that were recorded earlier, and who decides whether they may drop."""

from dataclasses import dataclass

from .model import Graded

SAME = 1e-6  # points; less than this is rounding


@dataclass(frozen=True)
class Change:
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


def change(before: Graded | None, after: Graded) -> Change | None:
    """How the score changes; None where it stays, or where none was recorded before."""
    if before is None or before.score is None and after.score is None:
        return None
    if None not in (before.score, after.score) and abs(before.score - after.score) <= SAME:
        return None
    return Change(
        after.student, after.lesson, before.score, before.max_score, after.score, after.max_score
    )


class Listener:
    """Who is asked and told during a run. This one was asked beforehand, and is told nothing."""

    def __init__(self, yes: bool = False):
        self.yes = yes

    def may_drop(self, changes: list[Change]) -> bool:
        """Whether to record all these changes, some of which lose points. None is recorded yet."""
        return self.yes

    def kept(self, changes: list[Change], lessons: list[str]) -> None:
        """These changes were not recorded, and nothing of these lessons, which have changed."""

    def changed(self, changes: list[Change]) -> None:
        """These changes are recorded."""

    def not_handed_in(self, count: int) -> None:
        """As many submissions were recorded earlier and are not in SUBMITTED any more."""

    def not_in_gradebook(self, count: int) -> None:
        """As many of these are not in the gradebook, which is a newer one."""
