"""A picture as SVG: text stays text, in the ink of the page and on its own ground.

Shapes have translucent colors, on which the page's ink is legible in light and in dark. Words are
those of the language in which `saying` has it drawn.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from autograder.lesson.translation import said
from transformer_workbook.show.picture import LEAST_WIDTH

Point = tuple[float, float]
Tint = tuple[str, float]  # a color, and how opaque it is

# Okabe and Ito's palette, which is distinct for all common kinds of color blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, YELLOW = "#CC79A7", "#F0E442"
# Colors of cells, and how opaque they are.
GRAY = ("currentColor", 0.1)
TINTS = ((BLUE, 0.3), (ORANGE, 0.45), (GREEN, 0.35), (PURPLE, 0.4), (VERMILLION, 0.35))

LEGIBLE = 11  # pixels of the smallest letters; a picture that would be smaller scrolls
_RAISED = re.compile(r"([_^])\{(.*?)\}")


class Place(NamedTuple):
    """A rectangle in pixels, and the middles of its sides, where arrows begin and end."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> Point:
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> Point:
        return self.x + self.width, self.y + self.height / 2

    @property
    def top(self) -> Point:
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> Point:
        return self.x + self.width / 2, self.y + self.height


class Figure:
    """A drawing in CSS pixels from the upper left corner, with its text alternative."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width, self.height = width, height
        self.title, self.description = title, description
        self._lines: list[str] = []
        self._smallest = 13.0

    def add(self, tag: str, content: str = "", /, **attributes: object) -> None:
        """An element; `content` is markup, and `_` in an attribute's name stands for a hyphen."""
        start = f"<{tag}{_written(attributes)}"
        self._lines.append(f"{start}>{content}</{tag}>" if content else f"{start}/>")

    @contextmanager
    def group(self, **attributes: object) -> Iterator[None]:
        self._lines.append(f"<g{_written(attributes)}>")
        yield
        self._lines.append("</g>")

    def rect(self, x: float, y: float, width: float, height: float, **attributes: object) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 13,
        anchor: str = "middle",
        **more: object,
    ) -> None:
        """Text with its middle at `y`, in lines; `d_{k}` lowers the k, `W^{Q}` raises the Q."""
        self._smallest = min(self._smallest, size)
        lines = said(text).split("\n") if text else []
        for number, line in enumerate(lines):
            place = y + 0.35 * size + 1.25 * size * (number - (len(lines) - 1) / 2)
            self.add(
                "text", _shifted(line), x=x, y=place, font_size=size, text_anchor=anchor, **more
            )

    def frame(self, place: tuple[float, float, float, float], **attributes: object) -> None:
        """An outline: of what is new or chosen, if no other color is asked for."""
        x, y, width, height = place
        look = {"fill": "none", "stroke": VERMILLION, "stroke_width": 2, **attributes}
        self.rect(x, y, width, height, **look)

    def cell(
        self,
        place: tuple[float, float, float, float],
        text: str = "",
        tint: Tint = GRAY,
        *,
        size: float = 12,
        outlined: bool = False,
    ) -> Place:
        """A tinted box with a text in its middle; outlined if it is new."""
        x, y, width, height = place
        look = {"fill": tint[0], "fill_opacity": round(tint[1], 2)}
        self.rect(x + 0.7, y + 0.7, width - 1.4, height - 1.4, **look)
        self.text(x + width / 2, y + height / 2, text, size)
        if outlined:
            self.frame(place)
        return Place(*place)

    def row(
        self,
        place: tuple[float, float, float, float],
        texts: Iterable[str],
        tint: Tint = GRAY,
        *,
        new: Container[int] = (),
        size: float = 12,
    ) -> list[Place]:
        """Cells side by side; `place` is that of the first, `new` are the outlined ones."""
        x, y, wide, high = place
        return [
            self.cell((x + wide * n, y, wide, high), text, tint, size=size, outlined=n in new)
            for n, text in enumerate(texts)
        ]

    def table(
        self,
        place: tuple[float, float, float, float],
        rows: Sequence[Sequence[float]],
        names: Iterable[str] = (),
        size: float = 12,
    ) -> None:
        """Named rows of numbers, the larger the darker as far as 1: orange below 0, blue above."""
        x, y, wide, high = place
        for row, name in enumerate(names):
            self.text(x - 10, y + (row + 0.5) * high, name, size, anchor="end")
        whole = all(number == round(number) for row in rows for number in row)
        for row, numbers in enumerate(rows):
            for column, number in enumerate(numbers):
                tint = (VERMILLION if number < 0 else BLUE, 0.03 + 0.5 * min(abs(number), 1))
                spot = (x + column * wide, y + row * high, wide, high)
                self.cell(spot, f"{number:.0f}" if whole else f"{number:z.2f}", tint)

    def line(self, points: Sequence[Point], **attributes: object) -> None:
        self.lines([points], **attributes)

    def lines(self, lines: Iterable[Sequence[Point]], **attributes: object) -> None:
        """Several lines as a single shape."""
        paths = (" L".join(f"{_number(x)} {_number(y)}" for x, y in points) for points in lines)
        look = {"fill": "none", "stroke": "currentColor", **attributes}
        self.add("path", d="".join(f"M{path}" for path in paths), **look)

    def arrow(self, points: Sequence[Point], **attributes: object) -> None:
        """A line through the points with a head at the last."""
        (x0, y0), (x, y) = points[-2:]
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        along, across = (x - x0) / length, (y - y0) / length
        back = (x - 8 * along, y - 8 * across)
        self.line([*points[:-1], back], **attributes)
        wings = [(back[0] + side * across * 4, back[1] - side * along * 4) for side in (1, -1)]
        self.line([(x, y), *wings], fill=attributes.get("stroke", "currentColor"), stroke="none")

    def plus(self, x: float, y: float) -> None:
        """A sum: a plus in a circle."""
        self.add("circle", cx=x, cy=y, r=8, fill="none", stroke="currentColor")
        self.line([(x - 8, y), (x + 8, y)])
        self.line([(x, y - 8), (x, y + 8)])

    def svg(self) -> str:
        least = min(self.width, LEAST_WIDTH, self.width * LEGIBLE / self._smallest)
        head = _written(
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "role": "img",
                "viewBox": f"0 0 {_number(self.width)} {_number(self.height)}",
                "width": self.width,
                "fill": "currentColor",
                "font-family": "sans-serif",
                "style": f"max-width:max(100%,{least:.0f}px);height:auto",
            }
        )
        title, description = map(escape, map(said, (self.title, self.description)))
        names = f"<title>{title}</title>\n<desc>{description}</desc>"
        return "\n".join([f"<svg{head}>", names, *self._lines, "</svg>\n"])


def _written(attributes: dict[str, object]) -> str:
    texts = {
        name.rstrip("_").replace("_", "-"): _number(value) if isinstance(value, float) else value
        for name, value in attributes.items()
    }
    return "".join(f" {name}={quoteattr(str(text))}" for name, text in texts.items())


def _number(value: float) -> str:
    return f"{round(value, 2) + 0:g}"


def _shifted(line: str) -> str:
    """The line's markup, in which what is lowered or raised is smaller, and the rest in line."""
    pieces = _RAISED.split(line)
    markup = escape(pieces[0])
    for sign, small, rest in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        shift = 3 if sign == "_" else -5
        markup += f'<tspan dy="{shift}" font-size="75%">{escape(small)}</tspan>'
        markup += f'<tspan dy="{-shift}">{escape(rest)}</tspan>' if rest else ""
    return markup
