"""What wrong answers are told by the check: a cause, a place, or nothing but numbers."""

import contextlib
import io
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import transformer
import transformer_workbook
from autograder.errors import WrongUsage
from autograder.judging.answer_key import AnswerKey
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.sandbox.runner import Runner
from benchmarks import Outcome, Say
from transformer_workbook.checks.check import explanation_of
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.traces.first_wrong import FirstWrong
from transformer_workbook.verdicts.diagnosis import Result, most_telling
from transformer_workbook.verdicts.meaning import diagnosed, meaning

CORPUS = ROOT / "tests" / "corpus" / "feedback"
MARK = re.compile(r"^# %% (right|wrong|unseen|open): *([^|\n]+?)(?: *\|(.*))?$", re.MULTILINE)
ABOUT_NUMBERS = ("differs", "number", "value", "not_zero", "not_finite", "not_between")
# By how a wrong answer's message is found, the kinds of message, the most telling one first.
KINDS = {
    "named": "a misconception of the lesson",
    "both": "two of them, or that of an inner component",
    "change": "behaves like a change of a right answer",
    "repaired": "a change of the answer's own mends it: its place and kind",
    "telling": "a type, shape, gradient, side effect",
    "value": "the first wrong value on the way to the result, with its line",
    "crash": "an exception, with its line",
    "signature": "what the result has to do with the right one, or the blank at fault",
    "numbers": "numbers, or a count",
    "passed": "no case of the check fails",
}


class Answer(NamedTuple):
    """A wrong answer to a component: its name, what is misunderstood, and the cell."""

    kind: str
    name: str
    cause: str
    source: str


def causes(say: Say) -> Outcome:
    """Feedback: what the check tells about each wrong answer of a corpus.

    The corpus is the folder CORPUS of the environment, or that of the tests, with all that it
    holds. Seconds are those of the diagnosis alone, without the calls of what the student has
    written; the search for a repair may take as long as it needs here, and a few seconds in the
    notebook.
    """
    folder = Path(os.environ.get("CORPUS", CORPUS))
    counts: dict[str, Counter[str]] = {}
    seconds, most = 0.0, 0.0
    for path in sorted(folder.rglob("*.py")):
        lesson, component = component_of(path.stem)
        say(f"{lesson.id}, {component}")
        of_lesson = counts.setdefault(lesson.id, Counter())
        chosen = [answer for answer in answers(path) if answer.kind == "wrong"]
        for answer, evidence in zip(chosen, evidences(lesson, component, chosen), strict=True):
            start = time.perf_counter()
            results = diagnosed(lesson.id, component, evidence, answer.source)
            means = meaning(results, lesson.id, component)
            took = time.perf_counter() - start
            seconds, most = seconds + took, max(most, took)
            value, place = value_and_place(lesson, component, results, answer.source)
            of_lesson[kind(results, means, place, value is not None)] += 1
    if not counts:
        raise WrongUsage(f"there is no corpus in {folder}")
    rows = [_row(lesson, count) for lesson, count in sorted(counts.items())]
    total = sum(counts.values(), Counter[str]())
    rows += [_row("all", total)]
    of = total.total()
    rows += [["share", "", *(f"{100 * total[name] / of:.0f} %" for name in KINDS)]]
    rows += [["ms", f"{1000 * seconds / of:.0f}", "most:", f"{1000 * most:.0f}"]]
    width = len(KINDS) + 2
    return Outcome(["lesson", "answers", *KINDS], [row + [""] * (width - len(row)) for row in rows])


def answers(path: Path) -> list[Answer]:
    """The answers of one file of a corpus, in its order."""
    text = path.read_text(encoding="utf-8")
    found = list(MARK.finditer(text))
    ends = [mark.start() for mark in found[1:]] + [len(text)]
    return [
        Answer(mark[1], mark[2], (mark[3] or "").strip(), text[mark.end() : end].strip("\n"))
        for mark, end in zip(found, ends, strict=True)
    ]


def evidences(
    lesson: Lesson, component: str, chosen: list[Answer]
) -> Iterator[dict[str, Evidence]]:
    """The evidence of each answer in the cases of the check, by case."""
    with Runner(sandbox="none") as runner:
        answer_key = AnswerKey(lesson, lesson.visible(), runner)
        found = answer_key.evidence_of_many(component, [answer.source for answer in chosen])
    for evidence in found:
        yield {call.partition("/")[2]: of_call for call, of_call in evidence.items()}


def value_and_place(
    lesson: Lesson, component: str, results: dict[str, Result], source: str, seconds: float = 60.0
) -> tuple[FirstWrong | None, str]:
    """The first wrong value; and where a change mends the failing cases.

    The search has time enough for a busy machine.
    """
    namespace: dict[str, Any] = {"__name__": "__main__", "wb": transformer_workbook}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(lesson.setup, namespace)
        namespace |= {name: getattr(transformer, name) for name in transformer.__all__}
        with contextlib.suppress(BaseException):  # a cell that fails has its traceback
            exec(source, namespace)
        with explanation_of(
            lesson.id, component, results, source, namespace, seconds
        ) as explanation:
            return explanation.wrong, explanation.place()


def kind(results: dict[str, Result], means: str, place: str = "", has_value: bool = False) -> str:
    """The kind of message, one of KINDS."""
    failing = [result for result in results.values() if result.findings]
    if not failing:
        return "passed"
    if any(result.misconception for result in failing):
        return "named"
    change = failing[0].change
    if change:
        return "both" if change.kind in ("both", "inner") else "change"
    if place:
        return "repaired"
    if has_value:
        return "value"
    first = results[most_telling(results)].findings[0].text
    if first.startswith("failure."):
        return "crash"
    if first not in ABOUT_NUMBERS:
        return "telling"
    return "signature" if means else "numbers"


def component_of(name: str) -> tuple[Lesson, str]:
    """The lesson and name of a corpus file: LayerNorm, or 03_bug_hunt_1 for one of many hunts."""
    number, _, hunt = name.partition("_")
    for lesson in read_course().lessons:
        if name in lesson.components:
            return lesson, name
        if number.isdigit() and lesson.id.startswith(f"{number}-") and hunt in lesson.components:
            return lesson, hunt
    raise WrongUsage(f"the corpus has answers to {name}, which no lesson has")


def _row(lesson: str, count: Counter[str]) -> list[str]:
    return [lesson.partition("-")[0], str(count.total()), *(str(count[name]) for name in KINDS)]
