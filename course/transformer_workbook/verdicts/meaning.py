"""What the results of a component amount to, where no misconception says so."""

from collections.abc import Mapping

from .as_if import sentence
from .diagnosis import Change, Result, most_telling
from .judge import RANKS, rank
from .lesson_index import recorded
from .signatures import signature


def meaning(results: Mapping[str, Result], lesson: str, component: str) -> str:
    """A sentence on the results of a component's check, by case; empty where nothing is known.

    It tells the recorded change that behaves alike, or else the signature of what came back.
    """
    if any(result.misconception for result in results.values()):
        return ""
    change = next((result.change for result in results.values() if result.change), None)
    if change and _is_worth_telling(change, results):
        return sentence(change, component, lesson)
    return signature(results, recorded(lesson, component).inputs)


def _is_worth_telling(change: Change, results: Mapping[str, Result]) -> bool:
    """Whether a change tells more than the finding that is shown first.

    Where that is about a type, a shape or a side effect, the place of a change alone misleads.
    """
    if "blank" not in change.details and "line" not in change.details:
        return True
    first = results[most_telling(results)].findings[0]
    return first.text.startswith("failure.") or rank(first) >= RANKS.index(("value",))
