"""Hidden tests inside a kernel, for whoever runs nbgrader without JudgeSubmission.

Stock `nbgrader autograde` and `nbgrader validate` execute the instructor's test cells in the
student's kernel. There the tests cannot be kept from the student's code, so this is the way of
second choice; what earns points is the same. The cells that the kernel has run are run again in
the sandbox and judged as always.
"""

import os
from functools import cache
from pathlib import Path

from autograder.grading.collect.read_notebook import SubmittedCell, SubmittedNotebook
from autograder.grading.collect.submissions import beside
from autograder.grading.grader import Grader
from autograder.grading.repair import repair
from autograder.grading.translator.scorer import Scorer, look
from autograder.judging.judge import Verdict

from .preprocessors import course, grader_of, line, released_notebook

SEED = "AUTOGRADER_SEED"  # the environment variable with the secret of the hidden inputs


def hidden_tests(lesson: str, component: str, namespace: dict) -> float:
    """Judge one component with the cells that ran so far; prints verdicts, returns the points.

    As the last value of a test cell, the number is what nbgrader takes for partial credit.
    """
    sources = tuple(namespace.get("_ih", ()))
    return _told([one for one in _verdicts(lesson, sources) if one.component == component])


def handed_in(lesson: str) -> float:
    """Score what lies beside the notebook; prints verdicts, returns the points."""
    scorer = Scorer(course().lesson(lesson), None, os.environ.get("AUTOGRADER_SANDBOX", "auto"))
    return _told(scorer.grade(look(beside(Path.cwd()))))


def _told(verdicts: list[Verdict]) -> float:
    if any(one.status == "grader_fault" for one in verdicts):
        raise RuntimeError("\n".join(line(one) for one in verdicts))
    print("\n".join(line(one) for one in verdicts))
    return float(sum(one.score for one in verdicts))


@cache
def _verdicts(lesson_id: str, sources: tuple[str, ...]) -> list[Verdict]:
    lesson = course().lesson(lesson_id)
    cells = tuple(
        SubmittedCell("code", source, "", {}) for source in sources if "hidden_tests(" not in source
    )
    released = released_notebook(lesson_id)
    repaired = repair(lesson, released, SubmittedNotebook(cells, 4, "", ""))
    return _grader(lesson_id).grade(repaired.cells)


@cache
def _grader(lesson_id: str) -> Grader:
    sandbox = os.environ.get("AUTOGRADER_SANDBOX", "auto")
    return grader_of(lesson_id, os.environ.get(SEED, "in a kernel"), "", sandbox, 0.0)
