"""Shows what a call found at the place of the call, wherever in a cell that is."""

import sys

from .session import in_notebook


class Shown:
    """Something that is shown where it is made, and not once more as the last line of that cell.

    A later cell that ends in it shows it again; in a terminal it is its text.
    """

    def show(self):
        """Show it now, if a notebook is there to show it in; returns itself."""
        if in_notebook():
            _publish(self)
            # Also on frozen dataclasses: this says where it was shown, not what it is.
            object.__setattr__(self, "_shown_in", _cell())
        return self

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
