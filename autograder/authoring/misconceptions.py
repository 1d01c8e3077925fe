"""What the misconceptions of a component do in the cases of an answer key."""

from autograder.judging.answer_key import AnswerKey
from autograder.lesson.components import Component
from transformer_workbook.verdicts.diagnosis import Known, known_of


def known_mistakes(component: Component, answer_key: AnswerKey) -> list[Known]:
    """The component's misconceptions with their evidence, in their order. Raises RunnerFault."""
    expected, wrong = answer_key.of(component.name), component.wrong
    evidence = answer_key.evidence_of_many(component.name, [variant.source for variant in wrong])
    return [
        known_of(expected, variant.name, its_evidence)
        for variant, its_evidence in zip(wrong, evidence, strict=True)
    ]
