"""What a worker of a cluster does: the answer key of a lesson, and the result of a submission."""

import contextlib
import platform
import queue
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.errors import WrongUsage
from autograder.judging.version import surroundings, version_of
from autograder.language import _
from autograder.lesson.course import read_course
from autograder.sandbox.choose_sandbox import SandboxUnavailable
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner

from .confinement_note import confinement_of
from .grader import CellGrader, ComponentGrader


@dataclass(frozen=True)
class Order:
    """What a worker needs to grade the submissions of a lesson.

    `secret` is what hidden inputs are drawn from. `of_files` is whether they are files handed in
    beside notebooks, which a lesson judges itself. `about` is what the calling process has,
    `language` what the results are told in.
    """

    of_files: bool
    lesson: str
    secret: str
    limit: float
    sandbox: str
    about: tuple[tuple[str, str], ...]
    language: str = ""

    @classmethod
    def of(cls, grader: ComponentGrader[Any, Any], sandbox: str) -> "Order":
        lesson = grader.lesson.id
        here = tuple(about(lesson).items())
        of_files = not isinstance(grader, CellGrader)
        return cls(of_files, lesson, grader.secret, grader.limit, sandbox, here, grader.language)


def about(lesson_id: str) -> dict[str, str]:
    """What results depend on, besides a submission and a secret: versions, and hashes of files."""
    lesson = next((lesson for lesson in read_course().lessons if lesson.id == lesson_id), None)
    return {"lesson": version_of(lesson) if lesson else "", **surroundings()}


def require_same(order: Order, theirs: dict[str, str] | Exception, worker: str) -> None:
    """Raise WrongUsage if a worker has another lesson, package or library, or no package at all."""
    if isinstance(theirs, Exception):
        differences = str(theirs)
    else:
        differences = "; ".join(
            _("its {what} is {theirs}, and here it is {mine}").format(
                what=name, theirs=theirs[name], mine=mine
            )
            for name, mine in order.about
            if theirs[name] != mine
        )
    if differences:
        raise WrongUsage(
            _("the worker {worker} would grade otherwise: {differences}. Install the same version "
              "of this package there, and start the worker again"),
            worker=worker, differences=differences,
        )  # fmt: skip


def answer_key_of(order: Order, saved: bytes | None) -> bytes:
    """The answer key: the one that is saved, or computed here. Raises RunnerFault, WrongUsage."""
    if saved is not None:
        return saved
    grader = _new_grader(order)
    with borrowed_runner(order.sandbox, grader.limits_of_reference) as runner:
        grader.prepare(runner)
        return grader.answer_key()


def judged(order: Order, content: Any, answer_key: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result of a submission, as it is saved, and how its code was confined."""
    grader = _prepared_grader(order, answer_key)
    with borrowed_runner(order.sandbox, grader.limits) as runner:
        return grader.result(content, runner), confinement_of(runner)


@cache
def _prepared_grader(order: Order, answer_key: bytes) -> ComponentGrader[Any, Any]:
    grader = _new_grader(order)
    grader.prepare(None, answer_key)
    return grader


def _new_grader(order: Order) -> ComponentGrader[Any, Any]:
    require_same(order, about(order.lesson), platform.node())  # it may have joined late
    lesson = read_course().lesson(order.lesson)
    if order.of_files:
        assert lesson.hand_in
        grader: ComponentGrader[Any, Any] = lesson.hand_in.grader(lesson, limit=order.limit)
        return grader
    return CellGrader(lesson, order.secret, limit=order.limit, language=order.language)


_idle: dict[tuple[str, Limits], queue.SimpleQueue[Runner]] = {}


@contextlib.contextmanager
def borrowed_runner(sandbox: str, limits: Limits) -> Iterator[Runner]:
    """A runner that no other thread uses; idle ones stay, since starting one takes seconds."""
    idle = _idle.setdefault((sandbox, limits), queue.SimpleQueue())
    try:
        runner = idle.get_nowait()
    except queue.Empty:
        try:
            runner = Runner(sandbox, limits)
        except SandboxUnavailable as error:
            raise WrongUsage(_("a worker has no sandbox: {reason}"), reason=error) from error
    try:
        yield runner
    finally:
        idle.put(runner)
