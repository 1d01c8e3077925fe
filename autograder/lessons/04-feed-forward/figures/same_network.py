"""The network itself, 4 to 16 to 4, over three words: the same for each, and nothing between."""

from itertools import pairwise

from autograder.authoring.svg import BLUE, GREEN, ORANGE, Figure

# From below: height, how many numbers, pixels from one to the next, tint.
ROWS = (
    (166.0, 4, 30.0, (BLUE, 0.5), "x\nD = 4"),
    (102.0, 16, 10.4, (ORANGE, 0.6), "hidden\nd_{ff} = 16"),
    (38.0, 4, 30.0, (GREEN, 0.5), "output\nD = 4"),
)
# Which hidden units the ReLU leaves above 0.
WORDS = {"the": 0b1001011010011010, "dog": 0b0110100101101001, "saw": 0b1100110001010011}
LEFT, WIDE = 88.0, 182.0
DESCRIPTION = (
    "Over each of three words stands the same network, with the same weights: from below, 4 "
    "numbers of the word, lines to 16 hidden units, half of which the ReLU has made 0, and lines "
    "to 4 numbers of the result. No line leads from one word's network to another's."
)


def draw() -> Figure:
    figure = Figure(640, 238, "One network for every word", DESCRIPTION)
    for y, text in ((134, "W_{1}"), (70, "W_{2}"), *((row[0], row[-1]) for row in ROWS)):
        figure.text(LEFT - 10, y, text, 12, anchor="end")
    for number, (word, above_zero) in enumerate(WORDS.items()):
        middle = LEFT + (number + 0.5) * WIDE
        figure.cell((middle - WIDE / 2 + 3, 20, WIDE - 6, 164), "", ("currentColor", 0.05))
        figure.text(middle, 200, word, 14)
        dots = [
            [(middle + (n - (count - 1) / 2) * step, y) for n in range(count)]
            for y, count, step, _tint, _text in ROWS
        ]
        for below, above in pairwise(dots):
            # As far as the centers, they would show in the hollow circles.
            lines = [((x, y - 4.4), (end, top + 4.4)) for x, y in below for end, top in above]
            figure.lines(lines, stroke_opacity=0.16)
        for row, (_y, count, _step, (color, opacity), _text) in zip(dots, ROWS, strict=True):
            for n, (x, y) in enumerate(row):
                shown = opacity if count == 4 or above_zero >> n & 1 else 0
                look = {"fill": color, "fill_opacity": shown, "stroke": "currentColor"}
                figure.add("circle", cx=x, cy=y, r=4.4, **look)
    figure.text(LEFT + 1.5 * WIDE, 224, "hollow: the ReLU has made it 0", 12)
    return figure
