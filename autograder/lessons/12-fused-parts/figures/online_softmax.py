"""Softmax block by block: what is kept of the scores 1 and 3, and rescaled when a 5 comes."""

from autograder.authoring.svg import TINTS, Figure

GIVEN = {"score s": ("13", "5"), "its value": (("10", "20"), ("30",))}
KEPT = {
    "largest score so far, m": ("3", "5"),
    "sum of e^{s - m}": ("e^{1 - 3} + e^{3 - 3} = 1.135", "0.154 + e^{5 - 5} = 1.154"),
    "sum of e^{s - m} · value": ("1.35 + 20 = 21.35", "2.89 + 30 = 32.89"),
}
LEFT, WIDE, GAP, HIGH, TOP = 172.0, 176.0, 108.0, 34.0, 34.0
DESCRIPTION = (
    "Block 1 brings the scores 1 and 3, with the values 10 and 20. Kept: the largest score, 3; the "
    "sum of e to the score minus 3, 0.1353 + 1 = 1.135; the sum of these times the values, 1.35 + "
    "20 = 21.35. Block 2 brings the score 5, with the value 30. Now 5 is the largest, so both sums "
    "shrink by e to the 3 - 5, 0.1353, before 1 and 30 are added: 0.154 + 1 = 1.154, and 2.89 + 30 "
    "= 32.89. The output is 32.89 / 1.154 = 28.5, as from 1, 3 and 5 at once."
)


def draw() -> Figure:
    lefts = (LEFT, LEFT + WIDE + GAP)
    figure = Figure(640, 308, "Softmax, one block of scores at a time", DESCRIPTION)
    for row, (name, cells) in enumerate((GIVEN | KEPT).items()):
        y = TOP + row * 40 + 30 * (name in KEPT)
        figure.text(LEFT - 10, y + HIGH / 2, name, 12, anchor="end")
        for left, texts in zip(lefts, cells, strict=True):
            if name in KEPT:
                figure.cell((left, y, WIDE, HIGH), texts, TINTS[0])
            else:
                figure.row((left, y, WIDE / len(texts), HIGH), texts, TINTS[1])
        if name in KEPT:
            middle = y + HIGH / 2
            figure.arrow([(lefts[1] - GAP + 4, middle), (lefts[1] - 4, middle)])
            said = "5 is larger" if row == 2 else "× e^{3 - 5} = 0.1353"
            figure.text(lefts[1] - GAP / 2, middle - 11, said, 11)
    for number, left in enumerate(lefts):
        figure.text(left + WIDE / 2, 16, f"block {number + 1}", 14)
        figure.arrow([(left + WIDE / 2, TOP + 76), (left + WIDE / 2, TOP + 108)])
    figure.text(lefts[1] + WIDE / 2, 286, "output: 32.89 / 1.154 = 28.5")
    return figure
