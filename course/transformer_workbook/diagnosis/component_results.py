"""The case results of one component, from the evidence that is recorded with the course."""

from collections.abc import Mapping

from ..shared.evidence import Evidence
from .case_results import CaseResult, assess
from .recorded_lessons import recorded


def component_results(
    lesson: str, component: str, evidence: Mapping[str, Evidence]
) -> dict[str, CaseResult]:
    """The results of a component's check, by case, from the evidence of its cases.

    Raises OSError, BadData or KeyError if nothing is recorded, or the file is damaged.
    """
    cases = recorded(lesson, component)
    return assess(cases.expected, cases.misconceptions, evidence)
