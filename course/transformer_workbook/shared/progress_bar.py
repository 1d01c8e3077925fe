"""A progress bar, for what takes longer than a few seconds."""

import sys
from collections.abc import Iterator
from typing import Any


def progress_bar(total: int, done: int = 0, title: str = "") -> Any:
    """tqdm's bar, as wide as the page, so that its text is on one line."""
    from tqdm.auto import tqdm

    return tqdm(
        total=total, initial=done, desc=title or None, file=sys.stdout, mininterval=0.5,
        dynamic_ncols=True,
    )  # fmt: skip


def steps(count: int, title: str = "") -> Iterator[int]:
    """Count from 0 to `count` - 1, with a progress bar.

    The same counter may serve several loops, each with `zip(range(150), counter)`.
    """
    with progress_bar(count, title=title) as bar:
        for number in range(count):
            bar.update()
            if number == count - 1:
                bar.close()  # the caller need not ask for a further number
            yield number
