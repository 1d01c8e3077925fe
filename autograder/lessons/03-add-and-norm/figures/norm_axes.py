"""Which numbers of an (N, T, D) block share one mean: LayerNorm's and BatchNorm's."""

import math
from itertools import product

from autograder.authoring.svg import BLUE, Figure

BATCH, LENGTH, FEATURES = 3, 4, 6
CELL, SHIFT_X, SHIFT_Y = 38.0, 34.0, 24.0  # a cell, and a sheet behind another, in pixels
WORD, FEATURE = 1, 2  # the marked ones
DESCRIPTION = (
    f"A block of {BATCH} sentences, {LENGTH} words, {FEATURES} features, drawn twice; the numbers "
    f"that share one mean and variance are marked. LayerNorm: the {FEATURES} features of one word "
    "of one sentence. BatchNorm: one feature of all words of all sentences."
)


def draw() -> Figure:
    figure = Figure(900, 320, "What LayerNorm and BatchNorm take together", DESCRIPTION)
    for left, title, is_layer in (
        (50, "LayerNorm: one word, all its features", True),
        (500, "BatchNorm: one feature, all words of all sentences", False),
    ):
        top = 50 + (BATCH - 1) * SHIFT_Y
        wide, high = FEATURES * CELL, LENGTH * CELL
        figure.text(left + (wide + (BATCH - 1) * SHIFT_X) / 2, 18, title, 14)
        for sheet, row, column in product(range(BATCH), range(LENGTH), range(FEATURES)):
            marked = (sheet, row) == (0, WORD) if is_layer else column == FEATURE
            _cell(figure, left, top, sheet, row, column, marked)
        figure.text(left + wide / 2, top + high + 22, "features (D)")
        x, y = left - 20, top + high / 2
        figure.text(x, y, "words (T)", transform=f"rotate(-90 {x:g} {y:g})")
        figure.text(left + wide + SHIFT_X + 12, top + high - 12, "sentences (N)", anchor="start")
    return figure


def _cell(figure: Figure, left, top, sheet: int, row: int, column: int, marked: bool) -> None:
    """A cell; of one behind only what is seen above and right of the sheet before."""
    x, y = left + sheet * SHIFT_X + column * CELL, top - sheet * SHIFT_Y + row * CELL
    right = left + (sheet - 1) * SHIFT_X + FEATURES * CELL
    bottom = top - (sheet - 1) * SHIFT_Y if sheet else math.inf
    above = (x, y, CELL, min(CELL, bottom - y))
    beside = (max(x, right), max(y, bottom), min(CELL, x + CELL - right), y + CELL - max(y, bottom))
    fill = {"fill": BLUE, "fill_opacity": 0.55} if marked else {"fill_opacity": 0.07}
    for x, y, wide, high in (above, beside):
        if wide > 0 and high > 0:
            figure.rect(x, y, wide, high, stroke="currentColor", stroke_opacity=0.55, **fill)
            if marked:
                figure.add("circle", cx=x + wide / 2, cy=y + high / 2, r=min(5, high / 5))
