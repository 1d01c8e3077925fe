"""Curves with labels at their ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ..shared.language import _
from .arrays import as_array
from .picture import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    Picture,
    house_style,
    literal,
    new_figure,
)

# Lines differ by color and by dashes, so either alone is enough; the best contrast comes first.
STYLES = (
    (BLUE, "-"),
    (VERMILLION, (0, (5, 2))),
    (GREEN, (0, (1.5, 1.5))),
    (INK, (0, (6, 2, 1.5, 2))),
    (PURPLE, (0, (1, 3))),
    (ORANGE, (0, (9, 2))),
    (SKY, (0, (3, 1.5, 1, 1.5, 1, 1.5))),
)
# Darker shades for text, which needs more contrast than lines.
LABEL_COLORS = {
    VERMILLION: "#A84A00",
    GREEN: "#007A59",
    PURPLE: "#96466F",
    ORANGE: "#8A5F00",
    SKY: "#1F6E9E",
}


@house_style
def curves(
    lines: Mapping[str, Any],
    title: str = "",
    *,
    x_label: str = "",
    y_label: str = "",
    log_x: bool = False,
    log_y: bool = False,
    mark: tuple[float, str] | None = None,
) -> Picture:
    """Draw labeled curves: `{label: (x, y)}`, or `{label: y}` to count x from 0.

    Each curve carries its label at its right end. `mark` is an `(x, label)` to be shown as a
    vertical line.
    """
    lines = points("curves", lines)
    figure = new_figure(9.0, 3.9)
    axes = figure.add_subplot()
    texts = {"xlabel": x_label, "ylabel": y_label, "title": title}
    settings = {name: literal(text) for name, text in texts.items()}
    draw_curves(axes, lines, log_x=log_x, log_y=log_y, **settings)
    if mark is not None:
        mark_x(axes, *mark)
    return Picture(figure, describe_curves(lines, title))


def points(caller: str, lines) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The curves as arrays `{label: (x, y)}`. Raises TypeError or ValueError naming the curve."""
    if not isinstance(lines, Mapping) or not lines:
        message = _(
            "{caller} was called with a {type}; expected a dictionary of curves: {{label: (x, y)}} "
            "or {{label: y}}."
        )
        raise TypeError(message.format(caller=caller, type=type(lines).__name__))
    result = {}
    for label, values in lines.items():
        pair = isinstance(values, tuple) and len(values) == 2
        x, y = values if pair and np.ndim(values[1]) == 1 else (None, values)
        y = as_array(y, 1, caller, _("the y values of {label!r}").format(label=label))
        x = np.arange(len(y), dtype=float) if x is None else x
        x = as_array(x, 1, caller, _("the x values of {label!r}").format(label=label))
        if len(x) != len(y):
            message = _(
                "{caller} was called with {x} x values and {y} y values for {label!r}; expected as "
                "many of one as of the other."
            )
            raise ValueError(message.format(caller=caller, x=len(x), y=len(y), label=label))
        result[str(label)] = (x, y)
    return result


def draw_curves(axes: Axes, lines, *, log_x=False, log_y=False, **settings) -> None:
    """Draw curves into axes, each with its own dashes and its label at the right end.

    `settings` go to `axes.set` first, since the labels' positions depend on them.
    """
    for (x, y), (color, dashes) in zip(lines.values(), _styles(len(lines)), strict=True):
        marker = "o" if len(x) <= 12 else None
        axes.plot(x, y, color=color, linestyle=dashes, marker=marker, markersize=4)
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log")
    axes.grid(axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set(**settings)
    _label_ends(axes, lines)


def mark_x(axes: Axes, x: float, label: str) -> None:
    """Mark one place on the x axis with a thin line and its name."""
    axes.axvline(x, color=INK, linewidth=1, linestyle=":")
    axes.annotate(
        literal(label),
        (x, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(4, -2),
        textcoords="offset points",
        va="top",
        fontsize=9,
    )


def describe_curves(lines, title: str) -> str:
    """Where each curve begins and ends, and its extremes, in words."""
    parts = [
        _(
            "{label}: from {y_first} at {x_first} to {y_last} at {x_last}, between {low} and "
            "{high}."
        ).format(
            label=label,
            x_first=in_words(x[0]),
            y_first=in_words(y[0]),
            x_last=in_words(x[-1]),
            y_last=in_words(y[-1]),
            low=in_words(np.nanmin(y)),
            high=in_words(np.nanmax(y)),
        )
        for label, (x, y) in lines.items()
    ]
    return _("{title}. {lines}").format(title=title or _("Curves"), lines=" ".join(parts))


def in_words(number: float) -> str:
    """A number as it is read aloud: 20,000 rather than 2e+04."""
    whole = number == round(number, 0) and abs(number) < 1e9
    return f"{number:,.0f}" if whole else f"{number:.3g}"


def _styles(number: int) -> list[tuple]:
    return [STYLES[index % len(STYLES)] for index in range(number)]


def _label_ends(axes: Axes, lines) -> None:
    """Put each label right of its curve's end, moved apart where ends lie close together."""
    figure = axes.figure
    figure.draw_without_rendering()
    points = 72 / figure.dpi
    ends = []
    for (label, (x, y)), (color, _dashes) in zip(lines.items(), _styles(len(lines)), strict=True):
        last = np.flatnonzero(np.isfinite(y))
        if len(last):
            end = (x[last[-1]], y[last[-1]])
            ends.append((axes.transData.transform(end)[1] * points, end, label, color))
    ends.sort(key=lambda end: end[0])
    heights = np.array([end[0] for end in ends])
    # Labels are 13 points apart; raising them alone would drift, so their mean stays in place.
    steps = 13.0 * np.arange(len(ends))
    placed = np.maximum.accumulate(heights - steps) + steps
    shifts = placed - heights - np.mean(placed - heights) if len(ends) else []
    for (_height, end, label, color), shift in zip(ends, shifts, strict=True):
        axes.annotate(
            literal(label),
            end,
            xytext=(8, shift),
            textcoords="offset points",
            va="center",
            color=LABEL_COLORS.get(color, color),
            fontsize=9.5,
            annotation_clip=False,
        )
