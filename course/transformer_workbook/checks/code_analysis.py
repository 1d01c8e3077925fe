"""Explains wrong results by changing the student's code.

That runs in a child process, for changed code may crash. If it ends without an answer, or cannot be
started, there is no explanation.
"""

import time

from ..repair.choice import Repair
from ..repair.read_repair import read_repair
from ..repair.search import search
from ..repair.workbench import Workbench
from .child import Send, child
from .search_task import SearchTask

GRACE_SECONDS = 2.0  # that a search may take beyond its limit, on a busy machine


def repair_in_child(
    bench: Workbench, source: str, task: SearchTask, seconds: float
) -> Repair | None:
    """The repair of the failing cases of a source; None if none is found within `seconds`."""

    def look(send: Send) -> None:
        repair = search(bench, source, task.failing, task.passing, task.first, seconds)
        send(repair.to_tree() if repair else {})

    with child(look, seconds + GRACE_SECONDS) as process:
        message = process.receive(time.monotonic() + seconds + GRACE_SECONDS) if process else None
        if not isinstance(message, dict):
            return None
        return read_repair(message, source, len(task.failing))
