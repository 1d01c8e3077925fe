"""The results of submissions in OUT/work, a file each: what later runs compare with."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .outdir import digest, read_json, write_json
from .submission import SubmissionResult

_FOLDER = "submissions"


def load_result(work: Path, student: str, lesson: str) -> SubmissionResult | None:
    """The result of a submission, without marks; None where there is none.

    Raises WrongUsage, as `all_results` does, for what another version of the grader recorded.
    """
    tree = read_json(result_path(work, student, lesson), is_needed=True)
    return SubmissionResult.from_tree(tree["graded"]) if tree else None


def all_results(work: Path) -> Iterator[SubmissionResult]:
    """All results, without marks, in an order without meaning."""
    for path in sorted((work / _FOLDER).glob("*.json")):
        tree = read_json(path, is_needed=True)
        if tree:
            yield SubmissionResult.from_tree(tree["graded"])


def save_result(work: Path, result: SubmissionResult) -> None:
    """Save it in place of the one before. Raises CannotWrite."""
    write_json(result_path(work, result.student, result.lesson), {"graded": result.to_tree()})


def move_result(work: Path, result: SubmissionResult, id: str) -> None:
    """Save it as that of another student, in place of its own. Raises OSError."""
    save_result(work, replace(result, student=id))
    result_path(work, result.student, result.lesson).unlink(missing_ok=True)


def result_path(work: Path, student: str, lesson: str) -> Path:
    """The path of a submission's file; no student can choose its name."""
    return work / _FOLDER / f"{digest(student, lesson)}.json"
