"""Explains the failures of one component, from what is recorded of its visible cases.

`Diagnostician` has these functions called in a process that may be killed: what they look into
comes from a student.
"""

from collections.abc import Mapping
from typing import Any

from transformer_workbook.checks.cause import AFTER_A_SEARCH, MECHANISMS, cause_of
from transformer_workbook.diagnosis.explain import lines_of_blanks
from transformer_workbook.diagnosis.lesson_index import lesson_texts
from transformer_workbook.diagnosis.match import Result
from transformer_workbook.diagnosis.meaning import diagnosed, is_about_values, is_worth_a_search
from transformer_workbook.repair.found import read_divergence, read_repair
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.syntax import read
from transformer_workbook.traces.recorded import recorded_traces


def failures(
    lesson: str, component: str, source: str, evidence: Mapping[str, Any]
) -> dict[str, Any]:
    """The cause of failures as far as it is known at once, and what a search has to know.

    `evidence` has that of the visible cases as trees. `misconception` is the name of the one that
    explains them, empty where none does. `search` is None where the cause is known, or none is
    worth it; else it has the failing cases, the lines to change first, and whether values are wrong
    at all. Raises OSError, BadData or KeyError where nothing is recorded, or that is damaged.
    """
    of_case = {case: Evidence.from_tree(tree) for case, tree in evidence.items()}
    results = diagnosed(lesson, component, of_case, source)
    cause = cause_of(lesson, component, results, source)
    return {
        "misconception": cause.misconception,
        "says": cause.says,
        "search": None if cause else _search(lesson, component, source, results),
    }


def _search(
    lesson: str, component: str, source: str, results: Mapping[str, Result]
) -> dict[str, Any] | None:
    if read(source) is None or not is_worth_a_search(results):
        return None
    blanks = lesson_texts(lesson)["components"][component]["blanks"]
    released = {name: blank["line"] for name, blank in blanks.items()}
    return {
        "failing": [case for case, result in results.items() if result.findings],
        "first": lines_of_blanks(source, released),
        "is_about_values": is_about_values(results),
    }


def place(
    lesson: str, component: str, source: str, found: dict[str, Any], search: dict[str, Any]
) -> str:
    """The cause that a search has found, in words; empty where there is nothing to believe."""
    wrong = None
    if search["is_about_values"]:
        wrong = read_divergence(found, recorded_traces(lesson, component), source)
    repair = read_repair(found, source, search["failing"])
    others = {*MECHANISMS} - {*AFTER_A_SEARCH}
    return cause_of(lesson, component, {}, source, wrong, repair, without=others).says
