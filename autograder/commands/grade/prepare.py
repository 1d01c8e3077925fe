"""What one run of `grade` needs beside what was submitted: roster, secret, deadlines, workers."""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.commands.given_roster import GivenRoster
from autograder.commands.request import Request, checked
from autograder.errors import WrongUsage
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.confinement_note import ConfinementNote
from autograder.grading.run.local import LocalWorkers
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lms.kept_worksheets import KEPT, roster_in
from autograder.lms.roster import ROSTER, Roster, require_same_class
from autograder.nbgrader.recorder import Recorder
from autograder.reports.terminal import Terminal
from autograder.results.extensions import Deadlines, read_deadlines
from autograder.results.handed_in import COLLECTED
from autograder.results.outdir import (
    all_results,
    alone,
    load_or_create_secret,
    read_secret,
    require_apart,
    save_secret,
)
from autograder.results.submission import SubmissionId, SubmissionResult
from autograder.sandbox.choose_sandbox import choose
from autograder.submissions.collected_folder import CollectedFolder


@dataclass(frozen=True)
class Setting:
    """What was asked for, and what is known before anything that was submitted is looked at.

    `lessons` are those that are asked for, `folder` is what was ever collected into OUT.
    """

    request: Request
    course: Course
    lessons: list[Lesson]
    out: Path
    terminal: Terminal
    given: GivenRoster | None
    folder: CollectedFolder

    @classmethod
    def of(cls, request: Request, course: Course, terminal: Terminal) -> "Setting":
        """Raises WrongUsage for what cannot be done."""
        lessons, out = checked(request, course)
        given, folder = _given_roster(request, out, course), _folder_in(out)
        if given and given.file and (kept := roster_in(out, course.timezone)):
            require_same_class(given.roster, given.file, kept, out / ROSTER, folder.table)
        return cls(request, course, lessons, out, terminal, given, folder)

    @property
    def roster(self) -> Roster | None:
        return self.given.roster if self.given else None

    @property
    def is_everything(self) -> bool:
        """Whether no lesson and no student was asked for alone."""
        return not (self.request.lesson or self.request.student)


@dataclass(frozen=True)
class Run(Setting):
    """One run: what was asked for, of whom, and what records and tells its results.

    Hidden inputs are drawn from `secret`. Students' code runs in `workers`. What was `told` on the
    way is shown at the end.
    """

    secret: str
    deadlines: Deadlines
    recorder: Recorder
    workers: LocalWorkers | Cluster
    told: list[str] = field(default_factory=list)


@contextlib.contextmanager
def started(setting: Setting, students: Collection[str]) -> Iterator[Run]:
    """Begin to write into OUT, alone; `students` handed something in.

    What was collected without the roster gets its ids. Raises WrongUsage, CannotWrite.
    """
    request, out, terminal = setting.request, setting.out, setting.terminal
    if not request.scheduler:
        choose(request.sandbox)  # where none works, nothing is written
    with alone(out):
        # A table, or an answer, that refuses the run comes before the first file that it writes.
        everybody = {result.student for result in all_results(out / "work")}.union(students)
        deadlines = read_deadlines(out, setting.course, names_of(everybody, setting.roster))
        secret = _chosen_secret(request.secret, out, terminal)
        require_apart(out / "work", everybody)
        recorder = Recorder(out, secret, deadlines, request.time_limit or 0.0)

        def move(ids: Mapping[SubmissionId, str]) -> None:
            recorder.move(ids)
            terminal.moved({student: id for (student, _lesson), id in ids.items()})

        if setting.given:
            setting.given.adopt(setting.folder, move)
        with _workers(request, out) as workers:
            yield Run(
                **vars(setting),
                secret=secret,
                deadlines=deadlines,
                recorder=recorder,
                workers=workers,
            )


def _folder_in(out: Path) -> CollectedFolder:
    """What was collected into OUT. Raises WrongUsage for an OUT of another version."""
    if any(all_results(out / "work")) and not (out / COLLECTED).is_file():
        raise WrongUsage(
            _("{path} holds results and no {file}: another version of the grader made it. Grade "
              "into a new OUT"),
            path=out, file=COLLECTED,
        )  # fmt: skip
    return CollectedFolder(out / "collected", out)


def _given_roster(request: Request, out: Path, course: Course) -> GivenRoster | None:
    """The roster that is given, or that `collect` was given if OUT has none of an earlier run."""
    beside = request.submitted / ROSTER
    is_new = beside.is_file() and not (out / ROSTER).is_file()
    file = request.roster or (beside if is_new else None)
    roster = roster_in(out, course.timezone, file, request.submitted)
    return GivenRoster(roster, file, out, out / KEPT) if roster else None


def _chosen_secret(given: str, out: Path, terminal: Terminal) -> str:
    """The secret of the hidden inputs: the one that OUT was graded with first.

    Another one is taken, and kept, only if somebody agrees: all submissions are judged on other
    inputs then. Raises WrongUsage where nobody does.
    """
    kept, graded = read_secret(out), any(all_results(out / "work"))
    if kept and given in ("", kept):
        return kept
    if not given:
        if graded:
            raise WrongUsage(
                _("{path} was graded with a secret that is not kept in it; give the same --seed "
                  "once more, and it will be kept"),
                path=out,
            )  # fmt: skip
        return load_or_create_secret(out)
    if kept and graded and not terminal.may_change_secret():
        raise WrongUsage(
            _("{path} was graded with another secret. To continue with that one, leave out --seed; "
              "to judge all submissions on other inputs, add --yes"),
            path=out,
        )  # fmt: skip
    return save_secret(out, given)


def _workers(request: Request, out: Path) -> LocalWorkers | Cluster:
    """Where students' code runs, as a context manager."""
    confined = ConfinementNote(out / "work").add
    if request.scheduler:
        return Cluster(request.scheduler, request.sandbox, confined)
    hidden = [request.submitted.resolve(), out]
    return LocalWorkers(request.sandbox, request.jobs, hidden, confined)


def names_of(students: Iterable[str], roster: Roster | None) -> dict[str, str]:
    """All who are known, by id: their names, where the roster tells them."""
    names = dict.fromkeys(students, "")
    return names | ({student.id: student.name for student in roster.students} if roster else {})


def named_by_roster(result: SubmissionResult, roster: Roster) -> SubmissionResult:
    """The result with what the roster says of the student."""
    student = roster.by_id.get(result.student)
    return replace(result, name=student.name, section=student.section) if student else result
