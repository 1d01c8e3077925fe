"""Runs and judges submissions of one lesson; remembers each result.

A result is remembered under a hash of all that it depends on, so that nothing is graded twice.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.grading import roundabout
from autograder.grading.escape import plain
from autograder.grading.model import Remark
from autograder.grading.outdir import CannotWrite, digest, read_json, write_json
from autograder.judging.judge import Judge, Verdict
from autograder.judging.version import surroundings, version_of
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner, Runners
from autograder.sandbox.work import Cell, Outcome

LONGEST_MESSAGE = 8000  # characters; a student's process may send a megabyte of names


class Grader:
    """Runs and judges submissions of one lesson; remembers every result in the folder `work`.

    `runner` returns the runner to use where none is given. `limit` are the seconds for one
    submission, instead of the lesson's own.
    """

    def __init__(
        self,
        lesson: Lesson,
        seed: str,
        runner: Callable[[], Runner] | None = None,
        work: Path | None = None,
        limit: float = 0.0,
    ):
        self.lesson, self.seed, self.work = lesson, seed, work
        self.limit = limit or lesson.limit
        self._runner = runner
        self._version = version_of(lesson)
        self.judge: Judge | None = None

    def key(self, cells: list[Cell]) -> str:
        """What a result depends on, in one hash."""
        sources = [[cell.kind, cell.name if cell.kind == "answer" else "", cell.source]
                   for cell in cells]  # fmt: skip
        return digest(self._version, surroundings(), self.seed, sources)

    def remembered(self, cells: list[Cell]) -> list[Verdict] | None:
        """The verdicts of an earlier run; not those of one that had less time and needed more."""
        if self.work is None:
            return None
        tree = read_json(self._path(cells))
        if tree is None:
            return None
        verdicts = [Verdict(**verdict) for verdict in tree["verdicts"]]
        late = "timeout" in tree["left_out"] or any(one.status == "timeout" for one in verdicts)
        return None if late and tree["limit"] < self.limit else verdicts

    def left_out(self, cells: list[Cell]) -> list[Remark]:
        """A receipt for each way in which the student's own cells ended the process."""
        tree = read_json(self._path(cells)) if self.work else None
        return [Remark("repair", f"cell_{kind}") for kind in (tree or {}).get("left_out", ())]

    def remarks(self, cells: list[Cell]) -> list[Remark]:
        """The remembered remarks on a submission, for the instructor."""
        tree = read_json(self._path(cells)) if self.work else None
        return [Remark(**remark) for remark in (tree or {}).get("remarks", ())]

    def prepare(self, runner: Runners | None, kept: bytes | None = None) -> None:
        """Find the reference's evidence, before several submissions are judged at a time.

        `runner` finds that of misconceptions later, when it is needed. `kept` is the answer key
        that another grader of this lesson and secret has computed. Raises RunnerFault where the
        reference fails.
        """
        self.judge = Judge(self.lesson, self.seed, runner, self.cache, kept)
        _ = self.judge.answer_key.reference

    @property
    def cache(self) -> Path | None:
        """The folder that keeps answer keys."""
        return self.work / "answer_keys" if self.work else None

    def answer_key(self) -> bytes:
        """The whole answer key as bytes, once it is prepared; computes what is missing."""
        self.judge.answer_key.complete()
        return self.judge.answer_key.to_bytes()

    def keep_answer_key(self) -> None:
        """Write what has been found of the answer key for later runs. Raises CannotWrite."""
        if self.judge and self.cache:
            try:
                self.judge.answer_key.keep(self.cache, self.seed)
            except OSError as error:
                raise CannotWrite.because(self.cache, error) from error

    def grade(self, cells: list[Cell], runner: Runners | None = None) -> list[Verdict]:
        """The verdicts, remembered or new."""
        known = self.remembered(cells)
        if known is not None:
            return known
        return self.keep(cells, self.result(cells, runner or self._runner()))

    def result(self, cells: list[Cell], runner: Runners) -> dict[str, Any]:
        """All that is to be remembered of a submission. After an error it is tried once more."""
        try:
            return self.judge_once(cells, runner)
        except Exception:
            return self.judge_once(cells, runner)

    def keep(self, cells: list[Cell], result: dict[str, Any]) -> list[Verdict]:
        """Remember a result, but for a fault of the grader; its verdicts."""
        verdicts = [Verdict(**verdict) for verdict in result["verdicts"]]
        faulty = any(verdict.status == "grader_fault" for verdict in verdicts)
        if self.work and not faulty:
            write_json(self._path(cells), result)
        return verdicts

    def judge_once(self, cells: list[Cell], runner: Runners) -> dict[str, Any]:
        """The same as `result`, tried once."""
        if self.judge is None:
            self.prepare(runner)
        outcome = runner.run(self.judge.work(cells))
        verdicts = self.judge.verdicts(outcome)
        added = {cell.name for cell in cells if cell.kind == "added"}
        failures = {failure.kind for name, failure in outcome.cells.items() if name in added}
        return {
            "limit": self.limit,
            "left_out": sorted(failures & {"timeout", "died", "out_of_memory"}),
            "remarks": [asdict(remark) for remark in self._remarks(cells, verdicts, outcome)],
            "verdicts": [
                asdict(verdict) | {"message": plain(verdict.message)[:LONGEST_MESSAGE]}
                for verdict in verdicts
            ],
        }

    def _remarks(
        self, cells: list[Cell], verdicts: list[Verdict], outcome: Outcome
    ) -> list[Remark]:
        """Where points may have been earned by torch's own version of the exercise."""
        if not any(component.forbidden for component in self.lesson.components.values()):
            return []
        earned = {verdict.component for verdict in verdicts if verdict.score}
        earned -= {verdict.component for verdict in verdicts if verdict.status == "blocked"}
        return roundabout.remarks(cells) + [
            Remark("remark", "refused", {"component": component, "names": ", ".join(names)})
            for component, names in outcome.refused.items()
            if component in earned
        ]

    def _path(self, cells: list[Cell]) -> Path:
        return self.work / "results" / f"{self.key(cells)}.json"
