"""Tries many answers to one component: each in its place, with the component's own cases.

They are run as one submission, in which each has a cell and a process of its own: the setup, the
other components and the stand-ins of earlier lessons are made once for all. What one answer
leaves behind does not reach the next.
"""

import dataclasses
from collections.abc import Iterator, Sequence

from autograder.grading.judge import Standards
from autograder.grading.run import Cell, Limits, Plan, Runner
from transformer_workbook.evidence import Evidence

TOGETHER = 16  # answers in one run
# Short, for most that takes longer never ends.
LIMITS = Limits(seconds=600, step=5, evidence=1 << 30)


def evidence_of_many(
    standards: Standards, cells: list[Cell], component: str, sources: Sequence[str], runner: Runner
) -> list[dict[str, Evidence]]:
    """The evidence of each source in the place of the component, by the ids of its calls.

    `cells` are the answer cells of the whole lesson.
    """
    work = standards.work(cells, [component])
    (plan,) = work.plans
    answers = [Cell(f"{component} {n}", "answer", source) for n, source in enumerate(sources)]
    plans = [
        Plan(
            answer.name,
            plan.defines,
            [dataclasses.replace(call, id=f"{answer.name}/{call.id}") for call in plan.calls],
        )
        for answer in answers
    ]
    many = dataclasses.replace(work, cells=[*work.cells, *answers], plans=plans)
    evidence = runner.run(many, LIMITS).evidence
    return [
        {call.id: evidence[f"{answer.name}/{call.id}"] for call in plan.calls}
        for answer in answers
    ]


def together(items: Sequence) -> Iterator[Sequence]:
    """Parts of a size that is run at once."""
    for start in range(0, len(items), TOGETHER):
        yield items[start : start + TOGETHER]
