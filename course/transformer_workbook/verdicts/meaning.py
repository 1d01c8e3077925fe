"""What the results of a component amount to, where no misconception says so."""

from collections.abc import Mapping

from .as_if import sentence
from .diagnosis import Result
from .lesson_index import recorded
from .signatures import signature


def meaning(results: Mapping[str, Result], lesson: str, component: str) -> str:
    """A sentence on the results of a component's check, by case; empty where nothing is known.

    It tells the recorded change that behaves alike, or else the signature of what came back.
    """
    if any(result.misconception for result in results.values()):
        return ""
    change = next((result.change for result in results.values() if result.change), None)
    if change:
        return sentence(change, component, lesson)
    return signature(results, recorded(lesson, component).inputs)
