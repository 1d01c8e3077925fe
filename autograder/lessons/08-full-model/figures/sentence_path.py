"""The shapes of a batch on its way through the model, and the memory that joins the two halves."""

from autograder.authoring.svg import BLUE, GRAY, ORANGE, PURPLE, Figure

WIDE, HIGH, NEXT, MASK = 140.0, 48.0, 164.0, (PURPLE, 0.3)
ENCODE = {"source ids\n(2, 7)": GRAY, "embed, add positions\n(2, 7, 512)": GRAY}
ENCODE |= {"encoder\n(2, 7, 512)": (BLUE, 0.3), "mask from source ids\n(2, 1, 1, 7)": MASK}
DECODE = {"target ids\n(2, 5)": GRAY, "embed, add positions\n(2, 5, 512)": GRAY}
DECODE |= {"decoder\n(2, 5, 512)": (ORANGE, 0.4), "generator\n(2, 5, 37000)": GRAY}
DESCRIPTION = (
    "Encode: source ids (2, 7), embedded with positions (2, 7, 512), then the encoder, with the "
    "source's mask (2, 1, 1, 7): the memory (2, 7, 512). Decode: target ids (2, 5), embedded with "
    "positions (2, 5, 512), then the decoder (2, 5, 512). An arrow brings it the memory, one "
    "beside that the source's mask, one the target's mask (2, 1, 5, 5). Last, the generator: (2, "
    "5, 37000)."
)


def draw() -> Figure:
    figure = Figure(640, 292, "A batch of 2 sentences on its way through the model", DESCRIPTION)
    cells = []
    for y, name, row in ((28, "encode", ENCODE), (152, "decode", DECODE)):
        figure.text(4, y - 14, name, 14, anchor="start")
        for number, (text, tint) in enumerate(row.items()):
            cells.append(figure.cell((4 + NEXT * number, y, WIDE, HIGH), text, tint))
    for start, end in ((0, 1), (1, 2), (4, 5), (5, 6), (6, 7)):
        figure.arrow([cells[start].right, cells[end].left])
    encoder, mask, decoder = cells[2], cells[3], cells[6]
    x, low = encoder.bottom
    figure.arrow([(x - 20, low), (x - 20, decoder.y)], stroke_width=3)
    figure.text(x - 30, 114, "memory", anchor="end")
    figure.arrow([mask.left, encoder.right])
    turn = mask.bottom[0]
    figure.arrow([mask.bottom, (turn, 114), (x + 20, 114), (x + 20, decoder.y)])
    beside = figure.cell((decoder.x, 240, WIDE, HIGH), "mask from target ids\n(2, 1, 5, 5)", MASK)
    figure.arrow([beside.top, decoder.bottom])
    return figure
