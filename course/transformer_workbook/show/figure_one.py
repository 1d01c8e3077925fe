"""The paper's Figure 1 as a map of the course, with the finished parts lit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from ..shared.language import _
from .picture import BLUE, FAINT, INK, MUTED, PAPER, Picture, house_style, literal, new_figure

WIDTH = 926  # CSS pixels; the origin is the lower left corner
LIT, UNLIT, HATCH = "#F9D58B", "#F2F3F4", "#C98A00"


@dataclass(frozen=True)
class Box:
    """A rectangle of a part, in pixels; `label` is its text, by default the part's."""

    x: float
    y: float
    width: float
    height: float
    label: str = ""
    lists_components: bool = False


@dataclass(frozen=True)
class Part:
    """A part of the figure, and the components that have to be done for it to light up."""

    name: str
    label: str
    lesson: str
    components: tuple[str, ...]
    boxes: tuple[Box, ...]

    def state(self, done: Collection[str]) -> str:
        """ "done", "partly" or "open", given the names of the components that are done."""
        finished = sum(component in done for component in self.components)
        return "done" if finished == len(self.components) else "partly" if finished else "open"


LEFT, RIGHT, COLUMN = 62, 322, 172  # both columns of boxes and their width
SIDE, SIDE_COLUMN = 584, 328  # the boxes beside the figure

