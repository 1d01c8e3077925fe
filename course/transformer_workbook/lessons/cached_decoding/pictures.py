"""A picture of decoding with a cache: what is kept at each step."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...shared.language import _
from ...show.picture import INK, MUTED, Picture, house_style, literal, new_figure
from ...show.tensors import HEAD_TINTS

__all__ = ["cache"]

KEPT, NEW = HEAD_TINTS[0], HEAD_TINTS[1]
_SCALE = 100  # units of a drawing for each inch


@house_style
def cache(source: Sequence[str], target: Sequence[str]) -> Picture:
    """Draw the keys of both attentions of a decoder layer, step by step, for one sentence.

    Step t reads token t of `target`, which begins with the start token. A cell is the key and the
    value of one token: new ones are computed at this step, the others are kept.
    """
    source, target = list(map(str, source)), list(map(str, target))
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


def _box(axes, x, y, width, text, color, *, bold: bool = False) -> None:
    edge, line = (INK, 1.8) if bold else (MUTED, 0.8)
    axes.add_patch(Rectangle((x + 2, y), width - 4, 34, fc=color, ec=edge, lw=line))
    axes.text(
        x + width / 2, y + 17, literal(text), ha="center", va="center",
        fontsize=min(9.0, 1.05 * width / max(len(text), 1)),
        fontweight="bold" if bold else "normal",
    )  # fmt: skip


def _shape(axes: Axes, x: float, y: float, shape: str) -> None:
    axes.text(x, y + 17, shape, va="center", fontsize=8.5, family="monospace")


def _legend(axes: Axes, x: float, y: float) -> None:
    for text, is_new in ((_("computed at this step"), True), (_("kept"), False)):
        _box(axes, x, y, 34, "", NEW if is_new else KEPT, bold=is_new)
        axes.text(x + 42, y + 17, text, va="center", fontsize=9)
        x += 210
