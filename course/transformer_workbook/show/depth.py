"""Which numbers a normalization takes together."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ..shared.language import _
from .picture import BLUE, MUTED, PAPER, Picture, house_style, new_figure


@house_style
def norm_axes(batch: int = 3, length: int = 4, features: int = 6) -> Picture:
    """Draw which numbers of an (N, T, D) block share one mean: LayerNorm's and BatchNorm's."""
    figure = new_figure(9.0, 3.3)
    layer, whole_batch = figure.subplots(1, 2)
    token, feature = 1, 2
    _block(layer, batch, length, features, lambda n, t, d: n == 0 and t == token)
    layer.set_title(_("LayerNorm: one token, all its features"), loc="center")
    _block(whole_batch, batch, length, features, lambda n, t, d: d == feature)
    whole_batch.set_title(_("BatchNorm: one feature, all tokens of all sentences"), loc="center")
    return Picture(
        figure,
        _(
            "A block of {batch} sentences, {length} tokens, {features} features, drawn twice; the "
            "numbers that share one mean and variance are marked. LayerNorm: the {features} "
            "features of one token of one sentence. BatchNorm: one feature of all tokens of all "
            "sentences."
        ).format(batch=batch, length=length, features=features),
    )


def _block(axes: Axes, batch: int, length: int, features: int, shared) -> None:
    """Sheets of tokens by features, one behind the other; shared cells are dark and dotted."""
    shift_x, shift_y = 0.9, 0.62
    for sheet in reversed(range(batch)):
        for row in range(length):
            for column in range(features):
                together = shared(sheet, row, column)
                axes.add_patch(
                    Rectangle(
                        (column + sheet * shift_x, length - 1 - row + sheet * shift_y),
                        1,
                        1,
                        fc=BLUE if together else "#E9ECEF",
                        ec=PAPER if together else MUTED,
                        lw=0.8,
                        hatch="..." if together else None,
                    )
                )
    axes.set(
        xlim=(-1.0, features + batch * shift_x + 1.4),
        ylim=(-1.0, length + batch * shift_y + 0.2),
        aspect="equal",
    )
    axes.set_axis_off()
    axes.text(features / 2, -0.5, _("features (D)"), ha="center", va="center", fontsize=9.5)
    axes.text(
        -0.4,
        length / 2,
        _("tokens (T)"),
        ha="center",
        va="center",
        rotation=90,
        fontsize=9.5,
    )
    axes.text(
        features + batch * shift_x / 2 + 0.35,
        batch * shift_y / 2 - 0.45,
        _("sentences (N)"),
        ha="left",
        va="center",
        fontsize=9.5,
    )
