"""What the steps of grading pass on: submissions, remarks, outcomes."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from autograder.judging.judge import TestResult
from autograder.language import _, ngettext

from .outdir import below
from .safe_names import is_safe_name, safe_name
from .times import utc


class StatusLabel(NamedTuple):
    """How a status is shown."""

    mark: str
    words: str

    def __str__(self) -> str:
        return f"{self.mark} {self.words}"


# Statuses by precedence: what stopped the work comes before what was wrong in it, and a fault of
# the grader before anything that a student did.
STATUSES = {
    "grader_fault": StatusLabel("?", _("grader's fault")),
    "timeout": StatusLabel("!", _("out of time")),
    "out_of_memory": StatusLabel("!", _("out of memory")),
    "error": StatusLabel("!", _("error")),
    "blocked": StatusLabel("✗", _("uses the built-in")),
    "failed": StatusLabel("✗", _("failed")),
    "missing": StatusLabel("–", _("not tried")),
    "passed": StatusLabel("✓", _("passed")),
}


# The summary gives the reason for these, since they do not say whether the answer is right.
STOPPED = ("timeout", "out_of_memory", "error", "blocked")
NOTHING_THERE = ("no_notebook", "no_lesson", "not_handed_in")  # problems
NO_RESPONSE = "No response."  # nbgrader's comment on a question that was left as it was
LONGEST_IN_SUMMARY = 300  # characters
SAME = 1e-6  # points, or shares of them; less than this is rounding


def overall(statuses: Iterable[str]) -> str:
    """The status of a whole: "passed" when all parts passed, else the first in STATUSES."""
    return min(statuses, key=tuple(STATUSES).index, default="missing")


# What is said of submissions, by section and key; the keys are kept in OUT.
REMARKS = {
    # What was put right before the notebook was graded.
    "repair": {
        "renamed": _("The file {file} was graded as {name}."),
        "several_most": _(
            "There were several notebooks. {name} was graded, the one with the most filled in "
            "({filled} of {count} parts). Not graded: {others}."
        ),
        "several_named": _(
            "There were several notebooks, and in none is more filled in than in {name} ({filled} "
            "of {count} parts), which was graded for its name. Not graded: {others}."
        ),
        "several_alike": _(
            "There were several notebooks with the same answers; {name} was graded. Not graded: "
            "{others}."
        ),
        "unnumbered": _(
            "The notebook was in an old format; its cells were matched by their content."
        ),
        "kernel": _("The notebook asked for the kernel {kernel}; it was graded with Python 3."),
        "of_another": _(
            "Most of what was handed in with it is of lesson {usual}. The notebook says that it "
            "belongs to lesson {found}, and was graded as that."
        ),
        "another_lesson": _(
            "The notebook says that it belongs to lesson {found}; it was graded as {expected}."
        ),
        "points": _(
            "The marks for the grader of the cell {cell} were changed; those of the original count."
        ),
        "test_missing": _("The test cell of {component} was gone; it was put back."),
        "test_edited": _("The test cell of {component} was changed; the original was used."),
        "test_twice": _(
            "The test cell of {component} was there {count} times; the original was used once."
        ),
        "graded_cell": _(
            "The cell {cell} claims to be graded, and is not part of the lesson; it was run as a "
            "cell of your own."
        ),
        "edited": _(
            "The cell {cell} of the original was changed; what it newly defines was kept, the rest "
            "is the original's."
        ),
        "answer_missing": _(
            "There was no answer cell for {component}; the empty one was put in its place."
        ),
        "answer_twice": _(
            "The answer cell of {component} was there {count} times; the last one that was changed "
            "counts."
        ),
        "answer_by_id": _(
            "The answer cell of {component} had lost its mark; it was found by its cell id."
        ),
        "answer_by_content": _(
            "The answer cell of {component} had lost its mark; it was found by what it defines."
        ),
        "answer_by_likeness": _(
            "The answer cell of {component} had lost its mark; it was found by its likeness to the "
            "original."
        ),
        "answer_by_position": _(
            "The answer cell of {component} had lost its mark; it was found by its place."
        ),
        "answer_in_another": _(
            "The answer cell of {component} was gone; the answer was found in the cell of another."
        ),
        "answer_kind": _(
            "The answer cell of {component} was no code cell any more; it was read as code."
        ),
        "reply_below": _(
            "The answer to question {question} was found in the cell below the one that is meant "
            "for it."
        ),
        "reply_twice": _(
            "The answer cell of question {question} was there {count} times; the last one that was "
            "changed counts."
        ),
        "cell_timeout": _(
            "A cell of your own took too long and was stopped; everything else was graded without "
            "it."
        ),
        "cell_died": _("A cell of your own ended Python; everything else was graded without it."),
        "cell_out_of_memory": _(
            "A cell of your own took too much memory; everything else was graded without it."
        ),
        "reply_missing": _("There was no answer cell for question {question}."),
        "cut": _(
            "The file {file} ends in the middle, as after an upload that broke off. Its {count} "
            "whole cells were graded; what came after them is lost. Hand the notebook in again if "
            "something of yours is missing."
        ),
        "damaged": _(
            "The file {file} is damaged, so that no program opens it as a notebook. Its {count} "
            "whole cells were graded."
        ),
        "conflict": _(
            "The file {file} held git's marks of a conflict (<<<<<<<, =======, >>>>>>>). The side "
            "with more filled in was graded."
        ),
        "unpacked": _("The file {file} was packed; {name} was taken out of it and graded."),
        "script": _(
            "The file {file} is no notebook but a script. The definitions in it were graded as "
            "answers; answers to questions in prose may be lost."
        ),
        "markdown": _(
            "The file {file} is no notebook but a document made from one. The code in it was "
            "graded; answers to questions in prose may be lost."
        ),
        "page": _(
            "The file {file} is no notebook but a web page made from one. The code and the text in "
            "it were graded."
        ),
    },
    # What an instructor should look at. None of it costs points.
    "remark": {
        "answer": _(
            "Look at the code: the answer {component} uses {names}, with which torch's own version "
            "of the exercise can be called unseen."
        ),
        "own": _(
            "Look at the code: a cell that the student added uses {names}, with which torch's own "
            "version of the exercise can be called unseen."
        ),
        "answer_inside": _(
            "Look at the code: the answer {component} uses {names}, which no exercise needs. With "
            "it, code can change how it is measured."
        ),
        "own_inside": _(
            "Look at the code: a cell that the student added uses {names}, which no exercise "
            "needs. With it, code can change how it is measured."
        ),
        "not_searched": _(
            "Look at the code: it could not be searched for ways round the grader, for it is too "
            "large, or took too long."
        ),
        "refused": _(
            "Look at the code: {component} earned points, but called {names}, which was refused."
        ),
    },
    # Why a submission could not be graded.
    "problem": {
        "unknown_lesson": _("There is no lesson of this name.{close}"),
        "no_notebook": _("There is no notebook in the folder."),
        "no_lesson": _("The student's folder is empty."),
        "stray": _("This is no folder of a lesson; it was not looked at."),
        "several": _(
            "There are several notebooks ({names}) with as much filled in, and none of them is "
            "called {name}."
        ),
        "too_many_notebooks": _("There are more than {limit} notebooks in the folder."),
        "link": _("This is a link, and links are not followed."),
        "no_file": _("This is no ordinary file."),
        "too_large": _("The file is larger than {limit} MB."),
        "too_large_kept": _(
            "Even without its pictures and other outputs, the notebook is larger than {limit} MB."
        ),
        "too_many_brackets": _(
            "The notebook's outputs hold more than {limit:,} lists and objects; clear them, save, "
            "and hand it in again."
        ),
        "unreadable": _("The file cannot be read ({reason})."),
        "folder_unreadable": _("The folder cannot be read ({reason})."),
        "not_json": _("The file is no notebook: it is not JSON, or it is cut off ({reason})."),
        "not_notebook": _("The file is JSON, but no notebook ({reason})."),
        "too_deep": _("The file is no notebook: it is nested too deeply."),
        "too_many_cells": _("The notebook has more than {limit} cells."),
        "source_too_large": _("A cell of the notebook is longer than {limit} characters."),
        "cells_too_large": _("The notebook's cells have more than {limit} characters together."),
        "empty_file": _("The file is empty."),
        "pdf": _("The file is a PDF, not a notebook; the code cannot be read from it."),
        "picture": _("The file is a picture, not a notebook."),
        "document": _("The file is a document of a word processor, not a notebook."),
        "archive": _("The file is packed as {kind}, which is not opened; only zip is."),
        "broken_archive": _("The file is a zip that cannot be opened ({reason})."),
        "empty_archive": _("The file is a zip, and there is no notebook in it."),
        "web_page": _(
            "The file is a web page ({title}), not a notebook: the page was saved rather than the "
            "file that it shows."
        ),
        "nothing_left": _("The file is no notebook, and nothing in it looks like an answer."),
        "which_lesson": _(
            "Nothing in this file, nor its name, says which lesson it belongs to; it was not "
            "graded."
        ),
        "not_handed_in": _("Nothing was handed in."),
        "internal": _(
            "This submission brought the grader itself to a fault ({reason}). It has to be looked "
            "at by a person."
        ),
    },
}


# What a student can do about a problem; what is not named here has the general steps.
SAVE_AND_CHECK = (
    _("Open your notebook where you worked on it, and look whether your answers are there."),
    _(
        "Save it as a notebook. In JupyterLab: File, Save Notebook, then File, Download. On Colab: "
        "File, Download, Download .ipynb."
    ),
    _("Open the saved file once more, in JupyterLab or Colab, to see that it is whole."),
    _("Hand in that file; its name ends in .ipynb."),
)
ADVICE = {
    "no_notebook": (
        _("Hand in the notebook itself: the file of the lesson whose name ends in .ipynb."),
    ),
    "no_lesson": (
        _("Hand in the notebook of the lesson: the file whose name ends in .ipynb."),
    ),
    "several": (
        _("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_many_notebooks": (
        _("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_many_brackets": (
        _("Clear the outputs: in JupyterLab, Edit, Clear Outputs of All Cells."),
        _("Save the notebook and hand it in again."),
    ),
    "link": (
        _("Hand in the notebook itself, not a link to it."),
    ),
    "which_lesson": (
        _("Take a fresh copy of the lesson's notebook, and copy your answers into its cells."),
        _("Keep the first cell: it tells which lesson the notebook is of. Hand in this notebook."),
    ),
    "internal": (
        _("This is not your doing. Your instructor will look at it; you need not do anything."),
    ),
}  # fmt: skip


def advice(problem: "Remark") -> tuple[str, ...]:
    """What the student can do about a problem, step by step."""
    return ADVICE.get(problem.key, SAVE_AND_CHECK)


@dataclass(frozen=True)
class Remark:
    """A sentence of REMARKS about one submission: its section, key and details."""

    section: str
    key: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return REMARKS[self.section][self.key].format(**self.details)


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
    raises Problem. `remarks` are receipts, such as that of a renamed file. `submitted` is the time
    of handing in, as ISO 8601 in UTC, empty where nothing tells it; `late` is whether the LMS has
    marked it late. `original` is the file's path in what the LMS gave, empty elsewhere.
    """

    student: str
    lesson: str
    notebooks: tuple[tuple[str, Read], ...]
    remarks: tuple[Remark, ...] = ()
    attachments: Attachments = field(default_factory=dict)
    submitted: str = ""
    late: bool = False
    original: str = ""


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
    credit included, and may be negative. `penalty` is taken off for lateness.
    """

    prose: float = 0.0
    max_prose: float = 0.0
    by_hand: float = 0.0
    penalty: float = 0.0
    waiting: int = 0


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
    is known. `given` is what was given by hand for tests, by their cells; `points` are those of all
    cells. `name` is the student's. `shown` is a hash of all that a feedback page shows of this.
    """

    marks: Marks
    submitted: str
    due: str
    given: dict[str, ByHand]
    name: str
    shown: str
    points: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SubmissionResult:
    """One submission's outcome. A submission with a `problem` has no test results.

    `remarks` are for the instructor alone, and cost no points. `submitted`, `late` and `original`
    are those of the Submission. `name` and `section` are the roster's, and known in reports only.
    `version` is that of the notebook it was written in. `marks` and
    `due` (the deadline, with the student's extension) are not remembered with it: `read_results`
    reads them again.
    """

    student: str
    lesson: str
    max_score: float
    test_results: tuple[TestResult, ...] = ()
    receipts: tuple[Remark, ...] = ()
    problem: Remark | None = None
    fault: str = ""
    remarks: tuple[Remark, ...] = ()
    submitted: str = ""
    late: bool = False
    original: str = ""
    name: str = ""
    section: str = ""
    version: str = ""
    marks: Marks = field(default_factory=Marks, compare=False)
    due: str = field(default="", compare=False)

    @property
    def status(self) -> str:
        if self.fault:
            return "grader_fault"
        if self.problem:
            return "missing" if self.problem.key in NOTHING_THERE else "error"
        return overall(test_result.status for test_result in self.counted)

    @property
    def page(self) -> Path:
        """Where in OUT the student's feedback page is, or would be."""
        name = self.lesson.partition("-")[2] or "not-graded"
        return below(Path("feedback"), self.student, self.lesson or "not-graded", f"{name}.html")

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
        tree = dict(tree)
        earlier = tree.pop("verdicts", ())  # as earlier versions called them
        test_results = tuple(TestResult(**one) for one in tree.get("test_results", earlier))
        receipts = tuple(Remark(**remark) for remark in tree["receipts"])
        remarks = tuple(Remark(**remark) for remark in tree.get("remarks", ()))
        problem = tree["problem"] and Remark(**tree["problem"])
        # Earlier versions kept any name, and any time that a student wrote.
        student, lesson, submitted = tree["student"], tree["lesson"], tree.get("submitted", "")
        read = {
            "test_results": test_results,
            "receipts": receipts,
            "remarks": remarks,
            "problem": problem,
            "student": student if is_safe_name(student) else safe_name(student),
            "lesson": lesson if is_safe_name(lesson) or not lesson else safe_name(lesson),
            "submitted": submitted and utc(submitted),
        }
        return cls(**(tree | read))
