"""One small sentence on its way through attention, and through two heads of it, step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from ..shared.language import _
from .heat_maps import legible_on
from .picture import INK, MUTED, PAPER, SEQUENTIAL, VERMILLION, Picture, house_style, new_figure
from .tensors import HEAD_TINTS

WORDS = ("fünf", "und", "zwan", "zig")
X = np.array([[2, 0, 0, 5], [0, 0, 1, 0], [1, 1, 0, 2], [0, 2, 0, 0]])
# The left two columns belong to head 0, which is the only one of `attention_steps`.
W_Q = np.array([[0, 1, 1, 0], [1, 0, 0, 0], [2, 0, 0, 1], [0, 0, 0, 0]])
W_K = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
W_V = np.array([[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]])
W_O = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]])
D_K = 2

GRAY = "#E4E7EB"
QUERY, KEY, VALUE = HEAD_TINTS[3], HEAD_TINTS[2], HEAD_TINTS[5]
OUTPUT = HEAD_TINTS[4]
LEFT, TOP = 2.9, 3.4  # room for the words and for the names of the columns, in cells


@dataclass(frozen=True)
class Block:
    """A matrix in the drawing: where its left upper cell is, and the color of each column."""

    name: str
    matrix: np.ndarray
    x: float
    y: float
    tints: tuple[str, ...] = ()  # none: weights, on the color scale of the heat maps
    columns: tuple[str, ...] = ()  # their names
    followed: bool = True  # the row of the first word is outlined

    @property
    def right(self) -> float:
        return self.x + self.matrix.shape[1]

    @property
    def middle(self) -> float:
        return self.y + len(self.matrix) / 2


@house_style
def attention_steps(upto: str = "output") -> Picture:
    """Draw how attention makes an output of the vectors x of four words, as far as a step.

    `upto` is one of "projections", "scores", "weights" and "output" (Eq. 1). Raises ValueError for
    another one. The row of the first word is outlined in each matrix.
    """
    steps = ["projections", "scores", "weights", "output"]
    shown = _shown("attention_steps", upto, steps)
    q, k, v, scores, weights, output = _attention(0)
    lanes = (0.0, 5.4, 10.8)
    features = (_("digit"), _("ten"), _("und"), _("value"))
    x = Block("", X, LEFT, lanes[1], (GRAY,) * 4, features)
    given = [
        Block(name, matrix[:, :D_K], LEFT + 5.8, lane, (tint,) * D_K, followed=False)
        for name, matrix, lane, tint in zip(
            ("$W^Q$", "$W^K$", "$W^V$"), (W_Q, W_K, W_V), lanes, (QUERY, KEY, VALUE), strict=True
        )
    ]
    made = [
        Block(name, matrix, LEFT + 9.6, lane, (tint,) * D_K, followed=name == "q")
        for name, matrix, lane, tint in zip(
            "qkv", (q, k, v), lanes, (QUERY, KEY, VALUE), strict=True
        )
    ]
    height = (lanes[0] + lanes[1]) / 2
    scored = Block("", scores, LEFT + 14.0, height, (GRAY,) * 4, columns=WORDS)
    weighed = Block("", weights, LEFT + 20.2, height, columns=WORDS)
    result = Block("", output, LEFT + 26.4, height, (OUTPUT,) * D_K)
    ends = {"projections": made[0], "scores": scored, "weights": weighed, "output": result}
    axes, figure = _canvas(LEFT + 29.3, 15.6, ends[upto].right + 0.9)
    _header(axes, x, _("x"), "(T, D)")
    _header(axes, given[0], _("learned"), r"$(D, d_k)$")
    _header(axes, made[0], r"$x\,W$", r"$(T, d_k)$")
    _draw(axes, [x, *given, *made], of_words=[x])
    for matrix, vectors in zip(given, made, strict=True):
        _arrow(axes, (x.right, x.middle), (matrix.x, matrix.middle))
        _arrow(axes, (matrix.right, matrix.middle), (vectors.x, vectors.middle))
    if "scores" in shown:
        _header(axes, scored, r"$q\,k^T$", _("scores (T, T)"))
        _draw(axes, [scored])
        for vectors in made[:2]:
            _arrow(axes, (vectors.right, vectors.middle), (scored.x, scored.middle))
    if "weights" in shown:
        _header(axes, weighed, r"softmax$(q\,k^T\!/\sqrt{d_k})$", _("weights (T, T)"))
        _draw(axes, [weighed])
        _arrow(axes, (scored.right, scored.middle), (weighed.x, weighed.middle))
    if "output" in shown:
        _header(axes, result, _("weights · v"), _("output $(T, d_k)$"))
        _draw(axes, [result])
        _arrow(axes, (weighed.right, weighed.middle), (result.x, result.middle))
        below = (result.x + result.right) / 2
        axes.plot([made[2].right, below], [made[2].middle] * 2, color=MUTED, lw=1.1)
        _arrow(axes, (below, made[2].middle), (below, result.y + len(output)), shrink=0)
    said = {
        "projections": _('of "{word}", x {x} makes the query {q}, the key {k} and the value {v}'),
        "scores": _("its scores with the four keys are {scores}"),
        "weights": _("divided by the root of 2, the softmax makes them the weights {weights}"),
        "output": _("the four values, averaged with these weights, are its output {output}"),
    }
    rows = {"x": X, "q": q, "k": k, "v": v, "scores": scores, "weights": weights, "output": output}
    return Picture(figure, _story(said, shown, rows))


@house_style
def multi_head_steps(upto: str = "output") -> Picture:
    """Draw the same four words in two heads, as far as a step (section 3.2.2).

    `upto` is one of "split", "heads", "concat" and "output"; head 0 is that of `attention_steps`.
    Raises ValueError for another step. The row of the first word is outlined in each matrix.
    """
    steps = ["split", "heads", "concat", "output"]
    shown = _shown("multi_head_steps", upto, steps)
    halves = (HEAD_TINTS[0],) * D_K + (HEAD_TINTS[1],) * D_K
    lanes = (0.0, 5.4, 10.8)
    whole = [
        Block(name, X @ matrix, LEFT, lane, halves, followed=name == "q")
        for name, matrix, lane in zip("qkv", (W_Q, W_K, W_V), lanes, strict=True)
    ]
    cut, weighed, results, found = [], [], [], []
    for head, y in enumerate((1.6, 9.2)):
        q, k, v, _scores, weights, output = _attention(head)
        tints = (HEAD_TINTS[head],) * D_K
        cut.append(
            [
                Block(name, matrix, LEFT + 6.2 + 2.5 * i, y, tints, followed=name == "q")
                for i, (name, matrix) in enumerate(zip("qkv", (q, k, v), strict=True))
            ]
        )
        weighed.append(Block("", weights, LEFT + 15.3, y, columns=WORDS))
        results.append(Block("", output, LEFT + 21.0, y, tints))
        found.append(output)
    together = np.concatenate(found, axis=1)
    concat = Block("", together, LEFT + 24.7, 5.4, halves)
    mixing = Block("$W^O$", W_O, LEFT + 24.7, 11.0, (GRAY,) * 4, followed=False)
    output = Block("", together @ W_O, LEFT + 30.6, 5.4, (OUTPUT,) * 4)
    ends = {"split": cut[0][-1], "heads": results[0], "concat": concat, "output": output}
    axes, figure = _canvas(LEFT + 35.5, 15.6, ends[upto].right + 0.9)
    _header(axes, whole[0], r"$x\,W$", "(T, D)")
    _header(axes, cut[0][1], "split_heads", r"$(H, T, d_k)$")
    _draw(axes, whole, of_words=whole)
    for head, blocks in enumerate(cut):
        _draw(axes, blocks)
        name = _("head {number}").format(number=head)
        _label(axes, blocks[1].x + 1, blocks[1].y - 1.6, name, size=9)
        _arrow(axes, (whole[1].right, whole[1].middle), (blocks[0].x, blocks[0].middle))
    if "heads" in shown:
        _header(axes, weighed[0], _("attention weights"), "(H, T, T)")
        _header(axes, results[0], _("output"), r"$(H, T, d_k)$")
        _draw(axes, [*weighed, *results])
        for blocks, matrix, result in zip(cut, weighed, results, strict=True):
            _arrow(axes, (blocks[-1].right, matrix.middle), (matrix.x, matrix.middle))
            _arrow(axes, (matrix.right, matrix.middle), (result.x, result.middle))
    if "concat" in shown:
        _header(axes, concat, "merge_heads", "(T, D)")
        _draw(axes, [concat])
        for result in results:
            _arrow(axes, (result.right, result.middle), (concat.x, concat.middle))
    if "output" in shown:
        _header(axes, output, r"Concat $\cdot\;W^O$", "(T, D)")
        _draw(axes, [mixing, output])
        for block in (concat, mixing):
            _arrow(axes, (block.right, block.middle), (output.x, output.middle))
    said = {
        "split": _('of "{word}", head 0 gets the query {q0} and head 1 gets {q1}'),
        "heads": _("head 0 finds {found0}, head 1 finds {found1}"),
        "concat": _("side by side that is {together}"),
        "output": _("the last projection makes it {output}"),
    }
    rows = {"q0": cut[0][0].matrix, "q1": cut[1][0].matrix, "found0": found[0], "found1": found[1]}
    return Picture(
        figure, _story(said, shown, {**rows, "together": together, "output": output.matrix})
    )


def _attention(head: int) -> tuple[np.ndarray, ...]:
    """q, k, v, scores, weights and output of one head."""
    own = slice(head * D_K, (head + 1) * D_K)
    q, k, v = (X @ matrix[:, own] for matrix in (W_Q, W_K, W_V))
    scores = q @ k.T
    powers = np.exp(scores / np.sqrt(D_K))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return q, k, v, scores, weights, weights @ v


def _shown(caller: str, upto: str, steps: list[str]) -> list[str]:
    if upto not in steps:
        message = _("{caller} was called with {actual!r}; expected one of {steps}.")
        raise ValueError(
            message.format(caller=caller, actual=upto, steps=", ".join(map(repr, steps)))
        )
    return steps[: steps.index(upto) + 1]


def _story(said: dict[str, str], shown: list[str], rows: dict[str, np.ndarray]) -> str:
    """The steps in words, with the numbers of the first word."""
    numbers = {
        name: "(" + ", ".join(f"{number:.2f}".rstrip("0").rstrip(".") for number in matrix[0]) + ")"
        for name, matrix in rows.items()
    }
    steps = "; ".join(said[step] for step in shown).format(word=WORDS[0], **numbers)
    return _("The words {words} as rows of matrices, step by step: {steps}.").format(
        words=", ".join(WORDS), steps=steps
    )


def _canvas(full: float, height: float, width: float) -> tuple[Axes, object]:
    """Axes in cells, with y downwards; `full` cells, the whole story, are 9 inches wide."""
    cell = 9.0 / full
    figure = new_figure(max(3.0, width * cell), (height + TOP) * cell)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, figure.get_figwidth() / cell), ylim=(height, -TOP))
    axes.set_axis_off()
    return axes, figure


def _header(axes: Axes, block: Block, name: str, shape: str) -> None:
    middle = (block.x + block.right) / 2
    _label(axes, middle, -2.7, name, size=8.5)
    _label(axes, middle, -1.9, shape, size=7.5, color=MUTED)


def _draw(axes: Axes, blocks: list[Block], of_words: list[Block] = ()) -> None:
    for block in blocks:
        largest = np.abs(block.matrix).max()
        whole = np.array_equal(block.matrix, np.round(block.matrix))
        for (row, column), number in np.ndenumerate(block.matrix):
            x, y = block.x + column, block.y + row
            color = block.tints[column] if block.tints else SEQUENTIAL(number / largest)
            axes.add_patch(Rectangle((x, y), 1, 1, fc=color, ec=PAPER, lw=1.2))
            ink = INK if block.tints else legible_on(color)
            text = f"{number:.0f}" if whole else f"{number:.2f}"
            _label(axes, x + 0.5, y + 0.52, text, size=7, color=ink)
        if block.name:
            _label(axes, (block.x + block.right) / 2, block.y - 0.55, block.name, size=9)
        for column, name in enumerate(block.columns):
            _label(axes, block.x + column + 0.5, block.y - 0.45, name, size=6.2, color=MUTED)
        if block.followed:
            row = (block.x, block.y), block.matrix.shape[1], 1
            axes.add_patch(Rectangle(*row, fill=False, ec=VERMILLION, lw=1.6, zorder=3))
    for block in of_words:
        for row, word in enumerate(WORDS):
            axes.text(block.x - 0.3, block.y + row + 0.52, word, ha="right", va="center", size=8)


def _label(axes: Axes, x: float, y: float, text: str, size: float, color: str = INK) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=size, color=color)


def _arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], shrink: float = 3
) -> None:
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=9,
            color=MUTED,
            lw=1.1,
            shrinkA=shrink,
            shrinkB=shrink,
        )
    )
