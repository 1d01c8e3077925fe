"""Moves what is recorded of a submission to another id: the gradebook, the folders, the result.

Killed at any point, it is completed by the next run: what says that something is recorded of the
student moves last.
"""

import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.files import CannotWrite
from autograder.results.outdir import move_result
from autograder.results.safe_names import below
from autograder.results.submission import SubmissionId, SubmissionResult

from .state import PAGE, State

FOLDERS = ("nbgrader/submitted", "nbgrader/autograded")


def move_results(
    out: Path,
    gradebook: Gradebook,
    state: State,
    results: list[SubmissionResult],
    ids: Mapping[SubmissionId, str],
) -> None:
    """Move the results of these submissions to their `ids`, which have none. Raises CannotWrite."""
    recorded = {result.id: result for result in results}
    for (student, lesson), id in sorted(ids.items()):
        if (result := recorded.get((student, lesson))) is None:
            continue
        _move_in_gradebook(gradebook, state, student, lesson, id)
        try:
            _move_files(out, result, id)
            move_result(out / "work", result, id)
        except OSError as error:
            raise CannotWrite.because(out, error) from error


def _move_in_gradebook(
    gradebook: Gradebook, state: State, student: str, lesson: str, id: str
) -> None:
    """Give the student's submission to the id."""
    submissions = gradebook.student_submissions(student)
    of_lesson = [submission for submission in submissions if submission.assignment.name == lesson]
    new_student = gradebook.update_or_create_student(id)
    for submission in of_lesson:
        submission.student = new_student
    state.delete(gradebook, PAGE, student, lesson)  # the page tells the id, so it is made again
    state.move(gradebook, student, lesson, id)
    gradebook.db.commit()
    if len(of_lesson) == len(submissions):
        with contextlib.suppress(MissingEntry):  # of whom nothing could be graded
            gradebook.remove_student(student)


def _move_files(out: Path, result: SubmissionResult, id: str) -> None:
    lesson = result.lesson or "not-graded"
    for step in (*FOLDERS, "feedback"):
        old, new = (below(out / step, name, lesson) for name in (result.student, id))
        if old.is_dir():
            shutil.rmtree(new, ignore_errors=True)
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
        if old.parent.is_dir() and not any(old.parent.iterdir()):
            old.parent.rmdir()
