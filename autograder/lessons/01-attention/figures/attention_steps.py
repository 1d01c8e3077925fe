"""Four words: how x makes queries, keys and values, and as far as each step of Eq. 1."""

from autograder.authoring.svg import GRAY
from autograder.lessons.four_words import (
    D_K,
    KEY,
    OUTPUT,
    QUERY,
    VALUE,
    W_K,
    W_Q,
    W_V,
    WORDS,
    Block,
    Drawing,
    X,
    attention,
    of_head,
    story,
)

PROJECTIONS = 'Of "{word}", x {x} makes the query {q}, the key {k} and the value {v}'
SAID = {
    "scores": 'the query of "{word}" is {q}, and its scores with the four keys are {scores}',
    "weights": "divided by the root of 2, the softmax makes them the weights {weights}",
    "output": "the four values, averaged with these weights, are its output {output}",
}
LEFT, LANES, HEIGHT = 2.0, (0.0, 5.4, 10.8), 15.2
TINTS = (QUERY, KEY, VALUE)


def draw() -> dict[str, Drawing]:
    return {"projections": _projections(), **{step: _as_far_as(step) for step in SAID}}


def _projections() -> Drawing:
    x = Block("", X, LEFT, LANES[1], (GRAY,) * 4, ("digit", "ten", "und", "value"))
    given = [
        Block(name, of_head(0, matrix), LEFT + 5.6, lane, (tint,) * D_K, followed=False)
        for name, matrix, lane, tint in zip(
            ("W^{Q}", "W^{K}", "W^{V}"), (W_Q, W_K, W_V), LANES, TINTS, strict=True
        )
    ]
    made = _queries_keys_values(LEFT + 9.2)
    rows = {block.name: block.matrix for block in made}
    told = story({"projections": PROJECTIONS}, "projections", {"x": X, **rows})
    drawing = Drawing(made[0].right + 0.9, HEIGHT, told)
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
    matrices = attention(0)[:3]
    return [
        Block(name, matrix, left, lane, (tint,) * D_K, followed=name == "q")
        for name, matrix, lane, tint in zip("qkv", matrices, LANES, TINTS, strict=True)
    ]


def _as_far_as(upto: str) -> Drawing:
    q, _k, _v, scores, weights, output = attention(0)
    shown = list(SAID)[: list(SAID).index(upto) + 1]
    made = _queries_keys_values(LEFT)
    height = (LANES[0] + LANES[1]) / 2
    scored = Block("", scores, LEFT + 4.0, height, (GRAY,) * 4, WORDS)
    weighed = Block("", weights, LEFT + 10.0, height, columns=WORDS)
    result = Block("", output, LEFT + 16.0, height, (OUTPUT,) * D_K)
    ends = {"scores": scored, "weights": weighed, "output": result}
    told = story(SAID, upto, {"q": q, "scores": scores, "weights": weights, "output": output})
    drawing = Drawing(ends[upto].right + 0.9, HEIGHT, told)
    drawing.header(made[0], "q, k, v", "(T, d_{k})")
    drawing.blocks(*made, of_words=True)
    drawing.header(scored, "q k^{T}", "scores (T, T)")
    drawing.blocks(scored)
    for vectors in made[:2]:
        drawing.flow(vectors, scored)
    if "weights" in shown:
        drawing.header(weighed, "softmax(q k^{T} / √d_{k})", "weights (T, T)")
        drawing.blocks(weighed)
        drawing.flow(scored, weighed)
    if "output" in shown:
        drawing.header(result, "weights · v", "output (T, d_{k})")
        drawing.blocks(result)
        drawing.flow(weighed, result)
        below = (result.x + result.right) / 2
        corner = (below, made[2].middle)
        drawing.link((made[2].right, made[2].middle), corner, (below, result.y + len(output)))
    return drawing
