"""Diagnoses failing components on the visible cases, as the check in the notebook does.

The course has recorded evidence for the visible cases alone. So the components that fail are called
with these cases, too, in the process that ran the hidden ones. No points depend on a diagnosis: one
that fails, or does not finish in time, is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from autograder.language import _, language
from autograder.lesson.cases import Test
from autograder.lesson.lesson import Lesson
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from autograder.sandbox.job import Cell, Plan
from transformer_workbook.diagnosis.diagnosis import Diagnosis
from transformer_workbook.shared.evidence import Evidence

from .case_runner import VISIBLE, CaseRunner, call_id, visible_cases
from .judge import TestResult, first_failing, says_of

DIAGNOSED = ("failed", "error")  # statuses of tests; the others say by themselves what is wrong


class Diagnostician:
    """Diagnoses submissions of one lesson. `tests` are the hidden ones, by component."""

    def __init__(self, lesson: Lesson, tests: Mapping[str, Sequence[Test]]):
        self.lesson, self.tests = lesson, tests

    @cached_property
    def _visible(self) -> CaseRunner:
        """The cases of the check in the notebook, drawn when a submission first needs them."""
        return CaseRunner(self.lesson, visible_cases(self.lesson))

    def plans(self, test_results: Iterable[TestResult]) -> list[Plan]:
        """What calls each failing component with the visible cases."""
        components = self._failing(test_results)
        return self._visible.job([], components).plans if components else []

    def diagnoses(
        self,
        answers: Sequence[Cell],
        test_results: Iterable[TestResult],
        evidence: Mapping[str, Evidence],
    ) -> dict[str, Diagnosis]:
        """The diagnosis of each failing component; components without one are left out.

        `evidence` has, by call, what came of `plans`.
        """
        test_results = list(test_results)
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        diagnoses = {}
        for name in self._failing(test_results):
            its_results = [result for result in test_results if result.component == name]
            of_cases = self._evidence(name, evidence)
            if diagnosis := self._diagnosis(name, sources.get(name, ""), of_cases, its_results):
                diagnoses[name] = diagnosis
        return diagnoses

    def _diagnosis(
        self,
        name: str,
        source: str,
        evidence: Mapping[str, Evidence],
        test_results: list[TestResult],
    ) -> Diagnosis:
        """Why a component fails; empty if that is not known."""
        trees = {case: of_case.to_tree() for case, of_case in evidence.items()}
        told = {"lesson": self.lesson.id, "component": name, "language": language()}
        module = "autograder.judging.causes"
        try:
            cause = evidence and bounded_call.call(
                module, "cause_of_failures", told | {"source": source, "evidence": trees}
            )
        except NotFinished:
            cause = None
        if not cause:
            return Diagnosis()
        if cause["passes"]:
            return Diagnosis(says=self._hidden_case_cause(name, test_results))
        return Diagnosis(cause["misconception"], cause["says"])

    def _failing(self, test_results: Iterable[TestResult]) -> list[str]:
        failing = {result.component for result in test_results if result.status in DIAGNOSED}
        return [name for name in self.lesson.components if name in failing]

    def _hidden_case_cause(self, component: str, test_results: list[TestResult]) -> str:
        """The cause of a component that fails only hidden cases."""
        first = first_failing(test_results)
        assert first
        test = next(test for test in self.tests[component] if test.name == first.test)
        return _(
            "Your code passes every case that the check in the notebook tries, and fails this one: "
            "{says}."
        ).format(says=_(says_of(test)))

    def _evidence(self, name: str, evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
        """The evidence of a component's visible cases, by case."""
        calls = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        return {
            case.removeprefix(VISIBLE): evidence[call]
            for case, call in calls.items()
            if call in evidence
        }
