"""What wrong answers are told by the check: a misconception, or how much the finding tells.

Of the environment, CORPUS is a folder of answers in place of the last round of the tests', and TOLD
is a file for all that is told, a line of JSON an answer, for readers who judge whether it is true.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch._dynamo  # noqa: F401  # as in a notebook, whose check has imported it by then

from autograder.judging.case_runner import CaseRunner
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner
from benchmarks import Measured, Say
from benchmarks.answers import CORPUS, Answer, answers_in, component_of
from transformer_workbook.checks.cause import cause_of
from transformer_workbook.checks.report import Check
from transformer_workbook.checks.write_report import report_of
from transformer_workbook.diagnosis.case_results import most_telling
from transformer_workbook.diagnosis.component_results import component_results
from transformer_workbook.diagnosis.diagnosis import Diagnosis
from transformer_workbook.shared.evidence import Evidence

LAST_ROUND = CORPUS / "twentieth"
# Findings that say more than that numbers differ.
ABOUT_NUMBERS = ("differs", "number", "value", "not_zero", "not_finite", "not_between")
# A cause is told, or else the finding alone.
LEVELS = ("misconception", "raised", "telling", "numbers", "passed")


class Told(NamedTuple):
    """What an answer is told: the cause, and the report that shows it; `kind` is one of LEVELS."""

    kind: str
    cause: Diagnosis
    report: Check


def causes(say: Say) -> Measured:
    """Feedback: what the wrong answers of a round are told, by lesson.

    They are those of the folder CORPUS of the environment, or of the last round.
    """
    answers = answers_in(Path(os.environ.get("CORPUS", LAST_ROUND)))
    counts: dict[str, Counter[str]] = {}
    with open(os.environ.get("TOLD", os.devnull), "w", encoding="utf-8") as file:
        for (of_round, name), written in answers.items():
            lesson, component = component_of(name)
            say(f"{lesson.id}, {component}")
            of_lesson = counts.setdefault(lesson.id, Counter())
            chosen = [answer for answer in written if answer.kind == "wrong"]
            for answer, evidence in zip(chosen, evidences(lesson, component, chosen), strict=True):
                told = told_of(lesson, component, answer.source, evidence)
                of_lesson[told.kind] += 1
                print(json.dumps(_tree(f"{of_round}/{name}", answer, told)), file=file, flush=True)
    rows = [_row(lesson, count) for lesson, count in sorted(counts.items())]
    total = sum(counts.values(), Counter[str]())
    rows += [_row("all", total)]
    rows += [["share", "", *(f"{100 * total[name] / total.total():.0f} %" for name in LEVELS)]]
    return Measured(["lesson", "answers", *LEVELS], rows)


def _tree(place: str, answer: Answer, told: Told) -> dict[str, Any]:
    return {
        "answer": f"{place}/{answer.name}",
        "true_cause": answer.cause,
        "source": answer.source,
        "kind": told.kind,
        "cause": told.cause.says,
        "report": repr(told.report),
    }


def evidences(
    lesson: Lesson, component: str, chosen: list[Answer]
) -> Iterator[dict[str, Evidence]]:
    """The evidence of each answer in the cases of the check, by case."""
    with Runner(sandbox="none") as runner:
        visible = CaseRunner(lesson, lesson.visible(), runner)
        by_answer = visible.evidence_of_many(component, [answer.source for answer in chosen])
    for evidence in by_answer:
        yield {call.partition("/")[2]: of_call for call, of_call in evidence.items()}


def told_of(lesson: Lesson, component: str, source: str, evidence: dict[str, Evidence]) -> Told:
    """What the check tells an answer, from its evidence in the cases of the check."""
    results = component_results(lesson.id, component, evidence)
    cause = cause_of(lesson.id, component, results, source)
    report = report_of(lesson.id, component, results, evidence, source, cause)
    failing = [result for result in results.values() if result.findings]
    kind = "misconception" if cause else "passed"
    if failing and not cause:
        first = results[most_telling(results)].findings[0].kind
        is_telling = first not in ABOUT_NUMBERS
        kind = "raised" if first.startswith("failure.") else "telling" if is_telling else "numbers"
    return Told(kind, cause, report)


def _row(lesson: str, count: Counter[str]) -> list[str]:
    return [lesson.partition("-")[0], str(count.total()), *(str(count[name]) for name in LEVELS)]