PARTS = (
    Part(
        "tensor_moves",
        _("Tensor moves"),
        "00",
        ("split_heads", "merge_heads"),
        (Box(SIDE, 354, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "scaled_attention",
        _("Scaled dot-product attention"),
        "01",
        ("scaled_dot_product_attention",),
        (Box(SIDE, 296, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "multi_head",
        _("Multi-head\nattention"),
        "02",
        ("MultiHeadAttention",),
        (
            Box(LEFT, 196, COLUMN, 42),
            Box(RIGHT, 196, COLUMN, 42, _("Masked multi-head\nattention")),
            Box(RIGHT, 314, COLUMN, 42, _("Multi-head\ncross-attention")),
        ),
    ),
    Part(
        "add_norm",
        _("Add & norm"),
        "03",
        ("LayerNorm", "SublayerConnection"),
        (
            Box(LEFT, 248, COLUMN, 26),
            Box(LEFT, 366, COLUMN, 26),
            Box(RIGHT, 248, COLUMN, 26),
            Box(RIGHT, 366, COLUMN, 26),
            Box(RIGHT, 484, COLUMN, 26),
        ),
    ),
    Part(
        "feed_forward",
        _("Feed\nforward"),
        "04",
        ("PositionwiseFeedForward",),
        (Box(LEFT, 314, COLUMN, 42), Box(RIGHT, 432, COLUMN, 42)),
    ),
    Part(
        "embedding",
        _("Embedding"),
        "05",
        ("TokenEmbedding",),
        (
            Box(LEFT, 56, COLUMN, 34, _("Input embedding")),
            Box(RIGHT, 56, COLUMN, 34, _("Output embedding")),
        ),
    ),
    Part(
        "positions",
        _("Positional\nencoding"),
        "05",
        ("sinusoidal_encoding", "PositionalEncoding", "LearnedPositionalEmbedding"),
        (Box(193, 100, 170, 40),),
    ),
    Part(
        "masks",
        _("Masks: who may look where"),
        "06",
        ("padding_mask", "causal_mask", "target_mask"),
        (Box(SIDE, 183, SIDE_COLUMN, 68, lists_components=True),),
    ),
    Part(
        "encoder",
        _("Encoder: N × layer"),
        "07",
        ("EncoderLayer", "Encoder"),
        (Box(36, 402, 210, 26),),
    ),
    Part(
        "decoder",
        _("Decoder: N × layer"),
        "07",
        ("DecoderLayer", "Decoder"),
        (Box(310, 520, 210, 26),),
    ),
    Part(
        "generator",
        _("Linear and softmax"),
        "08",
        ("Generator",),
        (Box(RIGHT, 564, COLUMN, 26, _("Linear")), Box(RIGHT, 604, COLUMN, 26, _("Softmax"))),
    ),
    Part(
        "model",
        _("Transformer: the whole model"),
        "08",
        ("Transformer", "make_model"),
        (Box(14, 640, 528, 26),),
    ),
    Part(
        "training",
        _("Training"),
        "09",
        ("shift_right", "LabelSmoothing", "noam_lr", "train_step", "evaluate"),
        (Box(SIDE, 414, SIDE_COLUMN, 86, lists_components=True),),
    ),
    Part(
        "decoding",
        _("Decoding"),
        "10",
        ("greedy_decode", "beam_search"),
        (Box(SIDE, 510, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "translation",
        _("Translation"),
        "11",
        ("token_batches", "average_weights", "mixed_precision_step"),
        (Box(SIDE, 570, SIDE_COLUMN, 68, lists_components=True),),
    ),
    Part(
        "faster",
        _("Faster"),
        "12",
        (
            "FusedMultiHeadAttention",
            "FusedLayerNorm",
            "FusedLabelSmoothing",
            "FastDropout",
            "fuse",
            "CachedMultiHeadAttention",
            "CachedDecoder",
            "cached_greedy_decode",
            "cached_beam_search",
        ),
        (Box(SIDE, 662, SIDE_COLUMN, 118, lists_components=True),),
    ),
)

# Frames around the whole model and the two stacks, each below the box with its name.
FRAMES = (
    ("model", 14, 46, 528, 594),
    ("encoder", 36, 166, 210, 236),
    ("decoder", 310, 166, 210, 354),
)

_LEFT_AXIS, _RIGHT_AXIS = LEFT + COLUMN / 2, RIGHT + COLUMN / 2
_OUTPUT = 676  # where the arrow of the result ends
_SUM = 120  # where positions are added

# Residual connections, around each sublayer.
RESIDUALS = (
    ((_LEFT_AXIS, 182), (48, 182), (48, 261), (LEFT, 261)),
    ((_LEFT_AXIS, 294), (48, 294), (48, 379), (LEFT, 379)),
    ((_RIGHT_AXIS, 182), (508, 182), (508, 261), (RIGHT + COLUMN, 261)),
    ((_RIGHT_AXIS, 300), (508, 300), (508, 379), (RIGHT + COLUMN, 379)),
    ((_RIGHT_AXIS, 412), (508, 412), (508, 497), (RIGHT + COLUMN, 497)),
)
# What every attention uses, and what works on the whole model: dotted lines show it.
IN_ATTENTION = {"tensor_moves": 379, "scaled_attention": 321, "masks": 217}
ON_THE_MODEL = {"training": 457, "decoding": 535, "translation": 604}
_TRUNK = 562  # the dotted line that the parts in every attention share
# What stands in a frame before its lesson: the boxes of attention, and the stacks' names.
PLACES = {
    "multi_head": _("Attention"),
    "encoder": _("Encoder"),
    "decoder": _("Decoder"),
}
TASKS = {"encoder": _("reads the\nsource sentence"), "decoder": _("writes the\ntranslation")}
# Texts of no part, and their centres.
NOTES = (
    (_("inputs: source tokens"), _LEFT_AXIS, 22),
    (_("outputs, shifted right"), _RIGHT_AXIS, 22),
    (_("output probabilities"), _RIGHT_AXIS, 686),
    (_("memory: keys, values"), 204, 461),
)
STATES = {
    "open": _("to build"),
    "partly": _("partly built"),
    "done": _("built"),
    "current": _("this lesson"),
}


def part_of(component: str) -> Part | None:
    """The part of the figure that a component belongs to; None if there is none."""
    return next((part for part in PARTS if component in part.components), None)


def more_parts(lessons: Mapping[str, tuple[str, Collection[str]]]) -> tuple[Part, ...]:
    """A box beside the figure, above the others, for each lesson with components in no part of it.

    `lessons` has the title and the components of each lesson, by its id.
    """
    parts = []
    bottom = max(box.y + box.height for part in PARTS for box in part.boxes if box.x == SIDE) + 10
    for id, (title, components) in lessons.items():
        others = tuple(name for name in components if part_of(name) is None)
        if others:
            height = 32 + 18 * math.ceil(len(others) / 2)
            box = Box(SIDE, bottom, SIDE_COLUMN, height, lists_components=True)
            parts.append(Part(id, title, id[:2], others, (box,)))
            bottom += height + 10
    return tuple(parts)


@house_style
def draw(
    done: Collection[str],
    current: Collection[str] = frozenset(),
    upto: str = "",
    more: Sequence[Part] = (),
    beyond: Collection[str] = (),
) -> Picture:
    """Draw Figure 1 with the parts lit whose components are in `done`.

    A part with all its components done is filled and ticked, one with some is hatched and counted.
    The parts named in `current`, or of components named there, have a heavy outline. Unknown names
    in `done` are ignored. With `upto`, such as "03", parts of later lessons are left out unless
    something of them is done: the map grows with the course. `more` are parts beside those of the
    figure, see `more_parts`; the parts of the lessons in `beyond` are marked as beyond the paper.
    Raises ValueError for a name in `current` that is neither a component nor a part.
    """
    all_parts = (*PARTS, *more)
    known = {name for part in all_parts for name in (part.name, *part.components)}
    if strange := sorted(set(current) - known):
        message = _(
            "figure_one.draw was called with current={actual}; expected names of components or of "
            "parts of the figure: {known}."
        )
        raise ValueError(message.format(actual=strange, known=", ".join(sorted(known))))
    now = {part for part in all_parts if {part.name, *part.components} & set(current)}
    states = {part.name: part.state(done) for part in all_parts}
    parts = [
        part
        for part in all_parts
        if not upto or part.lesson <= upto or part in now or states[part.name] != "open"
    ]
    shown = {part.name for part in parts}
    headings = {
        _("What the figure does not show"): _top_beside(p for p in parts if p.lesson not in beyond),
        _("Beyond the paper"): _top_beside(p for p in parts if p.lesson in beyond),
    }
    height = max(_OUTPUT, *headings.values()) + 24
    figure = new_figure(WIDTH / 100, height / 100)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, height))
    axes.set_axis_off()

    _frames(axes, shown, states)
    draw_arrows(axes, shown)
    for part in parts:
        for box in part.boxes:
            draw_box(axes, box, box.label or part.label, states[part.name], part in now)
            _badge(axes, box, part, done)
            if box.lists_components:
                _components(axes, box, part, done)
    for note, x, y in NOTES:
        axes.text(x, y, note, ha="center", va="center", fontsize=9.5)
    for heading, top in headings.items():
        if top:
            x, y = SIDE + SIDE_COLUMN / 2, top + 12
            axes.text(x, y, heading, ha="center", va="center", fontsize=9.5)
    _legend(axes)
    return Picture(figure, _describe(parts, beyond, done, now))


def _top_beside(parts: Iterable[Part]) -> float:
    """The top of the highest box beside the figure, 0 if there is none."""
    return max((b.y + b.height for part in parts for b in part.boxes if b.x == SIDE), default=0)


def _frames(axes: Axes, shown: Collection[str], states: dict[str, str]) -> None:
    """Draw the frames, and in them the names and places of what a later lesson builds."""
    for name, x, y, width, height in FRAMES:
        if name == "model" and name not in shown:
            continue
        tint = "#FEF8EA" if states[name] == "done" else PAPER
        axes.add_patch(Rectangle((x, y), width, height, fc=tint, ec=MUTED, lw=0.8))
        if name not in shown:
            axes.text(x + 14, y + height + 14, PLACES[name], va="center", fontsize=10.5)
            if "scaled_attention" not in shown:
                middle = (x + width / 2, y + height / 2)
                axes.text(*middle, TASKS[name], ha="center", va="center", fontsize=10.5)
    if "multi_head" not in shown and "scaled_attention" in shown:
        for box in _part("multi_head").boxes:
            place = (box.x, box.y)
            style = {"fc": PAPER, "ec": MUTED, "lw": 0.9, "ls": (0, (3, 2)), "zorder": 3}
            axes.add_patch(Rectangle(place, box.width, box.height, **style))
            x, y = box.x + box.width / 2, box.y + box.height / 2
            axes.text(x, y, PLACES["multi_head"], ha="center", va="center", fontsize=9.5, zorder=5)


def draw_arrows(axes: Axes, shown: Collection[str]) -> None:
    """Draw the arrows between what is shown, and the dotted lines to what uses a part."""
    columns = [
        _column(_LEFT_AXIS, FRAMES[1], shown),
        _column(_RIGHT_AXIS, FRAMES[2], shown),
    ]
    for axis, boxes in zip((_LEFT_AXIS, _RIGHT_AXIS), columns, strict=True):
        for (_low, start), (end, _high) in itertools.pairwise([(22, 34), *boxes]):
            draw_arrow(axes, ((axis, start), (axis, end)))
    draw_arrow(axes, ((_RIGHT_AXIS, columns[1][-1][1]), (_RIGHT_AXIS, _OUTPUT)))
    # The encoder's output, which the decoder takes as keys and values.
    memory = ((_LEFT_AXIS, columns[0][-1][1]), (_LEFT_AXIS, 450), (278, 450), (278, 290))
    inside = "scaled_attention" in shown or "multi_head" in shown
    draw_arrow(axes, (*memory, *(((350, 290), (350, 314)) if inside else ((310, 290),))))
    if "add_norm" in shown:
        for path in RESIDUALS:
            draw_arrow(axes, path)
    if "positions" in shown:
        for axis, side in ((_LEFT_AXIS, 193), (_RIGHT_AXIS, 363)):
            sign = 1 if side > axis else -1
            draw_arrow(axes, ((side, _SUM), (axis + 8 * sign, _SUM)))
            axes.add_patch(Circle((axis, _SUM), 8, fc=PAPER, ec=INK, lw=1, zorder=3))
            plus = ([axis - 8, axis + 8, axis, axis, axis], [_SUM, _SUM, _SUM, 128, 112])
            axes.plot(*plus, color=INK, lw=1, zorder=4)
    right, low = (RIGHT + COLUMN, 196) if inside else (520, 166)
    dotted = [((SIDE, y), (_TRUNK, y)) for name, y in IN_ATTENTION.items() if name in shown]
    if dotted:
        meets = {217, 335, *(y for name, y in IN_ATTENTION.items() if name in shown)}
        top = max(y for name, y in IN_ATTENTION.items() if name in shown)
        dotted += [
            ((_TRUNK, top), (_TRUNK, 152), (214, 152), (214, low)),
            ((_TRUNK, 217), (right, 217)),
            ((_TRUNK, 335), (right, 335)),
        ]
        joined = [y for y in sorted(meets) if y < top]  # a dot: lines that meet, and do not cross
        axes.plot([_TRUNK] * len(joined), joined, "o", color=MUTED, markersize=4, zorder=2)
    edge = 542 if "model" in shown else 520
    dotted += [((SIDE, y), (edge, y)) for name, y in ON_THE_MODEL.items() if name in shown]
    for path in dotted:
        axes.plot(*zip(*path, strict=True), color=MUTED, lw=1.1, ls=(0, (1.5, 2)), zorder=2)


def _column(axis: float, frame: tuple, shown: Collection[str]) -> list[tuple[float, float]]:
    """Bottom and top of what stands on one of the two axes, in order; of the frame if empty."""
    _name, _x, bottom, _width, height = frame
    names = set(shown) | ({"multi_head"} if "scaled_attention" in shown else set())
    boxes = [
        (box.y, box.y + box.height)
        for part in PARTS
        if part.name in names
        for box in part.boxes
        if box.x in (LEFT, RIGHT) and box.x < axis < box.x + box.width
    ]
    if "positions" in shown:
        boxes.append((_SUM - 8, _SUM + 8))
    if not any(bottom <= low <= bottom + height for low, _high in boxes):
        boxes.append((bottom, bottom + height))
    return sorted(boxes)


def _part(name: str) -> Part:
    return next(part for part in PARTS if part.name == name)


def draw_box(axes: Axes, box: Box, label: str, state: str, current: bool) -> None:
    patch = FancyBboxPatch(
        (box.x, box.y),
        box.width,
        box.height,
        boxstyle="round,pad=0,rounding_size=5",
        fc=LIT if state == "done" else UNLIT,
        ec=BLUE if current else MUTED,
        lw=3.4 if current else 0.9,
        zorder=3,
    )
    axes.add_patch(patch)
    if state == "partly":
        hatched = FancyBboxPatch(
            (box.x, box.y),
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=5",
            fc="none",
            ec=HATCH,
            lw=0,
            hatch="///",
            alpha=0.7,
            zorder=3.1,
        )
        axes.add_patch(hatched)
    y = box.y + (box.height - 14 if box.lists_components else box.height / 2)
    x = box.x + (12 if box.lists_components else box.width / 2)
    axes.text(
        x,
        y,
        literal(label),
        ha="left" if box.lists_components else "center",
        va="center",
        fontsize=9.5,
        linespacing=1.05,
        zorder=5,
        bbox=_backing(state),
    )


def _badge(axes: Axes, box: Box, part: Part, done: Collection[str]) -> None:
    """Write the state as a tick or a count, so that it does not depend on color."""
    state = part.state(done)
    count = sum(component in done for component in part.components)
    mark = {"done": "✓", "partly": f"{count}/{len(part.components)}", "open": ""}[state]
    axes.text(
        box.x + box.width - 5,
        box.y + (box.height - 14 if box.lists_components else box.height / 2),
        mark,
        ha="right",
        va="center",
        fontsize=11 if state == "done" else 8.5,
        fontweight="bold",
        zorder=5,
        bbox=_backing(state),
    )


def _components(axes: Axes, box: Box, part: Part, done: Collection[str]) -> None:
    """Write the names of a part's components below its title, with ticks at those done."""
    names = [("✓ " if name in done else "") + name for name in part.components]
    rows = [names[start : start + 2] for start in range(0, len(names), 2)]
    axes.text(
        box.x + 12,
        box.y + box.height - 26,
        "\n".join("   ".join(row) for row in rows),
        ha="left",
        va="top",
        fontsize=8.5,
        linespacing=1.4,
        zorder=5,
        bbox=_backing(part.state(done)),
    )


def _backing(state: str) -> dict | None:
    """A plain background for text on a hatched part."""
    return {"fc": UNLIT, "ec": "none", "pad": 1.5} if state == "partly" else None


def draw_arrow(axes: Axes, path: tuple[tuple[float, float], ...]) -> None:
    if len(path) > 2:
        axes.plot(*zip(*path[:-1], strict=True), color=INK, lw=1, zorder=2, solid_joinstyle="round")
    axes.annotate(
        "",
        path[-1],
        path[-2],
        arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1, "shrinkA": 0, "shrinkB": 0},
        zorder=2,
    )


def _legend(axes: Axes) -> None:
    axes.plot([SIDE, SIDE + SIDE_COLUMN], [112, 112], color=FAINT, lw=1)
    for index, state in enumerate(STATES):
        x, y = SIDE + index % 2 * 140, 72 - index // 2 * 34
        draw_box(
            axes, Box(x, y, 34, 20), "", "open" if state == "current" else state, state == "current"
        )
        mark = {"done": "✓", "partly": "1/2"}.get(state, "")
        axes.text(
            x + 17,
            y + 10,
            mark,
            ha="center",
            va="center",
            fontsize=11 if state == "done" else 8.5,
            fontweight="bold",
            zorder=5,
            bbox=_backing(state),
        )
        axes.text(x + 42, y + 10, STATES[state], va="center", fontsize=9)


def _describe(
    parts: Collection[Part], beyond: Collection[str], done: Collection[str], now: set[Part]
) -> str:
    lines = []
    for part in parts:
        title = part.label
        if part.lesson in beyond:
            title = _("{title} (beyond the paper)").format(title=title)
        missing = [component for component in part.components if component not in done]
        line = (
            _("Lesson {lesson}, {part}: {state}, part of this lesson ({detail}).")
            if part in now
            else _("Lesson {lesson}, {part}: {state} ({detail}).")
        )
        lines.append(
            line.format(
                lesson=part.lesson,
                part=" ".join(title.split()),
                state=STATES[part.state(done)],
                detail=_("to build: {names}").format(names=", ".join(missing))
                if missing
                else _("has {names}").format(names=", ".join(part.components)),
            )
        )
    finished = sum(part.state(done) == "done" for part in parts)
    return _(
        "Figure 1 of the paper, encoder on the left, decoder on the right; {finished} of {total} "
        "parts are built.\n"
        "{lines}"
    ).format(finished=finished, total=len(parts), lines="\n".join(lines))
