"""Records judged submissions through nbgrader's own converters, in one process.

nbgrader's course directory is OUT itself: OUT/nbgrader/{source,release,submitted,autograded},
OUT/feedback and OUT/gradebook.db. There is one writer, and no thread may run beside it, for
nbgrader changes the process's own folder. A submission counts as recorded when the gradebook has
been seen to hold its points, and not before.
"""

import contextlib
import glob
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.grading.model import Graded
from autograder.grading.outdir import (
    OF_THE_DISK,
    CannotWrite,
    digest,
    read_json,
    replace_file,
    write_json,
)
from autograder.grading.repair import Repaired
from autograder.grading.texts import text
from autograder.judging.version import version_of
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import instructor_notebook, to_bytes

from .assignments import fit_cells
from .nbgrader_settings import RESULTS_CONFIG, configure_results
from .open_gradebook import kept_open
from .preprocessors import sidecar

BATCH = 20  # submissions; as many are begun anew after a run was stopped while it recorded
PATIENCE = 5.0  # seconds that another program may take to end what it is writing


class Recorder:
    """The gradebook of one OUT. `time_limit` is that of the run, if it has its own."""

    def __init__(self, out: Path, seed: str, time_limit: float = 0.0):
        self.out, self.work = out.resolve(), out.resolve() / "work"
        self._path = self.out / "gradebook.db"
        self._seed = seed
        self._log = _quiet_log(self._path)
        self._config = Config()
        configure_results(self._config, self.out)
        self._config.JudgeSubmission.seed = seed
        # Else what ran out of this time would be run once more, with the lesson's.
        self._config.JudgeSubmission.time_limit = time_limit
        replace_file(self.out / "nbgrader_config.py", RESULTS_CONFIG)
        if self._path.exists():
            self._try_gradebook()
        else:
            self._make_gradebook()

    def _make_gradebook(self) -> None:
        """An empty gradebook, put in place when it is whole; then nothing counts as recorded."""
        shutil.rmtree(self.work / "recorded", ignore_errors=True)
        for mark in (self.work / "assignments").glob("*.json"):
            lesson = (read_json(mark) or {}).get("lesson")
            write_json(mark, {"version": "", "lesson": lesson})  # to be made again
        part = self.work / "gradebook.part"
        # nbgrader starts the program `alembic`, which lies beside this Python or on the path.
        places = [sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]
        try:
            part.unlink(missing_ok=True)
            with _path(places), Gradebook(f"sqlite:///{part}"):
                pass
            # A log beside it would be taken for its own, though it belongs to one that is gone.
            for log in ("-wal", "-shm", "-journal"):
                self._path.with_name(self._path.name + log).unlink(missing_ok=True)
            part.replace(self._path)
        except OSError as error:
            raise CannotWrite.because(self._path, error) from error
        except (DatabaseError, subprocess.CalledProcessError) as error:
            raise _unusable(self._path, getattr(error, "orig", error)) from error

    def _try_gradebook(self) -> None:
        """Find out that the gradebook cannot be written before anything is run."""
        try:
            with contextlib.closing(sqlite3.connect(self._path, timeout=PATIENCE)) as gradebook:
                gradebook.execute("BEGIN IMMEDIATE")
                (found,) = gradebook.execute("PRAGMA quick_check(1)").fetchone()
                if found != "ok":
                    raise sqlite3.DatabaseError(found)
                gradebook.rollback()
        except sqlite3.DatabaseError as error:
            raise _unusable(self._path, error) from error

    def has_changed(self, lesson: Lesson) -> bool:
        """Whether the lesson is another one than that which the gradebook was made for."""
        known = read_json(self._assignment(lesson))
        return not known or known.get("lesson") != version_of(lesson)

    def _assignment(self, lesson: Lesson) -> Path:
        return self.work / "assignments" / f"{lesson.id}.json"

    def prepare(self, course: Course, lesson: Lesson) -> None:
        """Make the lesson an assignment of the gradebook, unless it is one already."""
        notebook = instructor_notebook(course, lesson)
        content = to_bytes(notebook)
        version = digest(content.decode(), lesson.due)
        mark = self._assignment(lesson)
        known = read_json(mark)
        if known and known["version"] == version and known.get("lesson") == version_of(lesson):
            return
        replace_file(self.out / "nbgrader/source" / lesson.id / f"{lesson.name}.ipynb", content)
        with self._gradebook() as gradebook:
            due = {"duedate": lesson.due} if lesson.due else {}
            gradebook.update_or_create_assignment(lesson.id, **due)
            fit_cells(gradebook, lesson.id, lesson.name, notebook)
        try:
            self._convert(GenerateAssignment, lesson.id)
        except NbGraderException as error:
            raise _unusable(self._path, self._log.last) from error
        write_json(mark, {"version": version, "lesson": version_of(lesson)})

    def take(self, one: Graded, repaired: Repaired) -> None:
        """Keep the rebuilt notebook on disk until it is recorded: a class is large."""
        replace_file(self._rebuilt(one), nbformat.writes(repaired.notebook, nbformat.NO_CONVERT))

    def _hand_in(self, one: Graded) -> None:
        """Put the rebuilt notebook where nbgrader looks for it, and the receipts beside."""
        rebuilt = self._rebuilt(one)
        if rebuilt.is_file():
            name = one.lesson.partition("-")[2]
            path = self._folder("submitted", one) / f"{name}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            rebuilt.replace(path)
        receipts = [vars(receipt) for receipt in one.receipts]
        # What nbgrader's step cannot find out from the notebook.
        verdicts = [asdict(verdict) for verdict in one.verdicts]
        known = {"receipts": receipts, "verdicts": verdicts}
        write_json(sidecar(self.work, "receipts", one.student, one.lesson), known)

    def known(self, student: str, lesson: str) -> Graded | None:
        """What is recorded of a submission; None where nothing is."""
        tree = read_json(sidecar(self.work, "submissions", student, lesson))
        return Graded.from_tree(tree["graded"]) if tree else None

    def all_known(self) -> Iterator[Graded]:
        """All that is recorded, in no order that means anything."""
        for path in sorted((self.work / "submissions").glob("*.json")):
            tree = read_json(path)
            if tree:
                yield Graded.from_tree(tree["graded"])

    def _remember(self, one: Graded) -> None:
        path = sidecar(self.work, "submissions", one.student, one.lesson)
        write_json(path, {"graded": one.to_tree()})

    def in_gradebook(self, one: Graded) -> bool:
        """Whether the gradebook has been seen to hold this submission's points."""
        return self._mark(one).is_file()

    def is_half_recorded(self, one: Graded, key: str) -> bool:
        """Whether a run was stopped while it recorded this, which had been agreed to then."""
        return (read_json(self._begun(one)) or {}).get("key") == key

    def _begun(self, one: Graded) -> Path:
        return sidecar(self.work, "begun", one.student, one.lesson)

    def is_recorded(self, one: Graded, key: str) -> bool:
        """Whether this submission is recorded with these verdicts: more time may change them."""
        known = self.known(one.student, one.lesson) if self.is_taken(one, key) else None
        return known is not None and known.verdicts == one.verdicts

    def is_taken(self, one: Graded, key: str) -> bool:
        """Whether nbgrader's folders have this very notebook, whatever was found of it."""
        mark = read_json(self._mark(one))
        return bool(mark) and mark["key"] == key and self.feedback_of(one) is not None

    def feedback_of(self, one: Graded) -> Path | None:
        """The student's feedback page, where there is one."""
        name = one.lesson.partition("-")[2]
        path = self.out / "feedback" / one.student / one.lesson / f"{name}.html"
        return path if path.is_file() else None

    def record(
        self, lesson: Lesson, graded: list[Graded], keys: dict[str, str], tell: Callable[[], None]
    ) -> dict[str, str]:
        """Record submissions of one lesson that were taken, each with its student's key.

        Returns what went wrong, by student. Raises CannotWrite.
        """
        complaints = {}
        for start in range(0, len(graded), BATCH):
            complaints |= self._record(lesson, graded[start : start + BATCH], keys, tell)
        return complaints

    def _record(self, lesson, graded, keys, tell) -> dict[str, str]:
        for one in graded:
            write_json(self._begun(one), {"key": keys[one.student]})
            self._forget(one)
            self._hand_in(one)
        complaints = {}
        with contextlib.suppress(NbGraderException):  # each outcome is looked at below
            self._convert(Autograde, lesson.id, graded, tell)
        with self._gradebook() as gradebook:
            for one in graded:
                problem = self._differs(gradebook, one, lesson)
                if problem:
                    complaints[one.student] = problem
        agreed = [one for one in graded if one.student not in complaints]
        with contextlib.suppress(NbGraderException):
            self._convert(GenerateFeedback, lesson.id, agreed, tell)
        for one in agreed:
            if self.feedback_of(one) is None:
                complaints[one.student] = f"no feedback was written: {self._log.last}"
            else:
                self._remember(one)
                write_json(self._mark(one), {"key": keys[one.student]})
                self._begun(one).unlink(missing_ok=True)
        return complaints

    def withdraw(self, one: Graded) -> None:
        """Where grading failed, or cannot be done any more, an old grade must not stand."""
        self._forget(one)
        if one.fault:
            self._hand_in(one)  # for the person who will look at it
        with self._gradebook() as gradebook, contextlib.suppress(MissingEntry):
            for notebook in gradebook.find_submission(one.lesson, one.student).notebooks:
                for grade in notebook.grades:
                    grade.auto_score, grade.needs_manual_grade = None, True
            gradebook.db.commit()
        self._remember(one)
        self._begun(one).unlink(missing_ok=True)

    def _forget(self, one: Graded) -> None:
        self._mark(one).unlink(missing_ok=True)
        shutil.rmtree(self._folder("autograded", one), ignore_errors=True)
        shutil.rmtree(self.out / "feedback" / one.student / one.lesson, ignore_errors=True)

    def _differs(self, gradebook: Gradebook, one: Graded, lesson: Lesson) -> str:
        """What the gradebook says otherwise than it should; empty if it agrees."""
        if not (self._folder("autograded", one) / f"{lesson.name}.ipynb").is_file():
            return f"nbgrader did not grade it: {self._log.last}"
        points: dict[str, float] = {}
        for verdict in one.verdicts:
            points[verdict.component] = points.get(verdict.component, 0.0) + verdict.score
        for component, score in points.items():
            try:
                grade = gradebook.find_grade(
                    f"test_{component}", lesson.name, lesson.id, one.student
                )
            except MissingEntry:
                return f"the gradebook has no grade for {component}"
            if grade.auto_score is None or abs(grade.auto_score - score) > 1e-6:
                return f"the gradebook has {grade.auto_score} points for {component}, not {score}"
        return ""

    def _convert(self, converter, lesson: str, of: list[Graded] | None = None, tell=None) -> None:
        with warnings.catch_warnings(), _silence(), kept_open(f"sqlite:///{self._path}"):
            warnings.simplefilter("ignore")  # SQLAlchemy on nbgrader's queries
            self._convert_quietly(converter, lesson, of, tell)

    def _convert_quietly(self, converter, lesson, of, tell) -> None:
        directory = CourseDirectory(config=self._config, log=self._log)
        directory.assignment_id = lesson
        self._log.last, self._log.error_seen = "", None
        if of is None:
            converter(directory, config=self._config, log=self._log, force=True).start()
        elif of:
            folder = "submitted" if converter is Autograde else "autograded"
            notebooks = {str(self._folder(folder, one)): one for one in of}
            made = _chosen(converter, list(notebooks), tell)
            made(directory, config=self._config, log=self._log, force=True).start()

    def _folder(self, step: str, one: Graded) -> Path:
        return self.out / "nbgrader" / step / one.student / one.lesson

    def _rebuilt(self, one: Graded) -> Path:
        path = sidecar(self.work, "rebuilt", one.student, one.lesson)
        return path.with_suffix(".ipynb")

    def _mark(self, one: Graded) -> Path:
        return sidecar(self.work, "recorded", one.student, one.lesson)

    @contextlib.contextmanager
    def _gradebook(self) -> Iterator[Gradebook]:
        try:
            with _silence(), Gradebook(f"sqlite:///{self._path}") as gradebook:
                yield gradebook
        except (DatabaseError, InvalidEntry) as error:
            raise _unwritable(error, self._path) or error from error


