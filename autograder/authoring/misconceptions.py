"""What the misconceptions of a component do in the cases of an answer key."""

from autograder.judging.answer_key import AnswerKey
from autograder.lesson.components import Component
from transformer_workbook.diagnosis.match import RecordedMisconception, recorded_misconception


def recorded_misconceptions(
    component: Component, answer_key: AnswerKey
) -> list[RecordedMisconception]:
    """The component's misconceptions with their evidence, in their order. Raises RunnerFault."""
    expected, wrong = answer_key.of(component.name), component.wrong
    evidence = answer_key.evidence_of_many(component.name, [variant.source for variant in wrong])
    return [
        recorded_misconception(expected, variant.name, its_evidence)
        for variant, its_evidence in zip(wrong, evidence, strict=True)
    ]
