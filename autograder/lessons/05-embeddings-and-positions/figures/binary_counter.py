"""A binary counter next to sinusoids whose periods are those of its bits."""

import math

from autograder.authoring.svg import Figure

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
    _table(figure, 60, "Binary counter: hard bits", counter)
    _table(figure, 500, "Waves of the same periods: soft bits", waves)
    middle = TOP + LENGTH * HIGH / 2
    figure.text(14, middle, "position", transform=f"rotate(-90 14 {middle:g})")
    return figure


def _table(figure: Figure, left: float, title: str, rows: list[list[float]]) -> None:
    figure.text(left, 18, title, 14, anchor="start")
    figure.table((left, TOP, WIDE, HIGH), rows, map(str, range(LENGTH)))
    for bit in range(BITS):
        below = TOP + LENGTH * HIGH + 18
        figure.text(left + (bit + 0.5) * WIDE, below, f"every {2 ** (bit + 1)}", 12)
