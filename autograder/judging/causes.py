"""Explains the failures of one component, from the recorded evidence of its visible cases.

`Diagnostician` calls these functions in a process that may be killed, since they analyse a
student's code and its evidence.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from transformer_workbook.checks.cause import cause_of
from transformer_workbook.checks.search_task import search_task
from transformer_workbook.diagnosis.component_results import component_results
from transformer_workbook.repair.found_repair import read_repair, sentence
from transformer_workbook.shared.evidence import Evidence


def cause_of_failures(
    lesson: str, component: str, source: str, evidence: Mapping[str, Any]
) -> dict[str, Any]:
    """The cause of failures if it is known without a search, or else what a search needs.

    `evidence` has the evidence of each visible case as a tree. In the result, `passes` says whether
    no case fails, `misconception` is the name of the one that explains the failures, empty if none
    does. `search` has the fields of a SearchTask; it is None if the cause is known or a search is
    not worth its time. Raises OSError, BadData or KeyError if the recorded evidence is missing or
    damaged.
    """
    by_case = {case: Evidence.from_tree(tree) for case, tree in evidence.items()}
    results = component_results(lesson, component, by_case, source)
    cause = cause_of(lesson, component, results, source)
    task = None if cause else search_task(lesson, component, source, results)
    return {
        "passes": not any(result.findings for result in results.values()),
        "misconception": cause.misconception,
        "says": cause.says,
        "search": asdict(task) if task else None,
    }


def cause_by_search(
    lesson: str, component: str, source: str, found: dict[str, Any], search: dict[str, Any]
) -> str:
    """The cause according to a search, in words; empty if its result is not reliable.

    `found` is what the search sent.
    """
    repair = read_repair(found, source, len(search["failing"]))
    return sentence(repair) if repair else ""
