"""Explains the failures of one component, from what is recorded of its visible cases.

`Diagnostician` has these functions called in a process that may be killed: what they look into
comes from a student.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.language import _
from transformer_workbook.repair.found import read_first_wrong, read_repair
from transformer_workbook.repair.words import sentence
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.syntax import read
from transformer_workbook.traces.recorded import recorded_ways
from transformer_workbook.traces.words import hint_for, sentences
from transformer_workbook.verdicts.diagnosis import Result
from transformer_workbook.verdicts.explain import lines_of_blanks
from transformer_workbook.verdicts.lesson_index import lesson_texts, recorded
from transformer_workbook.verdicts.meaning import (
    diagnosed,
    is_about_values,
    is_worth_a_search,
    meaning,
    of_unused,
)


def failures(
    lesson: str, component: str, source: str, evidence: Mapping[str, Any]
) -> dict[str, Any]:
    """What failures amount to, by name and in words, and what a search in the sandbox has to know.

    `evidence` has that of the visible cases as trees. `misconception` is the name of the one that
    explains most of them, the first of several; empty where none does. `search` is None where none
    is worth it; else it has the failing cases, the lines to change first, and whether values are
    wrong at all. Raises OSError, BadData or KeyError where nothing is recorded, or that is damaged.
    """
    of_case = {case: Evidence.from_tree(tree) for case, tree in evidence.items()}
    results = diagnosed(lesson, component, of_case, source)
    says = [_meaning(lesson, component, results), of_unused(lesson, component, source)]
    return {
        "misconception": _named(results),
        "says": " ".join(filter(None, says)),
        "search": _search(lesson, component, source, results),
    }


def _meaning(lesson: str, component: str, results: Mapping[str, Result]) -> str:
    named = _named(results)
    if not named:
        return meaning(results, lesson, component)
    says: str = _texts(lesson, component)["misconceptions"][named]["says"]
    return says


def _named(results: Mapping[str, Result]) -> str:
    counts = Counter(result.misconception for result in results.values() if result.misconception)
    return next((name for name, _count in counts.most_common(1)), "")


def _search(
    lesson: str, component: str, source: str, results: Mapping[str, Result]
) -> dict[str, Any] | None:
    if read(source) is None or not is_worth_a_search(results):
        return None
    blanks = _texts(lesson, component)["blanks"]
    released = {name: blank["line"] for name, blank in blanks.items()}
    return {
        "failing": [case for case, result in results.items() if result.findings],
        "first": lines_of_blanks(source, released),
        "is_about_values": is_about_values(results),
    }


def place(
    lesson: str, component: str, source: str, found: dict[str, Any], search: dict[str, Any]
) -> str:
    """What came back from the search, in words; empty where there is nothing to believe."""
    return " ".join(_place(lesson, component, source, found, search))


def _place(
    lesson: str, component: str, source: str, found: dict[str, Any], search: dict[str, Any]
) -> Iterator[str]:
    wrong = read_first_wrong(found, recorded_ways(lesson, component), source)
    if wrong and search["is_about_values"]:
        inputs = recorded(lesson, component).inputs[wrong.case]
        says = sentences(wrong, inputs, hint_for(wrong, _texts(lesson, component)))
        yield _("First unexpected value: {says}").format(says=says)
    repair = read_repair(found, source, search["failing"])
    if repair:
        yield sentence(repair)


def _texts(lesson: str, component: str) -> dict[str, Any]:
    texts: dict[str, Any] = lesson_texts(lesson)["components"][component]
    return texts
