"""Diagnoses failing components on the visible cases, as the check in the notebook does.

The course has recorded evidence for the visible cases alone. So the components that fail are called
with these cases, too, in the process that ran the hidden ones. If no misconception explains the
results, a search tries changes of the student's code in the sandbox, to find the line of the
mistake. No points depend on a diagnosis: one that fails, or does not finish in time, is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from autograder.language import _
from autograder.lesson.cases import Test
from autograder.lesson.lesson import Lesson
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from autograder.sandbox.job import Cell, Job, Outcome, Plan, ProbeCall, RunnerFault
from transformer_workbook.diagnosis.diagnosis import Diagnosis
from transformer_workbook.shared.evidence import Evidence

from .case_runner import VISIBLE, CaseRunner, call_id, visible_cases
from .judge import TestResult, first_failing, says_of

DIAGNOSED = ("failed", "error")  # statuses of tests; the others say by themselves what is wrong
SEARCH = 2.0  # seconds of one submission, for all its components
MARGIN = 2.0  # seconds that a search may take beyond that before it is stopped

Run = Callable[[Job], Outcome]


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
        run: Run,
    ) -> dict[str, Diagnosis]:
        """The diagnosis of each failing component; components without one are left out.

        `evidence` has, by call, what came of `plans`. `run` runs a job in the sandbox. Raises
        RunnerFault as it does.
        """
        test_results = list(test_results)
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        sources = {name: sources.get(name, "") for name in self._failing(test_results)}
        diagnoses, explained = {}, {}
        for name, source in sources.items():
            of_cases = self._evidence(name, evidence)
            if not of_cases:
                continue
            trees = {case: its_evidence.to_tree() for case, its_evidence in of_cases.items()}
            explanation = self._in_bounds("cause_of_failures", name, source, evidence=trees)
            if explanation and explanation["passes"]:
                its_results = [result for result in test_results if result.component == name]
                diagnoses[name] = Diagnosis(says=self._hidden_case_cause(name, its_results))
            elif explanation:
                explained[name] = explanation
        by_search = self._causes_by_search(answers, sources, explained, run)
        for name, explanation in explained.items():
            cause = by_search.get(name) or explanation["says"]
            diagnoses[name] = Diagnosis(explanation["misconception"], cause)
        return {
            name: diagnosis for name, diagnosis in diagnoses.items() if diagnosis != Diagnosis()
        }

    def _failing(self, test_results: Iterable[TestResult]) -> list[str]:
        failing = {one.component for one in test_results if one.status in DIAGNOSED}
        return [name for name in self.lesson.components if name in failing]

    def _hidden_case_cause(self, component: str, test_results: list[TestResult]) -> str:
        """The cause of a component that fails only hidden cases."""
        first = first_failing(test_results)
        assert first
        test = next(test for test in self.tests[component] if test.name == first.test)
        return _(
            "Your code passes every case that the check in the notebook tries, and fails this one: "
            "{says}."
        ).format(says=says_of(test))

    def _in_bounds(self, function: str, component: str, source: str, **more: Any) -> Any:
        """The result of a function of `causes` for one component; None if it did not finish."""
        module = "autograder.judging.causes"
        arguments = {"lesson": self.lesson.id, "component": component, "source": source}
        try:
            return bounded_call.call(module, function, arguments | more)
        except NotFinished:
            return None

    def _evidence(self, name: str, evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
        """The evidence of a component's visible cases, by case."""
        calls = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        return {
            case.removeprefix(VISIBLE): evidence[call]
            for case, call in calls.items()
            if call in evidence
        }

    def _causes_by_search(
        self,
        answers: Sequence[Cell],
        sources: Mapping[str, str],
        explained: Mapping[str, Any],
        run: Run,
    ) -> dict[str, str]:
        """By component that a search explains: the change that fixes it."""
        searches = {
            name: explanation["search"]
            for name, explanation in explained.items()
            if explanation["search"]
        }
        if not searches:
            return {}
        seconds = SEARCH / len(searches)
        job = Job(
            lesson=self.lesson.id,
            cells=[Cell("setup", "setup", self.lesson.setup), *answers],
            plans=[
                self._plan(name, sources[name], search, seconds)
                for name, search in searches.items()
            ],
            stand_ins=self.lesson.stand_ins,
            probes="repair.search_probe",
            step=seconds + MARGIN,
        )
        try:
            evidence = run(job).evidence
        except RunnerFault:  # the diagnoses stand without it
            return {}
        by_search = {
            name: self._in_bounds(
                "cause_by_search", name, sources[name], found=evidence[name].values, search=search
            )
            for name, search in searches.items()
            if name in evidence
        }
        return {name: cause for name, cause in by_search.items() if cause}

    def _plan(self, name: str, source: str, search: Mapping[str, Any], seconds: float) -> Plan:
        component = self.lesson.components[name]
        inputs: dict[str, Any] = {
            "lesson": self.lesson.id,
            "name": name,
            "defines": component.defines,
            "source": source,
            "failing": search["failing"],
            "first": search["first"],
            "seconds": seconds,
        }
        calls = [ProbeCall(name, "find_repair", inputs)]
        stand_ins = self.lesson.stand_ins_for(name)
        return Plan(name, component.defines, calls, component.forbidden, stand_ins)
