"""Says what failures amount to that no misconception explains, as the student's own check does.

The evidence that the check compares with is recorded with the course, for its visible cases. So the
components at fault are run once more, on these. Where that tells no cause either, changes of the
student's code are tried in the sandbox, to find the place of the mistake.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.sandbox.work import Cell, Outcome, Plan, ProbeCall, RunnerFault, Work
from transformer_workbook.repair.candidates import Candidate, Repair
from transformer_workbook.repair.words import KINDS, sentence
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.packing import BadData
from transformer_workbook.traces.first_wrong import first_wrong_of
from transformer_workbook.traces.recorded import recorded_ways
from transformer_workbook.traces.words import hint_for, sentences
from transformer_workbook.verdicts.diagnosis import Result
from transformer_workbook.verdicts.explain import lines_of_blanks
from transformer_workbook.verdicts.lesson_index import lesson_texts, recorded
from transformer_workbook.verdicts.meaning import (
    diagnosed,
    is_about_values,
    is_worth_a_search,
    meaning,
    of_unused,
)

from .answer_key import AnswerKey, call_id
from .judge import Verdict, is_unexplained

SEARCH = 2.0  # seconds of one submission, for all its components

Results = dict[str, Result]  # by visible case


class Diagnostician:
    """Diagnoses submissions of one lesson."""

    def __init__(self, lesson: Lesson):
        self.lesson = lesson

    @cached_property
    def _visible(self) -> AnswerKey:
        """The cases of the check, drawn once a submission needs them."""
        return AnswerKey(self.lesson, self.lesson.visible(), None)

    def meanings(
        self, answers: Sequence[Cell], verdicts: Iterable[Verdict], run: Callable[[Work], Outcome]
    ) -> dict[str, str]:
        """By component, what its failures amount to; without those where that is not known.

        `run` runs work in the sandbox. Raises RunnerFault as it does.
        """
        unexplained = {verdict.component for verdict in verdicts if is_unexplained(verdict)}
        components = [name for name in self.lesson.components if name in unexplained]
        if not components:
            return {}
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        outcome = run(self._visible.work(list(answers), components))
        results = {}
        for name in components:
            try:
                results[name] = self._results(name, sources.get(name, ""), outcome.evidence)
            except (OSError, KeyError, BadData):  # not built yet, or damaged
                continue  # points do not hang on it
        places = self._places(answers, sources, results, run)
        meanings = {
            name: " ".join(filter(None, self._sayings(name, of_name, sources, places)))
            for name, of_name in results.items()
        }
        return {name: meaning for name, meaning in meanings.items() if meaning}

    def _results(self, name: str, source: str, evidence: Mapping[str, Evidence]) -> Results:
        visible = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        of_case = {case: evidence[call] for case, call in visible.items() if call in evidence}
        return diagnosed(self.lesson.id, name, of_case, source)

    def _sayings(
        self, name: str, results: Results, sources: Mapping[str, str], places: Mapping[str, str]
    ) -> Iterator[str]:
        yield self._meaning(name, results)
        yield of_unused(self.lesson.id, name, sources.get(name, ""))
        yield places.get(name, "")

    def _meaning(self, name: str, results: Results) -> str:
        named = next((r.misconception for r in results.values() if r.misconception), "")
        says = {variant.name: variant.says for variant in self.lesson.components[name].wrong}
        return says.get(named, "") if named else meaning(results, self.lesson.id, name)

    def _places(
        self,
        answers: Sequence[Cell],
        sources: Mapping[str, str],
        results: Mapping[str, Results],
        run: Callable[[Work], Outcome],
    ) -> dict[str, str]:
        """By component, its first wrong value and where a change mends it, as sentences."""
        wanted = {name: of_name for name, of_name in results.items() if is_worth_a_search(of_name)}
        if not wanted:
            return {}
        seconds = SEARCH / len(wanted)
        work = Work(
            lesson=self.lesson.id,
            cells=[Cell("setup", "setup", self.lesson.setup), *answers],
            plans=[
                self._plan(name, sources.get(name, ""), of_name, seconds)
                for name, of_name in wanted.items()
            ],
            stand_ins=self.lesson.stand_ins,
            probes="repair.probe",
        )
        try:
            evidence = run(work).evidence
        except RunnerFault:  # the meanings stand without it
            return {}
        places = {
            name: " ".join(self._place(name, evidence[name].values, sources[name], of_name))
            for name, of_name in wanted.items()
            if name in evidence and name in sources
        }
        return {name: place for name, place in places.items() if place}

    def _place(
        self, name: str, found: Mapping[str, Any], source: str, results: Results
    ) -> Iterator[str]:
        """What came back from the search, as sentences."""
        ways = recorded_ways(self.lesson.id, name)
        wrong = first_wrong_of(found.get("first_wrong"), ways, source)
        if wrong and is_about_values(results):
            inputs = recorded(self.lesson.id, name).inputs[wrong.case]
            hint = hint_for(wrong, lesson_texts(self.lesson.id)["components"][name])
            says = sentences(wrong, inputs, hint)
            yield _("First unexpected value: {says}").format(says=says)
        repair = _repair(found, source, _failing(results))
        if repair:
            yield sentence(repair)

    def _plan(self, name: str, source: str, results: Results, seconds: float) -> Plan:
        component = self.lesson.components[name]
        inputs: dict[str, Any] = {
            "lesson": self.lesson.id,
            "name": name,
            "defines": component.defines,
            "source": source,
            "failing": _failing(results),
            "first": lines_of_blanks(source, component.released_lines),
            "seconds": seconds,
        }
        calls = [ProbeCall(name, "place", inputs)]
        return Plan(name, component.defines, calls, component.forbidden)


def _failing(results: Results) -> list[str]:
    return [case for case, result in results.items() if result.findings]


def _repair(found: Mapping[str, Any], source: str, failing: Sequence[str]) -> Repair | None:
    """What came back from beside the student's code, if it can be true of the source."""
    mended = found.get("mended")
    change, also = (_change(found, prefix, source) for prefix in ("", "also_"))
    if not (change and type(mended) is int and 0 <= mended <= len(failing)):
        return None
    if "also_kind" in found and not also:
        return None
    value = found.get("value", "")
    if not isinstance(value, str) or value not in source or not (mended or value):
        return None
    return Repair(change, mended, len(failing), also, value)


def _change(found: Mapping[str, Any], prefix: str, source: str) -> Candidate | None:
    kind, line, old = (found.get(prefix + name) for name in ("kind", "line", "old"))
    if not (isinstance(kind, str) and isinstance(line, str) and isinstance(old, str)):
        return None
    in_one_line = " ".join(source.split())
    is_possible = (
        kind in KINDS
        and line.strip() != ""
        and line in source
        and " ".join(old.split()) in in_one_line
    )
    return Candidate(kind, line, old, "") if is_possible else None
