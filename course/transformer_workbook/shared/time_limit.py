"""Stops code that computes without an end, and tells the loop in which it was stopped."""

import ast
import linecache
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .language import _
from .syntax import read

SECONDS = 10.0  # of computing, in one case; right answers take a tenth of one


class TookTooLong(BaseException):
    """Code was stopped, since it had computed for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            _("it was stopped after {seconds:g} seconds of computing").format(seconds=seconds)
        )


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise TookTooLong where what is done meanwhile computes longer, and again each second after.

    Waiting does not count, nor what other threads and programs do. Nothing is limited without
    `seconds`, in other threads, and on systems without such a timer.
    """
    is_main_thread = threading.current_thread() is threading.main_thread()
    if not (seconds and is_main_thread and hasattr(signal, "setitimer")):
        yield
        return
    begin = time.thread_time()

    def stop(number: int, frame: FrameType | None) -> None:
        if time.thread_time() - begin >= 0.9 * seconds:  # torch's own threads compute, too
            raise TookTooLong(seconds)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before or signal.SIG_DFL)


def loop_around(frame: FrameType, number: int) -> str:
    """The first line of the innermost `while` around a line of a frame's file; "" without one."""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    tree = read("".join(lines))
    starts = [
        node.lineno
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.While) and node.lineno <= number <= (node.end_lineno or 0)
    ]
    return lines[max(starts) - 1].strip() if starts else ""
