"""Explains the failures of one component, from the recorded evidence of its visible cases.

`Diagnostician` calls this in a process that may be killed, since it analyses a student's code and
its evidence.
"""

from collections.abc import Mapping
from typing import Any

from transformer_workbook.checks.cause import cause_of
from transformer_workbook.diagnosis.component_results import component_results
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.language import speaking


def cause_of_failures(
    lesson: str, component: str, source: str, evidence: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """The cause of failures, as far as it is known, in a language.

    `evidence` has the evidence of each visible case as a tree. In the result, `passes` says whether
    no case fails, `misconception` is the name of the one that explains the failures, empty if none
    does. Raises OSError, BadData or KeyError if the recorded evidence is missing or damaged.
    """
    by_case = {case: Evidence.from_tree(tree) for case, tree in evidence.items()}
    with speaking(language):
        results = component_results(lesson, component, by_case)
        cause = cause_of(lesson, component, results, source)
    return {
        "passes": not any(result.findings for result in results.values()),
        "misconception": cause.misconception,
        "says": cause.says,
    }
