"""Both layers as their code sees them: what a connection is given, and what it gives on."""

from autograder.authoring.svg import ORANGE, Figure

SAID = "Each connection normalizes x to y, calls a function with y, and adds x. From outside: "
LAYERS = {  # what a lambda calls, and what comes to it from outside
    "encoder": {"attention": "mask"},
    "decoder": {"self-\nattention": "tgt_mask", "cross-\nattention": "memory, src_mask"},
}
LINE = 106.0  # the height of what passes through
EDGE = {"stroke": "currentColor", "stroke_width": 1, "stroke_opacity": 0.6}


def draw() -> dict[str, Figure]:
    figures = {}
    for name, called in LAYERS.items():
        told, width = SAID + "; ".join(called.values()) + ".", 348 + 292.0 * len(called)
        figure = figures[name] = Figure(width, 206, f"The {name}'s layer, in pre-norm", told)
        for number, (part, given) in enumerate({**called, "feed-\nforward": ""}.items()):
            left = 34 + 292.0 * number
            figure.frame((left, 24, 254, 132), **EDGE)
            figure.text(left + 127, 12, f"SublayerConnection {number}")
            figure.text(left - 22, LINE - (10 if number else 0), "x")
            figure.cell((left + 36, LINE - 18, 50, 36), "norm", size=13)
            figure.text(left + 98, LINE - 10, "y")
            figure.cell((left + 118, LINE - 18, 80, 36), part, (ORANGE, 0.4), size=13)
            for start, end in ((-12, 36), (86, 118), (198, 222), (238, 280)):
                figure.arrow([(left + start, LINE), (left + end, LINE)])
            around = (left + 18, LINE), (left + 18, 42), (left + 230, 42), (left + 230, LINE - 8)
            figure.arrow(around)
            figure.plus(left + 230, LINE)
            if given:
                figure.frame((left + 112, 58, 92, 88), stroke_dasharray="4 3", **EDGE)
                figure.text(left + 158, 72, "lambda y:", 12)
                figure.arrow([(left + 158, 184), (left + 158, LINE + 18)])
                figure.text(left + 158, 194, given)
    return figures
