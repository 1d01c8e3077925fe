"""Test results, from evidence. They are computed on the trusted side: no student code runs here."""

import dataclasses
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from autograder.language import _
from autograder.lesson.cases import Case, Test, watch_first_of_alike
from autograder.lesson.lesson import Lesson
from autograder.sandbox.job import Cell, Job, Outcome
from autograder.sandbox.runner import Runners
from transformer_workbook.diagnosis.case_results import CaseResult, most_telling
from transformer_workbook.diagnosis.compare import Finding
from transformer_workbook.diagnosis.diagnosis import Diagnosis
from transformer_workbook.diagnosis.finding_sentences import explain
from transformer_workbook.diagnosis.grids import grids

from .answer_key import AnswerKey
from .case_runner import CaseRunner, call_id

LOG = logging.getLogger(__name__)
STATUS_OF_FAILURE = {
    "exception": "error",
    "died": "error",
    "blank": "missing",
    "missing": "failed",  # something was written: what is left as it came has its blanks
    "unnamed": "failed",
    "forbidden": "blocked",
    "timeout": "timeout",
    "out_of_memory": "out_of_memory",
}


@dataclass(frozen=True)
class TestResult:
    """The result of one test: points, status, and the message to the student.

    `grids` show the numbers that the message is about, without what was expected. `cause` explains
    all failures of the component, in the first of its failing tests.
    """

    component: str
    test: str
    score: float
    max_score: float
    status: str
    misconception: str
    message: str
    grids: list[dict[str, Any]] = field(default_factory=list, hash=False)
    cause: str = ""

    @property
    def text(self) -> str:
        """The message, then the cause."""
        return " ".join(filter(None, [self.message, self.cause]))


class Judge:
    """Judges submissions of one lesson with the hidden tests that a secret gives.

    The runner runs the reference, unless `saved` is given: the answer key of another judge, as
    bytes. Raises BadData if these are damaged.
    """

    def __init__(
        self, lesson: Lesson, secret: str, runner: Runners | None, saved: bytes | None = None
    ):
        self.lesson, self.tests = lesson, lesson.hidden(secret)
        cases = {
            component: [case for test in tests for case in _cases_of(test)]
            for component, tests in self.tests.items()
        }
        self.case_runner = CaseRunner(lesson, cases, runner)
        self.answer_key = AnswerKey(self.case_runner)
        if saved is not None:
            self.answer_key.load(saved)

    def job(self, answers: list[Cell]) -> Job:
        """The job of grading a student's cells (kinds "answer" and "added")."""
        return self.case_runner.job(answers)

    def test_results(
        self, outcome: Outcome, diagnoses: Mapping[str, Diagnosis] = MappingProxyType({})
    ) -> list[TestResult]:
        """A test result for each test, in the order of the notebook.

        `diagnoses` are by component, see `Diagnostician`.
        """
        return [
            test_result
            for component in self.lesson.components
            for test_result in self._results_of_component(
                component, outcome, diagnoses.get(component, Diagnosis())
            )
        ]

    def _results_of_component(
        self, component: str, outcome: Outcome, diagnosis: Diagnosis
    ) -> list[TestResult]:
        results = self.answer_key.results_of(component, outcome.evidence)
        test_results = []
        for test in self.tests[component]:
            calls = [call_id(component, _name_of(case, test)) for case in test.cases]
            of_cases = [results[call] for call in calls]
            test_results.append(
                self._judge_test(component, test, of_cases, diagnosis.misconception)
            )
        first = first_failing(test_results)
        return [
            dataclasses.replace(test_result, cause=diagnosis.says)
            if test_result is first
            else test_result
            for test_result in test_results
        ]

    def _judge_test(
        self, name: str, test: Test, results: list[CaseResult], misconception: str
    ) -> TestResult:
        """The result of one test, from those of its cases."""
        if not any(result.findings for result in results):
            return TestResult(name, test.name, test.points, test.points, "passed", "", "")
        place = most_telling(dict(enumerate(results)))
        finding = results[place].findings[0]
        group, _dot, kind = finding.kind.rpartition(".")
        status = STATUS_OF_FAILURE[kind] if group == "failure" else "failed"
        message, shown = self._message(name, test, place, finding, not misconception)
        mistake = "" if status == "missing" else misconception  # an open blank is no mistake
        test_result = TestResult(name, test.name, 0.0, test.points, status, mistake, message)
        return dataclasses.replace(test_result, grids=shown)

    def _message(
        self, name: str, test: Test, place: int, finding: Finding, advise: bool
    ) -> tuple[str, list[dict[str, Any]]]:
        """The message of a failed test, and its grids.

        Both are made from what a student's code sent. So an exception here is logged, and costs the
        explanation alone.
        """
        component = self.lesson.components[name]
        try:
            released, words = component.released_lines, self.lesson.words(test.cases[place].probe)
            explanation = explain(finding, component.defines, released, advise, words)
            shown = grids(finding, hidden=True, words=words)
        except Exception:
            LOG.exception("no explanation of %s %s", name, test.name)
            explanation, shown = "", []
        message = _("Tested: {says}. {finding}").format(says=_(says_of(test)), finding=explanation)
        return message.strip(), shown


def says_of(test: Test) -> str:
    """What a test tests."""
    return test.says or test.name


def first_failing(test_results: Iterable[TestResult]) -> TestResult | None:
    """Of one component's test results, the first failing one; one with points, if there is any.

    An open blank is no failure.
    """
    failing = [
        test_result
        for test_result in test_results
        if test_result.status not in ("passed", "missing")
    ]
    return next(
        (test_result for test_result in failing if test_result.max_score), next(iter(failing), None)
    )


def is_unexplained(test_result: TestResult) -> bool:
    """Whether a test failed, for no known mistake."""
    return test_result.status == "failed" and not test_result.misconception


def _name_of(case: Case, test: Test) -> str:
    """A name that is unique among all tests of the component."""
    return f"{test.name}/{case.name}"


def _cases_of(test: Test) -> list[Case]:
    """The cases of a test, with names that are unique among all tests of the component."""
    return [
        dataclasses.replace(case, name=_name_of(case, test))
        for case in watch_first_of_alike(test.cases)
    ]
