"""Which numbers of an (N, T, D) block share one mean: LayerNorm's and BatchNorm's."""

from collections.abc import Callable

from autograder.authoring.svg import BLUE, Figure

BATCH, LENGTH, FEATURES = 3, 4, 6
CELL, SHIFT_X, SHIFT_Y = 38.0, 34.0, 24.0  # a cell, and a sheet behind another, in pixels
TOKEN, FEATURE = 1, 2  # the marked ones
DESCRIPTION = (
    f"A block of {BATCH} sentences, {LENGTH} tokens, {FEATURES} features, drawn twice; the numbers "
    f"that share one mean and variance are marked. LayerNorm: the {FEATURES} features of one token "
    "of one sentence. BatchNorm: one feature of all tokens of all sentences."
)


def draw() -> Figure:
    figure = Figure(900, 320, "What LayerNorm and BatchNorm take together", DESCRIPTION)
    layer = "LayerNorm: one token, all its features"
    _block(figure, 50, layer, lambda sheet, row, column: sheet == 0 and row == TOKEN)
    batch = "BatchNorm: one feature, all tokens of all sentences"
    _block(figure, 500, batch, lambda sheet, row, column: column == FEATURE)
    return figure


def _block(
    figure: Figure, left: float, title: str, marked: Callable[[int, int, int], bool]
) -> None:
    """Sheets of tokens by features, of those behind only what stands out above and right."""
    top = 50 + (BATCH - 1) * SHIFT_Y
    wide, high = FEATURES * CELL, LENGTH * CELL
    figure.text(left + (wide + (BATCH - 1) * SHIFT_X) / 2, 18, title, 14)
    for sheet in range(BATCH):
        x0, y0 = left + sheet * SHIFT_X, top - sheet * SHIFT_Y
        for row in range(LENGTH):
            for column in range(FEATURES):
                x, y = x0 + column * CELL, y0 + row * CELL
                for place in _seen(sheet, x, y, x0 + wide - SHIFT_X, y0 + SHIFT_Y):
                    _cell(figure, *place, marked(sheet, row, column))
    figure.text(left + wide / 2, top + high + 22, "features (D)")
    beside = (left - 20, top + high / 2)
    figure.text(*beside, "tokens (T)", transform=f"rotate(-90 {beside[0]:g} {beside[1]:g})")
    figure.text(left + wide + SHIFT_X + 12, top + high - 12, "sentences (N)", anchor="start")


def _seen(
    sheet: int, x: float, y: float, right: float, bottom: float
) -> list[tuple[float, float, float, float]]:
    """What is seen of a cell: the sheet before ends at `right` and begins at `bottom`."""
    if sheet == 0:
        return [(x, y, CELL, CELL)]
    above = (x, y, CELL, min(CELL, bottom - y))
    start = max(y, bottom)
    beside = (max(x, right), start, min(CELL, x + CELL - right), y + CELL - start)
    return [place for place in (above, beside) if place[2] > 0 and place[3] > 0]


def _cell(figure: Figure, x: float, y: float, width: float, height: float, is_marked: bool) -> None:
    fill = {"fill": BLUE, "fill_opacity": 0.55} if is_marked else {"fill_opacity": 0.07}
    figure.rect(x, y, width, height, stroke="currentColor", stroke_opacity=0.55, **fill)
    if is_marked:
        figure.add("circle", cx=x + width / 2, cy=y + height / 2, r=min(5, height / 5))
