"""The step of a beam search by hand: what is kept of two prefixes, before and after `gather`."""

from autograder.authoring.svg import TINTS, Figure

TOKEN, NUMBER, HIGH, TOP = 60.0, 58.0, 34.0, 68.0  # a token, a number, a row; where rows begin
LEFT, BETWEEN = 80.0, 130.0
COLUMNS = ("total", "length", "ended")
BEFORE = ((("<bos>", "one"), "-0.5", "1", "no"), (("<bos>", "<eos>"), "-0.9", "1", "yes"))
PARENTS = (1, 0)
AFTER = (
    (("<bos>", "<eos>", "<pad>"), "-0.9", "1", "yes"),
    (("<bos>", "one", "<eos>"), "-1.1", "2", "yes"),
)
DESCRIPTION = (
    "Before: prefix 0 is <bos> one, with total -0.5 and length 1, not ended; prefix 1 is <bos> "
    "<eos>, with total -0.9 and length 1, ended. Row 0 of the new beam continues prefix 1 with "
    "<pad>, and row 1 continues prefix 0 with <eos>: the rows cross over, ids, total, length and "
    "end together. After: row 0 is <bos> <eos> <pad>, with total -0.9 and length 1, ended; row 1 "
    "is <bos> one <eos>, with total -1.1 and length 2, ended."
)


def draw() -> Figure:
    start = LEFT + 2 * TOKEN + 3 * NUMBER
    right = start + BETWEEN
    width = right + 3 * (TOKEN + NUMBER) + 8
    figure = Figure(width, TOP + 2 * HIGH + 12, "One step of a beam of 2", DESCRIPTION)
    _rows(figure, LEFT, "before", BEFORE, (0, 1))
    _rows(figure, right, "after", AFTER, PARENTS)
    figure.text(right - 20, 46, "parent", 12, opacity=0.75)
    for row, parent in enumerate(PARENTS):
        end = TOP + (row + 0.5) * HIGH
        figure.arrow([(start + 6, TOP + (parent + 0.5) * HIGH), (right - 32, end)], stroke_width=2)
        figure.text(right - 20, end, str(parent), 13)
        figure.text(LEFT - 10, end, f"prefix {row}", 13, anchor="end")
    return figure


def _rows(figure: Figure, left: float, name: str, rows, parents: tuple[int, int]) -> None:
    """The beam at one time; each row has the tint of the prefix that it comes from."""
    tokens = len(rows[0][0])
    middle = left + tokens * TOKEN / 2
    figure.text(left + (tokens * TOKEN + 3 * NUMBER) / 2, 14, name, 14)
    figure.text(middle, 46, "ids, as tokens", 12, opacity=0.75)
    for place, column in enumerate(COLUMNS):
        x = left + tokens * TOKEN + (place + 0.5) * NUMBER
        figure.text(x, 46, column, 12, opacity=0.75)
    for row, (ids, *numbers) in enumerate(rows):
        y, tint = TOP + row * HIGH, TINTS[parents[row]]
        figure.row((left, y, TOKEN, HIGH), ids, tint, new=range(len(BEFORE[0][0]), tokens))
        figure.row((left + tokens * TOKEN, y, NUMBER, HIGH), numbers, tint)
