"""What the misconceptions of a component do in its cases."""

from autograder.judging.batches import OF_AUTHORS
from autograder.judging.case_runner import CaseRunner
from autograder.language import _
from autograder.lesson.components import Component
from autograder.sandbox.job import RunnerFault
from transformer_workbook.diagnosis.case_results import (
    RecordedMisconception,
    recorded_misconception,
)
from transformer_workbook.diagnosis.compare import Expected

STOPPED = {"timeout", "out_of_memory"}  # a calmer machine would have another result


def recorded_misconceptions(
    component: Component, expected: dict[str, Expected], case_runner: CaseRunner
) -> list[RecordedMisconception]:
    """The component's misconceptions with their evidence, in their order.

    `expected` is the reference's evidence, by call.

    Raises RunnerFault, also if one was stopped: what it does must not depend on the machine.
    """
    wrong = component.wrong
    evidence = case_runner.evidence_of_many(
        component.name,
        [answer.source for answer in wrong],
        limits=OF_AUTHORS,
    )
    for answer, its_evidence in zip(wrong, evidence, strict=True):
        for call, found in its_evidence.items():
            if found.failure and found.failure.kind in STOPPED:
                raise RunnerFault(
                    _("{component}: the misconception {name} was stopped in {call}: {kind}. Build "
                      "again with less beside it; if it is stopped again, shorten what it does"),
                    component=component.name, name=answer.name, call=call,
                    kind=found.failure.kind,
                )  # fmt: skip
    return [
        recorded_misconception(expected, answer.name, its_evidence)
        for answer, its_evidence in zip(wrong, evidence, strict=True)
    ]
