"""Moves what is recorded of a student to another id: the gradebook, the folders, the memory.

Killed at any point, it is completed by the next run: what says that something is recorded of the
student moves last.
"""

import contextlib
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.results.attempts import ATTEMPTS
from autograder.results.model import SubmissionResult
from autograder.results.outdir import CannotWrite, below, read_json, sidecar, write_json

# Files about one submission in OUT/work. That of the page is left behind: the page tells the id.
MOVED = ("recorded", "receipts", "begun", "penalties", "prose", "regrades", ATTEMPTS)
FOLDERS = ("nbgrader/submitted", "nbgrader/autograded")


def move_results(
    out: Path, gradebook: Gradebook, results: list[SubmissionResult], ids: Mapping[str, str]
) -> dict[str, str]:
    """Move all results of these students to their `ids`; of whom that was done.

    Nothing moves of a student whose id has another result of the same lesson. Raises CannotWrite.
    """
    recorded = {(result.student, result.lesson): result for result in results}
    moved = {}
    for student, id in sorted(ids.items()):
        own = [result for result in results if result.student == student]
        others = ((recorded.get((id, one.lesson)), replace(one, student=id)) for one in own)
        if any(other and other != mine for other, mine in others):
            continue
        if not _move_in_gradebook(gradebook, student, id):
            continue
        try:
            for result in own:
                _move_files(out, result, id)
                _move_memory(out / "work", result, id)
        except OSError as error:
            raise CannotWrite.because(out, error) from error
        moved[student] = id
    return moved


def _move_in_gradebook(gradebook: Gradebook, student: str, id: str) -> bool:
    """Give the student's submissions to the id; False where it has one of the same lesson."""
    submissions = gradebook.student_submissions(student)
    theirs = {one.assignment.name for one in gradebook.student_submissions(id)}
    if theirs & {one.assignment.name for one in submissions}:
        return False
    known = gradebook.update_or_create_student(id)
    for submission in submissions:
        submission.student = known
    gradebook.db.commit()
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


def _move_memory(work: Path, result: SubmissionResult, id: str) -> None:
    for folder in MOVED:
        old, new = (sidecar(work, folder, who, result.lesson) for who in (result.student, id))
        if old.is_file():
            old.replace(new)
    sidecar(work, "pages", result.student, result.lesson).unlink(missing_ok=True)
    old, new = (sidecar(work, "submissions", who, result.lesson) for who in (result.student, id))
    if tree := read_json(old):
        write_json(new, {"graded": tree["graded"] | {"student": id}})
    old.unlink(missing_ok=True)
