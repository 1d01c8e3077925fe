"""Moves what is recorded of a submission to another id: the gradebook, the folders, the result.

Killed at any point, it is completed by the next run: what says that something is recorded of the
student moves last.
"""

import contextlib
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.results.outdir import CannotWrite, below, sidecar
from autograder.results.saved_results import move_result
from autograder.results.submission import SubmissionResult

from .state import PAGE, State

FOLDERS = ("nbgrader/submitted", "nbgrader/autograded")


def move_results(
    out: Path,
    gradebook: Gradebook,
    state: State,
    results: list[SubmissionResult],
    ids: Mapping[tuple[str, str], str],
) -> set[tuple[str, str]]:
    """Move the results of these students and lessons to their `ids`; of which that was done.

    Nothing moves where the id has another result of the lesson. Raises CannotWrite.
    """
    recorded = {result.id: result for result in results}
    moved = set()
    for (student, lesson), id in sorted(ids.items()):
        result, other = recorded[student, lesson], recorded.get((id, lesson))
        if other and other != replace(result, student=id):
            continue
        if not _move_in_gradebook(gradebook, state, student, lesson, id):
            continue
        try:
            _move_files(out, result, id)
            _move_mistakes(out / "work", result, id)
            move_result(out / "work", result, id)
        except OSError as error:
            raise CannotWrite.because(out, error) from error
        moved.add((student, lesson))
    return moved


def _move_in_gradebook(
    gradebook: Gradebook, state: State, student: str, lesson: str, id: str
) -> bool:
    """Give the student's submission to the id; False where it has one of the lesson."""
    submissions = gradebook.student_submissions(student)
    own = [one for one in submissions if one.assignment.name == lesson]
    if own and any(one.assignment.name == lesson for one in gradebook.student_submissions(id)):
        return False
    known = gradebook.update_or_create_student(id)
    for submission in own:
        submission.student = known
    state.delete(gradebook, PAGE, student, lesson)  # the page tells the id, so it is made again
    state.move(gradebook, student, lesson, id)
    gradebook.db.commit()
    if len(own) == len(submissions):
        with contextlib.suppress(MissingEntry):  # of whom nothing could be graded
            gradebook.remove_student(student)
    return True


def _move_files(out: Path, result: SubmissionResult, id: str) -> None:
    lesson = result.lesson or "not-graded"
    for step in (*FOLDERS, "feedback"):
        old, new = (below(out / step, who, lesson) for who in (result.student, id))
        if old.is_dir():
            shutil.rmtree(new, ignore_errors=True)
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
        if old.parent.is_dir() and not any(old.parent.iterdir()):
            old.parent.rmdir()


def _move_mistakes(work: Path, result: SubmissionResult, id: str) -> None:
    old, new = (sidecar(work, "attempts", who, result.lesson) for who in (result.student, id))
    if old.is_file():
        old.replace(new)
