"""Tensor shapes through a pipeline, and features through the split into heads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from ..shared.language import _
from .picture import INK, MUTED, PAPER, Picture, house_style, literal, new_figure

# Pale enough for dark letters. Cells are lettered too, so color is never needed alone.
HEAD_TINTS = (
    "#BFDDF0",
    "#F9D58B",
    "#B5E3D0",
    "#F3C9DE",
    "#F6C6A4",
    "#F5EFA8",
    "#D8DCE1",
    "#C9C4E8",
)


@house_style
def shapes(steps: Iterable[tuple[str, str | Sequence[int]]], title: str = "") -> Picture:
    """Draw a pipeline of tensor shapes: `[(operation, shape), ...]`.

    The first pair is the input's name and shape, each other pair an operation and its result's
    shape: `[("x", (2, 5, 12)), ("cut", "N, T, H, d_k")]`. Raises ValueError for no steps.
    """
    steps = [(str(operation), _shape_text(shape)) for operation, shape in steps]
    if not steps:
        raise ValueError(_("shapes was called with no steps; expected [(operation, shape), ...]."))
    figure = new_figure(9.0, 1.5 if title else 1.1)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 900), ylim=(0, figure.get_figheight() * 100))
    axes.set_axis_off()
    axes.text(16, figure.get_figheight() * 100 - 20, literal(title), va="center", fontsize=11)
    pitch = (868 + 46 * (len(steps) > 1)) / len(steps)
    box = pitch - (46 if len(steps) > 1 else 0)
    size = float(np.clip(1.1 * box / max(len(shape) for _operation, shape in steps), 6.0, 11.0))
    for index, (operation, shape) in enumerate(steps):
        x = 16 + index * pitch
        axes.add_patch(
            FancyBboxPatch(
                (x, 22),
                box,
                44,
                boxstyle="round,pad=0,rounding_size=5",
                fc=HEAD_TINTS[0] if index == len(steps) - 1 else "#F2F3F4",
                ec=MUTED,
                lw=0.9,
            )
        )
        axes.text(
            x + box / 2,
            44,
            literal(shape),
            ha="center",
            va="center",
            fontsize=size,
            family="monospace",
        )
        axes.text(x + box / 2, 84, literal(operation), ha="center", va="center", fontsize=9.5)
        if index:
            axes.annotate(
                "", (x - 3, 44), (x - 43, 44), arrowprops={"arrowstyle": "-|>", "color": INK}
            )
    story = "; ".join(
        _("{operation}: {shape}").format(operation=name, shape=shape) for name, shape in steps
    )
    return Picture(
        figure,
        _("{title}. In this order: {steps}.").format(title=title or _("Shapes"), steps=story),
    )


@house_style
def reshape_moves(num_heads: int = 2, d_k: int = 3, length: int = 4) -> Picture:
    """Draw one sentence's features after a split into heads with a transpose, and after a view.

    Cells have the numbers 0, 1, 2, ... in the order of memory, and the color of the head that they
    belong to. The transpose keeps heads apart; a plain view to the same shape mixes them. Raises
    ValueError for more than 8 heads.
    """
    if not 1 <= num_heads <= len(HEAD_TINTS):
        message = _("reshape_moves was called with num_heads={actual}; expected 1 to {most}.")
        raise ValueError(message.format(actual=num_heads, most=len(HEAD_TINTS)))
    d_model = num_heads * d_k
    whole = np.arange(length * d_model).reshape(length, d_model)
    # The split moves whole columns; the view takes elements in the order of memory.
    swapped = np.split(whole, num_heads, axis=1)
    viewed = whole.reshape(num_heads, length, d_k)
    high = max(num_heads * (length + 1), length + 1)
    figure = new_figure(9.0, float(np.clip(1.1 + 0.29 * high, 2.6, 9.0)))
    panels = figure.subplots(1, 3, width_ratios=(d_model + 3, d_k + 3, d_k + 3))
    blocks = {
        _("one sentence (T, D)"): (whole,),
        _("cut, then swap (H, T, d_k)"): swapped,
        _("view alone (H, T, d_k)"): viewed,
    }
    names = [_("head {number}").format(number=head) for head in range(num_heads)]
    for axes, (title, grids) in zip(panels, blocks.items(), strict=True):
        axes.set_title(title, loc="center", fontsize=10.5)
        axes.set(xlim=(-3, grids[0].shape[1] + 0.2), ylim=(high, -1.1), aspect="equal")
        axes.set_anchor("N")
        axes.set_axis_off()
        for head, grid in enumerate(grids):
            top = head * (length + 1)
            _numbered(axes, grid, top, grid % d_model // d_k)
            if grids[0] is not whole:
                axes.text(
                    -0.4, top + length / 2, names[head], ha="right", va="center", fontsize=9.5
                )
    for token in range(length):
        word = _("word {number}").format(number=token)
        panels[0].text(-0.4, token + 0.52, word, ha="right", va="center", fontsize=9.5)
    for head, name in enumerate(names if d_k > 1 else map(str, range(num_heads))):
        panels[0].text((head + 0.5) * d_k, -0.5, name, ha="center", va="center", fontsize=9.5)
    mixed = sum(len(set((block % d_model // d_k).flat)) > 1 for block in viewed)
    return Picture(
        figure,
        _(
            "{length} words with {features} features each, numbered in the order of memory. Cut "
            "and swapped, each of the {heads} heads has all words and only its own {d_k} features. "
            "Viewed at once to the same shape, {mixed} of {heads} heads hold features of other "
            "heads."
        ).format(length=length, features=d_model, heads=num_heads, d_k=d_k, mixed=mixed),
    )


def _numbered(axes: Axes, grid: np.ndarray, top: float, head_of: np.ndarray) -> None:
    for (row, column), number in np.ndenumerate(grid):
        tint = HEAD_TINTS[head_of[row, column]]
        axes.add_patch(Rectangle((column, top + row), 1, 1, fc=tint, ec=PAPER, lw=1.5))
        axes.text(column + 0.5, top + row + 0.52, number, ha="center", va="center", fontsize=8.5)


def _shape_text(shape) -> str:
    if not isinstance(shape, str):
        shape = ", ".join(map(str, shape))
    return shape if shape.startswith("(") else f"({shape})"
