"""Pictures of decoding with a cache: what is kept at each step, and who asks which memory."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from ...shared.language import _
from ...show.arrays import as_array
from ...show.picture import FAINT, INK, MUTED, PAPER, Picture, house_style, literal, new_figure
from ...show.tensors import HEAD_TINTS

__all__ = ["beam_table", "cache"]

KEPT, NEW = HEAD_TINTS[0], HEAD_TINTS[1]
_SCALE = 100  # units of a drawing for each inch


@house_style
def cache(source: Sequence[str], target: Sequence[str]) -> Picture:
    """Draw the keys of both attentions of a decoder layer, step by step, for one sentence.

    Step t reads token t of `target`, which begins with the start token. A cell is the key and the
    value of one token: new ones are computed at this step, the others are kept. Raises ValueError
    if one of the two has no tokens.
    """
    source, target = list(map(str, source)), list(map(str, target))
    if not source or not target:
        raise ValueError(_("cache was called without tokens; expected source and target tokens."))
    axes = _canvas(9.0, 1.15 + 0.46 * len(target))
    left, middle, top = 125, 525, 66
    unit = min((middle - left - 130) / len(target), (900 - middle - 115) / len(source), 74)
    for x, name in ((left, _("self-attention")), (middle, _("cross-attention"))):
        axes.text(x, 26, name, fontsize=11)
        axes.text(x, 48, _("keys and values, and the shape of each"), fontsize=9, color=MUTED)
    axes.text(16, 48, _("the step reads"), fontsize=9, color=MUTED)
    lines = []
    for step, token in enumerate(target, start=1):
        y = top + 46 * (step - 1)
        label = f"{step}.  {literal(token)}"
        axes.text(16, y + 17, label, va="center", fontsize=min(10.0, 130 / len(label)))
        _cells(axes, left, y, unit, target[:step], new=range(step - 1, step))
        _shape(axes, left + unit * step + 8, y, f"(1, H, {step}, d_k)")
        _cells(axes, middle, y, unit, source, new=range(len(source) if step == 1 else 0))
        _shape(axes, middle + unit * len(source) + 8, y, f"(1, H, {len(source)}, d_k)")
        lines.append(
            _("Step {step} reads {token}: keys in self-attention: {step}, the last is new.").format(
                step=step, token=token
            )
        )
    _legend(axes, left, top + 46 * len(target) + 6)
    return Picture(
        axes.figure,
        _(
            "The keys and values that a decoder layer keeps for a source of {source} tokens, step "
            "by step. {steps} Cross-attention computes its {source} keys at step 1, and keeps them."
        ).format(source=len(source), steps=" ".join(lines)),
    )


@house_style
def beam_table(alive: ArrayLike) -> Picture:
    """Draw how the rows that are still being written ask the memories of their sentences.

    `alive`, `(N, B)`, is True at the places of each sentence's beam that are still being written.
    """
    alive = as_array(alive, 2, "beam_table", _("booleans (N, B)")) != 0
    batch, beam = alive.shape
    places = [(n, b) for n in range(batch) for b in range(beam) if alive[n, b]]
    row_of = {place: row for row, place in enumerate(places)}
    high = max(46 * len(places), 46 * batch)
    axes = _canvas(9.0, (high + 78) / _SCALE)
    cell = min(62.0, 190 / beam)
    table, memory, answers = 250, 500, 794

    def column(x: float, name: str, shape: str) -> None:
        axes.text(x, 26, name, fontsize=10.5)
        axes.text(x, 48, shape, fontsize=9, family="monospace", color=MUTED)

    def rows(x: float) -> None:
        for row, (n, _place) in enumerate(places):
            _box(axes, x, 66 + 46 * row, 90, _("row {row}").format(row=row), HEAD_TINTS[n % 8])

    column(16, _("the rows"), f"(R, D), R = {len(places)}")
    rows(16)
    column(table, _("the table"), f"(N, B, D) = ({batch}, {beam}, D)")
    column(memory, _("the memories"), "(N, H, S, d_k)")
    for n in range(batch):
        y = 66 + 46 * n
        for b in range(beam):
            row = row_of.get((n, b))
            text = "" if row is None else _("row {row}").format(row=row)
            color = PAPER if row is None else HEAD_TINTS[n % 8]
            _box(axes, table + cell * b, y, cell, text, color, ended=row is None)
        name = _("keys of sentence {n}").format(n=n)
        _box(axes, memory, y, 170, name, HEAD_TINTS[n % 8])
        _arrow(axes, table + cell * beam + 6, memory - 6, y + 17)
    column(answers, _("their answers"), "(R, D)")
    rows(answers)
    middle = 66 + 23 * max(len(places), batch)
    for start, end, code in (
        (112, table - 6, "table[alive] = x"),
        (memory + 176, answers - 6, "found[alive]"),
    ):
        _arrow(axes, start, end, middle)
        axes.text((start + end) / 2, middle - 12, code, ha="center", fontsize=8, family="monospace")
    asks = [
        _("Sentence {n}: {rows}.").format(
            n=n,
            rows=", ".join(
                _("row {row} at place {place}").format(row=row_of[n, b], place=b)
                for b in range(beam)
                if alive[n, b]
            )
            or _("no row"),
        )
        for n in range(batch)
    ]
    return Picture(
        axes.figure,
        _(
            "A table has a line for each sentence, {batch} in all, and a place for each prefix of "
            "its beam, {beam} in a line. {count} of these places hold rows. {asks} All rows in a "
            "line ask the keys of that sentence. Then they are taken out of the table again."
        ).format(count=len(places), batch=batch, beam=beam, asks=" ".join(asks)),
    )


def _canvas(width: float, height: float) -> Axes:
    """Axes for a drawing in units of a hundredth of an inch, from the top left corner."""
    figure = new_figure(width, height)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, _SCALE * width), ylim=(_SCALE * height, 0))
    axes.set_axis_off()
    return axes


def _cells(axes: Axes, x: float, y: float, unit: float, tokens: Sequence[str], new: range) -> None:
    for index, token in enumerate(tokens):
        is_new = index in new
        _box(axes, x + unit * index, y, unit, token, NEW if is_new else KEPT, bold=is_new)


def _box(axes, x, y, width, text, color, *, bold: bool = False, ended: bool = False) -> None:
    edge, line = (INK, 1.8) if bold else (MUTED, 0.8)
    axes.add_patch(
        Rectangle(
            (x + 2, y), width - 4, 34, fc=color, ec=FAINT if ended else edge, lw=line,
            hatch="///" if ended else None,
        )
    )  # fmt: skip
    axes.text(
        x + width / 2, y + 17, literal(text), ha="center", va="center",
        fontsize=min(9.0, 1.05 * width / max(len(text), 1)),
        fontweight="bold" if bold else "normal",
    )  # fmt: skip


def _shape(axes: Axes, x: float, y: float, shape: str) -> None:
    axes.text(x, y + 17, shape, va="center", fontsize=8.5, family="monospace")


def _arrow(axes: Axes, start: float, end: float, y: float) -> None:
    axes.annotate("", (end, y), (start, y), arrowprops={"arrowstyle": "-|>", "color": INK})


def _legend(axes: Axes, x: float, y: float) -> None:
    for text, is_new in ((_("computed at this step"), True), (_("kept"), False)):
        _box(axes, x, y, 34, "", NEW if is_new else KEPT, bold=is_new)
        axes.text(x + 42, y + 17, text, va="center", fontsize=9)
        x += 210
