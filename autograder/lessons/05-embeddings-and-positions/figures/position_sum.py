"""A sentence of three tokens by hand: vectors of tokens plus those of positions are the input."""

import math

from autograder.authoring.svg import Figure

WIDE, HIGH, TOP = 52.0, 32.0, 64.0  # a cell, and where the first row is, in pixels
SENTENCE = ("no", "yes", "no")
VECTORS = {"yes": (1.0, -0.2, 0.4, 0.8), "no": (-0.6, 0.4, 0.2, -1.0)}  # times the root of 4
DESCRIPTION = (
    "Three tables with a row for each token of “no yes no” and four features each. Token vectors, "
    "(N, T, D): both rows of “no” are equal. Position vectors, (T, D): each row differs. Their "
    "sum, the input, (N, T, D): now the two rows of “no” differ. Its rows: "
)


def draw() -> Figure:
    tokens = [VECTORS[token] for token in SENTENCE]
    places = [
        (math.sin(place), math.cos(place), math.sin(place / 100), math.cos(place / 100))
        for place in range(len(SENTENCE))
    ]
    sums = [tuple(map(sum, zip(*rows, strict=True))) for rows in zip(tokens, places, strict=True)]
    said = DESCRIPTION + "; ".join(" ".join(f"{x:z.2f}" for x in row) for row in sums) + "."
    figure = Figure(840, TOP + 3 * HIGH + 44, "Token vector + position vector = input", said)
    _table(figure, 60, "token vectors", "(N, T, D)", tokens, SENTENCE)
    _table(figure, 344, "position vectors", "(T, D)", places, ("0", "1", "2"))
    _table(figure, 622, "input", "(N, T, D)", sums, ())
    for x, sign in ((300, "+"), (588, "=")):
        figure.text(x, TOP + 1.5 * HIGH, sign, 22)
    below = TOP + 3 * HIGH + 28
    figure.text(60 + 2 * WIDE, below, "each of the N sentences has its own", 11)
    figure.text(344 + 2 * WIDE, below, "the same for every sentence", 11)
    return figure


def _table(figure: Figure, left: float, title: str, shape: str, rows, names) -> None:
    """A table; behind one of (N, T, D), the edges of further sentences."""
    figure.text(left + 2 * WIDE, 14, title, 14)
    figure.text(left + 2 * WIDE, 33, shape, 12, opacity=0.75)
    for sheet in (5, 10) if "N" in shape else ():
        x, y = left + sheet, TOP - sheet
        corners = [(x, y + 5), (x, y), (x + 4 * WIDE, y), (x + 4 * WIDE, y + 3 * HIGH)]
        figure.line([*corners, (x + 4 * WIDE - 5, y + 3 * HIGH)], opacity=0.5)
    figure.table((left, TOP, WIDE, HIGH), rows, names, 13)
