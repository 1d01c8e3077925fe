"""Tensor shapes through a pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..shared.language import _
from .picture import CENTERED, INK, MUTED, Picture, canvas, house_style, literal, rounded_box

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
    figure, axes = canvas(1.5 if title else 1.1, title)
    pitch = (868 + 46 * (len(steps) > 1)) / len(steps)
    box = pitch - (46 if len(steps) > 1 else 0)
    size = float(np.clip(1.1 * box / max(len(shape) for _operation, shape in steps), 6.0, 11.0))
    for index, (operation, shape) in enumerate(steps):
        x = 16 + index * pitch
        fill = HEAD_TINTS[0] if index == len(steps) - 1 else "#F2F3F4"
        rounded_box(axes, x, 22, box, 44, fc=fill, ec=MUTED, lw=0.9)
        look = {"fontsize": size, "family": "monospace", **CENTERED}
        axes.text(x + box / 2, 44, literal(shape), **look)
        axes.text(x + box / 2, 84, literal(operation), fontsize=9.5, **CENTERED)
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


def _shape_text(shape) -> str:
    if not isinstance(shape, str):
        shape = ", ".join(map(str, shape))
    return shape if shape.startswith("(") else f"({shape})"
