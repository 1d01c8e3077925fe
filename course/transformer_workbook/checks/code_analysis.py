"""Explains wrong results by tracing the student's code, and by changing it.

Both run in a child process, for both may crash. If it ends without an answer, or cannot be started,
there is no explanation.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import Any

from ..repair.choice import Repair
from ..repair.found import read_divergence, read_repair
from ..repair.search import look_for_cause
from ..repair.workbench import Workbench
from ..traces.divergence import FirstDivergence, ReferenceTraces
from .child import Child, Send, child
from .search_task import SearchTask

TRACE_SECONDS = 6.0  # for the traces on a busy machine; ordinary ones take a tenth
GRACE_SECONDS = 2.0  # that a search may take beyond its limit, on a busy machine


class CodeAnalysis:
    """The explanation of a component's failing cases: `wrong`, and its `repair` after a search."""

    def __init__(self, wrong: FirstDivergence | None = None):
        self.wrong = wrong

    def repair(self) -> Repair | None:
        """The repair of the failing cases; None if none is found.

        Waits for the search.
        """
        return None


class _RunningAnalysis(CodeAnalysis):
    """What a child has sent, and continues to send."""

    def __init__(
        self,
        process: Child,
        references: Mapping[str, ReferenceTraces],
        source: str,
        failing: list[str],
        seconds: float,
    ):
        message = process.receive(time.monotonic() + TRACE_SECONDS)
        super().__init__(read_divergence(_mapping(message), references, source))
        self._is_alive = message is not None
        self._child, self._source, self._failing = process, source, failing
        self._until = time.monotonic() + seconds + GRACE_SECONDS

    def repair(self) -> Repair | None:
        repair = None
        while self._is_alive:
            message = self._child.receive(self._until)
            self._is_alive = message is not None
            # The last message has the best repair; the child may have crashed after it.
            repair = read_repair(_mapping(message), self._source, self._failing) or repair
        return repair


def _mapping(message: Any) -> Mapping[str, Any]:
    return message if isinstance(message, dict) else {}


@contextlib.contextmanager
def analysed(
    bench: Workbench,
    source: str,
    task: SearchTask,
    seconds: float,
) -> Iterator[CodeAnalysis]:
    """The explanation of the failing cases of a source, while its child process exists.

    It has the first wrong value if the task is about values. The search for a repair takes up to
    `seconds`; 0 leaves it out.
    """

    def look(send: Send) -> None:
        look_for_cause(
            bench, source, task.failing, task.passing, task.first, task.is_about_values,
            seconds, send,
        )  # fmt: skip

    with child(look, TRACE_SECONDS + seconds + GRACE_SECONDS) as made:
        if made is None:
            yield CodeAnalysis()
        else:
            yield _RunningAnalysis(made, bench.references, source, task.failing, seconds)
