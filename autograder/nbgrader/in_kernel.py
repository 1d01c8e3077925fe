"""Hidden tests inside a kernel, for those who run nbgrader without JudgeSubmission.

Stock `nbgrader autograde` and `nbgrader validate` execute the instructor's test cells in the
student's kernel, where the tests cannot be hidden from the student's code: prefer JudgeSubmission.
The points are the same. The cells that the kernel has run are run again in the sandbox, and judged.
"""

import os
from functools import cache, partial
from pathlib import Path
from typing import Any

from autograder.grading.grade_translator import TranslatorGrader, inspect_files
from autograder.grading.run.grader import Grader
from autograder.judging.judge import TestResult
from autograder.submissions.collect import attachments
from autograder.submissions.notebook_as_submitted import NotebookAsSubmitted, SubmittedCell
from autograder.submissions.rebuild import rebuild

from .graded_notebook import line
from .preprocessors import course, grader_of, released_notebook, runner_with

SEED = "AUTOGRADER_SEED"  # the environment variable with the secret of the hidden inputs


def hidden_tests(lesson: str, component: str, namespace: dict[str, Any]) -> float:
    """Judge one component with the cells that ran so far; prints test results, returns the points.

    As the last value of a test cell, the number is what nbgrader takes for partial credit.
    """
    sources = tuple(namespace.get("_ih", ()))
    test_results = _test_results(lesson, sources)
    return _printed(
        [test_result for test_result in test_results if test_result.component == component]
    )


def handed_in(lesson: str) -> float:
    """Score the files beside the notebook; prints test results, returns the points."""
    grader = TranslatorGrader(course().lesson(lesson), "", partial(runner_with, _sandbox()))
    return _printed(grader.grade(inspect_files(attachments(Path.cwd()))))


def _printed(test_results: list[TestResult]) -> float:
    lines = "\n".join(line(test_result) for test_result in test_results)
    if any(test_result.status == "grader_fault" for test_result in test_results):
        raise RuntimeError(lines)
    print(lines)
    return float(sum(test_result.score for test_result in test_results))


@cache
def _test_results(lesson_id: str, sources: tuple[str, ...]) -> list[TestResult]:
    lesson = course().lesson(lesson_id)
    cells = tuple(
        SubmittedCell("code", source, "", {}) for source in sources if "hidden_tests(" not in source
    )
    released = released_notebook(lesson_id)
    rebuilt = rebuild(lesson, released, NotebookAsSubmitted(cells, 4, "", ""))
    return _grader(lesson_id).grade(rebuilt.cells)


@cache
def _grader(lesson_id: str) -> Grader:
    return grader_of(lesson_id, os.environ.get(SEED, "in a kernel"), "", _sandbox(), 0.0)


def _sandbox() -> str:
    return os.environ.get("AUTOGRADER_SANDBOX", "auto")
