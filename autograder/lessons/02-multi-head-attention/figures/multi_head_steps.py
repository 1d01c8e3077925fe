"""The four words of lesson 01 in two heads (section 3.2.2), as far as each step."""

from autograder.authoring.svg import GRAY, TINTS
from autograder.lessons.four_words import (
    D_K,
    OUTPUT,
    W_K,
    W_O,
    W_Q,
    W_V,
    WORDS,
    Block,
    Drawing,
    X,
    attention,
    product,
    story,
)

SAID = {
    "split": 'of "{word}", head 0 gets the query {q0} and head 1 gets {q1}',
    "heads": "head 0 finds {found0}, head 1 finds {found1}",
    "concat": "side by side that is {together}",
    "output": "the last projection makes it {output}",
}
HALVES = (TINTS[0],) * D_K + (TINTS[1],) * D_K
LEFT, LANES, HEIGHT = 2.0, (0.0, 5.4, 10.8), 15.2


def draw() -> dict[str, Drawing]:
    return {step: _as_far_as(step) for step in SAID}


def _as_far_as(upto: str) -> Drawing:
    shown = list(SAID)[: list(SAID).index(upto) + 1]
    whole = [
        Block(name, product(X, matrix), LEFT, lane, HALVES, followed=name == "q")
        for name, matrix, lane in zip("qkv", (W_Q, W_K, W_V), LANES, strict=True)
    ]
    heads = [_head(head, y) for head, y in enumerate((1.6, 9.2))]
    results = [result for _cut, _weights, result in heads]
    together = [a + b for a, b in zip(*(result.matrix for result in results), strict=True)]
    concat = Block("", together, LEFT + 22.4, 5.4, HALVES)
    mixing = Block("W^{O}", W_O, LEFT + 22.4, 11.0, (GRAY,) * 4, followed=False)
    output = Block("", product(together, W_O), LEFT + 27.7, 5.4, (OUTPUT,) * 4)
    ends = {"split": heads[0][0][-1], "heads": results[0], "concat": concat, "output": output}
    numbers = {
        "q0": heads[0][0][0].matrix,
        "q1": heads[1][0][0].matrix,
        "found0": results[0].matrix,
        "found1": results[1].matrix,
        "together": together,
        "output": output.matrix,
    }
    drawing = Drawing(ends[upto].right + 0.9, HEIGHT, story(SAID, upto, numbers))
    drawing.header(whole[0], "x W", "(T, D)")
    drawing.header(heads[0][0][1], "split_heads", "(H, T, d_{k})")
    drawing.blocks(*whole, of_words=True)
    for head, (cut, _weights, _result) in enumerate(heads):
        drawing.blocks(*cut)
        drawing.label(cut[1].x + 1, cut[1].y - 1.3, f"head {head}", 14)
        drawing.flow(whole[1], cut[0])
    if "heads" in shown:
        drawing.header(heads[0][1], "attention weights", "(H, T, T)")
        drawing.header(results[0], "output", "(H, T, d_{k})")
        for cut, weights, result in heads:
            drawing.blocks(weights, result)
            drawing.flow(cut[-1], weights)
            drawing.flow(weights, result)
    if "concat" in shown:
        drawing.header(concat, "merge_heads", "(T, D)")
        drawing.blocks(concat)
        for result in results:
            drawing.flow(result, concat)
    if "output" in shown:
        drawing.header(output, "Concat · W^{O}", "(T, D)")
        drawing.blocks(mixing, output)
        for block in (concat, mixing):
            drawing.flow(block, output)
    return drawing


def _head(head: int, y: float) -> tuple[list[Block], Block, Block]:
    """The blocks of a head: its q, k and v, its weights, its output."""
    q, k, v, _scores, weights, output = attention(head)
    tints = (TINTS[head],) * D_K
    cut = [
        Block(name, matrix, LEFT + 5.6 + 2.4 * place, y, tints, followed=name == "q")
        for place, (name, matrix) in enumerate(zip("qkv", (q, k, v), strict=True))
    ]
    return (
        cut,
        Block("", weights, LEFT + 13.8, y, columns=WORDS),
        Block("", output, LEFT + 19.1, y, tints),
    )