def _chosen(converter, folders: list[str], tell: Callable[[], None] | None):
    """The converter, for these folders alone: a student's name is no pattern to search with."""

    class Chosen(converter):
        def init_notebooks(self) -> None:
            self.assignments = {
                folder: glob.glob(os.path.join(glob.escape(folder), "*.ipynb"))
                for folder in folders
            }

        def convert_notebooks(self) -> None:
            # One after the other, so that an error that ends nbgrader's run costs one submission.
            everything, failed = self.assignments, None
            for folder, found in everything.items():
                self.assignments = {folder: found}
                try:
                    super().convert_notebooks()
                except Exception as error:
                    if isinstance(self.log.error_seen, CannotWrite):
                        raise self.log.error_seen from error
                    failed = error
                if tell:
                    tell()
            if failed:
                raise NbGraderException(str(failed))

    return Chosen


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Without the tracebacks that nbgrader prints of errors which are told in one line here."""
    log = logging.getLogger("tornado.application")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


@contextlib.contextmanager
def _path(places: list[str]) -> Iterator[None]:
    before = os.environ.get("PATH")
    os.environ["PATH"] = os.pathsep.join(places)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


def _unwritable(error: BaseException | None, gradebook: Path) -> CannotWrite | None:
    """What to tell of an error that every submission would meet; None for any other."""
    while error:
        if isinstance(error, DatabaseError):
            return _unusable(gradebook, error.orig)
        if isinstance(error, OSError) and error.errno in OF_THE_DISK:
            return CannotWrite.because(Path(error.filename or gradebook), error)
        error = error.__cause__ or error.__context__  # nbgrader wraps some in its own
    return None


def _unusable(gradebook: Path, error: object) -> CannotWrite:
    key = "locked" if "locked" in str(error) else "gradebook"
    return CannotWrite(text("out", key, path=gradebook, reason=error))


class _Quiet(logging.Logger):
    """Keeps nbgrader's last complaint, and prints nothing.

    nbgrader tells of an exception while it handles it, and then raises one that says less.
    `error_seen` is CannotWrite for an exception that every submission would meet.
    """

    last = ""
    error_seen: CannotWrite | None = None

    def handle(self, record: logging.LogRecord) -> None:
        self.error_seen = _unwritable(sys.exc_info()[1], self.gradebook) or self.error_seen
        if record.levelno >= logging.ERROR:
            lines = record.getMessage().strip().splitlines()
            # The last line of a traceback says what happened; nbgrader's own last words do not.
            if lines and (lines[0].startswith("Traceback") or not self.last):
                self.last = lines[-1][:300]


def _quiet_log(gradebook: Path) -> _Quiet:
    log = _Quiet("autograder.nbgrader", logging.ERROR)
    log.gradebook = gradebook
    return log
