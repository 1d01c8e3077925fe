"""Says what failures amount to that no misconception explains, as the student's own check does.

The evidence that the check compares with is recorded with the course, for its visible cases. So the
components at fault are run once more, on these.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from autograder.lesson.lesson import Lesson
from autograder.sandbox.work import Cell, Outcome, Work
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.packing import BadData
from transformer_workbook.verdicts.meaning import diagnosed, meaning

from .answer_key import AnswerKey, call_id
from .judge import Verdict, is_unexplained


class Diagnostician:
    """Diagnoses submissions of one lesson."""

    def __init__(self, lesson: Lesson):
        self.lesson = lesson

    @cached_property
    def _visible(self) -> AnswerKey:
        """The cases of the check, drawn once a submission needs them."""
        return AnswerKey(self.lesson, self.lesson.visible(), None)

    def work(self, answers: list[Cell], verdicts: Iterable[Verdict]) -> Work | None:
        """The work that tells more about the verdicts; None where there is nothing to tell."""
        names = {verdict.component for verdict in verdicts if is_unexplained(verdict)}
        components = [name for name in self.lesson.components if name in names]
        return self._visible.work(answers, components) if components else None

    def meanings(self, answers: Sequence[Cell], outcome: Outcome) -> dict[str, str]:
        """By component, what came of the work amounts to; without those where that is not known."""
        sources = {cell.name: cell.source for cell in answers if cell.kind == "answer"}
        meanings = {
            name: self._meaning(name, sources.get(name, ""), outcome.evidence)
            for name in {call.partition("/")[0] for call in outcome.evidence}
        }
        return {name: meaning for name, meaning in meanings.items() if meaning}

    def _meaning(self, name: str, source: str, evidence: dict[str, Evidence]) -> str:
        visible = {case.name: call_id(name, case.name) for case in self._visible.cases[name]}
        of_case = {case: evidence[call] for case, call in visible.items() if call in evidence}
        try:
            results = diagnosed(self.lesson.id, name, of_case, source)
        except (OSError, KeyError, BadData):  # not built yet, or damaged: points do not hang on it
            return ""
        named = next((r.misconception for r in results.values() if r.misconception), "")
        says = {variant.name: variant.says for variant in self.lesson.components[name].wrong}
        return says.get(named, "") if named else meaning(results, self.lesson.id, name)
