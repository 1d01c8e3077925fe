"""Two layers each of encoder and decoder: all of the decoder's look at the top of the encoder."""

from autograder.authoring.svg import BLUE, GREEN, ORANGE, Figure

WIDE, HIGH = 160.0, 40.0
SIDES = ((24.0, "encoder", (BLUE, 0.3), "source"), (292.0, "decoder", (ORANGE, 0.4), "target"))
DESCRIPTION = (
    "From below: the source enters layer 1 of the encoder, whose result enters layer 2. What "
    "leaves layer 2 is the memory. From it, one arrow leads to layer 1 of the decoder, and one to "
    "layer 2; none leads from layer 1 of the encoder to the decoder. The target enters layer 1 of "
    "the decoder, whose result enters layer 2, and what leaves that predicts the next words."
)


def draw() -> Figure:
    figure = Figure(476, 276, "The memory leaves the encoder's last layer", DESCRIPTION)
    memory = figure.cell((24, 36, WIDE, HIGH), "memory", (GREEN, 0.35), size=13)
    for left, name, tint, given in SIDES:
        middle, low = left + WIDE / 2, 250.0
        figure.text(middle, 262, given)
        for number, y in enumerate((172.0, 104.0), start=1):
            layer = figure.cell((left, y, WIDE, HIGH), f"{name} layer {number}", tint, size=13)
            figure.arrow([(middle, low), layer.bottom])
            low = y
            if name == "decoder":
                corners = [(238.0, y) for y in (memory.right[1], layer.left[1])]
                figure.arrow([memory.right, *corners, layer.left])
        figure.arrow([(middle, low), memory.bottom if name == "encoder" else (middle, 28)])
    figure.text(middle, 16, "predicts the next words")
    return figure
