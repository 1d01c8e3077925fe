"""Many answers to one component, run as few submissions.

Each answer has a cell and a process of its own. The setup, the other components and the stand-ins
of earlier lessons run once for all of a batch, and no answer sees what another one leaves behind.
"""

import dataclasses
import re
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograder.sandbox.work import Cell, Limits, Plan, Work
from transformer_workbook.shared.evidence import Evidence

MOST = 16  # answers in one run
LIMITS = Limits(seconds=600, step=10, evidence=1 << 30)


@dataclass(frozen=True)
class Batch:
    """The work of some answers. `calls` has, for each of them, the id in `work` of each call."""

    work: Work
    calls: list[dict[str, str]]

    def sorted_out(self, evidence: dict[str, Evidence]) -> list[dict[str, Evidence]]:
        """The evidence of the work, by answer, under the calls' own ids."""
        return [{call: evidence[its_id] for call, its_id in ids.items()} for ids in self.calls]


def batches(
    work: Work,
    sources: Sequence[str],
    wanted: Sequence[Collection[str]] | None = None,
    parts: int = 1,
) -> Iterator[Batch]:
    """The sources in the place of the component that `work` probes, in their order.

    `wanted` are the ids of the calls of each source; all of them by default. There are at least so
    many `parts`, if there are as many sources.
    """
    (plan,) = work.plans
    most = min(MOST, -(-len(sources) // parts))
    for places in _apart(sources, plan.defines, most):
        answers = [
            Cell(f"{plan.component} {number}", "answer", sources[place])
            for number, place in enumerate(places)
        ]
        plans = [
            _plan_of(plan, answer, wanted[place] if wanted else None)
            for answer, place in zip(answers, places, strict=True)
        ]
        yield Batch(
            dataclasses.replace(work, cells=[*work.cells, *answers], plans=plans),
            [
                {call.id.removeprefix(f"{one.component}/"): call.id for call in one.calls}
                for one in plans
            ],
        )


def _plan_of(plan: Plan, answer: Cell, wanted: Collection[str] | None) -> Plan:
    """The calls of one of several answers, under ids of its own."""
    calls = [
        dataclasses.replace(call, id=f"{answer.name}/{call.id}")
        for call in plan.calls
        if wanted is None or call.id in wanted
    ]
    return dataclasses.replace(plan, component=answer.name, calls=calls)


def _apart(sources: Sequence[str], defines: str, most: int) -> Iterator[list[int]]:
    """The places of the sources that are run together, in their order.

    The cells of one run share their globals. So what one of them defines beside the component, no
    other one in its batch mentions.
    """
    batch, names, words = list[int](), set[str](), set[str]()
    for place, source in enumerate(sources):
        own, its_words = _other_names(source) - {defines}, set(_WORD.findall(source))
        if len(batch) == most or own & words or names & its_words:
            yield batch
            batch, names, words = [], set(), set()
        batch.append(place)
        names |= own
        words |= its_words
    if batch:
        yield batch


_WORD = re.compile(r"\w+")


def _other_names(source: str) -> set[str]:
    """The names that a cell binds; none where it is no Python, since then it binds nothing."""
    try:
        table = symtable.symtable(source, "a cell", "exec")
    except (SyntaxError, ValueError):
        return set()
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
