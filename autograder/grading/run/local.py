"""Runs and judges submissions on this machine, several at a time.

`LocalWorkers` and `Cluster` do the same: both judge submissions of a lesson, and score translators.
"""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from autograder.errors import WrongUsage
from autograder.grading.outdir import CannotWrite
from autograder.grading.translator.scorer import Scorer
from autograder.judging.answer_key import read_kept
from autograder.judging.judge import Verdict
from autograder.sandbox.choose import SandboxUnavailable
from autograder.sandbox.runner import Runner, RunnerPool
from autograder.sandbox.work import Cell, Limits

from .confinement import confinement_of
from .grader import Grader


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
        self._runners: dict[float, list[Runner]] = {}  # by time limit: starting one takes seconds
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> "LocalWorkers":
        return self

    def __exit__(self, *exception) -> None:
        self._stack.close()

    def judge(
        self, grader: Grader, submissions: list[list[Cell]]
    ) -> Iterator[tuple[int, list[Verdict] | Exception]]:
        """Each submission's place with its verdicts, or with the error that it ended with.

        They come as they are done. Raises WrongUsage where there is no sandbox, CannotWrite.
        """
        runners = self._runners_with(grader.limit, min(self.size, len(submissions)))
        kept = read_kept(grader.cache, grader.lesson, grader.seed)
        # Run the reference with the lesson's full limit, however little submissions have.
        limit = grader.limit if kept else max(grader.limit, grader.lesson.limit)
        try:
            first, *more = self._runners_with(limit, len(runners))
            grader.prepare(first, kept, more)
        except CannotWrite:
            raise
        except Exception as error:  # this lesson's fault, which must not stop the others
            if cannot_write := CannotWrite.found_in(error, grader.work):
                raise cannot_write from error
            yield from ((place, error) for place in range(len(submissions)))
            return
        runner_pool = RunnerPool(runners)

        def grade(cells: list[Cell]) -> list[Verdict]:
            with runner_pool.runner() as runner:
                return grader.grade(cells, runner)

        with ThreadPoolExecutor(len(runners)) as pool:
            places = {pool.submit(grade, cells): place for place, cells in enumerate(submissions)}
            try:
                for future in as_completed(places):
                    try:
                        outcome = future.result()
                    except CannotWrite:
                        raise
                    except Exception as error:
                        outcome = error
                    yield places[future], outcome
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def score(self, scorer: Scorer, files: dict[str, bytes]) -> list[Verdict]:
        """The verdicts of `scorer` on these files. Raises TranslatingFault."""
        return scorer.score(files)

    def _runners_with(self, limit: float, count: int) -> list[Runner]:
        """Runners with a time limit of so many seconds, started where there are too few."""
        runners = self._runners.setdefault(limit, [])
        while len(runners) < count:
            try:
                runner = Runner(self._sandbox, Limits(seconds=limit), hidden=self._hidden)
            except SandboxUnavailable as error:
                raise WrongUsage(str(error)) from error
            runners.append(self._stack.enter_context(runner))
            self._confined(confinement_of(runners[-1]))
        return runners[:count]
