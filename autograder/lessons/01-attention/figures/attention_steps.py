"""Four words: how x makes queries, keys and values, and as far as each step of Eq. 1."""

from autograder.authoring.svg import GRAY
from autograder.lessons import four_words as four
from autograder.lessons.four_words import D_K, LANES, LEFT, WORDS, Block, Drawing

PROJECTIONS = 'Of "{word}", x {x} makes the query {q}, the key {k} and the value {v}'
SAID = {
    "scores": 'the query of "{word}" is {q}, and its scores with the four keys are {scores}',
    "weights": "divided by the root of 2, the softmax makes them the weights {weights}",
    "output": "the four values, averaged with these weights, are its output {output}",
}
TINTS = (four.QUERY, four.KEY, four.VALUE)
FEATURES = ("digit", "ten", "und", "value")  # what the features of x say


def draw() -> dict[str, Drawing]:
    return {"projections": _projections(), **{step: _as_far_as(step) for step in SAID}}


def _projections() -> Drawing:
    x = Block("", four.X, LEFT, LANES[1], (GRAY,) * 4, FEATURES)
    given = [
        Block(name, four.of_head(0, matrix), LEFT + 5.6, lane, (tint,) * D_K, followed=False)
        for name, matrix, lane, tint in zip(
            ("W^{Q}", "W^{K}", "W^{V}"), (four.W_Q, four.W_K, four.W_V), LANES, TINTS, strict=True
        )
    ]
    made = _queries_keys_values(LEFT + 9.2)
    rows = {block.name: block.matrix for block in made}
    told = four.story({"projections": PROJECTIONS}, "projections", {"x": four.X, **rows})
    drawing = Drawing(made[0], told)
    drawing.header(x, "x", "(T, D)")
    drawing.header(given[0], "learned", "(D, d_{k})")
    drawing.header(made[0], "x W", "(T, d_{k})")
    drawing.blocks(x, of_words=True)
    drawing.blocks(*given, *made)
    for matrix, vectors in zip(given, made, strict=True):
        drawing.flow(x, matrix)
        drawing.flow(matrix, vectors)
    return drawing


def _queries_keys_values(left: float) -> list[Block]:
    return [
        Block(name, matrix, left, lane, (tint,) * D_K, followed=name == "q")
        for name, matrix, lane, tint in zip("qkv", four.attention(0)[:3], LANES, TINTS, strict=True)
    ]


def _as_far_as(upto: str) -> Drawing:
    q, _k, _v, scores, weights, output = four.attention(0)
    made = _queries_keys_values(LEFT)
    height = (LANES[0] + LANES[1]) / 2
    scored = Block("", scores, LEFT + 4.8, height, (GRAY,) * 4, WORDS)
    weighed = Block("", weights, LEFT + 10.4, height, columns=WORDS)
    result = Block("", output, LEFT + 16.0, height, (four.OUTPUT,) * D_K)
    ends = {"scores": scored, "weights": weighed, "output": result}
    rows = {"q": q, "scores": scores, "weights": weights, "output": output}
    drawing = Drawing(ends[upto], four.story(SAID, upto, rows))
    drawing.header(made[0], "q, k, v", "(T, d_{k}), (T, d_{v})")
    drawing.blocks(*made, of_words=True)
    drawing.header(scored, "q k^{T}", "scores (T, T)")
    drawing.blocks(scored, of_words=True)
    for vectors in made[:2]:
        drawing.link((vectors.right, vectors.middle), (scored.x - 1.2, scored.middle))
    drawing.header(weighed, "softmax(q k^{T} / √d_{k})", "weights (T, T)")
    drawing.blocks(weighed)
    drawing.flow(scored, weighed)
    drawing.header(result, "weights · v", "output (T, d_{v})")
    drawing.blocks(result)
    drawing.flow(weighed, result)
    if upto == "output":
        corner = (result.center, made[2].middle)
        drawing.link((made[2].right, made[2].middle), corner, (result.center, result.y + 4))
    return drawing
