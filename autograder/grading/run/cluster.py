"""Runs and judges submissions on the workers of a Dask cluster, with the results of one machine.

A worker is an ordinary process of this package, with runners and a sandbox of its own, and with
the same lessons, which is checked. It receives a submission's cells, or its translator, and once
the answer key; it returns test results. The calling process alone writes results, so nothing is
lost when a worker dies: its submissions go to another one.
"""

import asyncio
import contextlib
import platform
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.errors import WrongUsage
from autograder.judging.version import surroundings, version_of
from autograder.language import _
from autograder.lesson.course import read_course
from autograder.lesson.lesson import Lesson
from autograder.sandbox.choose_sandbox import SandboxUnavailable
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner

from .confinement_note import confinement_of
from .grader import ComponentGrader, JudgedSubmissions, Submitted

PATIENCE = 60.0  # seconds without any worker: one that was killed may be started again


@dataclass(frozen=True)
class Order:
    """What a worker needs to grade the submissions of a lesson.

    `secret` is what hidden inputs are drawn from. `grader` is the Python class that judges: it
    differs for cells and for translators.
    """

    grader: type[ComponentGrader[Any, Any]]
    lesson: str
    secret: str
    limit: float
    sandbox: str
    about: tuple[tuple[str, str], ...]  # what the calling process has, see `about`


# The calling process.


class Cluster:
    """The workers of the scheduler at `address`. Use it as a context manager.

    `confined` is called with the confinement of each result's worker. Raises WrongUsage where
    there is no scheduler, or no worker that has the same lessons.
    """

    def __init__(
        self,
        address: str,
        sandbox: str,
        confined: Callable[[dict[str, Any]], None] = lambda way: None,
    ):
        try:
            import dask
            import distributed
        except ImportError as error:
            raise WrongUsage(
                _("--scheduler needs Dask, which is not installed here: pip install distributed")
            ) from error
        self.address, self.sandbox, self._confined = address, sandbox, confined
        self.wait: Any = distributed.wait
        self.about = about
        try:
            # First without a client, which would leave threads and locks if it cannot connect.
            asyncio.run(_try_to_reach(address))
            self.client = distributed.Client(address, timeout=5)
            # A translator's weights are larger than the tasks that Dask expects.
            dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"})
        # TimeoutError is an OSError; TypeError means that TLS is not set up.
        except (OSError, ValueError, ImportError, TypeError) as error:
            reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
            raise WrongUsage(
                _("there is no Dask scheduler at {address} ({reason}); start one with: dask "
                  "scheduler"),
                address=address, reason=reason[0],
            ) from error  # fmt: skip

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *exception: object) -> None:
        self.client.close()

    @property
    def size(self) -> int:
        """How many submissions its workers can run at a time."""
        return int(sum(self.client.nthreads().values()))

    def check(self, lesson: Lesson) -> None:
        """Raise WrongUsage unless all workers have the same lessons, code and libraries."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise WrongUsage(
                _(
                    "the scheduler at {address} has no workers; start some with: "
                    "dask worker {address}"
                ),
                address=self.address,
            ) from error
        mine = self.about(lesson.id)
        for worker, theirs in self.client.run(about, lesson.id, on_error="return").items():
            if isinstance(theirs, OSError):
                continue  # the worker has ended meanwhile
            failed = isinstance(theirs, Exception)
            differences = str(theirs) if failed else _differences(mine, theirs)
            if differences:
                raise _version_mismatch(worker, differences)

    def judge(
        self, grader: ComponentGrader[Submitted, Any], submissions: list[Submitted]
    ) -> JudgedSubmissions:
        """Each submission's place with its test results, or with the error that it ended with.

        They are yielded in the order in which they finish. Few are sent ahead, since a class is
        large. Raises WrongUsage.
        """
        self.check(grader.lesson)
        mine = tuple(self.about(grader.lesson.id).items())
        order = Order(
            type(grader), grader.lesson.id, grader.secret, grader.limit, self.sandbox, mine
        )
        try:
            answer_key = self._load_or_compute_answer_key(grader, order)
        except RunnerFault as error:  # this lesson's fault, which must not stop the others
            yield from ((place, error) for place in range(len(submissions)))
            return
        unsent = deque((place, b"") for place in range(len(submissions)))
        places: dict[Any, int] = {}
        while unsent or places:
            while unsent and len(places) <= 2 * self.size:
                place, key = unsent.popleft()
                try:
                    content = grader.content(submissions[place])
                except RunnerFault as error:  # a file has changed
                    yield place, error
                else:
                    places[self.client.submit(_grade, order, content, key, pure=False)] = place
            for future in self._as_they_end(set(places)) if places else ():
                place = places.pop(future)
                try:
                    result, confinement = self._result(future)
                except NoAnswerKey:
                    unsent.appendleft((place, answer_key))
                except WrongUsage:
                    raise
                except Exception as error:
                    yield place, error
                else:
                    self._confined(confinement)
                    yield place, grader.save_result(submissions[place], result)

    def _load_or_compute_answer_key(self, grader: ComponentGrader[Any, Any], order: Order) -> bytes:
        """The saved answer key, or one that a worker computes."""
        answer_key = grader.saved_answer_key()
        if answer_key is None:
            future = self.client.submit(answer_key_of, order, pure=False)
            list(self._as_they_end({future}))
            answer_key = bytes(self._result(future))
            grader.store_answer_key(answer_key)
        return answer_key

    def _as_they_end(self, futures: set[Any]) -> Iterator[Any]:
        """The futures that are done, as soon as any is. Raises WrongUsage without workers."""
        without_workers_since = None
        while True:
            try:
                yield from self.wait(futures, timeout=1, return_when="FIRST_COMPLETED").done
                return
            except CancelledError as error:  # the scheduler is gone, and all orders with it
                raise self._no_workers_left() from error
            except TimeoutError:
                pass
            if self.client.status == "running" and self.size:
                without_workers_since = None
                continue
            without_workers_since = without_workers_since or time.monotonic()
            if time.monotonic() - without_workers_since > PATIENCE:
                raise self._no_workers_left()

    def _no_workers_left(self) -> WrongUsage:
        return WrongUsage(
            _("the cluster at {address} has no workers any more; what was graded is kept: start "
              "some, then grade again"),
            address=self.address,
        )  # fmt: skip

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except SandboxUnavailable as error:
            raise WrongUsage(_("a worker has no sandbox: {reason}"), reason=error) from error
        except CancelledError as error:
            raise self._no_workers_left() from error
        except OtherThanHere as error:
            raise _version_mismatch(error.worker, error) from error
        finally:
            future.release()


def _version_mismatch(worker: str, differences: object) -> WrongUsage:
    return WrongUsage(
        _("the worker {worker} would grade otherwise: {differences}. Install the same version of "
          "this package there, and start the worker again"),
        worker=worker, differences=differences,
    )  # fmt: skip


async def _try_to_reach(address: str) -> None:
    from distributed import Security
    from distributed.comm.core import connect

    comm = await connect(address, timeout=5, **Security().get_connection_args("client"))
    await comm.close()


# A worker.


class NoAnswerKey(Exception):
    """This worker has not been given the answer key yet."""


class OtherThanHere(Exception):
    """This worker has another lesson, package or library than the calling process."""

    def __init__(self, differences: str, worker: str = ""):
        super().__init__(differences, worker)
        self.worker = worker

    def __str__(self) -> str:
        return str(self.args[0])


def _differences(mine: dict[str, str], theirs: dict[str, str]) -> str:
    """How a worker's `about` differs, in words; empty if it does not."""
    return "; ".join(
        _("its {what} is {theirs}, and here it is {mine}").format(
            what=what, theirs=theirs[what], mine=mine[what]
        )
        for what in mine
        if theirs[what] != mine[what]
    )


