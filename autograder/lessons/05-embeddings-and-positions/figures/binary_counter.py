"""A binary counter next to sinusoids whose periods are those of its bits."""

import math

from autograder.authoring.svg import BLUE, VERMILLION, Figure

LENGTH, BITS = 16, 4
WIDE, HIGH, TOP = 95.0, 26.0, 40.0  # a cell, and where the first row is, in pixels
DESCRIPTION = (
    f"Numbers 0 to {LENGTH} without the last in binary, lowest bit first, beside sinusoids of the "
    f"same periods: the first of {BITS} columns changes at each step, each further one half as "
    "often; the bits jump, the waves glide."
)


def draw() -> Figure:
    figure = Figure(900, TOP + LENGTH * HIGH + 36, "A binary counter and waves", DESCRIPTION)
    steps = range(LENGTH)
    counter = [[float(number >> bit & 1) for bit in range(BITS)] for number in steps]
    # A wave's period is that of its bit.
    waves = [
        [-math.sin(2 * math.pi * (n + 0.5) / 2 ** (bit + 1)) for bit in range(BITS)] for n in steps
    ]
    _table(figure, 60, "Binary counter: hard bits", counter, 0)
    _table(figure, 500, "Waves of the same periods: soft bits", waves, 2)
    middle = TOP + LENGTH * HIGH / 2
    figure.text(14, middle, "position", transform=f"rotate(-90 14 {middle:g})")
    return figure


def _table(figure: Figure, left: float, title: str, rows: list[list[float]], digits: int) -> None:
    figure.text(left, 18, title, 14, anchor="start")
    for row, numbers in enumerate(rows):
        figure.text(left - 10, TOP + (row + 0.5) * HIGH, str(row), 12, anchor="end")
        for column, number in enumerate(numbers):
            x, y = left + column * WIDE, TOP + row * HIGH
            fill = VERMILLION if number < 0 else BLUE
            opacity = round(0.03 + 0.5 * abs(number), 2)
            place = (x + 0.7, y + 0.7, WIDE - 1.4, HIGH - 1.4)
            figure.rect(*place, fill=fill, fill_opacity=opacity)
            figure.text(x + WIDE / 2, y + HIGH / 2, f"{number:.{digits}f}", 12)
    for bit in range(BITS):
        below = TOP + LENGTH * HIGH + 18
        figure.text(left + (bit + 0.5) * WIDE, below, f"every {2 ** (bit + 1)}", 12)
