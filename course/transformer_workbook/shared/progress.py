"""A progress bar, where tqdm is installed."""

import sys

from .notebook import in_notebook


def progress_bar(total: int, done: int = 0, title: str = ""):
    """tqdm's bar where tqdm is installed, as on Colab; else None. It is no dependency."""
    try:
        if in_notebook():
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        return None
    # dynamic_ncols makes the bar as wide as the page, so that its text is on one line.
    return tqdm(
        total=total, initial=done, desc=title or None, file=sys.stdout, mininterval=0.5,
        dynamic_ncols=True,
    )  # fmt: skip
