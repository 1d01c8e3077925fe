"""A GPT beside the paper's Figure 1: what is left out, what changed, and what stays."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from ..shared.language import _
from .figure_one import (
    COLUMN,
    FRAMES,
    LEFT,
    NOTES,
    PARTS,
    RIGHT,
    WIDTH,
    Box,
    draw_arrow,
    draw_arrows,
    draw_box,
)
from .picture import INK, MUTED, PAPER, Picture, house_style, new_figure

HEIGHT = 740
WIDE = 9.0  # inches: as wide as a picture in a notebook can be
# The parts of Figure 1 itself, without what stands beside it.
_SHOWN = {
    "multi_head", "add_norm", "feed_forward", "embedding", "positions", "encoder", "decoder",
    "generator",
}  # fmt: skip
_DECODER = 310  # the left edge of its frame
_CROSS = {314, 366}  # the heights of cross-attention and of its add & norm
_GPT = 584  # the left edge of its boxes
_AXIS = _GPT + COLUMN / 2
_NOTES = 784  # the left edge of the remarks beside it

STAYS, CHANGED, GONE = _("stays"), _("changed"), _("left out")
# Box, its state, and the remark on it; from below, as the text passes through.
_BOXES = (
    (Box(_GPT, 56, COLUMN, 34, _("Embedding")), STAYS, ""),
    (Box(_GPT, 190, COLUMN, 26, _("Norm")), CHANGED, _("moved: before\nthe sublayer")),
    (Box(_GPT, 226, COLUMN, 42, _("Masked multi-head\nattention")), STAYS, ""),
    (Box(_GPT, 330, COLUMN, 26, _("Norm")), CHANGED, ""),
    (Box(_GPT, 366, COLUMN, 42, _("Feed\nforward")), STAYS, ""),
    (Box(_GPT, 496, COLUMN, 26, _("Norm")), CHANGED, _("new: one last\nnorm above all")),
    (Box(_GPT, 564, COLUMN, 26, _("Linear")), STAYS, _("tied, as in\nthe paper")),
    (Box(_GPT, 604, COLUMN, 26, _("Softmax")), STAYS, ""),
)  # fmt: skip
_POSITIONS = 120  # where they are added
_SUMS = (292, 434)  # where each residual connection ends
_FRAME = (_GPT - 24, 166, COLUMN + 48, 300)  # around one layer


@house_style
def gpt() -> Picture:
    """Draw Figure 1, with what a GPT leaves out crossed, and CausalLM of lesson 13 beside it."""
    figure = new_figure(WIDE, WIDE * HEIGHT / WIDTH)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.set_axis_off()
    _figure_one(axes)
    _causal_lm(axes)
    for x, y, words in (
        (RIGHT + COLUMN / 2, 722, _("2017: Figure 1")),
        (_AXIS, 722, _("GPT: your CausalLM")),
    ):
        axes.text(x, y, words, ha="center", va="center", fontsize=11.5)
    _legend(axes)
    return Picture(
        figure,
        _(
            "Left, Figure 1 of the paper; right, a GPT. Left out, and crossed in Figure 1: the "
            "whole encoder with its embedding, and in the decoder the cross-attention with its "
            "add & norm. Stays: embedding, positions, masked multi-head attention, feed-forward "
            "network, linear layer, softmax, and both residual connections. Changed: each norm "
            "stands before its sublayer, no longer after the sum; a last norm stands above all "
            "layers. From below, a GPT is: embedding, plus positions; N times norm, masked "
            "attention, plus what entered, norm, feed-forward, plus what entered; norm, linear, "
            "softmax: the probabilities of the next token."
        ),
    )


def _figure_one(axes: Axes) -> None:
    for name, x, y, width, height in FRAMES:
        if name in _SHOWN:
            axes.add_patch(Rectangle((x, y), width, height, fc=PAPER, ec=MUTED, lw=0.8))
    draw_arrows(axes, _SHOWN)
    for part in PARTS:
        if part.name not in _SHOWN:
            continue
        for box in part.boxes:
            state = STAYS
            if box.y in _CROSS or (box.x < _DECODER and part.name != "positions"):
                state = GONE
            elif part.name == "add_norm":
                state = CHANGED
            _state_box(axes, box, box.label or part.label, state)
    for note, x, y in NOTES:
        axes.text(x, y, note, ha="center", va="center", fontsize=9.5)


def _causal_lm(axes: Axes) -> None:
    x, y, width, height = _FRAME
    axes.add_patch(Rectangle((x, y), width, height, fc=PAPER, ec=MUTED, lw=0.8))
    axes.text(x + width + 8, y + height - 8, _("N × layer"), va="center", fontsize=9.5)
    stops = sorted(
        [(box.y, box.y + box.height) for box, _state, _remark in _BOXES]
        + [(y - 8, y + 8) for y in (_POSITIONS, *_SUMS)]
    )
    for (_low, start), (end, _high) in zip([(22, 34), *stops], [*stops, (676, 676)], strict=True):
        draw_arrow(axes, ((_AXIS, start), (_AXIS, end)))
    for y in (_POSITIONS, *_SUMS):
        axes.add_patch(Circle((_AXIS, y), 8, fc=PAPER, ec=INK, lw=1, zorder=3))
        plus = ([_AXIS - 8, _AXIS + 8, _AXIS, _AXIS, _AXIS], [y, y, y, y + 8, y - 8])
        axes.plot(*plus, color=INK, lw=1, zorder=4)
    side = _GPT + COLUMN + 12
    for start, end in ((180, _SUMS[0]), (314, _SUMS[1])):
        draw_arrow(axes, ((_AXIS, start), (side, start), (side, end), (_AXIS + 8, end)))
    # Positions stand right of their sum here: Figure 1 is left of it.
    draw_arrow(axes, ((_NOTES, _POSITIONS), (_AXIS + 8, _POSITIONS)))
    _state_box(axes, Box(_NOTES, 100, 132, 40), _("Positional\nencoding"), STAYS)
    for box, state, remark in _BOXES:
        _state_box(axes, box, box.label, state)
        if remark:
            middle = box.y + box.height / 2
            axes.text(_NOTES, middle, remark, va="center", fontsize=9.5, linespacing=1.15)
    notes = ((_("text: tokens"), 22), (_("probabilities of the next token"), 686))
    for words, y in notes:
        axes.text(_AXIS, y, words, ha="center", va="center", fontsize=9.5)


def _state_box(axes: Axes, box: Box, label: str, state: str) -> None:
    """A box that says its state without color: a heavy outline, or dashed and crossed."""
    if state != GONE:
        draw_box(axes, box, label, "done" if state == STAYS else "open", state == CHANGED)
        return
    corner = (box.x, box.y)
    style = {"fc": PAPER, "ec": MUTED, "lw": 0.9, "ls": (0, (3, 2)), "zorder": 3}
    rounded = "round,pad=0,rounding_size=5"
    axes.add_patch(FancyBboxPatch(corner, box.width, box.height, boxstyle=rounded, **style))
    x, y = box.x + box.width / 2, box.y + box.height / 2
    style = {"ha": "center", "va": "center", "color": MUTED, "zorder": 5}
    axes.text(x, y, label, fontsize=9.5, linespacing=1.05, **style)
    axes.text(box.x + box.width - 10, y, "✗", fontsize=11, **style)


def _legend(axes: Axes) -> None:
    for index, state in enumerate((GONE, CHANGED, STAYS)):
        x, y = LEFT, 640 - 34 * index
        _state_box(axes, Box(x, y, 34, 20), "", state)
        axes.text(x + 44, y + 10, state, va="center", fontsize=9.5)
