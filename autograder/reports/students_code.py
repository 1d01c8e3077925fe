"""The students' answers, read from the graded notebooks in OUT."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE
from autograder.results.outdir import below, digest, read_json, write_json
from autograder.results.submission import SubmissionResult
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished

from . import code_review

CODE_REVIEW = digest(Path(code_review.__file__).read_text(encoding="utf-8"))


@dataclass(frozen=True)
class StudentAnswers:
    """One student's code by component, and prose by question."""

    code: dict[str, str] = field(default_factory=dict)
    prose: dict[str, str] = field(default_factory=dict)


def read_answers(
    out: Path, results: Iterable[SubmissionResult], lesson: Lesson
) -> dict[str, StudentAnswers]:
    """The answers to a lesson, by student, of those who were graded."""
    by_student = {}
    for result in results:
        names = ("nbgrader", "autograded", result.student, lesson.id, f"{lesson.name}.ipynb")
        try:
            notebook = json.loads(below(out, *names).read_bytes())
        except (OSError, ValueError):
            continue
        answers = StudentAnswers()
        for cell in notebook["cells"]:
            metadata, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
            name = metadata.get("grade_id", "")
            if metadata.get("solution") and not metadata.get("grade"):
                answers.code[name] = source
            elif metadata.get("solution") and source.strip() not in ("", ANSWER_HERE):
                answers.prose[name] = source
        by_student[result.student] = answers
    return by_student


@dataclass
class _Examined:
    """Results of functions of `code_review`: known from earlier runs, and used in this one."""

    known: dict[str, Any] = field(default_factory=dict)
    used: dict[str, Any] = field(default_factory=dict)


_examined = _Examined()


@contextlib.contextmanager
def examined_once(work: Path, lesson: Lesson) -> Iterator[None]:
    """Until this ends, no code of the lesson is examined that was in an earlier run.

    The results are kept in `work`; those that no longer occur are dropped. Raises CannotWrite.
    """
    global _examined
    path = below(work, "examined", f"{lesson.id}.json")
    known = (read_json(path) or {}).get("results", {})
    _examined = _Examined(known)
    try:
        yield
    finally:
        used, _examined = _examined.used, _Examined()
    finished = {key: result for key, result in used.items() if result is not None}
    if finished != known:
        write_json(path, {"results": finished})


def _examine(function: str, **arguments: Any) -> Any:
    """The result of a function of `code_review`; None if it did not finish."""
    key, known, used = digest(CODE_REVIEW, function, arguments), _examined.known, _examined.used
    if key not in used:
        used[key] = known[key] if key in known else _call(function, arguments)
    return used[key]


def _call(function: str, arguments: dict[str, Any]) -> Any:
    try:
        return bounded_call.call(code_review.__name__, function, arguments)
    except NotFinished:
        return None


def _blanks(component: Component, source: str) -> dict[str, list[str]]:
    released = [(blank.name, component.released_lines[blank.name]) for blank in component.blanks]
    right = [(blank.text, *blank.right) for blank in component.blanks]
    found = _examine("blanks", source=source, released=released, right=right)
    return found or {"open": [], "right": []}


def open_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code leaves open."""
    return set(_blanks(component, source)["open"])


def right_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code fills with an answer known to be right."""
    return set(_blanks(component, source)["right"])


def example(component: Component, source: str) -> str:
    """The lines of a student's code that differ from the reference, without the author's texts."""
    return _examine("example", source=source, reference=component.source) or ""


def answer_tokens(answers: StudentAnswers) -> dict[str, list[list[str]]] | None:
    """The tokens of a student's code and the words of the prose; None if that took too long."""
    texts = {"sources": [*answers.code.values()], "prose": [*answers.prose.values()]}
    tokens: dict[str, list[list[str]]] | None = _call("answer_tokens", texts)
    return tokens
