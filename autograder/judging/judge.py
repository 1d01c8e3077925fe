"""Verdicts on evidence, computed on the trusted side: no student code runs here."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.lesson.cases import Case, Test
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Cell, Outcome, Work
from transformer_workbook.shared.explain import explain, texts

from .answer_key import AnswerKey, call_id, keep, read_kept

STATUS_OF_FAILURE = {
    "exception": "error",
    "died": "error",
    "blank": "missing",
    "missing": "missing",
    "unnamed": "failed",
    "forbidden": "blocked",
    "timeout": "timeout",
    "out_of_memory": "out_of_memory",
}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test: points, status, and what the student is told."""

    component: str
    test: str
    score: float
    max_score: float
    status: str
    misconception: str
    message: str


class Judge:
    """Judges submissions of one lesson with the hidden tests that a secret gives.

    The evidence to judge by is kept in the folder `cache`, and found by the runner and by `more`
    of them where it is not there; or it is `kept`, what `to_bytes` of another judge's answer key
    gave.
    """

    def __init__(
        self,
        lesson: Lesson,
        secret: str,
        runner: Runner,
        cache: Path | None = None,
        kept: bytes | None = None,
        more: Sequence[Runner] = (),
    ):
        self.lesson, self.tests = lesson, lesson.hidden(secret)
        cases = {
            component: [_within(test, case) for test in tests for case in test.cases]
            for component, tests in self.tests.items()
        }
        self.answer_key = AnswerKey(lesson, cases, runner)
        if kept is not None:
            self.answer_key.take(kept)
        elif cache:
            known = read_kept(cache, lesson, secret)
            if known is None:
                self.answer_key.find_all([runner, *more])
                keep(cache, lesson, secret, self.answer_key.to_bytes())
            else:
                self.answer_key.take(known)

    def work(self, answers: list[Cell]) -> Work:
        """The work of grading a student's cells (kinds "answer" and "added")."""
        return self.answer_key.work(answers)

    def verdicts(self, outcome: Outcome) -> list[Verdict]:
        """A verdict for each test, in the order of the notebook."""
        return [
            verdict
            for component in self.lesson.components
            for verdict in self._of_component(component, outcome)
        ]

    def _of_component(self, component: str, outcome: Outcome) -> list[Verdict]:
        results = self.answer_key.assess(component, outcome.evidence)
        of = self.lesson.components[component]
        says = {variant.name: variant.says for variant in of.wrong}
        verdicts = []
        for test in self.tests[component]:
            judged = [
                (case, results[call_id(component, _within(test, case).name)]) for case in test.cases
            ]
            wrong = [(case, result) for case, result in judged if result.findings]
            if not wrong:
                verdicts.append(
                    Verdict(component, test.name, test.points, test.points, "passed", "", "")
                )
                continue
            misconception = next((r.misconception for _, r in wrong if r.misconception), "")
            finding = wrong[0][1].findings[0]
            group, _, kind = finding.text.rpartition(".")
            status = STATUS_OF_FAILURE[kind] if group == "failure" else "failed"
            message = texts()["check"]["test_failed"].format(
                says=test.says or test.name,
                finding=explain(finding, of.defines, of.released_lines, advise=not misconception),
                misconception=says.get(misconception, ""),
            )
            verdicts.append(
                Verdict(
                    component, test.name, 0.0, test.points, status, misconception, message.strip()
                )
            )
        return verdicts


def _within(test: Test, case: Case) -> Case:
    """The case under a name that is its own among all tests of the component."""
    return dataclasses.replace(case, name=f"{test.name}/{case.name}")
