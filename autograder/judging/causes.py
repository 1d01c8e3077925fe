"""Explains the failures of one component, from the recorded evidence of its visible cases.

`Diagnostician` calls these functions in a process that may be killed, since they analyse a
student's code and its evidence.
"""

from collections.abc import Mapping
from typing import Any

from transformer_workbook.checks.cause import AFTER_A_SEARCH, MECHANISMS, cause_of
from transformer_workbook.diagnosis.case_results import CaseResult
from transformer_workbook.diagnosis.component_results import (
    component_results,
    is_about_values,
    is_worth_a_search,
)
from transformer_workbook.diagnosis.finding_sentences import lines_of_blanks
from transformer_workbook.diagnosis.recorded_lessons import lesson_texts, released_lines
from transformer_workbook.repair.found import read_divergence, read_repair
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.syntax import read
from transformer_workbook.traces.reference_traces import recorded_traces


def cause_of_failures(
    lesson: str, component: str, source: str, evidence: Mapping[str, Any]
) -> dict[str, Any]:
    """The cause of failures if it is known without a search, or else what a search needs.

    `evidence` has the evidence of each visible case as a tree. In the result, `misconception` is
    the name of the one that explains the failures, empty if none does. `search` is None if the
    cause is known or a search is not worth its time. Otherwise it has the failing cases, the lines
    to change first, and whether values are wrong at all. Raises OSError, BadData or KeyError if
    the recorded evidence is missing or damaged.
    """
    by_case = {case: Evidence.from_tree(tree) for case, tree in evidence.items()}
    results = component_results(lesson, component, by_case, source)
    cause = cause_of(lesson, component, results, source)
    return {
        "misconception": cause.misconception,
        "says": cause.says,
        "search": None if cause else _search(lesson, component, source, results),
    }


def _search(
    lesson: str, component: str, source: str, results: Mapping[str, CaseResult]
) -> dict[str, Any] | None:
    if read(source) is None or not is_worth_a_search(results):
        return None
    released = released_lines(lesson_texts(lesson)["components"][component])
    return {
        "failing": [case for case, result in results.items() if result.findings],
        "first": lines_of_blanks(source, released),
        "is_about_values": is_about_values(results),
    }


def cause_by_search(
    lesson: str, component: str, source: str, found: dict[str, Any], search: dict[str, Any]
) -> str:
    """The cause according to a search, in words; empty if its result is not reliable.

    `found` is what the search sent.
    """
    wrong = None
    if search["is_about_values"]:
        wrong = read_divergence(found, recorded_traces(lesson, component), source)
    repair = read_repair(found, source, search["failing"])
    others = {*MECHANISMS} - {*AFTER_A_SEARCH}
    return cause_of(lesson, component, {}, source, wrong, repair, without=others).says
