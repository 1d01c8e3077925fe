"""What the steps of grading pass on: submissions, remarks, outcomes."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from autograder.judging.judge import Verdict

from .texts import text

# Statuses by precedence: what stopped the work comes before what was wrong in it, and a fault of
# the grader before anything that a student did.
TELLING = (
    "grader_fault",
    "timeout",
    "out_of_memory",
    "error",
    "blocked",
    "failed",
    "missing",
    "passed",
)

# The summary gives the reason for these, since they do not say whether the answer is right.
STOPPED = ("timeout", "out_of_memory", "error", "blocked")
LONGEST_IN_SUMMARY = 300  # characters


def overall(statuses: Iterable[str]) -> str:
    """The status of a whole: "passed" when all parts passed, else the first in `TELLING`."""
    return min(statuses, key=TELLING.index, default="missing")


@dataclass(frozen=True)
class Remark:
    """A sentence of the catalogue about one submission: its section, key and details."""

    section: str
    key: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return text(self.section, self.key, **self.details)


class Problem(Exception):
    """Why a submission cannot be graded."""

    def __init__(self, key: str, **details: object):
        self.remark = Remark("problem", key, details)
        super().__init__(self.remark.text)


Read = Callable[[], Iterator[bytes]]
Attachments = dict[str, Callable[[], bytes]]


@dataclass(frozen=True)
class Submission:
    """One student's work on one lesson, or what is wrong with it.

    `notebooks` are those in the lesson's folder by name, first the one with the expected name;
    each function yields the file's bytes in pieces, or raises Problem. `attachments` are the files
    that a lesson may want beside the notebook, by name; each function returns the file's bytes, or
    raises Problem. `remarks` are receipts, such as that of a renamed file.
    """

    student: str
    lesson: str
    notebooks: tuple[tuple[str, Read], ...]
    remarks: tuple[Remark, ...] = ()
    attachments: Attachments = field(default_factory=dict)


@dataclass(frozen=True)
class Graded:
    """One submission's outcome. A submission with a `problem` has no verdicts.

    `remarks` are for the instructor alone, and cost no points.
    """

    student: str
    lesson: str
    max_score: float
    verdicts: tuple[Verdict, ...] = ()
    receipts: tuple[Remark, ...] = ()
    problem: Remark | None = None
    fault: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def status(self) -> str:
        if self.fault:
            return "grader_fault"
        if self.problem:
            return "missing" if self.problem.key in ("no_notebook", "no_lesson") else "error"
        return overall(verdict.status for verdict in self.verdicts)

    @property
    def score(self) -> float | None:
        """The points; None where the grader failed, for that is no zero."""
        if self.status == "grader_fault":
            return None
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def message(self) -> str:
        if self.status == "grader_fault":
            return text("summary", "fault", reason=self.fault).strip()
        if self.problem:
            return self.problem.text
        passed = sum(verdict.status == "passed" for verdict in self.verdicts)
        summary = text("summary", "tests", passed=passed, count=len(self.verdicts))
        if self.status in STOPPED:
            why = next(one.message for one in self.verdicts if one.status == self.status)
            summary = textwrap.shorten(f"{summary} {why}", LONGEST_IN_SUMMARY, placeholder=" …")
        return " ".join([summary, *(remark.text for remark in self.remarks)])

    def to_tree(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_tree(cls, tree: dict[str, Any]) -> "Graded":
        verdicts = tuple(Verdict(**verdict) for verdict in tree["verdicts"])
        receipts = tuple(Remark(**remark) for remark in tree["receipts"])
        remarks = tuple(Remark(**remark) for remark in tree.get("remarks", ()))
        problem = tree["problem"] and Remark(**tree["problem"])
        read = {"verdicts": verdicts, "receipts": receipts, "remarks": remarks, "problem": problem}
        return cls(**(tree | read))
