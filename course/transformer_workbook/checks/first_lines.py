"""What a student's code prints while a check calls it, which is many times: its first lines."""

import contextlib
import sys
from collections.abc import Iterator
from typing import IO, Any

from ..shared.language import ngettext, say

MOST = 12  # lines


class _FirstLines:
    """Stands for a stream, and leaves out what comes after the first lines."""

    def __init__(self, stream: IO[str]):
        self._stream, self.lines = stream, 0

    def write(self, text: str) -> int:
        if self.lines < MOST or sys.gettrace():  # a debugger has a conversation
            self._stream.write(text)
        self.lines += text.count("\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def first_lines() -> Iterator[None]:
    """While this lasts, only the first lines are printed; at its end, how many were left out."""
    limited = _FirstLines(sys.stdout)
    with contextlib.redirect_stdout(limited):
        yield
    if (left_out := limited.lines - MOST) > 0:
        message = ngettext(
            "({count} more line that your code printed is left out: a check calls it often.)",
            "({count} more lines that your code printed are left out: a check calls it often.)",
            left_out,
        )
        say(message.format(count=left_out))
