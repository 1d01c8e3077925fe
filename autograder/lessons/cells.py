"""Cells side by side, as figures of several lessons draw them: numbers, tokens, what is new."""

from collections.abc import Sequence

from autograder.authoring.svg import BLUE, GRAY, VERMILLION, Figure

Tint = tuple[str, float]  # a color, and how opaque it is


class Cells(Figure):
    """A figure with tinted cells; each place is corner, width and height in pixels."""

    def cell(
        self,
        place: tuple[float, float, float, float],
        text: str,
        tint: Tint = GRAY,
        *,
        size: float = 12,
        outlined: bool = False,
    ) -> None:
        x, y, width, height = place
        look = {"fill": tint[0], "fill_opacity": round(tint[1], 2)}
        self.rect(x + 0.7, y + 0.7, width - 1.4, height - 1.4, **look)
        self.text(x + width / 2, y + height / 2, text, size)
        if outlined:
            self.rect(x, y, width, height, fill="none", stroke=VERMILLION, stroke_width=2)

    def table(
        self, x: float, y: float, rows: Sequence[Sequence[float]], wide: float, high: float
    ) -> None:
        """Numbers, the larger the darker as far as 1: orange below 0, blue above."""
        whole = all(number == round(number) for row in rows for number in row)
        for row, numbers in enumerate(rows):
            for column, number in enumerate(numbers):
                tint = (VERMILLION if number < 0 else BLUE, 0.03 + 0.5 * min(abs(number), 1))
                place = (x + column * wide, y + row * high, wide, high)
                self.cell(place, f"{number:.0f}" if whole else f"{number:z.2f}", tint)
