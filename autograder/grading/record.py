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
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.authoring.course import Course
from autograder.authoring.lesson import Lesson
from autograder.authoring.notebook import instructor_notebook, to_bytes

from .nbgrader_settings import RESULTS_CONFIG, configure_results
from .preprocessors import sidecar
from .repair import Repaired
from .results import Graded, digest, read_json, replace_file, write_json


class Recorder:
    """The gradebook of one OUT."""

    def __init__(self, out: Path, seed: str):
        self.out, self.work = out.resolve(), out.resolve() / "work"
        self._log = _quiet_log()
        self._config = Config()
        configure_results(self._config, self.out)
        self._config.JudgeSubmission.seed = seed
        replace_file(self.out / "nbgrader_config.py", RESULTS_CONFIG)
        self._make_gradebook()

    def _make_gradebook(self) -> None:
        """An empty gradebook, put in place when it is whole."""
        path = self.out / "gradebook.db"
        if path.exists():
            return
        part = self.work / "gradebook.part"
        part.unlink(missing_ok=True)
        # nbgrader starts the program `alembic`, which lies beside this Python or on the path.
        places = [sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]
        with _path(places), Gradebook(f"sqlite:///{part}"):
            pass
        part.replace(path)

    def prepare(self, course: Course, lesson: Lesson) -> None:
        """Make the lesson an assignment of the gradebook, unless it is one already."""
        notebook = to_bytes(instructor_notebook(course, lesson))
        version = digest(notebook.decode(), lesson.due)
        mark = self.work / "assignments" / f"{lesson.id}.json"
        known = read_json(mark)
        if known and known["version"] == version:
            return
        replace_file(self.out / "nbgrader/source" / lesson.id / f"{lesson.name}.ipynb", notebook)
        with self._gradebook() as gradebook:
            due = {"duedate": lesson.due} if lesson.due else {}
            gradebook.update_or_create_assignment(lesson.id, **due)
        self._convert(GenerateAssignment, lesson.id)
        write_json(mark, {"version": version})

    def hand_in(self, one: Graded, name: str, repaired: Repaired) -> None:
        """Put the rebuilt notebook where nbgrader looks for it, and the receipts beside."""
        path = self._folder("submitted", one) / f"{name}.ipynb"
        replace_file(path, nbformat.writes(repaired.notebook, version=nbformat.NO_CONVERT))
        receipts = [vars(receipt) for receipt in one.receipts]
        write_json(sidecar(self.work, "receipts", one.student, one.lesson), {"receipts": receipts})

    def is_recorded(self, one: Graded, key: str) -> bool:
        known = read_json(self._mark(one))
        return bool(known) and known["key"] == key and self.feedback_of(one) is not None

    def feedback_of(self, one: Graded) -> Path | None:
        """The student's feedback page, where there is one."""
        name = one.lesson.partition("-")[2]
        path = self.out / "feedback" / one.student / one.lesson / f"{name}.html"
        return path if path.is_file() else None

    def record(
        self, lesson: Lesson, graded: list[Graded], keys: dict[str, str], tell: Callable[[], None]
    ) -> dict[str, str]:
        """Record submissions of one lesson, each with its student's key.

        Returns what went wrong, by student.
        """
        for one in graded:
            self._forget(one)
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
                write_json(self._mark(one), {"key": keys[one.student]})
        return complaints

    def withdraw(self, one: Graded) -> None:
        """Where grading failed, or cannot be done any more, an old grade must not stand."""
        self._forget(one)
        with self._gradebook() as gradebook, contextlib.suppress(MissingEntry):
            for notebook in gradebook.find_submission(one.lesson, one.student).notebooks:
                for grade in notebook.grades:
                    grade.auto_score, grade.needs_manual_grade = None, True
            gradebook.db.commit()

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SQLAlchemy on nbgrader's queries
            self._convert_quietly(converter, lesson, of, tell)

    def _convert_quietly(self, converter, lesson, of, tell) -> None:
        directory = CourseDirectory(config=self._config, log=self._log)
        directory.assignment_id = lesson
        self._log.last = ""
        if of is None:
            converter(directory, config=self._config, log=self._log, force=True).start()
        elif of:
            folder = "submitted" if converter is Autograde else "autograded"
            notebooks = {str(self._folder(folder, one)): one for one in of}
            made = _chosen(converter, list(notebooks), tell)
            made(directory, config=self._config, log=self._log, force=True).start()

    def _folder(self, step: str, one: Graded) -> Path:
        return self.out / "nbgrader" / step / one.student / one.lesson

    def _mark(self, one: Graded) -> Path:
        return sidecar(self.work, "recorded", one.student, one.lesson)

    def _gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.out / 'gradebook.db'}")


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
                    failed = error
                if tell:
                    tell()
            if failed:
                raise NbGraderException(str(failed))

    return Chosen


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


class _Quiet(logging.Logger):
    """Keeps nbgrader's last complaint, and prints nothing."""

    last = ""

    def handle(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            lines = record.getMessage().strip().splitlines()
            # The last line of a traceback says what happened; nbgrader's own last words do not.
            if lines and (lines[0].startswith("Traceback") or not self.last):
                self.last = lines[-1][:300]


def _quiet_log() -> _Quiet:
    return _Quiet("autograder.nbgrader", logging.ERROR)
