"""Positional encodings: sinusoids, and the rotations behind them."""

from __future__ import annotations

import numpy as np
import torch
from matplotlib.patches import Circle

from ...shared.language import _
from ...show import picture
from ...show.picture import BLUE, CENTERED, GREEN, INK, VERMILLION, Picture, house_style
from ...show.widgets import explore, slider

__all__ = ["position_dial", "positions"]

HANDS = 4  # clocks on the dial
DIAL_SIZE = 16  # d_model; only the first hands are drawn, the others hardly move
LAST_POSITION = 63


@house_style
def positions(length: int = 50, d_model: int = 64) -> Picture:
    """Draw the sinusoidal encoding, (length, d_model), as a heat map."""
    waves = _turned(length, d_model)
    encoding = np.stack([waves.imag, waves.real], axis=-1).reshape(length, -1)[:, :d_model]
    figure = picture.new_figure(9.0, 4.2)
    axes = figure.add_subplot()
    image = axes.imshow(encoding, cmap=picture.DIVERGING, vmin=-1, vmax=1, aspect="auto")
    axes.spines[:].set_visible(False)
    axes.set(title=_("Sinusoidal encoding"), xlabel=_("feature"), ylabel=_("position"))
    figure.colorbar(image, ax=axes, pad=0.02, aspect=22).outline.set_visible(False)
    said = _(
        "Sinusoidal encoding of {length} positions with {d_model} features. The first features "
        "swing from row to row; the further right, the slower, until the last hardly change."
    )
    return Picture(figure, said.format(length=length, d_model=d_model))


def position_dial() -> object:
    """A widget with clock hands of four frequencies, and a slider for the position."""
    return explore(draw_dial, {"position": slider(_("position"), 5, 0, LAST_POSITION)})


@house_style
def draw_dial(position: int = 5) -> Picture:
    """Draw `position_dial` at one position."""
    hands = _turned(LAST_POSITION + 1, DIAL_SIZE)
    figure = picture.new_figure(9.0, 3.1)
    parts = []
    for index, axes in enumerate(figure.subplots(1, HANDS)):
        trail = hands[max(position - 8, 0) : position + 1, index]
        hand = hands[position, index]
        axes.add_patch(Circle((0, 0), 1, fc="#F2F3F4", ec=picture.MUTED, lw=1))
        axes.plot([-1.1, 1.1], [0, 0], color=picture.FAINT, lw=0.8)
        axes.plot([0, 0], [-1.1, 1.1], color=picture.FAINT, lw=0.8)
        sizes = np.linspace(6, 26, len(trail))
        axes.scatter(trail.real, trail.imag, s=sizes, color=GREEN, zorder=3)
        axes.plot([0, hand.real], [0, hand.imag], color=INK, lw=3, solid_capstyle="round", zorder=4)
        axes.plot([hand.real, hand.real], [0, hand.imag], color=BLUE, lw=1.8, ls="-", zorder=3)
        axes.plot([0, hand.real], [0, 0], color=VERMILLION, lw=1.8, ls=(0, (3, 1.5)), zorder=3)
        axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
        axes.set_axis_off()
        period = 2 * np.pi / abs(np.angle(hands[1, index]))
        turn = _("one turn in {period:,.0f} steps").format(period=period)
        axes.set_title(turn, loc="center", fontsize=9.5)
        numbers = {"sine": hand.imag, "cosine": hand.real}
        below = _("sin {sine:+.2f}   cos {cosine:+.2f}").format(**numbers)
        axes.text(0, -1.5, below, fontsize=9, **CENTERED)
        part = _("features {features}: sine {sine:+.2f}, cosine {cosine:+.2f}")
        parts.append(part.format(features=f"{2 * index}, {2 * index + 1}", **numbers))
    title = _("Position {position}: solid the sine, dashed the cosine, dots the positions before")
    figure.suptitle(title.format(position=position), x=0.01, ha="left", fontsize=11)
    said = _("Four clock hands at position {position}, each slower than the one before. {hands}.")
    return Picture(figure, said.format(position=position, hands="; ".join(parts)))


def _turned(length: int, d_model: int) -> np.ndarray:
    """Complex unit vectors, (length, ceil(d_model / 2)), rotated by a fixed angle a position."""
    # Angles from 1 rad towards 1e-4 rad, evenly spaced in the logarithm.
    ticks = torch.logspace(0, -4, d_model + 1, dtype=torch.float64)[:-1:2]
    hands = torch.polar(torch.ones_like(ticks), ticks).expand(length, -1).clone()
    hands[0] = 1
    return hands.cumprod(dim=0).numpy()
