"""Softmax: attention as a soft lookup, and saturation for large scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from matplotlib.patches import Circle
from torch.nn import functional

from ...shared.language import _
from ...show.lines import LABEL_COLORS, describe_curves, draw_curves
from ...show.picture import CENTERED, GREEN, INK, MUTED, PURPLE, Picture, house_style, new_figure
from ...show.widgets import explore, slider

__all__ = ["soft_lookup", "softmax_saturation"]

KEYS = 16  # for each query, in the picture of saturation
DRAWS, QUERIES = 256, 16  # sets of keys, and queries for each, so that means have two digits
# The example by hand of the lesson: the query is (1, 0), and each key has a value.
LOOKUP = (("A", (1.0, 0.0), 10.0), ("B", (0.0, 1.0), 20.0), ("C", (-1.0, 0.0), 30.0))


@house_style
def softmax_saturation(d_ks: Sequence[int] = (1, 4, 16, 64, 256, 1024)) -> Picture:
    """Draw how attention over random queries and keys saturates as d_k grows.

    On the left the largest weight of a row, on the right the norm of softmax's Jacobian, each with
    and without the division by the square root of d_k.
    """
    generator = torch.Generator().manual_seed(0)
    largest, gradient = {}, {}
    for scaled in (False, True):
        name = _("scaled") if scaled else _("no scaling")
        peaks, sizes = [], []
        for d_k in d_ks:
            query = torch.randn(DRAWS, QUERIES, d_k, generator=generator)
            key = torch.randn(DRAWS, KEYS, d_k, generator=generator)
            # With the identity as values, the output of torch's attention is its weights.
            weights = functional.scaled_dot_product_attention(
                query, key, torch.eye(KEYS).expand(DRAWS, -1, -1), scale=None if scaled else 1.0
            ).flatten(0, 1)
            jacobian = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]
            peaks.append(weights.amax(dim=-1).mean().item())
            sizes.append(jacobian.norm(dim=(1, 2)).mean().item())
        largest[name] = (torch.tensor(d_ks).numpy(), torch.tensor(peaks).numpy())
        gradient[name] = (torch.tensor(d_ks).numpy(), torch.tensor(sizes).numpy())
    figure = new_figure(9.0, 3.4)
    left, right = figure.subplots(1, 2)
    panels = (
        (left, _("Largest weight of a row (16 keys)"), largest, 1.05),
        (right, _("Size of softmax's gradient"), gradient, 0.36),
    )
    for axes, title, lines, top in panels:
        draw_curves(axes, lines, log_x=True, title=title, xlabel="$d_k$", ylim=(0, top))
        axes.set_xticks(d_ks, [str(d_k) for d_k in d_ks])
        axes.minorticks_off()
    said = " ".join(describe_curves(lines, title) for _axes, title, lines, _top in panels)
    return Picture(figure, said)


def soft_lookup() -> object:
    """A widget with one query and three keys, with sliders for both the softmax and the query.

    At low temperature the output is the best key's value, at high temperature the mean of all.
    """
    temperature = slider(_("temperature"), 1.0, 0.05, 5.0, 0.05)
    angle = slider(_("turn the query (degrees)"), 0, -180, 180, 3)
    return explore(draw_lookup, {"temperature": temperature, "angle": angle})


@house_style
def draw_lookup(temperature: float = 1.0, angle: int = 0) -> Picture:
    """Draw `soft_lookup` at one temperature, with the query at an angle in degrees."""
    query = torch.tensor([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    names, places, values = zip(*LOOKUP, strict=True)
    scores = torch.tensor(places) @ query
    weights = torch.softmax(scores / temperature, dim=0)
    output = float(weights @ torch.tensor(values))
    figure = new_figure(9.0, 3.4)
    plane, bars = figure.subplots(1, 2, width_ratios=(1, 1.35))
    plane.set_title(_("Query and keys"))
    plane.set(xlim=(-1.6, 1.6), ylim=(-1.35, 1.5), aspect="equal", xticks=(), yticks=())
    plane.spines[:].set_visible(False)
    for name, place, weight in zip(names, places, weights.tolist(), strict=True):
        plane.add_patch(Circle(place, 0.07 + 0.3 * weight**0.5, fc=MUTED, alpha=0.25, lw=0))
        _vector(plane, place, name, GREEN, 1.4)
    _vector(plane, query.tolist(), _("query"), PURPLE, 2.6)
    bars.set_title(_("Weights at temperature {temperature:.2f}").format(temperature=temperature))
    labels = [
        _("{key}: score {score:+.2f}, value {value:.0f}").format(key=name, score=score, value=value)
        for name, score, value in zip(names, scores.tolist(), values, strict=True)
    ]
    bars.barh(labels, weights.numpy(), color=MUTED, height=0.62)
    for row, weight in enumerate(weights.tolist()):
        bars.text(weight + 0.015, row, f"{weight:.2f}", va="center", fontsize=9)
    bars.set(xlim=(0, 1.12), xticks=(0, 0.5, 1))
    bars.invert_yaxis()
    bars.tick_params(axis="y", length=0)
    result = _("output = sum of weight × value = {output:.1f}").format(output=output)
    bars.set_xlabel(result, fontsize=11)
    shares = (f"{name} {weight:.2f}" for name, weight in zip(names, weights.tolist(), strict=True))
    said = _(
        "A soft lookup at temperature {temperature:.2f}: one query, three keys with the values 10, "
        "20 and 30. Weights: {weights}. Output: {output:.1f}."
    ).format(temperature=temperature, weights=", ".join(shares), output=output)
    return Picture(figure, said)


def _vector(axes, place, name: str, color: str, width: float) -> None:
    look = {"arrowstyle": "-|>", "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", place, (0, 0), arrowprops=look)
    x, y = place
    spot, ink = (1.22 * x, 1.22 * y), INK
    if color == PURPLE:  # beside the middle of its arrow: its end may lie on a key's
        spot, ink = (0.5 * x + 0.28 * y, 0.5 * y - 0.14 * x), LABEL_COLORS[PURPLE]
    axes.text(*spot, name, color=ink, **CENTERED)
