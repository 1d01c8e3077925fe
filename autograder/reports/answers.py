"""What students wrote, read again from the notebooks in OUT that were graded."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE
from autograder.results.model import SubmissionResult
from autograder.results.outdir import below
from autograder.sandbox import bounded
from autograder.sandbox.bounded import NotFinished


@dataclass(frozen=True)
class Answers:
    """One student's code by component, and prose by question."""

    code: dict[str, str] = field(default_factory=dict)
    prose: dict[str, str] = field(default_factory=dict)


def answers_of(
    out: Path, results: Iterable[SubmissionResult], lesson: Lesson
) -> dict[str, Answers]:
    """The answers of those who were graded in a lesson, by student."""
    found = {}
    for result in results:
        names = ("nbgrader", "autograded", result.student, lesson.id, f"{lesson.name}.ipynb")
        try:
            notebook = json.loads(below(out, *names).read_bytes())
        except (OSError, ValueError):
            continue
        answers = Answers()
        for cell in notebook["cells"]:
            marks, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
            name = marks.get("grade_id", "")
            if marks.get("solution") and not marks.get("grade"):
                answers.code[name] = source
            elif marks.get("solution") and source.strip() not in ("", ANSWER_HERE):
                answers.prose[name] = source
        found[result.student] = answers
    return found


@lru_cache(maxsize=10_000)
def _asked(function: str, known: str) -> Any:
    """What a function of `examining` says; None if it did not come to its end.

    `known` are the arguments as JSON.
    """
    try:
        return bounded.call("autograder.reports.examining", function, json.loads(known))
    except NotFinished:
        return None


def _blanks(component: Component, source: str) -> dict[str, list[str]]:
    released = [(blank.name, component.released_lines[blank.name]) for blank in component.blanks]
    right = [(blank.text, *blank.right) for blank in component.blanks]
    known = json.dumps({"source": source, "released": released, "right": right})
    return _asked("blanks", known) or {"open": [], "right": []}


def open_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code leaves open."""
    return set(_blanks(component, source)["open"])


def right_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code fills as the lesson knows to be right."""
    return set(_blanks(component, source)["right"])


def example(component: Component, source: str) -> str:
    """The lines of a student's code that are not the reference's, with nothing that tells whose."""
    known = json.dumps({"source": source, "reference": component.source})
    return _asked("example", known) or ""


def texts_of(answers: Answers) -> dict[str, list[list[str]]] | None:
    """The tokens of a student's code, the words of the prose; None where that took too long."""
    texts = {"sources": [*answers.code.values()], "prose": [*answers.prose.values()]}
    found: dict[str, list[list[str]]] | None = _asked("texts_of", json.dumps(texts))
    return found
