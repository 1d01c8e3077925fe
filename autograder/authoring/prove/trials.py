"""Tries many answers to one component, with the component's cases."""

import dataclasses
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autograder.judging.batches import LIMITS, OF_AUTHORS
from autograder.judging.case_runner import CaseRunner
from autograder.sandbox.job import Cell
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.compare import Expected, compare
from transformer_workbook.shared.evidence import Evidence

FEW = 3  # visible cases, and as many hidden ones, that are tried before all others
LONGER = 20  # times the seconds of the right answer: the limit for one answer

Found = TypeVar("Found")
Choose = Callable[[list[str]], list[str]]  # some of the calls


@dataclass(frozen=True)
class TrialResult:
    """What became of an answer.

    `fails_hidden`: some hidden case fails; `fails_visible`: some visible case fails; `is_clear`:
    most of the hidden cases that were tried fail, so that the draw of the inputs cannot matter.
    """

    fails_hidden: bool
    fails_visible: bool
    is_clear: bool


class Trials:
    """Tries answers to the components of one lesson.

    `all_cases` has the cases to call, `cells` are the reference's. `hidden` and `visible` are what
    the evidence is judged by, both by component and call. With `may_vary`, a single failing case
    is not enough to end the trial of an answer, since it may be an accident of the draw.
    """

    def __init__(
        self,
        all_cases: CaseRunner,
        cells: list[Cell],
        hidden: dict[str, dict[str, Expected]],
        visible: dict[str, dict[str, Expected]],
        may_vary: bool = False,
    ):
        self._all_cases, self._cells = all_cases, cells
        self._hidden, self._visible = hidden, visible
        self._rounds: list[Choose] = [spread, list] if may_vary else [middle, spread, list]
        self._limits: dict[str, Limits] = {}

    def begin(self, component: str, source: str, runner: Runner) -> list[str]:
        """Try a right answer, and set the component's time limit by how long it takes.

        Returns the calls that it fails.
        """
        calls = {*self._hidden[component], *self._visible.get(component, {})}
        start = time.monotonic()
        (fails,) = self._failures(component, [source], [calls], runner)
        step = max(2.0, LONGER * (time.monotonic() - start))
        self._limits[component] = dataclasses.replace(LIMITS, step=step)
        return [call for call, failed in fails.items() if failed]

    def results_of(
        self, component: str, sources: Sequence[str], runner: Runner
    ) -> list[TrialResult]:
        """The result of each source as the component, in their order.

        A few cases come first. Where they fail a source, its other cases are not called.
        """
        kinds = [self._hidden[component], self._visible.get(component, {})]
        failures: list[dict[str, bool]] = [{} for _ in sources]

        def round_of(choose: Choose) -> Callable[[int], list[str]]:
            return lambda place: [
                call
                for calls in kinds
                if not any(failures[place].get(call) for call in calls)
                for call in choose(list(calls))
            ]

        def run(places: list[int], wanted: list[set[str]]) -> list[dict[str, bool]]:
            return self._failures(component, [sources[place] for place in places], wanted, runner)

        run_in_rounds(failures, map(round_of, self._rounds), run)
        return [self._result(component, fails) for fails in failures]

    def result(self, component: str, evidence: dict[str, Evidence]) -> TrialResult:
        """The result of an answer that was run before."""
        return self._result(component, self._judge(component, evidence))

    def _judge(self, component: str, evidence: dict[str, Evidence]) -> dict[str, bool]:
        expected = self._hidden[component] | self._visible.get(component, {})
        return {
            call: bool(compare(its_evidence, expected[call]))
            for call, its_evidence in evidence.items()
        }

    def _result(self, component: str, fails: dict[str, bool]) -> TrialResult:
        visible_calls = self._visible.get(component, {})
        hidden = [failed for call, failed in fails.items() if call in self._hidden[component]]
        visible = [failed for call, failed in fails.items() if call in visible_calls]
        return TrialResult(any(hidden), any(visible), 2 * sum(hidden) > len(hidden))

    def _failures(
        self, component: str, sources: Sequence[str], wanted: list[set[str]], runner: Runner
    ) -> list[dict[str, bool]]:
        """Which of the wanted calls each source fails."""
        limits = self._limits.get(component, OF_AUTHORS)
        answers = self._all_cases.evidence_of_many(
            component, sources, runner, self._cells, wanted, limits
        )
        return [self._judge(component, evidence) for evidence in answers]


def run_in_rounds(
    found: Sequence[dict[str, Found]],
    rounds: Iterable[Callable[[int], Collection[str]]],
    run: Callable[[list[int], list[set[str]]], list[dict[str, Found]]],
) -> None:
    """Run answers round by round, and add what comes of each call to what was found of the answer.

    A round names the calls that an answer needs, by its place and in view of earlier rounds. `run`
    gets the places of the answers that lack some of them, and the calls that each lacks.
    """
    for wanted in rounds:
        lacking = {place: {*wanted(place)} - of.keys() for place, of in enumerate(found)}
        lacking = {place: calls for place, calls in lacking.items() if calls}
        for place, more in zip(lacking, run([*lacking], [*lacking.values()]), strict=True):
            found[place] |= more


def middle(calls: list[str]) -> list[str]:
    """The call in the middle of the list, which most wrong answers fail as they fail the others."""
    return calls[len(calls) // 2 :][:1]


def spread(calls: list[str]) -> list[str]:
    """At most FEW of the calls, evenly spread over the list."""
    return calls[:: max(1, -(-len(calls) // FEW))]
