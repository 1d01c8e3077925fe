"""A padding mask beside the scores: its row of a sentence serves all heads and all queries."""

from autograder.authoring.svg import BLUE, GRAY, Figure

UNIT, MASK, SCORES, APART = 24.0, 84.0, 216.0, 96.0  # of a cell; where both begin; of two tables
REAL = ((True, True, False), (True, False, False))  # of each sentence, the tokens
DESCRIPTION = (
    "On the left, the mask has one row for each sentence, which shows two of three keys in "
    "sentence 0, and one in sentence 1. On the right, that row fills all queries of all heads."
)


def draw() -> Figure:
    figure = Figure(392, 244, "The padding mask, broadcast to the scores", DESCRIPTION)
    figure.text(MASK + 1.5 * UNIT, 16, "mask\n(N, 1, 1, T)")
    figure.text(SCORES + 3.5 * UNIT, 16, "scores\n(N, H, T, T)")
    for head in range(2):
        figure.text(SCORES + APART * head + 1.5 * UNIT, 54, f"head {head}", 12)
    for sentence, real in enumerate(REAL):
        top = 68 + APART * sentence
        figure.text(MASK - 12, top + 1.5 * UNIT, f"sentence {sentence}", 12, anchor="end")
        figure.arrow([(x, top + 1.5 * UNIT) for x in (MASK + 3 * UNIT + 12, SCORES - 12)])
        rows = [(MASK, 1), *((SCORES + APART * head, row) for head in (0, 1) for row in range(3))]
        for left, row in rows:
            for key, seen in enumerate(real):
                place = (left + key * UNIT, top + row * UNIT, UNIT, UNIT)
                figure.cell(place, "✓" if seen else "", (BLUE, 0.35) if seen else GRAY)
    return figure
