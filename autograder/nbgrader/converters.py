"""Runs nbgrader's own converter of assignments in this process, and says what errors mean.

nbgrader changes the process's working folder, so no thread may run beside a converter.
"""

import contextlib
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.files import CannotWrite
from autograder.language import _


def assign(config: Config, gradebook: Path, lesson: str) -> None:
    """Make the lesson an assignment of the gradebook, with nbgrader's converter.

    Raises CannotWrite.
    """
    with warnings.catch_warnings(), silence():
        warnings.simplefilter("ignore")  # SQLAlchemy on nbgrader's queries
        log = _QuietLog()
        directory = CourseDirectory(config=config, log=log)
        directory.assignment_id = lesson
        try:
            GenerateAssignment(directory, config=config, log=log, force=True).start()
        except NbGraderException as error:
            raise unusable(gradebook, log.last) from error


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
    """Keeps nbgrader's last complaint, and prints nothing."""

    def __init__(self) -> None:
        super().__init__("autograder.nbgrader", logging.ERROR)
        self.last = ""

    def handle(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            lines = record.getMessage().strip().splitlines()
            # The last line of a traceback says what happened; nbgrader's next message does not.
            if lines and (lines[0].startswith("Traceback") or not self.last):
                self.last = lines[-1][:300]
