"""What the steps of grading pass on: submissions, their results, marks."""

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from autograder.judging.judge import TestResult
from autograder.language import N_, _, ngettext
from autograder.lesson.points import cell_of_tests

from .remarks import Remark
from .safe_names import below


class StatusLabel(NamedTuple):
    """How a status is shown."""

    mark: str
    english: str

    @property
    def words(self) -> str:
        return _(self.english)

    def __str__(self) -> str:
        return f"{self.mark} {self.words}"


# Statuses by precedence: what stopped the work comes before what was wrong in it, and a fault of
# the grader before anything that a student did.
STATUSES = {
    "grader_fault": StatusLabel("?", N_("grader's fault")),
    "timeout": StatusLabel("!", N_("out of time")),
    "out_of_memory": StatusLabel("!", N_("out of memory")),
    "error": StatusLabel("!", N_("error")),
    "blocked": StatusLabel("✗", N_("uses the built-in")),
    "failed": StatusLabel("✗", N_("failed")),
    "lost": StatusLabel("–", N_("lost")),
    "missing": StatusLabel("–", N_("not tried")),
    "passed": StatusLabel("✓", N_("passed")),
}


# The summary gives the reason for these, since they do not say whether the answer is right.
STOPPED = ("timeout", "out_of_memory", "error", "blocked")
UNTRIED = ("missing", "lost")  # there is no answer that could be right or wrong
# Problems. The first is one of files that cannot be graded where its details say `has_files`.
NOTHING_THERE = ("no_notebook", "no_lesson", "not_handed_in")
NO_RESPONSE = "No response."  # nbgrader's comment on a question that was left as it was
LONGEST_IN_SUMMARY = 300  # characters
SAME = 1e-6  # points, or shares of them; less than this is rounding


def overall(statuses: Iterable[str]) -> str:
    """The status of a whole: "passed" when all parts passed, else the first in STATUSES."""
    return min(statuses, key=tuple(STATUSES).index, default="missing")


SubmissionId = tuple[str, str]  # of one student's work on one lesson: both of their ids
Read = Callable[[], Iterator[bytes]]
Attachments = dict[str, Callable[[], bytes]]


@dataclass(frozen=True)
class Submission:
    """One student's work on one lesson, or what is wrong with it.

    `notebooks` are those in the lesson's folder by name, first the one with the expected name;
    each function yields the file's bytes in pieces, or raises Problem. `attachments` are the files
    that a lesson may want beside the notebook, by name; each function returns the file's bytes, or
    raises Problem. `repairs` are what was put right, such as the name of a file. `submitted` is the
    time of handing in, as ISO 8601 in UTC, empty where nothing tells it; `late` is whether the LMS
    has marked it late. `original` is the file's path in what the LMS gave, empty elsewhere.
    """

    student: str
    lesson: str
    notebooks: tuple[tuple[str, Read], ...]
    repairs: tuple[Remark, ...] = ()
    attachments: Attachments = field(default_factory=dict)
    submitted: str = ""
    late: bool = False
    original: str = ""

    @property
    def id(self) -> SubmissionId:
        return self.student, self.lesson


def tests_passed(passed: int, count: int) -> str:
    """How many tests passed, in a sentence."""
    # With one test, too, English says "0 of 1 tests".
    sentence = ngettext(
        "{passed} of {count} tests passed.", "{passed} of {count} tests passed.", count
    )
    return sentence.format(passed=passed, count=count)


@dataclass(frozen=True)
class Marks:
    """What people and the calendar add to the points of the tests; the gradebook holds it.

    `prose` are points given for answers in prose, of `max_prose`; `waiting` counts the answers that
    nobody has marked yet. `by_hand` is what was given by hand beyond the tests' own points, extra
    credit included, and may be negative. `penalty` is taken off for lateness. `open` are the points
    for prose that was not answered, or that nobody has marked yet.
    """

    prose: float = 0.0
    max_prose: float = 0.0
    by_hand: float = 0.0
    penalty: float = 0.0
    waiting: int = 0
    open: float = 0.0


@dataclass(frozen=True)
class ByHand:
    """What was given by hand for a test: points in place of its own, if any, and extra credit."""

    points: float | None = None
    extra: float = 0.0

    def beyond(self, earned: float) -> float:
        """What that adds to the points that the test earned by itself."""
        return (0.0 if self.points is None else self.points - earned) + self.extra


@dataclass(frozen=True)
class GradebookEntry:
    """What the gradebook holds of one student's submission of one lesson.

    `due` is this student's deadline; it and `submitted` are ISO 8601 in UTC, empty where nothing
    is known. `given` is what was given by hand for tests, by their cells. `name` is the student's.
    `page_digest` is a hash of all that a page of feedback shows of this.
    """

    marks: Marks
    submitted: str
    due: str
    given: dict[str, ByHand]
    name: str
    page_digest: str


