"""The outcome of a submission, and the files that remember it.

A result is remembered under a hash of all that it depends on, so that nothing is graded twice;
files are put in place in one step, so that nothing half-written counts.
"""

import contextlib
import errno
import hashlib
import json
import os
import textwrap
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.grading.collect.submissions import Remark
from autograder.judging.judge import Judge, Verdict
from autograder.judging.version import surroundings, version_of
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Cell, Outcome, Runner

from . import roundabout
from .escape import plain
from .texts import text

FORMAT = 1  # raised when what is remembered changes its form or its meaning

# The most telling status of several, first to last. What stopped the work tells more than what
# came out wrong, and a fault of the grader tells more than anything that a student did.
TELLING = (
    "grader_fault",
    "timeout",
    "out_of_memory",
    "error",
    "blocked",
    "failed",
    "missing",
    "passed",
)


# What is told in a row of the summary too, for it is no matter of right and wrong.
STOPPED = ("timeout", "out_of_memory", "error", "blocked")
LONGEST_MESSAGE = 300  # characters


def overall(statuses: Iterable[str]) -> str:
    """The status of a whole: "passed" when all passed, else the most telling of its parts."""
    return min(statuses, key=TELLING.index, default="missing")


@dataclass(frozen=True)
class Graded:
    """One submission's outcome. A submission with a `problem` has no verdicts.

    `remarks` are for the instructor alone, and cost no points.
    """

    student: str
    lesson: str
    max_score: float
    verdicts: tuple[Verdict, ...] = ()
    receipts: tuple[Remark, ...] = ()
    problem: Remark | None = None
    fault: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def status(self) -> str:
        if self.fault:
            return "grader_fault"
        if self.problem:
            return "missing" if self.problem.key in ("no_notebook", "no_lesson") else "error"
        return overall(verdict.status for verdict in self.verdicts)

    @property
    def score(self) -> float | None:
        """The points; None where the grader failed, for that is no zero."""
        if self.status == "grader_fault":
            return None
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def message(self) -> str:
        if self.status == "grader_fault":
            return text("summary", "fault", reason=self.fault).strip()
        if self.problem:
            return self.problem.text
        passed = sum(verdict.status == "passed" for verdict in self.verdicts)
        said = text("summary", "tests", passed=passed, count=len(self.verdicts))
        if self.status in STOPPED:
            why = next(one.message for one in self.verdicts if one.status == self.status)
            said = textwrap.shorten(f"{said} {why}", LONGEST_MESSAGE, placeholder=" …")
        return " ".join([said, *(remark.text for remark in self.remarks)])

    def to_tree(self) -> dict:
        return asdict(self)

    @classmethod
    def from_tree(cls, tree: dict) -> "Graded":
        verdicts = tuple(Verdict(**verdict) for verdict in tree["verdicts"])
        receipts = tuple(Remark(**remark) for remark in tree["receipts"])
        remarks = tuple(Remark(**remark) for remark in tree.get("remarks", ()))
        problem = tree["problem"] and Remark(**tree["problem"])
        read = {"verdicts": verdicts, "receipts": receipts, "remarks": remarks, "problem": problem}
        return cls(**(tree | read))


# What no submission causes, and no other submission would fare better with.
OF_THE_DISK = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EFBIG")
    if hasattr(errno, name)
}


class CannotWrite(OSError):
    """OUT cannot be written: the disk is full, or the folder or the gradebook is not ours.

    The message is all that a user needs to see. What was put in place before stays.
    """

    @classmethod
    def because(cls, path: Path, error: OSError) -> "CannotWrite":
        reason = error.strerror or type(error).__name__
        return cls(text("out", "unwritable", path=path, reason=reason))


