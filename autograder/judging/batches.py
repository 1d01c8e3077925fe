"""Many answers to one component, run as few submissions.

Each answer has a cell and a process of its own. The setup, the other components and the stand-ins
of earlier lessons run once for all of a batch, and no answer sees the side effects of another.
"""

import dataclasses
import re
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograder.sandbox.job import Cell, Job, Plan
from autograder.sandbox.limits import Limits
from transformer_workbook.shared.evidence import Evidence

MOST_IN_A_RUN = 16  # answers in one run
LIMITS = Limits(seconds=600, step=10, evidence=1 << 30)
# What an author wrote ends by itself: a busy machine only takes longer, and comes to the same.
OF_AUTHORS = Limits(seconds=3600, step=120, evidence=1 << 30)


@dataclass(frozen=True)
class Batch:
    """The job of some answers. `calls` has, for each of them, the id in `job` of each call."""

    job: Job
    calls: list[dict[str, str]]

    def by_answer(self, evidence: dict[str, Evidence]) -> list[dict[str, Evidence]]:
        """The evidence of the job, by answer, under the calls' own ids."""
        return [{call: evidence[its_id] for call, its_id in ids.items()} for ids in self.calls]


def batches(
    job: Job,
    sources: Sequence[str],
    wanted: Sequence[Collection[str]] | None = None,
    parts: int = 1,
) -> Iterator[Batch]:
    """Batches of the sources, in their order, each in place of the component that `job` probes.

    `wanted` has the ids of the calls of each source, by default all of them. There are at least
    `parts` batches, if there are as many sources.
    """
    (plan,) = job.plans
    most = min(MOST_IN_A_RUN, -(-len(sources) // parts))
    for places in _group(sources, plan.defines, most):
        answers = [
            Cell(f"{plan.component} {number}", "answer", sources[place])
            for number, place in enumerate(places)
        ]
        plans = [
            _answer_plan(plan, answer, wanted[place] if wanted else None)
            for answer, place in zip(answers, places, strict=True)
        ]
        yield Batch(
            dataclasses.replace(job, cells=[*job.cells, *answers], plans=plans),
            [
                {call.id.removeprefix(f"{its_plan.component}/"): call.id for call in its_plan.calls}
                for its_plan in plans
            ],
        )


def _answer_plan(plan: Plan, answer: Cell, wanted: Collection[str] | None) -> Plan:
    """The plan of one of several answers; the ids of its calls begin with the answer's name."""
    calls = [
        dataclasses.replace(call, id=f"{answer.name}/{call.id}")
        for call in plan.calls
        if wanted is None or call.id in wanted
    ]
    return dataclasses.replace(plan, component=answer.name, calls=calls)


def _group(sources: Sequence[str], defines: str, most: int) -> Iterator[list[int]]:
    """The indices of the sources that are run together, in their order.

    The cells of one run share their globals. So no source mentions a name that another source in
    its batch binds, except for the component's.
    """
    batch, bound, mentioned = list[int](), set[str](), set[str]()
    for place, source in enumerate(sources):
        binds, mentions = _bound_names(source) - {defines}, set(_WORD.findall(source))
        if len(batch) == most or binds & mentioned or bound & mentions:
            yield batch
            batch, bound, mentioned = [], set(), set()
        batch.append(place)
        bound |= binds
        mentioned |= mentions
    if batch:
        yield batch


_WORD = re.compile(r"\w+")


def _bound_names(source: str) -> set[str]:
    """The names that a cell binds; none if it is not Python, since then it binds nothing."""
    try:
        table = symtable.symtable(source, "a cell", "exec")
    except (SyntaxError, ValueError):
        return set()
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
