"""The four words of lesson 01 in two heads (section 3.2.2), as far as each step."""

from autograder.authoring.svg import TINTS
from autograder.lessons import four_words as four
from autograder.lessons.four_words import D_K, LANES, LEFT, Block, Drawing

SAID = {
    "split": 'of "{word}", head 0 gets the query {q0} and head 1 gets {q1}',
    "heads": "head 0 finds {found0}, head 1 finds {found1}",
    "concat": "side by side that is {together}",
    "output": "the last projection makes it {output}",
}
HALVES = (TINTS[0],) * D_K + (TINTS[1],) * D_K


def draw() -> dict[str, Drawing]:
    return {step: _as_far_as(step) for step in SAID}


def _as_far_as(upto: str) -> Drawing:
    whole = [
        Block(name, four.product(four.X, matrix), LEFT, lane, HALVES, followed=name == "q")
        for name, matrix, lane in zip("qkv", (four.W_Q, four.W_K, four.W_V), LANES, strict=True)
    ]
    heads = [_head(head, y) for head, y in enumerate((1.6, 9.2))]
    results = [result for _cut, _weights, result in heads]
    together = [a + b for a, b in zip(*(result.matrix for result in results), strict=True)]
    concat = Block("", together, LEFT + 22.4, 5.4, HALVES)
    shares = [
        Block(name, four.W_O[row : row + D_K], LEFT + 22.4, 11.0 + row, (tint,) * 4, followed=False)
        for row, name, tint in ((0, "W^{O}", TINTS[0]), (D_K, "", TINTS[1]))
    ]
    output = Block("", four.product(together, four.W_O), LEFT + 27.7, 5.4, (four.OUTPUT,) * 4)
    ends = {"split": heads[0][0][-1], "heads": results[0], "concat": concat, "output": output}
    numbers = {"together": together, "output": output.matrix}
    for head, (cut, _weights, result) in enumerate(heads):
        numbers |= {f"q{head}": cut[0].matrix, f"found{head}": result.matrix}
    drawing = Drawing(ends[upto], four.story(SAID, upto, numbers))
    drawing.header(whole[0], "x W", "(T, D)")
    drawing.header(heads[0][0][1], "split_heads", "(H, T, d_{k})")
    drawing.blocks(*whole, of_words=True)
    for head, (cut, _weights, _result) in enumerate(heads):
        drawing.blocks(*cut)
        drawing.label(cut[1].x + 1, cut[1].y - 1.3, f"head {head}", 14)
        drawing.flow(whole[1], cut[0])
    drawing.header(heads[0][1], "attention weights", "(H, T, T)")
    drawing.header(results[0], "output", "(H, T, d_{k})")
    for cut, weights, result in heads:
        drawing.blocks(weights, result)
        drawing.flow(cut[-1], weights)
        drawing.flow(weights, result)
        drawing.flow(result, concat)
    drawing.header(concat, "merge_heads", "(T, D)")
    drawing.blocks(concat)
    drawing.header(output, "Concat · W^{O}", "(T, D)")
    drawing.blocks(*(block for block in (*shares, output) if upto == "output"))
    for block in (concat, *shares):
        drawing.flow(block, output)
    return drawing


def _head(head: int, y: float) -> tuple[list[Block], Block, Block]:
    """The blocks of a head: its q, k and v, its weights, its output."""
    q, k, v, _scores, weights, output = four.attention(head)
    tints = (TINTS[head],) * D_K
    cut = [
        Block(name, matrix, LEFT + 5.6 + 2.4 * place, y, tints, followed=name == "q")
        for place, (name, matrix) in enumerate(zip("qkv", (q, k, v), strict=True))
    ]
    found = Block("", output, LEFT + 19.1, y, tints)
    return cut, Block("", weights, LEFT + 13.8, y, columns=four.WORDS), found
