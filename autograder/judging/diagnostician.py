"""Says what failures amount to that no misconception explains, as the student's own check does.

The evidence that the check compares with is recorded with the course, for its visible cases. So the
components at fault are run once more, on these. Where that tells no cause either, changes of the
student's code are tried in the sandbox, to find the place of the mistake. Points do not hang on
any of it: what fails, or is not finished in time, is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from autograder.lesson.lesson import Lesson
from autograder.sandbox import bounded
from autograder.sandbox.bounded import NotFinished
from autograder.sandbox.work import Cell, Outcome, Plan, ProbeCall, RunnerFault, Work
from transformer_workbook.shared.evidence import Evidence

from .answer_key import AnswerKey, call_id
from .judge import Verdict, is_unexplained

SEARCH = 2.0  # seconds of one submission, for all its components
MARGIN = 2.0  # seconds that a search may need beside; then it is ended

Run = Callable[[Work], Outcome]


class Diagnostician:
    """Diagnoses submissions of one lesson."""

    def __init__(self, lesson: Lesson):
        self.lesson = lesson

    @cached_property
    def _visible(self) -> AnswerKey:
        """The cases of the check, drawn once a submission needs them."""
        return AnswerKey(self.lesson, self.lesson.visible(), None)

    def meanings(
        self, answers: Sequence[Cell], verdicts: Iterable[Verdict], run: Run
    ) -> dict[str, str]:
        """By component, what its failures amount to; without those where that is not known.

        `run` runs work in the sandbox. Raises RunnerFault as it does.
        """
        unexplained = {verdict.component for verdict in verdicts if is_unexplained(verdict)}
        components = [name for name in self.lesson.components if name in unexplained]
        if not components:
            return {}
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        sources = {name: sources.get(name, "") for name in components}
        outcome = run(self._visible.work(list(answers), components))
        explained = {}
        for name, source in sources.items():
            evidence = self._evidence(name, outcome.evidence)
            found = self._ask("failures", name, source, evidence=evidence)
            if found is not None:
                explained[name] = found
        places = self._places(answers, sources, explained, run)
        meanings = {
            name: " ".join(filter(None, [found["says"], places.get(name, "")]))
            for name, found in explained.items()
        }
        return {name: meaning for name, meaning in meanings.items() if meaning}

    def _ask(self, function: str, component: str, source: str, **more: Any) -> Any:
        """What a function of `explaining` says of one component; None where it says nothing."""
        module = "autograder.judging.explaining"
        about = {"lesson": self.lesson.id, "component": component, "source": source}
        try:
            return bounded.call(module, function, about | more)
        except NotFinished:
            return None

    def _evidence(self, name: str, evidence: Mapping[str, Evidence]) -> dict[str, Any]:
        """The evidence of a component's visible cases, as trees."""
        calls = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        return {case: evidence[call].to_tree() for case, call in calls.items() if call in evidence}

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
        except RunnerFault:  # the meanings stand without it
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
