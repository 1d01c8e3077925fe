"""Answers to one lesson, made of the cells that students receive: run and judged."""

import itertools
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import nbformat

from autograder.errors import AuthoringError
from autograder.judging.batches import OF_AUTHORS
from autograder.judging.case_runner import VISIBLE, CaseRunner, call_id, visible_cases
from autograder.judging.judge import Judge
from autograder.language import _
from autograder.lesson.blanks import MARK
from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.sandbox.job import Cell, Outcome
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.case_results import CaseResult, assess
from transformer_workbook.diagnosis.compare import Expected, compare
from transformer_workbook.diagnosis.recorded_lessons import Recorded, recorded
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.obligations import SECOND_SEED
from transformer_workbook.shared.packing import BadData


class Answers:
    """Runs answers as submissions are run, and judges them by the hidden tests and by the check.

    `root` is the repository that holds course/. Raises AuthoringError where course/ was built
    from another state of the lesson.
    """

    def __init__(self, lesson: Lesson, judge: Judge, runner: Runner, root: Path):
        self.lesson, self.judge, self.root, self._runner = lesson, judge, root, runner
        self.visible = lesson.visible()
        self._refuse_what_is_stale()
        self.all_cases = self.with_visible(judge)

    def with_visible(self, judge: Judge) -> CaseRunner:
        """The hidden cases of a judge and the visible ones: one run of the cells calls both."""
        hidden = judge.case_runner.cases
        visible = visible_cases(self.lesson)
        cases = {name: hidden[name] + visible[name] for name in self.lesson.components}
        return CaseRunner(self.lesson, cases, self._runner)

    def _refuse_what_is_stale(self) -> None:
        for component, cases in self.visible.items():
            try:
                known = set(self.recorded(component).expected)
            except (OSError, KeyError, BadData):
                known = set()
            if known != {case.name for case in cases}:
                raise AuthoringError(
                    _("{lesson}: course/ has not what the lesson says of {component}; run `python"
                      " -m autograder build {lesson}` first"),
                    lesson=self.lesson.id, component=component,
                )  # fmt: skip

    @cached_property
    def released(self) -> dict[str, str]:
        """The students' answer cells, from the notebook in course/."""
        path = self.root / "course" / self.lesson.id / f"{self.lesson.name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        marks = [(cell.metadata.get("nbgrader", {}), cell) for cell in notebook.cells]
        return {
            mark["grade_id"]: cell.source
            for mark, cell in marks
            if mark.get("solution") and cell.cell_type == "code"
        }

    def cells(self, replaced: dict[str, str], rest: str = "reference") -> list[Cell]:
        """All answer cells: those in `replaced`, the rest as the reference or as released."""
        return [
            Cell(
                name,
                "answer",
                replaced.get(
                    name, self.released[name] if rest == "released" else self.filled(component)
                ),
            )
            for name, component in self.lesson.components.items()
        ]

    def filled(self, component: Component, but: Collection[str] = ()) -> str:
        """The student's cell with its blanks filled in as the reference has them, `but` some."""
        if component.is_bug_hunt:
            return component.source
        pieces = self.released[component.name].split(MARK)
        fillings = [MARK if blank.name in but else blank.text for blank in component.blanks]
        pairs = itertools.zip_longest(pieces, fillings, fillvalue="")
        return "".join(piece + filling for piece, filling in pairs)

    def run(self, cells: list[Cell], seed: int = SECOND_SEED) -> Outcome:
        """Run the cells, and all cases, hidden and visible, with a seed for what is random."""
        return self._runner.run(replace(self.all_cases.job(cells), seed=seed), OF_AUTHORS)

    def scored(self, cells: list[Cell]) -> dict[tuple[str, str], bool]:
        """Which hidden tests the cells pass, as `scores`."""
        return self.scores(self._runner.run(self.judge.job(cells), OF_AUTHORS).evidence)

    def scores(self, evidence: dict[str, Evidence]) -> dict[tuple[str, str], bool]:
        """Which hidden tests pass, by component and test; a call without evidence fails none."""
        passed = {}
        for component, tests in self.judge.tests.items():
            expected = self.judge.answer_key.of(component)
            for test in tests:
                calls = [call_id(component, f"{test.name}/{case.name}") for case in test.cases]
                passed[component, test.name] = not any(
                    compare(evidence[call], expected[call]) for call in calls if call in evidence
                )
        return passed

    def recorded(self, component: str) -> Recorded:
        """The evidence that students receive for the component's check."""
        folder = self.root / "course" / "transformer_workbook" / "lessons"
        return recorded(self.lesson.id, component, folder)

    def check(self, component: str, evidence: dict[str, Evidence]) -> dict[str, CaseResult]:
        """The student's check of the evidence, by visible case, as recorded in course/."""
        known = self.recorded(component)
        visible = {case: evidence[call_id(component, VISIBLE + case)] for case in known.expected}
        return assess(known.expected, known.misconceptions, visible)

    def visible_expected(self, component: str) -> dict[str, Expected]:
        """What the check expects of a component, by call, as recorded in course/."""
        expected = self.recorded(component).expected
        return {call_id(component, VISIBLE + case): of for case, of in expected.items()}
