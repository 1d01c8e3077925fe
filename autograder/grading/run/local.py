"""Runs and judges submissions on this machine, several at a time, as `Cluster` does elsewhere."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from autograder.errors import WrongUsage
from autograder.files import CannotWrite
from autograder.judging.judge import TestResult
from autograder.sandbox.choose_sandbox import SandboxUnavailable
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner, RunnerPool

from .confinement_note import confinement_of
from .grader import ComponentGrader, JudgedSubmissions, Submitted


class LocalWorkers:
    """Runners on this machine, `size` of them at a time. Use it as a context manager.

    `confined` is called with the confinement of each runner. `hidden` are folders that students'
    code must not see.
    """

    def __init__(
        self,
        sandbox: str,
        size: int,
        hidden: list[Path],
        confined: Callable[[dict[str, Any]], None],
    ):
        self.size = size
        self._sandbox, self._hidden, self._confined = sandbox, hidden, confined
        self._runners: dict[Limits, list[Runner]] = {}  # starting one takes seconds
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> "LocalWorkers":
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def judge(
        self, grader: ComponentGrader[Submitted, Any], submissions: list[Submitted]
    ) -> JudgedSubmissions:
        """Each submission's place with its test results, or with the error that it ended with.

        They are yielded in the order in which they finish. Raises WrongUsage if there is no
        sandbox, CannotWrite.
        """
        size = min(self.size, len(submissions))
        runners = trusted = self._pool_with(grader.limits, size)
        if grader.limits_of_reference != grader.limits:
            trusted = self._pool_with(grader.limits_of_reference, size)
        try:
            grader.prepare(trusted)
        except Exception as error:  # this lesson's fault, which must not stop the others
            if grader.work and (cannot_write := CannotWrite.found_in(error, grader.work)):
                raise cannot_write from error
            yield from ((place, error) for place in range(len(submissions)))
            return
        yield from self._judge_all(grader, submissions, runners)

    def _judge_all(
        self,
        grader: ComponentGrader[Submitted, Any],
        submissions: list[Submitted],
        runners: RunnerPool[Runner],
    ) -> JudgedSubmissions:
        with ThreadPoolExecutor(runners.size) as pool:
            places = {
                pool.submit(grader.grade, submission, runners): place
                for place, submission in enumerate(submissions)
            }
            try:
                faulty = []
                for future in as_completed(places):
                    judged = _value(future.result)
                    if isinstance(judged, Exception):
                        faulty.append(places[future])
                    else:
                        yield places[future], judged
                for place in faulty:  # alone, as others may have disturbed it
                    yield place, _value(grader.grade, submissions[place], runners)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for started in self._runners.values():
                    for runner in started:
                        runner.stop()
                raise

    def _pool_with(self, limits: Limits, count: int) -> RunnerPool[Runner]:
        """Runners with these limits, started where there are too few."""
        runners = self._runners.setdefault(limits, [])
        while len(runners) < count:
            try:
                runner = Runner(self._sandbox, limits, hidden=self._hidden)
            except SandboxUnavailable as error:
                raise WrongUsage(str(error)) from error
            runners.append(self._stack.enter_context(runner))
            self._confined(confinement_of(runners[-1]))
        return RunnerPool(runners[:count])


def _value(judge: Callable[..., list[TestResult]], *given: Any) -> list[TestResult] | Exception:
    """The test results, or the error in their place. Raises CannotWrite."""
    try:
        return judge(*given)
    except CannotWrite:
        raise
    except Exception as error:
        return error