@cache
def require_same(order: Order) -> None:
    """Raise OtherThanHere if this worker, which may have joined late, differs."""
    differences = _differences(dict(order.about), about(order.lesson))
    if differences:
        raise OtherThanHere(differences, platform.node())


def about(lesson_id: str) -> dict[str, str]:
    """What results depend on, besides a submission and a secret: versions, and hashes of files."""
    lesson = next((one for one in read_course().lessons if one.id == lesson_id), None)
    return {
        "lesson": version_of(lesson) if lesson else "",
        **surroundings(),
    }


_idle: dict[tuple[Any, ...], queue.SimpleQueue[Runner]] = {}
graders: dict[Order, ComponentGrader[Any, Any]] = {}
_lock = threading.Lock()


def answer_key_of(order: Order) -> bytes:
    """The answer key, computed here."""
    require_same(order)
    grader = _new_grader(order)
    with borrowed_runner(order, grader.limits_of_reference) as runner:
        grader.prepare(runner)
        return grader.answer_key()


def _grade(order: Order, content: Any, answer_key: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result of a submission, as it is saved, and how its code was confined."""
    require_same(order)
    with _lock:
        if order not in graders:
            if not answer_key:
                raise NoAnswerKey(order.lesson)
            grader = _new_grader(order)
            grader.prepare(None, answer_key)
            graders[order] = grader
    with borrowed_runner(order, graders[order].limits) as runner:
        result = graders[order].result(content, runner)
        return result, confinement_of(runner)


def _new_grader(order: Order) -> ComponentGrader[Any, Any]:
    lesson = read_course().lesson(order.lesson)
    return order.grader(lesson, order.secret, limit=order.limit)


@contextlib.contextmanager
def borrowed_runner(order: Order, limits: Limits) -> Iterator[Runner]:
    """A runner that no other thread uses; idle ones stay, since starting one takes seconds."""
    idle = _idle.setdefault((order.sandbox, limits), queue.SimpleQueue())
    try:
        runner = idle.get_nowait()
    except queue.Empty:
        runner = Runner(order.sandbox, limits)
    try:
        yield runner
    finally:
        idle.put(runner)
