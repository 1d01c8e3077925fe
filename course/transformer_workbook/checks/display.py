"""Shows an object where it is made, also in the middle of a cell."""

import sys

from ..shared.notebook import in_notebook


class Shown:
    """Displays itself when made, and not again as the last expression of the same cell.

    A later cell that ends in it displays it again. In a terminal it prints its text.
    """

    def show(self):
        """Display it now if a notebook runs this; returns itself."""
        if in_notebook():
            _publish(self)
            # Subclasses may be frozen dataclasses; this is no field of theirs.
            object.__setattr__(self, "_shown_in", _cell())
        return self

    def shown_with(self, more: "Shown"):
        """Display `more`, which has been displayed already up to what this adds; returns `more`."""
        if in_notebook():
            _publish(self)
            object.__setattr__(more, "_shown_in", _cell())
        return more

    def _ipython_display_(self) -> None:
        if not in_notebook():
            print(repr(self))
        elif getattr(self, "_shown_in", None) != _cell():
            _publish(self)


def _cell() -> int:
    return sys.modules["IPython"].get_ipython().execution_count


def _publish(shown) -> None:
    from IPython.display import display

    display({"text/html": shown._repr_html_(), "text/plain": repr(shown)}, raw=True)