@dataclass(frozen=True)
class SubmissionResult:
    """One submission's result. A submission with a `problem` has no test results.

    `repairs` are what was put right before it was graded. `remarks` are for the instructor alone,
    and cost no points. `submitted`, `late` and `original`
    are those of the Submission. `name` and `section` are the roster's, and known in reports only.
    `version` and `language` are those of the notebook it was written in. `marks` and
    `due` (the deadline, with the student's extension) are not remembered with it: `read_results`
    reads them again.
    """

    student: str
    lesson: str
    max_score: float
    test_results: tuple[TestResult, ...] = ()
    repairs: tuple[Remark, ...] = ()
    problem: Remark | None = None
    fault: str = ""
    remarks: tuple[Remark, ...] = ()
    submitted: str = ""
    late: bool = False
    original: str = ""
    name: str = ""
    section: str = ""
    version: str = ""
    language: str = ""
    marks: Marks = field(default_factory=Marks, compare=False)
    due: str = field(default="", compare=False)

    @property
    def id(self) -> SubmissionId:
        return self.student, self.lesson

    @property
    def status(self) -> str:
        if self.fault:
            return "grader_fault"
        if self.problem:
            has_files = self.problem.details.get("has_files", False)
            return "missing" if self.problem.key in NOTHING_THERE and not has_files else "error"
        return overall(test_result.status for test_result in self.counted)

    @property
    def page(self) -> Path:
        """Where in OUT the student's feedback page is, or would be."""
        name = self.lesson_name or "not-graded"
        return below(Path("feedback"), self.student, self.lesson or "not-graded", f"{name}.html")

    @property
    def lesson_name(self) -> str:
        """The name of the lesson's notebook; empty where it is of no lesson."""
        return self.lesson.partition("-")[2]

    @property
    def counted(self) -> tuple[TestResult, ...]:
        """The results of tests that have points; the instructor may give some none."""
        return tuple(test_result for test_result in self.test_results if test_result.max_score)

    @property
    def score(self) -> float | None:
        """The points of the tests; None where the grader failed, for that is no zero."""
        if self.status == "grader_fault":
            return None
        return sum(test_result.score for test_result in self.test_results)

    @property
    def points(self) -> dict[str, float]:
        """The points of the tests, by the name of nbgrader's cell for them: one a component."""
        points: dict[str, float] = defaultdict(float)
        for test_result in self.test_results:
            points[cell_of_tests(test_result.component)] += test_result.score
        return dict(points)

    @property
    def earned(self) -> float | None:
        """All points before anything is taken off for lateness; None as for `score`."""
        if self.score is None:
            return None
        return max(0.0, self.score + self.marks.prose + self.marks.by_hand)

    @property
    def total(self) -> float | None:
        """The one number that every result shows; None where the grader failed.

        Points of the tests, of answers in prose and of changes by hand, less the penalty.
        """
        if self.earned is None:
            return None
        return max(0.0, self.earned - self.marks.penalty)

    @property
    def max_total(self) -> float:
        """The most that `total` can be without extra credit."""
        return self.max_score + self.marks.max_prose

    @property
    def share(self) -> float | None:
        """The share of all points, from 0 to 1; None where the grader failed, or there are none.

        While prose is open, it is that of the tests, as changed by hand.
        """
        if self.total is None or self.score is None or not self.max_total:
            return None
        if self.marks.open and self.max_score:
            return max(0.0, self.score + self.marks.by_hand) / self.max_score
        return self.total / self.max_total

    def total_out_of(self, most: float) -> float:
        """The total as if all points were `most`, to compare it with others; 0 where there is none.

        A lesson's points may have changed since.
        """
        total = self.total or 0.0
        has_changed = self.max_total and abs(self.max_total - most) > SAME
        return total * most / self.max_total if has_changed else total

    @property
    def seconds_late(self) -> float:
        """Seconds after the deadline; 0 where it was in time, or where one of both is unknown."""
        if not self.submitted or not self.due:
            return 0.0
        handed_in, due = map(datetime.fromisoformat, (self.submitted, self.due))
        return max(0.0, (handed_in - due).total_seconds())

    @property
    def is_late(self) -> bool:
        """Whether it came after the deadline, or was marked late by the LMS."""
        if self.submitted and self.due:
            return self.seconds_late > 0
        return self.late

    @property
    def message(self) -> str:
        if self.status == "grader_fault":
            message = _(
                "The grader had a fault of its own; this is not the student's doing, and no grade "
                "was given. {reason}"
            )
            return message.format(reason=self.fault).strip()
        if self.problem:
            return self.problem.text
        passed = sum(test_result.status == "passed" for test_result in self.counted)
        summary = tests_passed(passed, len(self.counted))
        if self.status in STOPPED:
            why = next(
                test_result.text
                for test_result in self.counted
                if test_result.status == self.status
            )
            summary = textwrap.shorten(f"{summary} {why}", LONGEST_IN_SUMMARY, placeholder=" …")
        return " ".join([summary, *(remark.text for remark in self.remarks)])

    def to_tree(self) -> dict[str, Any]:
        tree = asdict(self)
        del tree["marks"], tree["due"]
        return tree

    @classmethod
    def from_tree(cls, tree: dict[str, Any]) -> "SubmissionResult":
        read = {
            "test_results": tuple(TestResult(**part) for part in tree["test_results"]),
            "repairs": tuple(Remark(**part) for part in tree["repairs"]),
            "remarks": tuple(Remark(**part) for part in tree["remarks"]),
            "problem": tree["problem"] and Remark(**tree["problem"]),
        }
        return cls(**(tree | read))
