"""Progress of what takes longer than a few seconds: a bar, and how long it takes here."""

import sys
import time
from typing import Any

from .language import _, ngettext, say
from .notebook import in_notebook

_LONG = 5.0  # seconds: less needs no estimate
_SLOW = 2  # steps that do not count: the first ones are slower than the others
_ENOUGH = 20  # steps that an estimate is made from, or those of _PATIENCE
_FIRST, _PATIENCE, _AGAIN = 1.0, 10.0, 30.0  # seconds before it is said, and looked at again
_CHANGE = 1.5  # times as long, or as short: it is said again


def progress_bar(total: int, done: int = 0, title: str = "") -> Any:
    """tqdm's bar where tqdm is installed, as on Colab; it is no dependency.

    Otherwise a line of text in a notebook, and None elsewhere.
    """
    try:
        if in_notebook():
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        return TextBar(total, done, title) if in_notebook() else None
    # dynamic_ncols makes the bar as wide as the page, so that its text is on one line.
    return tqdm(
        total=total, initial=done, desc=title or None, file=sys.stdout, mininterval=0.5,
        dynamic_ncols=True,
    )  # fmt: skip


class TextBar:
    """What `progress_bar` returns without tqdm: a line that is displayed again, as tqdm's bar."""

    def __init__(self, total: int, done: int, title: str) -> None:
        self.total, self.done, self.title = total, done, title
        self.postfix, self.shown, self.drawing = "", 0.0, None

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        self.postfix = text

    def update(self, steps: int = 1) -> None:
        self.done += steps
        if time.monotonic() - self.shown > 0.5:
            self._show()

    def close(self) -> None:
        self._show()

    def __str__(self) -> str:
        full = round(20 * min(self.done / max(self.total, 1), 1))
        title = f"{self.title}: " if self.title else ""
        count = _("{done} of {total}").format(done=self.done, total=self.total)
        return f"{title}{'█' * full}{'░' * (20 - full)} {count}  {self.postfix}".rstrip()

    def _show(self) -> None:
        from IPython.display import display

        self.shown = time.monotonic()
        content = {"text/plain": str(self)}
        if self.drawing is None:
            self.drawing = display(content, raw=True, display_id=True)
        else:
            self.drawing.update(content, raw=True)


class Estimate:
    """Says how long all steps take here, and again if that changes; nothing if it is short.

    `done` are the steps of an earlier run that this one resumes.
    """

    def __init__(self, done: int = 0) -> None:
        self.left_out, self.count, self.began = done, -_SLOW, 0.0
        self.said, self.looked = 0.0, (0.0, 0)  # seconds of the whole; when, and after which step

    def step(self, total: int) -> None:
        """Count a step of `total`."""
        now = time.monotonic()
        self.count += 1
        if self.count <= 0:
            self.began, self.looked = now, (now, 0)
            return
        since, before = self.looked
        steps, seconds = self.count - before, now - since
        if seconds < (_AGAIN if self.said else _FIRST) or (steps < _ENOUGH and seconds < _PATIENCE):
            return
        self.looked = now, self.count
        to_come = (total - self.left_out - _SLOW - self.count) * seconds / steps
        whole = now - self.began + to_come
        if not self.said:
            if whole >= _LONG:
                say(_("This takes {duration} here.").format(duration=duration(whole)))
            self.said = whole
        elif max(whole, self.said) > _CHANGE * min(whole, self.said) and to_come >= _LONG:
            say(_("By now it looks like {duration} in all.").format(duration=duration(whole)))
            self.said = whole


def duration(seconds: float) -> str:
    """About how long that is, in words: to five seconds below 100, else to a minute."""
    if seconds < 100:
        count = max(5, 5 * round(seconds / 5))
        return ngettext("about {count} second", "about {count} seconds", count).format(count=count)
    count = round(seconds / 60)
    return ngettext("about {count} minute", "about {count} minutes", count).format(count=count)
