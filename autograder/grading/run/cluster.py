"""Runs and judges submissions on the workers of a Dask cluster, with the results of one machine.

A worker is an ordinary process of this package, with runners and a sandbox of its own, and with
the same lessons, which is checked. It receives a submission's cells, or its files, and the
answer key; it returns test results. The calling process alone writes results, so nothing is lost
when a worker dies: Dask sends its submissions, and the answer key, to another one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from typing import Any

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.sandbox.job import RunnerFault

from .grader import ComponentGrader, JudgedSubmissions, Submitted
from .worker import Order, about, answer_key_of, judged, require_same

PATIENCE = 60.0  # seconds without any worker: one that was killed may be started again


class Cluster:
    """The workers of the scheduler at `address`. Use it as a context manager.

    `confined` is called with the confinement of each result's worker. Raises WrongUsage where
    there is no scheduler.
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
        try:
            # First without a client, which would leave threads and locks if it cannot connect.
            asyncio.run(_try_to_reach(address))
            self.client = distributed.Client(address, timeout=5)
            # A trained model's weights are larger than the tasks that Dask expects.
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

    def judge(
        self, grader: ComponentGrader[Submitted, Any], submissions: list[Submitted]
    ) -> JudgedSubmissions:
        """As `LocalWorkers.judge`; few are sent ahead, since a class is large.

        Raises WrongUsage unless there are workers, which all have the same lessons, code and
        libraries.
        """
        order = Order.of(grader, self.sandbox)
        for worker, theirs in self.client.run(about, order.lesson, on_error="return").items():
            if not isinstance(theirs, OSError):  # else the worker has ended meanwhile
                require_same(order, theirs, worker)
        try:
            saved = grader.saved_answer_key()
            # A future: Dask gives it to each worker once, and makes it again if that worker dies.
            answer_key = self.client.submit(answer_key_of, order, saved, pure=False)
            if saved is None:
                list(self._as_they_end({answer_key}))
                grader.store_answer_key(self._value(answer_key))
        except RunnerFault as error:  # this lesson's fault, which must not stop the others
            yield from ((place, error) for place in range(len(submissions)))
            return
        unsent, places = deque(enumerate(submissions)), dict[Any, int]()
        while unsent or places:
            while unsent and len(places) <= 2 * sum(self.client.nthreads().values()):
                place, submission = unsent.popleft()
                try:
                    content = grader.content(submission)
                except RunnerFault as error:  # a file has changed
                    yield place, error
                else:
                    future = self.client.submit(
                        judged, order, content, answer_key, pure=False, retries=1
                    )
                    places[future] = place
            for future in self._as_they_end(set(places)) if places else ():
                place = places.pop(future)
                try:
                    result, confinement = self._value(future)
                except WrongUsage:
                    raise
                except Exception as error:
                    yield place, error
                else:
                    self._confined(confinement)
                    yield place, grader.save_result(submissions[place], result)

    def _as_they_end(self, futures: set[Any]) -> Iterator[Any]:
        """The futures that are done, as soon as any is. Raises WrongUsage without workers."""
        last_seen = time.monotonic()
        while time.monotonic() - last_seen <= PATIENCE:
            try:
                yield from self.wait(futures, timeout=1, return_when="FIRST_COMPLETED").done
                return
            except CancelledError as error:  # the scheduler is gone, and all orders with it
                raise self._no_workers_left() from error
            except TimeoutError:
                if self.client.status == "running" and self.client.nthreads():
                    last_seen = time.monotonic()
        raise self._no_workers_left()

    def _value(self, future: Any) -> Any:
        try:
            return future.result()
        except CancelledError as error:
            raise self._no_workers_left() from error

    def _no_workers_left(self) -> WrongUsage:
        return WrongUsage(
            _("the cluster at {address} has no workers; what was graded is kept: start some with: "
              "dask worker {address}, then grade again"),
            address=self.address,
        )  # fmt: skip


async def _try_to_reach(address: str) -> None:
    from distributed import Security
    from distributed.comm.core import connect

    comm = await connect(address, timeout=5, **Security().get_connection_args("client"))
    await comm.close()
