"""Four queries of one token, and how many keys and values they share."""

from autograder.authoring.svg import GREEN, PURPLE, YELLOW, Figure

WAYS = {4: "multi-head", 2: "grouped-query", 1: "multi-query"}
CELL, WIDE, HIGH = 42.0, 214.0, 30.0
DESCRIPTION = (
    "Four heads, each with a query of its own, three times. Multi-head attention: each query has "
    "its own key and value, so a token keeps 8 vectors. Grouped-query attention: heads 0 and 1 use "
    "key and value 0, heads 2 and 3 use key and value 1, so it keeps 4. Multi-query attention: all "
    "four use key and value 0, so it keeps 2."
)


def draw() -> Figure:
    figure = Figure(3 * WIDE - 18, 218, "Queries that share keys and values", DESCRIPTION)
    for way, (count, name) in enumerate(WAYS.items()):
        left = 14 + WIDE * way
        middle = left + 2 * CELL
        figure.text(middle, 14, name, 14)
        queries = figure.row((left, 34, CELL, HIGH), [f"q{n}" for n in range(4)], (PURPLE, 0.4))
        for number in range(count):
            x = left + (number + 0.5) * 4 * CELL / count - CELL / 2
            key = figure.cell((x, 112, CELL, HIGH), f"k{number}", (GREEN, 0.35))
            figure.cell((x, 112 + HIGH, CELL, HIGH), f"v{number}", (YELLOW, 0.4))
            for query in queries[number * 4 // count : (number + 1) * 4 // count]:
                figure.line([query.bottom, key.top], stroke_width=1.5)
        figure.text(middle, 196, f"a token keeps {2 * count} d_{{k}} numbers")
    return figure
