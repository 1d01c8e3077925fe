"""The words and the pairs of a translation that its reference has, too, in the lesson's example."""

from itertools import pairwise

from autograder.authoring.svg import GRAY, TINTS, Figure

REFERENCE = ("a", "dog", "runs", "through", "the", "grass")
TRANSLATION = ("a", "dog", "runs", "on", "grass")
WIDE, HIGH, LEFT = 70.0, 32.0, 90.0
DESCRIPTION = (
    "The reference: a dog runs through the grass. The translation: a dog runs on grass. Of its "
    "words, four of five are in the reference, a, dog, runs and grass, and on is not. Of its pairs "
    "of neighbors, two of four are there, a dog and dog runs; runs on and on grass are not."
)


def draw() -> Figure:
    figure = Figure(600, 168, "What a translation shares with its reference", DESCRIPTION)
    for y, name in ((6, "reference"), (72, "translation"), (122, "its pairs")):
        figure.text(LEFT - 12, y + HIGH / 2, name, anchor="end")
    known = {*REFERENCE, *map(" ".join, pairwise(REFERENCE))}
    above = figure.row((LEFT, 6, WIDE, HIGH), REFERENCE)
    pairs = [*map(" ".join, pairwise(TRANSLATION))]
    for left, y, parts in ((LEFT, 72, TRANSLATION), (LEFT + WIDE / 2, 122, pairs)):
        for number, part in enumerate(parts):
            place = (left + number * WIDE, y, WIDE, HIGH)
            cell = figure.cell(place, part, TINTS[2] if part in known else GRAY)
            if part in REFERENCE:
                figure.line([above[REFERENCE.index(part)].bottom, cell.top], stroke_width=2)
        count = f"{sum(part in known for part in parts)} of {len(parts)}"
        figure.text(LEFT + 5 * WIDE + 14, y + HIGH / 2, count, anchor="start")
    return figure
