"""A query and a key that turn by their positions: two apart, they always stand at one angle."""

import math

from autograder.authoring.svg import GREEN, PURPLE, Figure

PLACES = ((1, 3), (5, 7))  # of the key and of the query
RADIUS, WIDE, CENTER = 84.0, 300.0, 124.0
DESCRIPTION = (
    "Two circles with two arrows each, a query and a key that both begin to the right and are "
    "turned by 1 radian for each position. In the first circle the key stands at position 1 and "
    "the query at 3, in the second at 5 and 7. Both arrows have turned, and the angle between them "
    "is 2 radians as before, so the score is -0.42 again."
)


def draw() -> Figure:
    figure = Figure(600, 282, "Query and key turn with their positions", DESCRIPTION)
    for number, positions in enumerate(PLACES):
        x = (number + 0.5) * WIDE

        def at(angle: float, radius: float, x: float = x) -> tuple[float, float]:
            return x + radius * math.cos(angle), CENTER - radius * math.sin(angle)

        edge = {"fill": "none", "stroke": "currentColor", "stroke_opacity": 0.3}
        figure.add("circle", cx=x, cy=CENTER, r=RADIUS, **edge)
        for name, position, color in zip(("key", "query"), positions, (GREEN, PURPLE), strict=True):
            figure.arrow([(x, CENTER), at(position, RADIUS)], stroke=color, stroke_width=3)
            figure.text(*at(position, RADIUS + 30), f"{name}\nat {position}")
        figure.line([at(positions[0] + step / 10, 28) for step in range(21)])
        figure.text(*at(sum(positions) / 2, 42), "2")
        figure.text(x, 268, "score: cos 2 = -0.42")
    return figure
