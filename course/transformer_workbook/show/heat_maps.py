"""Matrices as colored cells: one matrix, several heads side by side, an alignment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from ..shared.language import _, ngettext
from .arrays import as_array, labels_for
from .picture import (
    DIVERGING,
    MUTED,
    PAPER,
    SEQUENTIAL,
    VERMILLION,
    Picture,
    house_style,
    literal,
    new_figure,
)

Labels = str | Sequence[str]  # tokens, or one string to be split at spaces

VALUES_UP_TO = 12  # rows and columns: in a larger matrix printed numbers are illegible
LABELS_UP_TO = 40  # rows and columns
NARROWEST = 0.16  # inches that a number needs, or a word that stands upright
HIDDEN = "#EDEFF1"  # the color below the hatching of hidden cells


@house_style
def heat_map(
    matrix: ArrayLike,
    rows: Labels | None = None,
    columns: Labels | None = None,
    title: str = "",
    *,
    mask: ArrayLike | None = None,
    row_axis: str = "",
    column_axis: str = "",
    values: bool | str | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Picture:
    """Draw a matrix as colored cells.

    `matrix` is a 2-D tensor, array or list; `rows` and `columns` are labels (tokens), as lists or
    as one string to be split at spaces. `mask` is boolean and True where a cell may be seen, as in
    the course; cells that are hidden, infinite or not a number are hatched. `values` says whether
    numbers are printed (by default in small matrices), "all" prints those of hidden cells too;
    `low` and `high` fix the color scale.
    """
    matrix = as_array(matrix, 2, "heat_map", _("a matrix (rows, columns)"))
    rows = labels_for(rows, matrix.shape[0], "heat_map", "rows", _("axis 0 of the matrix"))
    columns = labels_for(columns, matrix.shape[1], "heat_map", "columns", _("axis 1 of the matrix"))
    visible = visible_cells(matrix, mask, "heat_map")
    norm, colors = color_scale(matrix[visible], low, high)
    cell = float(np.clip(6.4 / max(matrix.shape[1], 1), 0.22, 0.62))
    width = float(np.clip(cell * matrix.shape[1] + 2.2, 3.6, 9.0))
    height = float(np.clip(cell * matrix.shape[0] + 1.3, 1.9, 8.0))
    figure = new_figure(max(width, 1.2 + 0.085 * len(title)), height)
    axes = figure.add_subplot()
    image = draw_cells(axes, matrix, visible, norm, colors, values)
    label_cells(axes, rows, columns)
    axes.set(xlabel=literal(column_axis), ylabel=literal(row_axis), title=literal(title))
    _add_color_bar(figure, image, axes)
    return Picture(figure, describe(matrix, visible, rows, columns, title))


@house_style
def heads(
    weights: ArrayLike,
    tokens_q: Labels | None = None,
    tokens_k: Labels | None = None,
    title: str = "",
    *,
    mask: ArrayLike | None = None,
) -> Picture:
    """Draw the attention weights of several heads side by side, on one color scale.

    `weights` is `(H, T_q, T_k)`, such as one sentence's `attention.weights[0]`; rows are queries,
    columns are keys.
    """
    weights = as_array(weights, 3, "heads", _("attention weights (H, T_q, T_k)"))
    number, length_q, length_k = weights.shape
    tokens_q = labels_for(tokens_q, length_q, "heads", "tokens_q", _("T_q (axis 1)"))
    tokens_k = labels_for(tokens_k, length_k, "heads", "tokens_k", _("T_k (axis 2)"))
    across = min(number, 4)
    down = -(-number // across)
    ratio = float(np.clip(length_q / length_k, 0.4, 2.0))
    label_room = 0.6 if tokens_k else 0.35
    figure = new_figure(9.0, min(0.5 + down * (8.0 / across * ratio + label_room), 11.0))
    grid = figure.subplots(down, across, squeeze=False)
    norm = Normalize(0.0, max(float(np.nanmax(weights)), 1e-9))
    lines = []
    for head, axes in enumerate(grid.flat):
        if head >= number:
            axes.set_axis_off()
            continue
        visible = visible_cells(weights[head], mask, "heads")
        image = draw_cells(axes, weights[head], visible, norm, SEQUENTIAL, length_k * across <= 16)
        # The row labels are the same for all heads, so the first head in a line has them alone.
        label_cells(axes, tokens_q if head % across == 0 else [""] * length_q, tokens_k)
        axes.set_title(_("head {number}").format(number=head))
        title_of_head = _("head {number}").format(number=head)
        lines.append(describe(weights[head], visible, tokens_q, tokens_k, title_of_head))
    figure.suptitle(literal(title), x=0.01, ha="left")
    figure.supxlabel(_("key: what is looked at"), fontsize=10)
    figure.supylabel(_("query: who is looking"), fontsize=10)
    _add_color_bar(figure, image, grid, pad=0.015, aspect=24)
    return Picture(
        figure,
        "\n".join(
            [
                _(
                    "Attention weights of {number} heads, rows are queries, columns are keys. "
                    "{title}"
                ).format(number=number, title=title),
                *lines,
            ]
        ),
    )


@house_style
def alignment(
    weights: ArrayLike, source_tokens: Labels, target_tokens: Labels, title: str = ""
) -> Picture:
    """Draw cross-attention as an alignment: each target token's strongest source token is ringed.

    `weights` is `(T, S)`, or `(H, T, S)`, in which case the mean over the heads is drawn.
    """
    if getattr(weights, "ndim", 2) == 3:
        weights = as_array(weights, 3, "alignment", _("cross-attention weights")).mean(axis=0)
    weights = as_array(weights, 2, "alignment", _("cross-attention weights (T, S)"))
    source = labels_for(source_tokens, weights.shape[1], "alignment", "source_tokens", "S")
    target = labels_for(target_tokens, weights.shape[0], "alignment", "target_tokens", "T")
    visible = visible_cells(weights, None, "alignment")
    norm, _colors = color_scale(weights[visible], 0.0, None)
    cell = float(np.clip(6.2 / weights.shape[1], 0.28, 0.6))
    figure = new_figure(
        float(np.clip(cell * weights.shape[1] + 2.8, 4.6, 9.0)),
        float(np.clip(cell * weights.shape[0] + 1.7, 2.6, 9.0)),
    )
    axes = figure.add_subplot()
    image = draw_cells(axes, weights, visible, norm, SEQUENTIAL, None)
    label_cells(axes, target, source)
    strongest = np.argmax(np.where(visible, weights, -np.inf), axis=1)
    for row in np.flatnonzero(visible.any(axis=1)):
        _ring(axes, row, strongest[row])
    title = title or _("Cross-attention as an alignment")
    axes.set(xlabel=_("source (keys)"), ylabel=_("target (queries)"), title=literal(title))
    _add_color_bar(figure, image, axes)
    pairs = "; ".join(
        (
            _("{target} at {source} ({weight:.2f})")
            if visible[row, column]
            else _("{target} at nothing, for none of its weights is a number")
        ).format(
            target=target[row] if target else row,
            source=source[column] if source else column,
            weight=weights[row, column],
        )
        for row, column in enumerate(strongest)
    )
    text = _("{title}. Each target token looks most at: {pairs}.")
    return Picture(figure, text.format(title=title, pairs=pairs))


def _ring(axes: Axes, row: int, column: int) -> None:
    axes.add_patch(
        Rectangle(
            (column - 0.46, row - 0.46),
            0.92,
            0.92,
            fill=False,
            lw=2.2,
            ec=VERMILLION,
            path_effects=[withStroke(linewidth=4.6, foreground=PAPER)],
        )
    )


def _add_color_bar(figure: Figure, image, axes, pad: float = 0.02, aspect: int = 18) -> None:
    bar = figure.colorbar(image, ax=axes, shrink=0.85, pad=pad, aspect=aspect)
    bar.outline.set_visible(False)


def visible_cells(matrix: np.ndarray, mask, caller: str) -> np.ndarray:
    """The cells to color: unmasked and finite. Raises ValueError for a mask of another shape."""
    finite = np.isfinite(matrix)
    if mask is None:
        return finite
    mask = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask).astype(bool)
    try:
        # Drop leading dimensions of size 1, as in (1, 1, T_q, T_k).
        while mask.ndim > 2 and mask.shape[0] == 1:
            mask = mask[0]
        return finite & np.broadcast_to(mask, matrix.shape)
    except ValueError:
        message = _(
            "{caller} was called with a mask of shape {actual} for a matrix of shape {shape}; "
            "expected a boolean mask that broadcasts to it, True where a cell may be seen."
        )
        message = message.format(caller=caller, actual=mask.shape, shape=matrix.shape)
        raise ValueError(message) from None


def color_scale(shown: np.ndarray, low: float | None, high: float | None):
    """A norm and a color map for these values: diverging around 0 if there are negative ones."""
    smallest = float(shown.min()) if shown.size else 0.0
    largest = float(shown.max()) if shown.size else 1.0
    if low is None and smallest < 0:
        bound = max(-smallest, largest if high is None else high, 1e-9)
        return TwoSlopeNorm(0.0, -bound, bound), DIVERGING
    low = min(smallest, 0.0) if low is None else low
    high = largest if high is None else high
    if low < 0 < high:
        return TwoSlopeNorm(0.0, low, high), DIVERGING
    return Normalize(low, high if high > low else low + 1.0), SEQUENTIAL


def draw_cells(axes: Axes, matrix, visible, norm, colors, values):
    """Color the visible cells, hatch the others, and print numbers where there is room."""
    image = axes.imshow(np.ma.array(matrix, mask=~visible), norm=norm, cmap=colors, aspect="auto")
    for row, column in np.argwhere(~visible):
        axes.add_patch(
            Rectangle(
                (column - 0.5, row - 0.5), 1, 1, fill=True, fc=HIDDEN, ec=MUTED, lw=0, hatch="////"
            )
        )
    height, width = matrix.shape
    axes.set_xticks(np.arange(width + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(height + 1) - 0.5, minor=True)
    if max(height, width) <= LABELS_UP_TO:
        axes.grid(which="minor", color=PAPER, linewidth=1.0)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    if values is None:
        values = max(height, width) <= VALUES_UP_TO
    if values:
        largest = float(np.abs(matrix[visible]).max()) if visible.any() else 0.0
        whole = bool(np.all(matrix[visible] == np.round(matrix[visible])))
        digits = 0 if whole else 2 if largest < 10 else 1
        for row, column in np.argwhere(visible | (values == "all")):
            seen, number = visible[row, column], f"{matrix[row, column]:z.{digits}f}"
            ink = legible_on(image.cmap(norm(matrix[row, column]))) if seen else "black"
            axes.text(
                column,
                row,
                number,
                ha="center",
                va="center",
                fontsize=8.5 if width <= 8 else 7,
                color=ink if float(number) else MUTED,  # scales are lightest at 0
                bbox=None if seen else {"fc": HIDDEN, "ec": "none", "pad": 1.5},
            )
    return image


def legible_on(color) -> str:
    """Black or white, whichever has the greater contrast on a color (as WCAG defines contrast)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    # Both contrasts are 4.58 at this luminance; ink and paper would reach less than 4.5 there.
    return "black" if luminance > 0.179 else "white"


