"""Runs and judges the submissions of one lesson; saves each result.

A result is saved under a hash of everything that it depends on, so that nothing is graded twice.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from autograder.files import CannotWrite
from autograder.grading import bypass_remarks
from autograder.judging.answer_key import read_answer_key, save_answer_key
from autograder.judging.diagnostician import Diagnostician
from autograder.judging.judge import Judge, TestResult
from autograder.judging.version import surroundings, version_of
from autograder.language import _, speaking
from autograder.lesson.lesson import Lesson
from autograder.lesson.translation import ENGLISH, code
from autograder.results.outdir import digest, read_json, write_json
from autograder.results.remarks import Remark
from autograder.results.safe_names import plain
from autograder.results.submission import Attachments
from autograder.sandbox.job import Cell, Outcome, Plan, RunnerFault
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner, Runners

LOG = logging.getLogger(__name__)
LEAST = 1.0  # seconds that have to be left, to diagnose what failed
LONGEST_MESSAGE = 8000  # characters; a student's process may send a megabyte of names

Submitted = TypeVar("Submitted")  # a submission as it was collected
Content = TypeVar("Content")  # a submission as a worker needs it: nothing left to read
# The place of each submission with its test results, or with the error that it ended with.
JudgedSubmissions = Generator[tuple[int, list[TestResult] | Exception], None, None]
Judged = tuple[list[TestResult], list[str], list[Remark]]


class ExplainedFault(RunnerFault):
    """A fault of the grader whose message instructors read as it is."""


def undisturbed(outcome: Outcome) -> Outcome:
    """The same outcome. Raises RunnerFault where that has to be tried again, alone."""
    if outcome.was_disturbed:
        raise RunnerFault(_("other submissions misbehaved meanwhile"))
    return outcome


class ComponentGrader(ABC, Generic[Submitted, Content]):
    """Runs and judges some components of one lesson; saves every result in the folder `work`.

    `runner` returns the runner with given limits, to use where none is given. `limit` are the
    seconds for one submission, instead of the lesson's own. `secret` is what hidden inputs are
    drawn from. `language` is that of the notebooks, in which results are told.
    """

    def __init__(
        self,
        lesson: Lesson,
        secret: str = "",
        runner: Callable[[Limits], Runner] | None = None,
        work: Path | None = None,
        limit: float = 0.0,
        language: str = "",
    ):
        self.lesson, self.secret, self.work, self.language = lesson, secret, work, language
        self.limit = limit or self._usual_limit
        self._runner = runner

    @property
    def _usual_limit(self) -> float:
        return self.lesson.limit

    @property
    @abstractmethod
    def limits(self) -> Limits:
        """What one submission may use."""

    def submitted(self, attachments: Attachments) -> Submitted:
        """What is judged of the files beside a notebook, for a grader of such files."""
        raise NotImplementedError

    @abstractmethod
    def key(self, submitted: Submitted) -> str:
        """A hash of everything that a result depends on."""

    @abstractmethod
    def content(self, submitted: Submitted) -> Content:
        """What a worker needs to run a submission, on this machine or another."""

    @property
    def limits_of_reference(self) -> Limits:
        """What the reference may use, however little submissions have."""
        return self.limits

    @abstractmethod
    def prepare(self, runner: Runners | None, answer_key: bytes | None = None) -> None:
        """Load or compute the answer key, before several submissions are judged at a time; save it.

        `answer_key` is one that another grader of this lesson and secret has computed. Without it
        and without a saved one, `runner` runs the reference. Raises RunnerFault if the reference
        fails, CannotWrite.
        """

    @abstractmethod
    def answer_key(self) -> bytes:
        """The answer key as bytes, once it is prepared."""

    @abstractmethod
    def saved_answer_key(self) -> bytes | None:
        """The answer key that `prepare` would load; None if it would compute one."""

    def store_answer_key(self, content: bytes) -> None:
        """Save an answer key for later runs. Raises CannotWrite."""

    @abstractmethod
    def run(self, content: Content, runner: Runners) -> Judged:
        """The test results on a submission, how cells of its own ended the process, and remarks."""

    def remembered(self, submitted: Submitted) -> list[TestResult] | None:
        """The saved test results; None if there are none, or if a longer limit may change them."""
        tree = self._saved_result(submitted)
        if not tree:
            return None
        test_results = [TestResult(**test_result) for test_result in tree["test_results"]]
        timed_out = "timeout" in tree["left_out"] or any(
            test_result.status == "timeout" for test_result in test_results
        )
        return None if timed_out and tree["limit"] < self.limit else test_results

    def grade(self, submitted: Submitted, runner: Runners | None = None) -> list[TestResult]:
        """The test results, saved or new."""
        saved = self.remembered(submitted)
        if saved is not None:
            return saved
        content = self.content(submitted)
        if runner is None:
            assert self._runner
            runner = self._runner(self.limits)
        return self.save_result(submitted, self.result(content, runner))

    def save_result(self, submitted: Submitted, result: dict[str, Any]) -> list[TestResult]:
        """Save a result, unless it is a fault of the grader; its test results."""
        test_results = [TestResult(**test_result) for test_result in result["test_results"]]
        faulty = any(test_result.status == "grader_fault" for test_result in test_results)
        if self.work and not faulty:
            write_json(self._path(self.work, submitted), result)
        return test_results

    def result(self, content: Content, runner: Runners) -> dict[str, Any]:
        """The result of a submission, as it is saved."""
        with speaking(self.language):
            test_results, left_out, remarks = self.run(content, runner)
        return {
            "limit": self.limit,
            "left_out": left_out,
            "remarks": [asdict(remark) for remark in remarks],
            "test_results": [
                asdict(test_result)
                | {
                    "message": plain(test_result.message)[:LONGEST_MESSAGE],
                    "cause": plain(test_result.cause)[:LONGEST_MESSAGE],
                }
                for test_result in test_results
            ],
        }

    def _saved_result(self, submitted: Submitted) -> dict[str, Any]:
        return read_json(self._path(self.work, submitted)) or {} if self.work else {}

    def _path(self, work: Path, submitted: Submitted) -> Path:
        return work / "results" / f"{self.key(submitted)}.json"


def _code_lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]


def _is_commented_out(source: str) -> bool:
    lines = [line.lstrip() for line in source.splitlines() if line.strip()]
    return bool(lines) and all(line.startswith("#") for line in lines)


def with_lost(test_results: Iterable[TestResult], lost: Collection[str]) -> list[TestResult]:
    """The test results, with the status "lost" for what was lost with the end of the file.

    It is graded as it was given out, for the file does not say what the student made of it.
    """
    return _unless_passed(test_results, lost, "lost", _("Lost with the end of the file."))


def _unless_passed(
    test_results: Iterable[TestResult], components: Collection[str], status: str, message: str
) -> list[TestResult]:
    """The test results, with another status and message for what failed of some components."""
    return [
        replace(test_result, status=status, message=message, grids=[])
        if test_result.component in components and test_result.status != "passed"
        else test_result
        for test_result in test_results
    ]


class CellGrader(ComponentGrader[list[Cell], list[Cell]]):
    """Runs and judges the cells of submissions of one lesson."""

    judge: Judge | None = None

    @cached_property
    def _version(self) -> str:
        return version_of(self.lesson)

    @property
    def limits(self) -> Limits:
        return Limits(seconds=self.limit)

    @property
    def limits_of_reference(self) -> Limits:
        return replace(self.limits, seconds=max(self.limit, self.lesson.limit))

    def key(self, cells: list[Cell]) -> str:
        sources = [[cell.kind, cell.name if cell.kind == "answer" else "", cell.source]
                   for cell in cells]  # fmt: skip
        return digest(self._version, surroundings(), self.secret, self.language, sources)

    def left_out(self, cells: list[Cell]) -> list[Remark]:
        """The repair for each way in which the student's own cells ended the process."""
        kinds = self._saved_result(cells).get("left_out", ())
        return [Remark("repair", f"cell_{kind}") for kind in kinds]

    def remarks(self, cells: list[Cell]) -> list[Remark]:
        """The saved remarks on a submission, for the instructor."""
        return [Remark(**remark) for remark in self._saved_result(cells).get("remarks", ())]

    def content(self, cells: list[Cell]) -> list[Cell]:
        return cells

    def prepare(self, runner: Runners | None, answer_key: bytes | None = None) -> None:
        saved = answer_key or self.saved_answer_key()
        self.judge = Judge(self.lesson, self.secret, runner, saved)
        if saved is None:
            self.store_answer_key(self.answer_key())

    @property
    def cache(self) -> Path | None:
        """The folder in which answer keys are saved."""
        return self.work / "answer_keys" if self.work else None

    def answer_key(self) -> bytes:
        assert self.judge
        return self.judge.answer_key.to_bytes()

    def saved_answer_key(self) -> bytes | None:
        return read_answer_key(self.cache, self.lesson, self.secret) if self.cache else None

    def store_answer_key(self, content: bytes) -> None:
        if self.cache:
            try:
                save_answer_key(self.cache, self.lesson, self.secret, content)
            except OSError as error:
                raise CannotWrite.because(self.cache, error) from error

    def run(self, cells: list[Cell], runner: Runners) -> Judged:
        if self.judge is None:
            self.prepare(self._runner(self.limits_of_reference) if self._runner else runner)
        assert self.judge
        outcome, test_results = self._outcome(cells, runner)
        test_results = self._diagnosed(cells, outcome, test_results)
        added = {cell.name for cell in cells if cell.kind == "added"}
        failures = {failure.kind for name, failure in outcome.cells.items() if name in added}
        left_out = sorted(failures & {"timeout", "died", "out_of_memory"})
        return test_results, left_out, self._remarks(cells, test_results, outcome)

    def _outcome(self, cells: list[Cell], runner: Runners) -> tuple[Outcome, list[TestResult]]:
        """What came of all hidden cases, and of the visible ones of components that fail.

        The test results are without diagnoses.
        """
        assert self.judge
        job = self.judge.job(cells)
        test_results: list[TestResult] | None = None  # until all hidden cases have run

        def diagnosing_plans(outcome: Outcome, seconds_left: float) -> list[Plan]:
            nonlocal test_results
            test_results = self._undiagnosed(cells, outcome)
            if seconds_left < LEAST:
                return []
            try:
                return self._diagnostician.plans(test_results)
            except Exception:
                LOG.exception("failures in %s are not diagnosed", self.lesson.id)
                return []

        try:
            outcome = runner.run(job, further_plans=diagnosing_plans)
        except RunnerFault:
            if test_results is None:
                raise
            outcome, test_results = runner.run(job), None  # no points depend on a diagnosis
        return undisturbed(outcome), test_results or self._undiagnosed(cells, outcome)

    def _undiagnosed(self, cells: list[Cell], outcome: Outcome) -> list[TestResult]:
        assert self.judge
        return self._with_untried(cells, self.judge.test_results(outcome))

    def _diagnosed(
        self, cells: list[Cell], outcome: Outcome, test_results: list[TestResult]
    ) -> list[TestResult]:
        """The test results, with the diagnoses of what failed."""
        assert self.judge
        try:
            diagnoses = self._diagnostician.diagnoses(cells, test_results, outcome.evidence)
        except Exception:
            LOG.exception("failures in %s are not diagnosed", self.lesson.id)
            return test_results
        if not diagnoses:
            return test_results
        return self._with_untried(cells, self.judge.test_results(outcome, diagnoses))

    @cached_property
    def _diagnostician(self) -> Diagnostician:
        assert self.judge
        return Diagnostician(self.lesson, self.judge.tests)

    def _with_untried(self, cells: list[Cell], test_results: list[TestResult]) -> list[TestResult]:
        """The test results, with the status "missing" for a bug hunt whose code is as it was given.

        An open blank has that status already. An answer of comments alone is told to be that.
        """
        answers = {cell.name: cell.source for cell in cells if cell.kind == "answer"}
        say = self.lesson.catalogue(self.language or ENGLISH).say
        untried = {
            name
            for name, component in self.lesson.components.items()
            if component.is_bug_hunt
            and _code_lines(answers.get(name, "")) == _code_lines(code(component.released, say))
        }
        message = _("Not tried: the code is as it was given.")
        test_results = _unless_passed(test_results, untried, "missing", message)
        comments = {name for name, source in answers.items() if _is_commented_out(source)}
        message = _("All lines of your answer are comments, so nothing of it runs. Remove the #.")
        return _unless_passed(test_results, comments, "failed", message)

    def _remarks(
        self, cells: list[Cell], test_results: list[TestResult], outcome: Outcome
    ) -> list[Remark]:
        """Remarks on points that the answer itself may not have earned."""
        components = self.lesson.components.items()
        forbidden = {name: component.forbidden for name, component in components}
        earned = {test_result.component for test_result in test_results if test_result.score}
        earned -= {
            test_result.component for test_result in test_results if test_result.status == "blocked"
        }
        return bypass_remarks.remarks(cells, forbidden) + [
            Remark("remark", "refused", {"component": component, "names": ", ".join(names)})
            for component, names in outcome.refused.items()
            if component in earned
        ]
