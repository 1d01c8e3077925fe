"""Runs nbgrader's own converters in this process, on chosen submissions.

nbgrader changes the process's working folder, so no thread may run beside a converter.
"""

import contextlib
import glob
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.language import _
from autograder.results.outdir import CannotWrite

from .open_gradebook import keep_open

Converter = type[Autograde] | type[GenerateAssignment] | type[GenerateFeedback]


class Converters:
    """Starts nbgrader's converters with `config` on the gradebook at `path`."""

    def __init__(self, config: Config, path: Path):
        self._config, self._path = config, path
        self._log = _QuietLog(path)

    @property
    def complaint(self) -> str:
        """What nbgrader last complained about since a converter was started."""
        return self._log.last

    def assign(self, lesson: str) -> None:
        """Make the lesson an assignment of the gradebook. Raises CannotWrite."""
        try:
            self._run(GenerateAssignment, lesson)
        except NbGraderException as error:
            raise unusable(self._path, self._log.last) from error

    def convert(
        self, converter: Converter, lesson: str, folders: list[Path], advance: Callable[[], None]
    ) -> None:
        """Convert these submissions' folders of one lesson; `advance` is called after each.

        A submission that nbgrader cannot convert is left out: the caller looks at what came.
        Raises CannotWrite for an error that every submission would meet.
        """
        if folders:
            chosen = _on_folders(converter, [str(folder) for folder in folders], advance)
            with contextlib.suppress(NbGraderException):
                self._run(chosen, lesson)

    def _run(self, converter: Converter, lesson: str) -> None:
        with warnings.catch_warnings(), silence(), keep_open(f"sqlite:///{self._path}"):
            warnings.simplefilter("ignore")  # SQLAlchemy on nbgrader's queries
            directory = CourseDirectory(config=self._config, log=self._log)
            directory.assignment_id = lesson
            self._log.last, self._log.error_seen = "", None
            converter(directory, config=self._config, log=self._log, force=True).start()


def _on_folders(converter: Converter, folders: list[str], advance: Callable[[], None]) -> Converter:
    """The converter, for these folders alone: a student's name is no pattern to search with."""

    class OnFolders(converter):  # type: ignore[valid-type, misc]
        def init_notebooks(self) -> None:
            self.assignments = {
                folder: glob.glob(os.path.join(glob.escape(folder), "*.ipynb"))
                for folder in folders
            }

        def convert_notebooks(self) -> None:
            # One after the other, so that an error that ends nbgrader's run costs one submission.
            assignments, failed = self.assignments, None
            for folder, notebooks in assignments.items():
                self.assignments = {folder: notebooks}
                try:
                    super().convert_notebooks()
                except Exception as error:
                    if isinstance(self.log.error_seen, CannotWrite):
                        raise self.log.error_seen from error
                    failed = error
                advance()
            if failed:
                raise NbGraderException(str(failed))

    return OnFolders


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Keep nbgrader from printing tracebacks of errors that are reported in one line here."""
    log = logging.getLogger("tornado.application")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def unwritable(error: BaseException | None, gradebook: Path) -> CannotWrite | None:
    """The error as CannotWrite if every submission would meet it; None for any other."""
    while error:
        if isinstance(error, DatabaseError):
            return unusable(gradebook, error.orig)
        if cannot_write := CannotWrite.found_in(error, gradebook):
            return cannot_write
        error = error.__cause__ or error.__context__  # nbgrader wraps some in its own
    return None


def unusable(gradebook: Path, error: object) -> CannotWrite:
    """The error that a gradebook cannot be written."""
    if "locked" in str(error):
        message = _(
            "{path} is locked by another program, such as formgrader. What was recorded stays. End "
            "that program, then start again to resume."
        )
        return CannotWrite(message.format(path=gradebook))
    message = _(
        "{path} cannot be used: {reason}. What was recorded stays. Put this right, then start "
        "again to resume."
    )
    return CannotWrite(message.format(path=gradebook, reason=error))


class _QuietLog(logging.Logger):
    """Keeps nbgrader's last complaint, and prints nothing.

    nbgrader logs an exception while it handles it, and then raises one that says less.
    `error_seen` is CannotWrite for an exception that every submission would meet.
    """

    def __init__(self, gradebook: Path):
        super().__init__("autograder.nbgrader", logging.ERROR)
        self.gradebook = gradebook
        self.last = ""
        self.error_seen: CannotWrite | None = None

    def handle(self, record: logging.LogRecord) -> None:
        self.error_seen = unwritable(sys.exc_info()[1], self.gradebook) or self.error_seen
        if record.levelno >= logging.ERROR:
            lines = record.getMessage().strip().splitlines()
            # The last line of a traceback says what happened; nbgrader's next message does not.
            if lines and (lines[0].startswith("Traceback") or not self.last):
                self.last = lines[-1][:300]
