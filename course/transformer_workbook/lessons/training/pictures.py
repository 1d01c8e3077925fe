"""Pictures of training: the learning rate, the smoothed target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from torch.nn import functional

from ...shared.language import _
from ...show.lines import describe_curves, draw_curves, mark_x
from ...show.picture import BLUE, VERMILLION, Picture, house_style, literal, new_figure
from ...show.widgets import explore, slider

__all__ = ["noam_explorer", "schedule", "smoothed_target"]

Rate = Callable[[int, int, int], float]  # from step, d_model and warm-up to a learning rate

STEPS = 20_000  # drawn of the schedule


@house_style
def schedule(
    d_model: int = 512, warmup: int = 4000, steps: int = STEPS, *, yours: Rate | None = None
) -> Picture:
    """Draw the paper's learning rate over the steps of training.

    `yours`, a function `(step, d_model, warmup) -> float`, is drawn on top for comparison.
    """
    step = np.unique(np.linspace(1, steps, 400).round())
    lines = {_("paper"): (step, _learning_rate(step, d_model, warmup))}
    if yours is not None:
        rates = np.array([float(yours(int(n), d_model, warmup)) for n in step])
        lines[_("yours")] = (step, rates)
    figure = new_figure(9.0, 3.4)
    axes = figure.add_subplot()
    title = _("Learning rate, d_model = {d_model}, warmup = {warmup}").format(
        d_model=d_model, warmup=warmup
    )
    top = 1.08 * max(rates.max() for _step, rates in lines.values())
    labels = {"xlabel": _("step"), "ylabel": _("learning rate")}
    draw_curves(axes, lines, title=title, ylim=(0, top), **labels)
    if warmup <= steps:
        peak = float(_learning_rate(np.array([warmup]), d_model, warmup)[0])
        mark_x(axes, warmup, _("step {warmup}: {rate:.2e}").format(warmup=warmup, rate=peak))
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-3, -3), useMathText=True)
    return Picture(figure, describe_curves(lines, title))


def noam_explorer(yours: Rate | None = None) -> object:
    """A widget with the learning rate, and sliders for d_model and the warm-up steps.

    `yours`, a function `(step, d_model, warmup) -> float`, is drawn on top for comparison.
    """
    d_model = slider("d_model", 512, 64, 1024, 64)
    warmup = slider(_("warm-up steps"), 4000, 250, 12_000, 250)
    return explore(partial(schedule, yours=yours), {"d_model": d_model, "warmup": warmup})


@house_style
def smoothed_target(
    tokens: Sequence[str], right: str, pad: str = "<pad>", smoothing: float = 0.1
) -> Picture:
    """Draw the smoothed target distribution of one position, and the one-hot target around it.

    `right` and `pad` are among the tokens. Raises ValueError if one is not.
    """
    target, padding = tokens.index(right), tokens.index(pad)
    sharp = functional.one_hot(torch.tensor(target), len(tokens)).double()
    rest = torch.tensor([index not in (target, padding) for index in range(len(tokens))]).double()
    smooth = torch.lerp(sharp, functional.normalize(rest, p=1, dim=0), smoothing)
    figure = new_figure(9.0, 3.2)
    axes = figure.add_subplot()
    places = np.arange(len(tokens))
    outline = {"fc": "none", "ec": VERMILLION, "lw": 1.6, "ls": "--", "label": _("one-hot")}
    axes.bar(places, sharp.numpy(), 0.62, zorder=3, clip_on=False, **outline)
    axes.bar(places, smooth.numpy(), 0.5, color=BLUE, label=_("smoothed"))
    for place, share in zip(places, smooth.tolist(), strict=True):
        axes.text(place, share + 0.015, f"{share:.3g}", ha="center", fontsize=8.5)
    axes.set_xticks(places, [*map(literal, tokens)])
    title = _("Target where the right token is “{token}”").format(token=literal(right))
    axes.set(ylim=(0, 1.12), title=title)
    axes.legend(loc="upper right" if target < len(tokens) / 2 else "upper left")
    listed = (f"{name} {share:.3g}" for name, share in zip(tokens, smooth.tolist(), strict=True))
    said = _(
        "Target distribution for the token {token}, smoothing {smoothing}: {shares}. The one-hot "
        "target has 1 at {token} and 0 elsewhere."
    ).format(token=right, smoothing=smoothing, shares=", ".join(listed))
    return Picture(figure, said)


def _learning_rate(step: np.ndarray, d_model: int, warmup: int) -> np.ndarray:
    """The schedule, interpolated: on logarithmic axes it is two straight lines."""
    peak, last = -0.5 * np.log(d_model * warmup), np.log(1e9)
    middle = np.log(warmup)
    corners = [0.0, middle, last], [peak - middle, peak, peak - (last - middle) / 2]
    if warmup == 1:
        corners = corners[0][1:], corners[1][1:]
    return np.exp(np.interp(np.log(step), *corners))
