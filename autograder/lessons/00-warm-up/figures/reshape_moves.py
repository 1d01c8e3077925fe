"""One sentence's features after a split into heads with a transpose, and after a view.

Cells have the numbers 0, 1, 2, ... in the order of memory, and the tint and the letter of the head
that they belong to. The transpose keeps heads apart; a plain view to the same shape mixes them.
"""

from autograder.authoring.svg import TINTS, Figure

HEADS, D_K, LENGTH = 2, 2, 3
FEATURES = HEADS * D_K
CELL, LEFT, TOP = 36.0, 100.0, 66.0
DESCRIPTION = (
    f"{LENGTH} words with {FEATURES} features each, numbered in the order of memory. Cut and "
    f"swapped, each of the {HEADS} heads has all words and only its own {D_K} features. Viewed at "
    f"once to the same shape, {HEADS} of {HEADS} heads hold features of other heads."
)


def draw() -> Figure:
    figure = Figure(800, 330, "A split into heads: cut and swap, or view alone", DESCRIPTION)
    whole = [list(range(row * FEATURES, (row + 1) * FEATURES)) for row in range(LENGTH)]
    swapped = [[row[head * D_K : (head + 1) * D_K] for row in whole] for head in range(HEADS)]
    flat = [number for row in whole for number in row]
    rows = [flat[start : start + D_K] for start in range(0, len(flat), D_K)]
    viewed = [rows[head * LENGTH : (head + 1) * LENGTH] for head in range(HEADS)]
    for row in range(LENGTH):
        figure.text(LEFT - 12, TOP + (row + 0.5) * CELL, f"word {row}", anchor="end")
    for head in range(HEADS):
        figure.text(LEFT + (head + 0.5) * D_K * CELL, TOP - 16, f"head {head}")
    for left, title, blocks in (
        (LEFT, "one sentence (T, D)", [whole]),
        (425, "cut, then swap (H, T, d_{k})", swapped),
        (665, "view alone (H, T, d_{k})", viewed),
    ):
        figure.text(left + len(blocks[0][0]) * CELL / 2, 18, title, 14)
        for head, block in enumerate(blocks):
            top = TOP + head * (LENGTH + 0.7) * CELL
            if len(blocks) > 1:
                figure.text(left - 12, top + LENGTH * CELL / 2, f"head {head}", anchor="end")
            for row, numbers in enumerate(block):
                for column, number in enumerate(numbers):
                    place = (left + column * CELL, top + row * CELL, CELL, CELL)
                    figure.cell(place, str(number), TINTS[number % FEATURES // D_K], size=13)
    return figure
