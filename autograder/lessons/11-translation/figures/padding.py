"""Eight sentences in batches: as they come, and by length, with the padding of each batch gray."""

from autograder.authoring.svg import BLUE, GRAY, Figure

UNIT, TOP, BETWEEN = 18.0, 40.0, 14.0  # of a number, of the first row, of two batches; in pixels
WAYS = {
    "At random, 4 in each": ((5, 12, 4, 9), (3, 10, 4, 6)),
    "By length, at most 24 numbers": ((3, 4, 4, 5), (6, 9), (10, 12)),
}


def draw() -> Figure:
    figure = Figure(640, 252, "Eight sentences in batches, padded to the longest in each", "")
    for way, (title, batches) in enumerate(WAYS.items()):
        left, y, said = 30 + 318.0 * way, TOP, []
        figure.text(left, 16, title, 14, anchor="start")
        for lengths in batches:
            longest, top = max(lengths), y
            for length in lengths:
                figure.text(left - 8, y + UNIT / 2, str(length), 12, anchor="end")
                figure.row((left, y, UNIT, UNIT), [""] * length, (BLUE, 0.5))
                rest = (left + length * UNIT, y, UNIT, UNIT)
                figure.row(rest, [""] * (longest - length), GRAY)
                y += UNIT
            size = f"{len(lengths)} × {longest}"
            figure.text(left + longest * UNIT + 8, (top + y) / 2, size, 12, anchor="start")
            said.append(f"{size} for the lengths {', '.join(map(str, lengths))}")
            y += BETWEEN
        numbers = sum(len(lengths) * max(lengths) for lengths in batches)
        padding = numbers - sum(map(sum, batches))
        share = f"{padding} of {numbers} numbers are padding, {padding / numbers:.0%}"
        figure.text(left, 238, share, anchor="start")
        figure.description += f"{title}: {'; '.join(said)}; {share}. "
    return figure
