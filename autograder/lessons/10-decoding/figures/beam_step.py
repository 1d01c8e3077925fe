"""The step of a beam search by hand: what is kept of two prefixes, before and after `gather`."""

from autograder.authoring.svg import TINTS, Figure

TOKEN, NUMBER, HIGH, TOP = 60.0, 58.0, 34.0, 154.0  # a token, a number, a row; where rows begin
LEFT, BETWEEN, PARENTS = 80.0, 130.0, (1, 0)
TOTALS, COLUMNS = ("-5.5", "-1.1", "-1.3", "-0.9", "-∞", "-∞"), ("total", "length", "ended")
BEFORE = ((("<bos>", "one"), "-0.5", "1", "no"), (("<bos>", "<eos>"), "-0.9", "1", "yes"))
AFTER = (
    (("<bos>", "<eos>", "<pad>"), "-0.9", "1", "yes"),
    (("<bos>", "one", "<eos>"), "-1.1", "2", "yes"),
)
DESCRIPTION = (
    "The row of totals: -5.5, -1.1, -1.3, -0.9, -∞, -∞; places 1 and 3 are outlined. Before: "
    "prefix 0 is <bos> one, with total -0.5 and length 1, not ended; prefix 1 is <bos> <eos>, with "
    "total -0.9 and length 1, ended. Row 0 of the new beam continues prefix 1 with <pad>, and row "
    "1 continues prefix 0 with <eos>: the rows cross over, ids, total, length and end together. "
    "After: row 0 is <bos> <eos> <pad>, with total -0.9 and length 1, ended; row 1 is <bos> one "
    "<eos>, with total -1.1 and length 2, ended."
)


def draw() -> Figure:
    right = LEFT + 2 * TOKEN + 3 * NUMBER + BETWEEN
    width = right + 3 * (TOKEN + NUMBER) + 8
    figure = Figure(width, TOP + 2 * HIGH + 12, "One step of a beam of 2", DESCRIPTION)
    figure.text(LEFT - 10, 12, "place", anchor="end")
    for n, total in enumerate(TOTALS):
        place = (LEFT + n * NUMBER, 24, NUMBER, HIGH)
        figure.cell(place, total, TINTS[n // 3], size=12, outlined=n in (1, 3))
        figure.text(place[0] + NUMBER / 2, 12, str(n), 12, opacity=0.75)
    _rows(figure, LEFT, "before", BEFORE, (0, 1))
    _rows(figure, right, "after", AFTER, PARENTS)
    figure.text(right - 20, TOP - 22, "parent", 12, opacity=0.75)
    for row, parent in enumerate(PARENTS):
        start, end = (TOP + (number + 0.5) * HIGH for number in (parent, row))
        figure.arrow([(right - BETWEEN + 6, start), (right - 32, end)], stroke_width=2)
        figure.text(right - 20, end, str(parent), 13)
        figure.text(LEFT - 10, end, f"prefix {row}", 13, anchor="end")
    return figure


def _rows(figure: Figure, left: float, name: str, rows, parents: tuple[int, int]) -> None:
    """The beam at one time; each row has the tint of the prefix that it comes from."""
    tokens = len(rows[0][0])
    end = left + tokens * TOKEN
    figure.text((left + end + 3 * NUMBER) / 2, TOP - 54, name, 14)
    figure.text((left + end) / 2, TOP - 22, "ids, as tokens", 12, opacity=0.75)
    for place, column in enumerate(COLUMNS):
        figure.text(end + (place + 0.5) * NUMBER, TOP - 22, column, 12, opacity=0.75)
    for row, (ids, *numbers) in enumerate(rows):
        y, tint = TOP + row * HIGH, TINTS[parents[row]]
        figure.row((left, y, TOKEN, HIGH), ids, tint, new=range(len(BEFORE[0][0]), tokens))
        figure.row((end, y, NUMBER, HIGH), numbers, tint)
