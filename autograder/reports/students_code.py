"""The students' answers, read from the graded notebooks in OUT."""

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


def read_answers(
    out: Path, results: Iterable[SubmissionResult], lesson: Lesson
) -> dict[str, Answers]:
    """The answers to a lesson, by student, of those who were graded."""
    by_student = {}
    for result in results:
        names = ("nbgrader", "autograded", result.student, lesson.id, f"{lesson.name}.ipynb")
        try:
            notebook = json.loads(below(out, *names).read_bytes())
        except (OSError, ValueError):
            continue
        answers = Answers()
        for cell in notebook["cells"]:
            metadata, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
            name = metadata.get("grade_id", "")
            if metadata.get("solution") and not metadata.get("grade"):
                answers.code[name] = source
            elif metadata.get("solution") and source.strip() not in ("", ANSWER_HERE):
                answers.prose[name] = source
        by_student[result.student] = answers
    return by_student


@lru_cache(maxsize=10_000)
def _examine(function: str, arguments: str) -> Any:
    """The result of a function of `code_review`; None if it did not finish.

    `arguments` are JSON, so that results can be cached.
    """
    try:
        return bounded.call("autograder.reports.code_review", function, json.loads(arguments))
    except NotFinished:
        return None


def _blanks(component: Component, source: str) -> dict[str, list[str]]:
    released = [(blank.name, component.released_lines[blank.name]) for blank in component.blanks]
    right = [(blank.text, *blank.right) for blank in component.blanks]
    arguments = json.dumps({"source": source, "released": released, "right": right})
    return _examine("blanks", arguments) or {"open": [], "right": []}


def open_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code leaves open."""
    return set(_blanks(component, source)["open"])


def right_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code fills with an answer known to be right."""
    return set(_blanks(component, source)["right"])


def example(component: Component, source: str) -> str:
    """The lines of a student's code that differ from the reference, without the author's texts."""
    arguments = json.dumps({"source": source, "reference": component.source})
    return _examine("example", arguments) or ""


def answer_tokens(answers: Answers) -> dict[str, list[list[str]]] | None:
    """The tokens of a student's code and the words of the prose; None if that took too long."""
    texts = {"sources": [*answers.code.values()], "prose": [*answers.prose.values()]}
    tokens: dict[str, list[list[str]]] | None = _examine("answer_tokens", json.dumps(texts))
    return tokens
