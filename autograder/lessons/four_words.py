"""Four words as rows of matrices on their way through attention, as lessons 01 and 02 draw them."""

import math
from dataclasses import dataclass

from autograder.authoring.svg import GRAY, TINTS, Figure, Tint

Matrix = list[list[float]]

WORDS = ("fünf", "und", "zwan", "zig")
X: Matrix = [[2, 0, 0, 5], [0, 0, 1, 0], [1, 1, 0, 2], [0, 2, 0, 0]]
# The left two columns belong to head 0, which is the only one of lesson 01.
W_Q: Matrix = [[0, 1, 1, 0], [1, 0, 0, 0], [2, 0, 0, 1], [0, 0, 0, 0]]
W_K: Matrix = [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
W_V: Matrix = [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
W_O: Matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]]
D_K = 2
QUERY, KEY, VALUE, OUTPUT = TINTS[3], TINTS[2], ("#F0E442", 0.4), TINTS[4]
CELL, TOP = 36.0, 3.2  # pixels of a cell; room for the headings, in cells
# Where the words' matrices begin, those of queries, keys and values above each other; in cells.
LEFT, LANES, HEIGHT = 2.0, (0.0, 5.4, 10.8), 15.2


@dataclass(frozen=True)
class Block:
    """A matrix in the drawing: where its upper left cell is, in cells, and its columns' tints."""

    name: str
    matrix: Matrix
    x: float
    y: float
    tints: tuple[Tint, ...] = ()  # none: weights, the larger the darker
    columns: tuple[str, ...] = ()  # their names
    followed: bool = True  # the row of the first word is outlined

    @property
    def right(self) -> float:
        return self.x + len(self.matrix[0])

    @property
    def center(self) -> float:
        return (self.x + self.right) / 2

    @property
    def middle(self) -> float:
        return self.y + len(self.matrix) / 2


def product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one
    ]


def of_head(head: int, matrix: Matrix) -> Matrix:
    return [row[head * D_K : (head + 1) * D_K] for row in matrix]


def attention(head: int) -> tuple[Matrix, ...]:
    """q, k, v, scores, weights and output of one head."""
    q, k, v = (product(X, of_head(head, matrix)) for matrix in (W_Q, W_K, W_V))
    scores = [[sum(a * b for a, b in zip(one, key, strict=True)) for key in k] for one in q]
    powers = [[math.exp(score / math.sqrt(D_K)) for score in row] for row in scores]
    weights = [[power / sum(row) for power in row] for row in powers]
    return q, k, v, scores, weights, product(weights, v)


class Drawing(Figure):
    """A figure in cells, below its headings, as far as its last block: no later one is drawn."""

    def __init__(self, last: Block, story: str) -> None:
        title = f"The words {', '.join(WORDS)} as rows of matrices, step by step"
        super().__init__((last.right + 0.9) * CELL, (HEIGHT + TOP) * CELL, title, story)
        self.end = last.right

    def label(self, x: float, y: float, text: str, size: float, **attributes: object) -> None:
        self.text(x * CELL, (y + TOP) * CELL, text, size, **attributes)

    def header(self, block: Block, name: str, shape: str) -> None:
        if block.right <= self.end:
            self.label(block.center, -2.8, name, 14)
            self.label(block.center, -2.15, shape, 12, opacity=0.75)

    def blocks(self, *blocks: Block, of_words: bool = False) -> None:
        for block in blocks:
            if block.right > self.end:
                continue
            self._block(block)
            for row, word in enumerate(WORDS if of_words else ()):
                self.label(block.x - 0.3, block.y + row + 0.5, word, 13, anchor="end")

    def _block(self, block: Block) -> None:
        largest = max(number for row in block.matrix for number in row)
        whole = all(number == round(number) for row in block.matrix for number in row)
        for row, numbers in enumerate(block.matrix):
            for column, number in enumerate(numbers):
                shade = (GRAY[0], 0.04 + 0.36 * number / largest)
                tint = block.tints[column] if block.tints else shade
                x, y = block.x + column, block.y + row
                written = f"{number:.0f}" if whole else f"{number:.2f}"
                self.cell((x * CELL, (y + TOP) * CELL, CELL, CELL), written, tint)
        if block.name:
            self.label(block.center, block.y - 0.55, block.name, 14)
        for column, name in enumerate(block.columns):
            self.label(block.x + column + 0.5, block.y - 0.4, name, 11, opacity=0.8)
        if block.followed:
            place = (block.x * CELL, (block.y + TOP) * CELL, (block.right - block.x) * CELL, CELL)
            self.frame(place, stroke_width=2.5)

    def link(self, *points: tuple[float, float], start: float = 0.13, end: float = 0.13) -> None:
        """An arrow between points in cells, which keeps a distance from both ends."""
        places = [(x * CELL, (y + TOP) * CELL) for x, y in points]
        for index, beside, gap in ((0, 1, start), (-1, -2, end)):
            (x, y), (x1, y1) = places[index], places[beside]
            share = gap * CELL / ((x1 - x) ** 2 + (y1 - y) ** 2) ** 0.5
            places[index] = (x + (x1 - x) * share, y + (y1 - y) * share)
        self.arrow(places, stroke_width=1.5, opacity=0.75)

    def flow(self, start: Block, end: Block) -> None:
        if end.right <= self.end:
            self.link((start.right, start.middle), (end.x, end.middle))


def story(said: dict[str, str], upto: str, rows: dict[str, Matrix]) -> str:
    """The steps in words, with the numbers of the first word."""
    numbers = {
        name: "(" + ", ".join(f"{number:.2f}".rstrip("0").rstrip(".") for number in matrix[0]) + ")"
        for name, matrix in rows.items()
    }
    steps = list(said)
    shown = "; ".join(said[step] for step in steps[: steps.index(upto) + 1])
    told = shown.format(word=WORDS[0], **numbers)
    return f"{told[0].upper()}{told[1:]}."