def label_cells(axes: Axes, rows: list[str] | None, columns: list[str] | None) -> None:
    """Put token labels on both axes; column labels are rotated where they would overlap."""
    grid, figure = axes.get_gridspec(), axes.figure
    room_x = figure.get_figwidth() / grid.ncols * 0.75
    room_y = figure.get_figheight() / grid.nrows * 0.6
    for labels, length, axis, room in (
        (columns, axes.get_xlim()[1], "x", room_x),
        (rows, axes.get_ylim()[0], "y", room_y),
    ):
        length = round(abs(length) + 0.5)
        if labels is not None:
            every = range(0, length, _label_step(length, room))
            shown = [literal(labels[place]) for place in every]
            axes.set(**{f"{axis}ticks": every, f"{axis}ticklabels": shown})
        elif room / length > NARROWEST:
            axes.set(**{f"{axis}ticks": range(length)})
    widest = max(map(len, columns or [""]))
    if columns and widest * 0.085 > room_x / len(columns) * _label_step(len(columns), room_x):
        axes.tick_params(axis="x", rotation=90)


def _hidden(count: int) -> str:
    words = ngettext(", {count} hidden cell", ", {count} hidden cells", count)
    return words.format(count=count) if count else ""


def _label_step(length: int, room: float) -> int:
    """1, or larger where there is no room, in inches, for a label at each of so many cells."""
    return math.ceil(max(length / LABELS_UP_TO, NARROWEST * length / room))


def describe(matrix, visible, rows, columns, title: str) -> str:
    """What the cells show, in words: every row's largest value, and the hidden cells."""
    lines = []
    for row in range(min(len(matrix), 20)):
        name = rows[row] if rows else row
        if not visible[row].any():
            lines.append(_("row {row}: all hidden").format(row=name))
            continue
        best = int(np.argmax(np.where(visible[row], matrix[row], -np.inf)))
        lines.append(
            _("row {row}: largest at {column} ({value:.3g})").format(
                row=name, column=columns[best] if columns else best, value=matrix[row, best]
            )
        )
    if len(matrix) > 20:
        lines.append(_("{count} more rows").format(count=len(matrix) - 20))
    return _("{title}: {rows} rows, {columns} columns{hidden}. {detail}.").format(
        title=title or _("Heat map"),
        rows=matrix.shape[0],
        columns=matrix.shape[1],
        hidden=_hidden(int((~visible).sum())),
        detail="; ".join(lines),
    )
