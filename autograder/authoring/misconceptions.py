"""What the misconceptions of a component do in the cases of an answer key."""

from dataclasses import replace

from autograder.judging.answer_key import AnswerKey
from autograder.judging.batches import LIMITS
from autograder.language import _
from autograder.lesson.components import Component
from autograder.sandbox.job import RunnerFault
from transformer_workbook.diagnosis.case_results import (
    RecordedMisconception,
    recorded_misconception,
)

STEP = 120.0  # seconds for one call, which takes less than one: a busy machine records the same
STOPPED = {"timeout", "out_of_memory"}  # a calmer machine would have another result


def recorded_misconceptions(
    component: Component, answer_key: AnswerKey
) -> list[RecordedMisconception]:
    """The component's misconceptions with their evidence, in their order.

    Raises RunnerFault, also if one was stopped: what it does must not depend on the machine.
    """
    expected, wrong = answer_key.of(component.name), component.wrong
    evidence = answer_key.case_runner.evidence_of_many(
        component.name,
        [answer.source for answer in wrong],
        limits=replace(LIMITS, step=STEP),
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
