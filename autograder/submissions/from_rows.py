"""Makes submissions of the rows of what was handed in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from autograder.results.handed_in import HandedIn
from autograder.results.remarks import Problem, Remark
from autograder.results.safe_names import shown
from autograder.results.submission import Attachments, Read, Submission, SubmissionId

from .sources.entries import read_file, reader, scan
from .sources.find import is_called_exported, is_called_notebook

MOST_NOTEBOOKS = 20  # of one student in one lesson
OF_ANOTHER = "of_another"  # the remark that it was handed in with another lesson's assignment


def submissions_of(rows: Iterable[HandedIn]) -> list[Submission]:
    """A submission of the rows that count; where none does, one with the problem of the first."""
    by_id: dict[SubmissionId, list[HandedIn]] = {}
    for row in rows:
        if row.counts or row.problem:
            by_id.setdefault(row.id, []).append(row)
    return [_submission(own) for _id, own in sorted(by_id.items())]


def _submission(rows: list[HandedIn]) -> Submission:
    """Raises nothing: reading its notebooks raises Problem where they cannot be read."""
    rows = [row for row in rows if row.counts] or rows[:1]
    first, name = rows[0], rows[0].lesson.partition("-")[2] + ".ipynb"
    answers = [row for row in rows if is_called_notebook(row.file)]
    answers = answers or [row for row in rows if is_called_exported(row.file)]
    answers.sort(key=lambda row: (row.file != name, row.file))
    submission = Submission(
        first.student,
        first.lesson,
        tuple((shown(row.file), row.read) for row in answers if row.read),
        _repairs(answers, name),
        {row.file: _whole(row.read) for row in rows if row.read and row not in answers},
        first.submitted,
        first.late,
        first.original,
    )
    problem = first.problem
    if len(answers) > MOST_NOTEBOOKS:
        problem = Problem("too_many_notebooks", limit=MOST_NOTEBOOKS)
    if problem:
        return replace(submission, notebooks=(("", _raising(problem)),), repairs=())
    return submission


def _repairs(answers: list[HandedIn], name: str) -> tuple[Remark, ...]:
    """What was put right in how the answers were handed in; `name` is the one expected."""
    repairs = []
    if len(answers) == 1 and answers[0].file != name:
        details = {"file": shown(answers[0].file), "name": name}
        repairs.append(Remark("repair", "renamed", details))
    last = max(answers, key=lambda row: (row.attempt, row.path), default=None)
    if last and last.assignment:
        details = {"found": last.lesson, "usual": last.assignment}
        repairs.append(Remark("repair", OF_ANOTHER, details))
    return tuple(repairs)


def attachments_in(folder: Path, largest: Mapping[str, int]) -> Attachments:
    """The files of these names in a folder, as in `Submission`, each of so many bytes at most.

    Raises Problem.
    """
    return {
        entry.name: _whole(reader(entry, read_file, largest[entry.name]))
        for entry in scan(folder)
        if entry.name in largest
    }


def _whole(read: Read) -> Callable[[], bytes]:
    return lambda: b"".join(read())


def _raising(problem: Problem) -> Read:
    def read() -> Iterator[bytes]:
        raise problem

    return read
