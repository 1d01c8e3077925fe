"""Verdicts on evidence. They are computed on the trusted side: no student code runs here."""

import dataclasses
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.language import _
from autograder.lesson.cases import Case, Test
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runners
from autograder.sandbox.work import Cell, Outcome, Work
from transformer_workbook.verdicts.diagnosis import Result, most_telling
from transformer_workbook.verdicts.explain import explain
from transformer_workbook.verdicts.grids import grids
from transformer_workbook.verdicts.judge import Finding

from .answer_key import AnswerKey, call_id, read_kept

LOG = logging.getLogger(__name__)
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
    """The outcome of one test: points, status, and the message to the student.

    `grids` show the numbers that the message is about, without what was expected.
    """

    component: str
    test: str
    score: float
    max_score: float
    status: str
    misconception: str
    message: str
    grids: list[dict[str, Any]] = field(default_factory=list, hash=False)


class Judge:
    """Judges submissions of one lesson with the hidden tests that a secret gives.

    The answer key is read from the folder `cache`; or it is `kept`, the bytes of another judge's
    answer key. The runner computes what is missing when it is needed: of misconceptions, once a
    submission fails in their component. Raises BadData where `kept` is damaged.
    """

    def __init__(
        self,
        lesson: Lesson,
        secret: str,
        runner: Runners | None,
        cache: Path | None = None,
        kept: bytes | None = None,
    ):
        self.lesson, self.tests = lesson, lesson.hidden(secret)
        cases = {
            component: [_within(test, case) for test in tests for case in test.cases]
            for component, tests in self.tests.items()
        }
        self.answer_key = AnswerKey(lesson, cases, runner)
        if kept is None and cache:
            kept = read_kept(cache, lesson, secret)
        if kept is not None:
            self.answer_key.take(kept)

    def work(self, answers: list[Cell]) -> Work:
        """The work of grading a student's cells (kinds "answer" and "added")."""
        return self.answer_key.work(answers)

    def verdicts(
        self, outcome: Outcome, meanings: Mapping[str, str] = MappingProxyType({})
    ) -> list[Verdict]:
        """A verdict for each test, in the order of the notebook.

        `meanings` say by component what its failures amount to, see `Diagnostician`.
        """
        return [
            verdict
            for component in self.lesson.components
            for verdict in self._of_component(component, outcome, meanings.get(component, ""))
        ]

    def _of_component(self, component: str, outcome: Outcome, meaning: str) -> Iterator[Verdict]:
        results = self.answer_key.assess(component, outcome.evidence)
        for test in self.tests[component]:
            of_test = [results[call_id(component, _within(test, case).name)] for case in test.cases]
            verdict = self._of_test(component, test, of_test, meaning)
            yield verdict
            if is_unexplained(verdict):
                meaning = ""  # it is said once

    def _of_test(self, name: str, test: Test, results: list[Result], meaning: str) -> Verdict:
        """The verdict on one test, from the results of its cases."""
        wrong = [result for result in results if result.findings]
        if not wrong:
            return Verdict(name, test.name, test.points, test.points, "passed", "", "")
        misconception = next((r.misconception for r in wrong if r.misconception), "")
        place = most_telling(dict(enumerate(results)))
        finding = results[place].findings[0]
        group, _dot, kind = finding.text.rpartition(".")
        status = STATUS_OF_FAILURE[kind] if group == "failure" else "failed"
        message, shown = self._message(name, test, place, finding, misconception, meaning)
        verdict = Verdict(name, test.name, 0.0, test.points, status, misconception, message)
        return dataclasses.replace(verdict, grids=shown)

    def _message(
        self, name: str, test: Test, place: int, finding: Finding, misconception: str, meaning: str
    ) -> tuple[str, list[dict[str, Any]]]:
        """What is said of a failed test, and the grids. It is made of what a student's code sent.

        So an exception in it is logged, and costs no more than the explanation.
        """
        component, says = self.lesson.components[name], test.says or test.name
        of_mistakes = {variant.name: variant.says for variant in component.wrong}
        try:
            released, words = component.released_lines, self.lesson.words(test.cases[place].probe)
            found = explain(finding, component.defines, released, not misconception, words)
            shown = grids(finding, hidden=True, words=words)
        except Exception:
            LOG.exception("no explanation of %s %s", name, test.name)
            found, shown = "", []
        message = _("Tested: {says}. {finding} {misconception}").format(
            says=says, finding=found, misconception=of_mistakes.get(misconception, meaning)
        )
        return message.strip(), shown


def is_unexplained(verdict: Verdict) -> bool:
    """Whether a test failed, for no reason that its message names."""
    return verdict.status == "failed" and not verdict.misconception


def _within(test: Test, case: Case) -> Case:
    """The case with a name that is unique among all tests of the component."""
    return dataclasses.replace(case, name=f"{test.name}/{case.name}")
