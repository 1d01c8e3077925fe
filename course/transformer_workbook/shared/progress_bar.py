"""A progress bar, for what takes longer than a few seconds."""

import sys
from typing import Any


def progress_bar(total: int, done: int = 0, title: str = "") -> Any:
    """tqdm's bar, as wide as the page, so that its text is on one line."""
    from tqdm.auto import tqdm

    return tqdm(
        total=total, initial=done, desc=title or None, file=sys.stdout, mininterval=0.5,
        dynamic_ncols=True,
    )  # fmt: skip
