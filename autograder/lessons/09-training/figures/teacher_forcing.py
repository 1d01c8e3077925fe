"""What a decoder reads and predicts in training, and beside it, pale, what it reads alone."""

from itertools import pairwise

from autograder.authoring.svg import BLUE, ORANGE, Figure

RIGHT = ("<bos>", "seven", "hundred", "five", "<eos>")
WRITTEN = ("<bos>", "eight", "thousand", "five", "<eos>")
CELL, NEXT, HIGH, READS, DECODER, LABELS = 60.0, 78.0, 30.0, 34.0, 92.0, 156.0
DESCRIPTION = (
    "In training the decoder reads <bos> seven hundred five, whatever it would have written. From "
    "each position one arrow leads through the decoder to the label, all in one pass: seven, "
    "hundred, five, <eos>. Alone, in pale, it reads <bos> and writes eight; an arrow leads from "
    "each word that it wrote back to what it reads next, eight, then thousand, then five."
)


def draw() -> Figure:
    figure = Figure(726, 226, "What a decoder reads in training, and alone", DESCRIPTION)
    for left, tokens, title, said in (
        (64, RIGHT, "training: the right words", "one pass; the mask hides the future"),
        (428, WRITTEN, "alone: its own words", "a pass for each word; a mistake stays"),
    ):
        alone = tokens == WRITTEN
        with figure.group(opacity=0.7 if alone else 1):
            for y, name in ((READS, "reads"), (LABELS, "writes" if alone else "labels")):
                figure.text(left - 10, y + HIGH / 2, name, anchor="end")
            for y, text, size in ((14, title, 14), (208, said, 12)):
                figure.text(left + 1.5 * NEXT + CELL / 2, y, text, size)
            wide = CELL if alone else 3 * NEXT + CELL
            for n, (token, label) in enumerate(pairwise(tokens)):
                x = left + NEXT * n
                if alone or n == 0:
                    figure.cell((x, DECODER, wide, HIGH), "decoder", (ORANGE, 0.35), size=11)
                read = figure.cell((x, READS, CELL, HIGH), token, size=11)
                says = figure.cell((x, LABELS, CELL, HIGH), label, (BLUE, 0.3), size=11)
                figure.arrow([read.bottom, (x + CELL / 2, DECODER)])
                figure.arrow([(x + CELL / 2, DECODER + HIGH), says.top])
                if alone and n < 3:  # what it wrote is read at the next step
                    turns = [(x + CELL + 5, y) for y in (says.right[1], read.right[1])]
                    figure.arrow([says.right, *turns, (x + NEXT, read.right[1])])
    return figure
