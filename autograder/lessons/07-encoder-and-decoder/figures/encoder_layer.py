"""An encoder layer as its code sees it: what a connection is given, and what it gives on."""

from autograder.authoring.svg import ORANGE, Figure

DESCRIPTION = (
    "x enters the first SublayerConnection, which normalizes it and calls the lambda with the "
    "result, y. In the lambda, attention takes y, and the mask from outside. The connection adds "
    "what it returns to x, which came around on a line of its own. The sum is the x of the second "
    "connection, which calls the feed-forward network in the same way; its sum is the result."
)
LINE = 106.0  # the height of what passes through
EDGE = {"stroke": "currentColor", "stroke_width": 1, "stroke_opacity": 0.6}


def draw() -> Figure:
    figure = Figure(640, 206, "An encoder layer, in pre-norm", DESCRIPTION)
    for number, name in enumerate(("attention", "feed-\nforward")):
        left = 34 + 292.0 * number
        figure.frame((left, 24, 254, 132), **EDGE)
        figure.text(left + 127, 12, f"SublayerConnection {number}")
        figure.text(left - 22, LINE - 10 * number, "x")
        norm = figure.cell((left + 36, LINE - 18, 50, 36), "norm", size=13)
        figure.text(left + 98, LINE - 10, "y")
        function = figure.cell((left + 118, LINE - 18, 80, 36), name, (ORANGE, 0.4), size=13)
        x = left + 230  # of the sum
        figure.arrow([(left - 12, LINE), norm.left])
        figure.arrow([norm.right, function.left])
        figure.arrow([function.right, (x - 8, LINE)])
        figure.arrow([(left + 18, LINE), (left + 18, 42), (x, 42), (x, LINE - 8)])
        figure.plus(x, LINE)
        figure.arrow([(x + 8, LINE), (left + 280, LINE)])
    figure.frame((146, 58, 92, 88), stroke_dasharray="4 3", **EDGE)
    figure.text(192, 72, "lambda y:", 12)
    figure.arrow([(192, 184), (192, LINE + 18)])
    figure.text(192, 194, "mask")
    return figure