def replace_file(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step: whoever reads sees the old one or the new one.

    Raises CannotWrite.
    """
    # Two submissions that are the same have one result, and may come to it at the same time.
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    if isinstance(content, str):
        content = content.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise CannotWrite.because(path, error) from error


def read_json(path: Path) -> dict | None:
    """What a file holds; None where there is none, or none that can be read."""
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return tree if isinstance(tree, dict) and tree.get("format") == FORMAT else None


def write_json(path: Path, tree: dict) -> None:
    replace_file(path, json.dumps({"format": FORMAT} | tree, ensure_ascii=False, indent=1))


def digest(*parts: object) -> str:
    """A short hash of plain values."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]


LONGEST_MESSAGE = 8000  # characters; a student's process may send a megabyte of names


class Grader:
    """Runs and judges submissions of one lesson; remembers every result in a folder."""

    def __init__(
        self,
        lesson: Lesson,
        seed: str,
        runner: Callable[[], Runner],
        work: Path | None = None,
        limit: float = 0.0,
    ):
        self.lesson, self.seed, self.work = lesson, seed, work
        self.limit = limit or lesson.limit
        self._runner = runner
        self._version = version_of(lesson)
        self._judge: Judge | None = None

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
        """What is remembered of the student's own cells that ended the process, each kind once."""
        tree = read_json(self._path(cells)) if self.work else None
        return [Remark("repair", f"cell_{kind}") for kind in (tree or {}).get("left_out", ())]

    def remarks(self, cells: list[Cell]) -> list[Remark]:
        """What is remembered of a submission for the instructor to look at."""
        tree = read_json(self._path(cells)) if self.work else None
        return [Remark(**remark) for remark in (tree or {}).get("remarks", ())]

    def prepare(
        self, runner: Runner | None, kept: bytes | None = None, more: Sequence[Runner] = ()
    ) -> None:
        """Compute what submissions are compared with, before several are judged at a time.

        `more` runners take part in it. With `kept`, take what another grader of this lesson and
        secret has computed.
        """
        self._judge = Judge(self.lesson, self.seed, runner, self.cache, kept, more)

    @property
    def cache(self) -> Path | None:
        """The folder that keeps what submissions are compared with."""
        return self.work / "answer_keys" if self.work else None

    def answer_key(self) -> bytes:
        """What submissions are compared with, once it is prepared."""
        return self._judge.answer_key.to_bytes()

    def grade(self, cells: list[Cell], runner: Runner | None = None) -> list[Verdict]:
        """The verdicts, remembered or new."""
        known = self.remembered(cells)
        if known is not None:
            return known
        return self.keep(cells, self.result(cells, runner or self._runner()))

    def result(self, cells: list[Cell], runner: Runner) -> dict:
        """All that is to be remembered of a submission. After a fault it is tried once more."""
        try:
            return self._result(cells, runner)
        except Exception:
            return self._result(cells, runner)

    def keep(self, cells: list[Cell], result: dict) -> list[Verdict]:
        """Remember a result, but for a fault of the grader; its verdicts."""
        verdicts = [Verdict(**verdict) for verdict in result["verdicts"]]
        faulty = any(verdict.status == "grader_fault" for verdict in verdicts)
        if self.work and not faulty:
            write_json(self._path(cells), result)
        return verdicts

    def _result(self, cells: list[Cell], runner: Runner) -> dict:
        if self._judge is None:
            self.prepare(runner)
        outcome = runner.run(self._judge.work(cells))
        verdicts = self._judge.verdicts(outcome)
        own = {cell.name for cell in cells if cell.kind == "added"}
        ends = {of.kind for name, of in outcome.cells.items() if name in own}
        return {
            "limit": self.limit,
            "left_out": sorted(ends & {"timeout", "died", "out_of_memory"}),
            "remarks": [asdict(one) for one in self._remarks(cells, verdicts, outcome)],
            "verdicts": [
                asdict(one) | {"message": plain(one.message)[:LONGEST_MESSAGE]} for one in verdicts
            ],
        }

    def _remarks(
        self, cells: list[Cell], verdicts: list[Verdict], outcome: Outcome
    ) -> list[Remark]:
        """Where torch's own version of the exercise may have earned points."""
        if not any(of.forbidden for of in self.lesson.components.values()):
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
