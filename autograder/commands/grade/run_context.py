"""What the steps of one run share."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.commands.request import Request
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.local import LocalWorkers
from autograder.lesson.course import Course
from autograder.lms.roster import Roster
from autograder.nbgrader.recorder import Recorder
from autograder.reports.terminal import Terminal
from autograder.results.extensions import Deadlines
from autograder.results.handed_in import HandedIn


@dataclass(frozen=True)
class Run:
    """One run: what was asked for, of whom, and what records and tells its results.

    `rows` are all that was ever collected into OUT. Hidden inputs are drawn from `secret`.
    Students' code runs in `workers`.
    """

    request: Request
    course: Course
    out: Path
    secret: str
    deadlines: Deadlines
    recorder: Recorder
    workers: LocalWorkers | Cluster
    terminal: Terminal
    rows: Sequence[HandedIn] = ()
    roster: Roster | None = None

    @property
    def is_everything(self) -> bool:
        """Whether no lesson and no student was asked for alone."""
        return not (self.request.lesson or self.request.student)
