"""What the steps of one run share."""

from dataclasses import dataclass
from pathlib import Path

from rich.progress import Progress

from autograder.commands.request import Request
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.local import LocalWorkers
from autograder.grading.score_changes import Callbacks
from autograder.lesson.course import Course
from autograder.lms.roster import Roster
from autograder.nbgrader.recorder import Recorder
from autograder.results.extensions import Deadlines


@dataclass(frozen=True)
class Run:
    """One run: what was asked for, of whom, and what records and tells its results.

    Hidden inputs are drawn from `secret`. Students' code runs in `workers`.
    """

    request: Request
    course: Course
    out: Path
    secret: str
    deadlines: Deadlines
    recorder: Recorder
    workers: LocalWorkers | Cluster
    bar: Progress
    callbacks: Callbacks
    roster: Roster | None = None

    @property
    def is_everything(self) -> bool:
        """Whether no lesson and no student was asked for alone."""
        return not (self.request.lesson or self.request.student)
