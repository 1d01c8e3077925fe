"""Diagnoses what failed, on the visible cases: as the student's own check in the notebook does.

The evidence that the check compares with is recorded with the course, for its visible cases. So the
components that fail are run once more, on these. Where no misconception explains what comes back,
changes of the student's code are tried in the sandbox, to find the place of the mistake. Points do
not hang on any of it: what fails, or is not finished in time, is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from autograder.language import _
from autograder.lesson.cases import Test
from autograder.lesson.lesson import Lesson
from autograder.sandbox import bounded
from autograder.sandbox.bounded import NotFinished
from autograder.sandbox.work import Cell, Outcome, Plan, ProbeCall, RunnerFault, Work
from transformer_workbook.diagnosis.lesson_index import recorded
from transformer_workbook.diagnosis.match import assess
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.packing import BadData

from .answer_key import AnswerKey, call_id
from .diagnosis import Diagnosis
from .judge import TestResult, first_failing, says_of

DIAGNOSED = ("failed", "error")  # statuses of tests; the others say by themselves what is wrong
SEARCH = 2.0  # seconds of one submission, for all its components
MARGIN = 2.0  # seconds that a search may need beside; then it is ended

Run = Callable[[Work], Outcome]


class Diagnostician:
    """Diagnoses submissions of one lesson. `tests` are the hidden ones, by component."""

    def __init__(self, lesson: Lesson, tests: Mapping[str, Sequence[Test]]):
        self.lesson, self.tests = lesson, tests

    @cached_property
    def _visible(self) -> AnswerKey:
        """The cases of the check, drawn once a submission needs them."""
        return AnswerKey(self.lesson, self.lesson.visible(), None)

    def diagnoses(
        self, answers: Sequence[Cell], test_results: Iterable[TestResult], run: Run
    ) -> dict[str, Diagnosis]:
        """By component that fails, why; without those of which that is not known.

        `run` runs work in the sandbox. Raises RunnerFault as it does.
        """
        test_results = list(test_results)
        failing = {
            test_result.component for test_result in test_results if test_result.status in DIAGNOSED
        }
        components = [name for name in self.lesson.components if name in failing]
        if not components:
            return {}
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        sources = {name: sources.get(name, "") for name in components}
        outcome = run(self._visible.work(list(answers), components))
        diagnoses, explained = {}, {}
        for name, source in sources.items():
            evidence = self._evidence(name, outcome.evidence)
            if self._passes(name, evidence):
                own = [test_result for test_result in test_results if test_result.component == name]
                diagnoses[name] = Diagnosis(cause=self._of_hidden_cases(name, own))
                continue
            trees = {case: of_case.to_tree() for case, of_case in evidence.items()}
            found = self._ask("failures", name, source, evidence=trees)
            if found is not None:
                explained[name] = found
        places = self._places(answers, sources, explained, run)
        for name, found in explained.items():
            cause = places.get(name) or found["says"]
            diagnoses[name] = Diagnosis(found["misconception"], cause)
        return {name: one for name, one in diagnoses.items() if one != Diagnosis()}

    def _passes(self, component: str, evidence: Mapping[str, Evidence]) -> bool:
        """Whether a component passes every visible case, as far as their evidence can be read."""
        try:
            expected = recorded(self.lesson.id, component).expected
        except (OSError, BadData, KeyError):
            return False
        return not any(result.findings for result in assess(expected, [], evidence).values())

    def _of_hidden_cases(self, component: str, test_results: list[TestResult]) -> str:
        """What is wrong where a component fails hidden cases alone."""
        first = first_failing(test_results)
        assert first
        test = next(test for test in self.tests[component] if test.name == first.test)
        return _(
            "Your code passes every case that the check in the notebook tries, and fails this one: "
            "{says}."
        ).format(says=says_of(test))

    def _ask(self, function: str, component: str, source: str, **more: Any) -> Any:
        """What a function of `explaining` says of one component; None where it says nothing."""
        module = "autograder.judging.explaining"
        about = {"lesson": self.lesson.id, "component": component, "source": source}
        try:
            return bounded.call(module, function, about | more)
        except NotFinished:
            return None

    def _evidence(self, name: str, evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
        """The evidence of a component's visible cases, by case."""
        calls = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        return {case: evidence[call] for case, call in calls.items() if call in evidence}

    def _places(
        self,
        answers: Sequence[Cell],
        sources: Mapping[str, str],
        explained: Mapping[str, Any],
        run: Run,
    ) -> dict[str, str]:
        """By component, its first wrong value and where a change mends it, as sentences."""
        searches = {name: found["search"] for name, found in explained.items() if found["search"]}
        if not searches:
            return {}
        seconds = SEARCH / len(searches)
        work = Work(
            lesson=self.lesson.id,
            cells=[Cell("setup", "setup", self.lesson.setup), *answers],
            plans=[
                self._plan(name, sources[name], search, seconds)
                for name, search in searches.items()
            ],
            stand_ins=self.lesson.stand_ins,
            probes="repair.probe",
            step=seconds + MARGIN,
        )
        try:
            evidence = run(work).evidence
        except RunnerFault:  # the diagnoses stand without it
            return {}
        places = {
            name: self._ask(
                "place", name, sources[name], found=evidence[name].values, search=search
            )
            for name, search in searches.items()
            if name in evidence
        }
        return {name: place for name, place in places.items() if place}

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
        calls = [ProbeCall(name, "place", inputs)]
        stand_ins = self.lesson.stand_ins_for(name)
        return Plan(name, component.defines, calls, component.forbidden, stand_ins)
