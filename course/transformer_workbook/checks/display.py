"""Shows an object where it is made, also in the middle of a cell."""

import itertools
from typing import Any, Self

from ..shared.notebook import in_notebook, running_shell

_places = itertools.count()


class Shown:
    """Displays itself when made, and not again as the last expression of the same cell.

    A later cell that ends in it displays it again. In a terminal it prints its text.
    """

    _place = ""  # by which the kernel finds it again

    def show(self) -> Self:
        """Display it now if a notebook runs this; returns itself."""
        if in_notebook():
            # Subclasses may be frozen dataclasses; these are no fields of theirs.
            object.__setattr__(self, "_place", f"shown-{next(_places)}")
            object.__setattr__(self, "_shown_in", _cell())
            _publish(self, display_id=self._place)
        return self

    def replaced_by(self, report: Self) -> Self:
        """Display `other` in the place where this is shown; returns it."""
        if in_notebook():
            if repr(report) != repr(self):
                _publish(report, display_id=self._place, update=True)
            object.__setattr__(report, "_shown_in", _cell())
        return report

    def _repr_html_(self) -> str:
        """What a notebook shows in place of its text."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        if not in_notebook():
            print(repr(self))
        elif getattr(self, "_shown_in", None) != _cell():
            _publish(self)


def _cell() -> int:
    count: int = running_shell().execution_count
    return count


def _publish(shown: Shown, **where: Any) -> None:
    from IPython.display import display

    display({"text/html": shown._repr_html_(), "text/plain": repr(shown)}, raw=True, **where)
