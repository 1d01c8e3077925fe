"""What earlier attempts at a lesson had wrong, which the newest one's result does not tell."""

from pathlib import Path

from .outdir import read_json, sidecar, write_json
from .submission import SubmissionResult

Mistakes = frozenset[tuple[str, str]]  # components, and misconceptions in them


def mistakes_in(result: SubmissionResult) -> Mistakes:
    """The misconceptions that failing tests were explained with."""
    return frozenset(
        (one.component, one.misconception) for one in result.counted if one.misconception
    )


def remember_mistakes(work: Path, before: SubmissionResult) -> None:
    """Remember the misconceptions of a result whose place another attempt takes."""
    if found := mistakes_in(before) | earlier_mistakes(work, before):
        path = sidecar(work, "attempts", before.student, before.lesson)
        write_json(path, {"mistakes": sorted(found)})


def earlier_mistakes(work: Path, result: SubmissionResult) -> Mistakes:
    """The misconceptions of all attempts before this one."""
    tree = read_json(sidecar(work, "attempts", result.student, result.lesson)) or {}
    return frozenset((component, name) for component, name in tree.get("mistakes", ()))
