"""Shows an object where it is made, also in the middle of a cell."""

from typing import Self

from ..shared.notebook import in_notebook, running_shell


class Shown:
    """Displays itself when made, and not again as the last expression of the same cell.

    A later cell that ends in it displays it again. In a terminal it prints its text.
    """

    def show(self) -> Self:
        """Display it now if a notebook runs this; returns itself."""
        if in_notebook():
            # Subclasses may be frozen dataclasses; these are no fields of theirs.
            object.__setattr__(self, "_shown_in", _cell())
            _publish(self)
        return self

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


def _publish(shown: Shown) -> None:
    from IPython.display import display

    display({"text/html": shown._repr_html_(), "text/plain": repr(shown)}, raw=True)
