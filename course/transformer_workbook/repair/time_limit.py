"""Ends any code after some seconds, by an exception in the thread that runs it.

The exception may leave anything half done, so only a process that may die should do this: never the
kernel of a notebook.
"""

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

AGAIN = 0.05  # seconds, until the exception is raised once more, and then in ever longer ones


class TimeIsUp(BaseException):
    """The seconds are over."""


def run_within(seconds: float, action: Callable[[], None]) -> None:
    """Run an action, and end it after so many seconds, wherever its Python code is by then.

    The action may catch TimeIsUp, so it is raised again and again. After the limit, all other
    exceptions are ignored, as of a context manager that was left halfway.
    """
    begun, ended, late = (threading.Event() for _event in range(3))
    thread = ctypes.c_ulong(threading.get_ident())
    failure: Exception | None = None

    def watch() -> None:
        begun.wait()
        wait, again = seconds, AGAIN
        while not ended.wait(wait):
            late.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeIsUp))
            wait, again = again, min(2 * again, 0.5)

    def tell(ignored: Any) -> None:
        if not isinstance(ignored.exc_value, TimeIsUp):
            telling(ignored)

    def end() -> None:
        ended.set()
        watching.join()
        with contextlib.suppress(TimeIsUp):
            for _turn in range(100):  # one that is on its way is raised here
                pass

    # Raised while an object is deleted, it would be told as ignored; it is raised again anyway.
    telling, sys.unraisablehook = sys.unraisablehook, tell
    watching = threading.Thread(target=watch, daemon=True)
    watching.start()  # waits for the thread, which may not raise anything in the meantime
    try:
        try:
            with contextlib.suppress(TimeIsUp):
                begun.set()
                action()
        except Exception as error:
            failure = error
        end()
    except TimeIsUp:  # raised after the action
        end()
    sys.unraisablehook = telling
    if failure and not late.is_set():
        raise failure
