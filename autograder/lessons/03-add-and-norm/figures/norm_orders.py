"""Two sublayers in both orders: the norm after each sum, and the norm before each sublayer."""

from autograder.authoring.svg import ORANGE, Figure

ORDERS = {"post-norm: norms on the straight way": 0, "pre-norm: norms on the branches": 72}
DESCRIPTION = (
    "Twice the straight way of x, with two branches that are added to it again. Post-norm: on one "
    "branch attention, on the other the network, and on the straight way a norm after each sum. "
    "Pre-norm: a norm first on each branch, and on the straight way only the sums."
)


def draw() -> Figure:
    figure = Figure(640, 236, "Post-norm and pre-norm", DESCRIPTION)
    for y, (title, norm_first) in zip((92.0, 212.0), ORDERS.items(), strict=True):
        figure.text(8, y - 78, title, 14, anchor="start")
        figure.text(14, y, "x")
        high, ways = y - 46, [24.0]  # of the branches; where the straight way is interrupted
        for left, name in ((44, "attention"), (336, "feed-forward")):
            part = figure.cell((left + 16 + norm_first, high - 16, 96, 32), name, (ORANGE, 0.4))
            norm_at = (left + 16, high - 16) if norm_first else (left + 176, y - 16)
            norm = figure.cell((*norm_at, 56, 32), "norm")
            figure.arrow([(left, y), (left, high), (left + 16, high)])
            if norm_first:
                figure.arrow([norm.right, part.left])
            plus = part.right[0] + 24
            figure.arrow([part.right, (plus, high), (plus, y - 8)])
            figure.plus(plus, y)
            ways += [plus - 8, plus + 8]
            ways += [] if norm_first else [norm.x, norm.right[0]]
        for start, end in zip(ways[::2], [*ways[1::2], 628.0], strict=True):
            figure.arrow([(start, y), (end, y)], stroke_width=4)
    return figure
