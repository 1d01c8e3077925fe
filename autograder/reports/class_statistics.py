"""Statistics of the test results of a class: the tests and mistakes of each lesson."""

import difflib
import itertools
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable
from operator import truediv
from statistics import mean, median
from typing import Any

from autograder.judging.judge import TestResult, is_unexplained
from autograder.lesson.components import title_of
from autograder.lesson.lesson import Lesson
from autograder.results.submission import UNTRIED, SubmissionResult
from autograder.results.tables import number, points_of

BINS = 10  # of a histogram
MOST_LINES = 4  # of an example
Rows = list[dict[str, Any]]


def is_absent(result: SubmissionResult) -> bool:
    """Whether this only says that a student of the roster handed in nothing."""
    return result.problem is not None and result.problem.key == "not_handed_in"


def histogram(lesson: Lesson, results: Iterable[SubmissionResult]) -> dict[str, Any]:
    """How the shares of a lesson's points are spread over the class."""
    shares = [share for result in results if (share := result.share) is not None]
    counts = Counter(min(int(share * BINS), BINS - 1) for share in shares)
    return {
        "lesson": lesson.id,
        "counts": [counts[place] for place in range(BINS)],
        "mean": percent(mean(shares or [0.0])),
        "median": percent(median(shares or [0.0])),
    }


def by_component(
    lesson: Lesson, results: Iterable[SubmissionResult]
) -> dict[str, list[list[TestResult]]]:
    """The test results of each submission on each component, in the order of the notebook.

    A component that the lesson no longer has comes last.
    """
    by_name: dict[str, list[list[TestResult]]] = {name: [] for name in lesson.components}
    for result in results:
        if result.score is None:
            continue
        of_submission: dict[str, list[TestResult]] = defaultdict(list)
        for test_result in result.counted:
            of_submission[test_result.component].append(test_result)
        for component, test_results in of_submission.items():
            by_name.setdefault(component, []).append(test_results)
    return {component: submissions for component, submissions in by_name.items() if submissions}


def components(lesson: Lesson, results: Iterable[SubmissionResult]) -> Rows:
    """How many submissions passed all, some or no tests of each component, or did not try."""
    rows = []
    for name, submissions in by_component(lesson, results).items():
        counts = Counter(_tests_passed(test_results) for test_results in submissions)
        # Shares, as the points may have changed before only some were graded again.
        most = [sum(test.max_score for test in test_results) for test_results in submissions]
        earned = [sum(test.score for test in test_results) for test_results in submissions]
        points, share = max(most), mean(map(truediv, earned, most))
        rows.append(
            _component_columns(lesson, name)
            | {
                "counts": {key: counts[key] for key in ("all", "some", "none", "untried")},
                "shares": {
                    key: 100 * counts[key] / len(submissions) for key in ("all", "some", "untried")
                },
                "mean": points_of(round(share * points, 2), points),
                "share": share,
                "tests": _tests(submissions),
            }
        )
    return rows


def _component_columns(lesson: Lesson, component: str) -> dict[str, Any]:
    title = title_of(component)
    return {"lesson": lesson.id, "name": component, "title": title, "is_code": title == component}


def _tests_passed(test_results: list[TestResult]) -> str:
    passed = [test_result.status == "passed" for test_result in test_results]
    if all(passed):
        return "all"
    if any(passed):
        return "some"
    return (
        "untried" if all(test_result.status in UNTRIED for test_result in test_results) else "none"
    )


def _tests(submissions: list[list[TestResult]]) -> Rows:
    """How often each test of a component passed."""
    statuses: dict[str, Counter[str]] = {}
    for test_result in itertools.chain.from_iterable(submissions):
        status = "missing" if test_result.status in UNTRIED else test_result.status
        statuses.setdefault(test_result.test, Counter())[status] += 1
    return [
        {"name": test, "passed": counts["passed"], "untried": counts["missing"],
         "failed": counts.total() - counts["passed"] - counts["missing"],
         "share": 100 * counts["passed"] / counts.total(), "count": counts.total()}
        for test, counts in statuses.items()
    ]  # fmt: skip


def misconceptions(lesson: Lesson, results: Iterable[SubmissionResult]) -> Rows:
    """Each known mistake that was made: by whom, and what it is."""
    makers: dict[tuple[str, str], list[SubmissionResult]] = defaultdict(list)
    for result in results:
        for pair in {(v.component, v.misconception) for v in result.counted if v.misconception}:
            makers[pair].append(result)
    # Of several answers with a mistake's name, the first tells what it is.
    answers = {
        (name, answer.name): answer
        for name, component in lesson.components.items()
        for answer in reversed(component.wrong)
    }
    # An earlier run may have recorded a component that the lesson no longer has.
    order = {name: place for place, name in enumerate(lesson.components)}

    def place(item: tuple[tuple[str, str], list[SubmissionResult]]) -> tuple[Any, ...]:
        (component, name), submissions = item
        return order.get(component, len(order)), component, -len(submissions), name

    rows = []
    for (component, name), submissions in sorted(makers.items(), key=place):
        answer = answers.get((component, name))
        example = answer and _changed_lines(lesson.components[component].source, answer.source)
        rows.append(
            _component_columns(lesson, component)
            | {"mistake": spoken(name), "count": len(submissions), "students": submissions,
               "says": answer.says if answer else "", "example": example or ""}
        )  # fmt: skip
    return rows


def _changed_lines(right: str, wrong: str) -> str:
    """The lines in which a wrong answer differs from the right one."""
    compared = difflib.ndiff(right.splitlines(), wrong.splitlines())
    changed = [line[2:] for line in compared if line.startswith("+ ")]
    return textwrap.dedent("\n".join(changed[:MOST_LINES]))


def unexplained(lesson: Lesson, results: Iterable[SubmissionResult]) -> Rows:
    """Failed tests without a known mistake, by component: whose they are, and the messages."""
    failures: dict[str, list[tuple[SubmissionResult, list[TestResult]]]] = {}
    for result in results:
        of_submission: dict[str, list[TestResult]] = defaultdict(list)
        for test_result in result.counted:
            if is_unexplained(test_result):
                of_submission[test_result.component].append(test_result)
        for component, test_results in of_submission.items():
            failures.setdefault(component, []).append((result, test_results))
    return [
        _component_columns(lesson, component)
        | {"count": len(failing),
           "of": [{"result": result, "tests": ", ".join(failed.test for failed in test_results),
                   "message": _message_and_cause(result, test_results[0])}
                  for result, test_results in failing]}
        for component, failing in failures.items()
    ]  # fmt: skip


def _message_and_cause(result: SubmissionResult, test_result: TestResult) -> str:
    """A test result's message, and the cause of all failures of its component."""
    causes = [test.cause for test in result.counted if test.component == test_result.component]
    return " ".join(filter(None, [test_result.message, *causes]))


def spoken(name: str) -> str:
    """A misconception's name in words."""
    return name.replace("-", " ")


def percent(share: float) -> str:
    """A share from 0 to 1 in percent."""
    return f"{number(round(100 * share))} %"
