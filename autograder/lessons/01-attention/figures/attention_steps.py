"""How attention makes an output of the vectors x of four words (Eq. 1), as far as each step."""

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

SAID = {
    "projections": 'of "{word}", x {x} makes the query {q}, the key {k} and the value {v}',
    "scores": "its scores with the four keys are {scores}",
    "weights": "divided by the root of 2, the softmax makes them the weights {weights}",
    "output": "the four values, averaged with these weights, are its output {output}",
}
LEFT, LANES, HEIGHT = 2.0, (0.0, 5.4, 10.8), 15.2


def draw() -> dict[str, Drawing]:
    return {step: _as_far_as(step) for step in SAID}


def _as_far_as(upto: str) -> Drawing:
    q, k, v, scores, weights, output = attention(0)
    numbers = {"x": X, "q": q, "k": k, "v": v, "scores": scores, "weights": weights}
    shown = list(SAID)[: list(SAID).index(upto) + 1]
    tints = (QUERY, KEY, VALUE)
    x = Block("", X, LEFT, LANES[1], (GRAY,) * 4, ("digit", "ten", "und", "value"))
    given = [
        Block(name, of_head(0, matrix), LEFT + 5.6, lane, (tint,) * D_K, followed=False)
        for name, matrix, lane, tint in zip(
            ("W^{Q}", "W^{K}", "W^{V}"), (W_Q, W_K, W_V), LANES, tints, strict=True
        )
    ]
    made = [
        Block(name, matrix, LEFT + 9.2, lane, (tint,) * D_K, followed=name == "q")
        for name, matrix, lane, tint in zip("qkv", (q, k, v), LANES, tints, strict=True)
    ]
    height = (LANES[0] + LANES[1]) / 2
    scored = Block("", scores, LEFT + 13.2, height, (GRAY,) * 4, WORDS)
    weighed = Block("", weights, LEFT + 19.2, height, columns=WORDS)
    result = Block("", output, LEFT + 25.2, height, (OUTPUT,) * D_K)
    ends = {"projections": made[0], "scores": scored, "weights": weighed, "output": result}
    told = story(SAID, upto, {**numbers, "output": output})
    drawing = Drawing(ends[upto].right + 0.9, HEIGHT, told)
    drawing.header(x, "x", "(T, D)")
    drawing.header(given[0], "learned", "(D, d_{k})")
    drawing.header(made[0], "x W", "(T, d_{k})")
    drawing.blocks(x, of_words=True)
    drawing.blocks(*given, *made)
    for matrix, vectors in zip(given, made, strict=True):
        drawing.flow(x, matrix)
        drawing.flow(matrix, vectors)
    if "scores" in shown:
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
