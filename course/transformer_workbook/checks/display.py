"""Shows an object where it is made, also in the middle of a cell; boxes of text are such."""

import html
import re
import unicodedata
from typing import Self

from ..shared.language import say
from ..shared.notebook import in_notebook, running_shell

# Each color has enough contrast in JupyterLab's light and dark themes and in Colab's. It repeats
# what the sign and the words say.
PASSED, FAILED, NOTE = "#009E73", "#B45F06", "#0072B2"


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


class Box(Shown):
    """A heading and paragraphs or lists, all of which may be empty, beside a line of this color."""

    def __init__(self, heading: str, *parts: str | list[str], color: str = NOTE):
        self.heading, self.parts, self.color = heading, parts, color

    def tell(self) -> None:
        """Display it in a notebook, else print it."""
        if in_notebook():
            _publish(self)
        else:
            say(repr(self))

    def __repr__(self) -> str:
        lines = [self.heading]
        for part in self.parts:
            lines += [part] if isinstance(part, str) else [f"  {item}" for item in part]
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        content = "".join(_paragraph(part) for part in self.parts if part)
        return framed(self.color, code(self.heading), content)


def _paragraph(part: str | list[str]) -> str:
    if isinstance(part, str):
        return f'<p style="margin:.5em 0">{code(part)}</p>'
    items = "".join(f"<li>{code(item)}</li>" for item in part)
    return f'<ul style="margin:.3em 0;padding-left:1.5em">{items}</ul>'


def code(text: str) -> str:
    """A text as HTML, what stands between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))


def escaped(text: str) -> str:
    return html.escape(plain(text)).replace("\n", "<br>")


def plain(text: str) -> str:
    """Text with control and bidirectional characters escaped, and tabs as spaces."""
    return "".join(
        char.encode("unicode_escape").decode("ascii") if _is_control(char) else char
        for char in text.replace("\t", " ")
    )


def _is_control(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def framed(color: str, heading: str, content: str, label: str = "") -> str:
    """HTML with a heading, beside a line of this color; `label` is its name for screen readers."""
    role = f'role="group" aria-label="{label}"' if label else 'role="note"'
    title = (
        '<p role="heading" aria-level="4" style="margin:.2em 0 .5em;font-weight:bold">'
        f"{heading}</p>"
    )
    return (
        f'<div {role} style="border-left:4px solid {color};padding:.2em .9em;max-width:56em">'
        f"{title if heading else ''}{content}</div>"
    )
