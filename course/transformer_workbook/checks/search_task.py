"""What a search for the cause of failures is to look at, and whether one is worth its time."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..diagnosis.case_results import CaseResult
from ..diagnosis.finding_sentences import lines_of_blanks
from ..diagnosis.recorded_lessons import lesson_texts, released_lines
from ..shared.syntax import read


@dataclass(frozen=True)
class SearchTask:
    """The cases of a check that an answer fails and passes, and the lines to change `first`."""

    failing: list[str]
    passing: list[str]
    first: list[str]


def search_task(
    lesson: str, component: str, source: str, results: Mapping[str, CaseResult]
) -> SearchTask | None:
    """What is to be searched; None if a search could not tell more than the results do."""
    if not source or read(source) is None or not _is_worth_a_search(results):
        return None
    released = released_lines(lesson_texts(lesson)["components"][component])
    failing = [case for case, result in results.items() if result.findings]
    return SearchTask(
        failing,
        passing=[case for case in results if case not in failing],
        first=lines_of_blanks(source, released),
    )


def _is_worth_a_search(results: Mapping[str, CaseResult]) -> bool:
    """Whether a search for a repair could tell more than the results do.

    It could not if a cause is known, nor if no code ran that could be changed.
    """
    failing = [result for result in results.values() if result.findings]
    if not failing or any(result.misconception for result in failing):
        return False
    nothing_ran = {"blank", "missing", "forbidden"}
    kinds = {finding.details.get("kind") for result in failing for finding in result.findings}
    return not kinds & nothing_ran
