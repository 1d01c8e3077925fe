"""The paper's Figure 1 as a map of the course, with the finished parts lit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from ..shared.language import _
from .picture import BLUE, FAINT, INK, MUTED, PAPER, Picture, house_style, new_figure

WIDTH, HEIGHT = 926, 790  # CSS pixels; the origin is the lower left corner
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
        (Box(SIDE, 648, SIDE_COLUMN, 118, lists_components=True),),
    ),
)

# Frames around the whole model and the two stacks, each below the box with its name.
FRAMES = (
    ("model", 14, 46, 528, 594),
    ("encoder", 36, 166, 210, 236),
    ("decoder", 310, 166, 210, 354),
)

_LEFT_AXIS, _RIGHT_AXIS = LEFT + COLUMN / 2, RIGHT + COLUMN / 2
ARROWS = (
    ((_LEFT_AXIS, 34), (_LEFT_AXIS, 56)),
    ((_RIGHT_AXIS, 34), (_RIGHT_AXIS, 56)),
    ((_LEFT_AXIS, 90), (_LEFT_AXIS, 112)),
    ((_RIGHT_AXIS, 90), (_RIGHT_AXIS, 112)),
    ((193, 120), (_LEFT_AXIS + 8, 120)),
    ((363, 120), (_RIGHT_AXIS - 8, 120)),
    ((_LEFT_AXIS, 128), (_LEFT_AXIS, 196)),
    ((_RIGHT_AXIS, 128), (_RIGHT_AXIS, 196)),
    ((_LEFT_AXIS, 238), (_LEFT_AXIS, 248)),
    ((_RIGHT_AXIS, 238), (_RIGHT_AXIS, 248)),
    ((_LEFT_AXIS, 274), (_LEFT_AXIS, 314)),
    ((_RIGHT_AXIS, 274), (_RIGHT_AXIS, 314)),
    ((_LEFT_AXIS, 356), (_LEFT_AXIS, 366)),
    ((_RIGHT_AXIS, 356), (_RIGHT_AXIS, 366)),
    ((_RIGHT_AXIS, 392), (_RIGHT_AXIS, 432)),
    ((_RIGHT_AXIS, 474), (_RIGHT_AXIS, 484)),
    ((_RIGHT_AXIS, 510), (_RIGHT_AXIS, 564)),
    ((_RIGHT_AXIS, 590), (_RIGHT_AXIS, 604)),
    ((_RIGHT_AXIS, 630), (_RIGHT_AXIS, 676)),
    # Residual connections, around each sublayer.
    ((_LEFT_AXIS, 182), (48, 182), (48, 261), (LEFT, 261)),
    ((_LEFT_AXIS, 294), (48, 294), (48, 379), (LEFT, 379)),
    ((_RIGHT_AXIS, 182), (508, 182), (508, 261), (RIGHT + COLUMN, 261)),
    ((_RIGHT_AXIS, 300), (508, 300), (508, 379), (RIGHT + COLUMN, 379)),
    ((_RIGHT_AXIS, 412), (508, 412), (508, 497), (RIGHT + COLUMN, 497)),
    # The encoder's output, which the decoder takes as keys and values.
    ((_LEFT_AXIS, 392), (_LEFT_AXIS, 450), (278, 450), (278, 290), (350, 290), (350, 314)),
)
# Dotted lines from a part at the side to where the figure uses it.
HINTS = (
    ((SIDE, 217), (RIGHT + COLUMN, 217)),
    ((SIDE, 335), (RIGHT + COLUMN, 335)),
    ((SIDE + 40, 346), (SIDE + 40, 354)),
)
# Texts of no part, and their centres.
NOTES = (
    (_("inputs: source tokens"), _LEFT_AXIS, 22),
    (_("outputs, shifted right"), _RIGHT_AXIS, 22),
    (_("output probabilities"), _RIGHT_AXIS, 686),
    (_("memory: keys, values"), 204, 461),
    (_("What the figure does not show"), SIDE + SIDE_COLUMN / 2, 778),
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


@house_style
def draw(done: Collection[str], current: Collection[str] = frozenset()) -> Picture:
    """Draw Figure 1 with the parts lit whose components are in `done`.

    A part with all its components done is filled and ticked, one with some is hatched and counted.
    The parts named in `current`, or of components named there, have a heavy outline. Unknown names
    in `done` are ignored.
    Raises ValueError for a name in `current` that is neither a component nor a part.
    """
    known = {name for part in PARTS for name in (part.name, *part.components)}
    if strange := sorted(set(current) - known):
        message = _(
            "figure_one.draw was called with current={came}; expected names of components or of "
            "parts of the figure: {known}."
        )
        raise ValueError(message.format(came=strange, known=", ".join(sorted(known))))
    figure = new_figure(WIDTH / 100, HEIGHT / 100)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.set_axis_off()

    now = {part for part in PARTS if {part.name, *part.components} & set(current)}
    states = {part.name: part.state(done) for part in PARTS}
    for name, x, y, width, height in FRAMES:
        tint = "#FEF8EA" if states[name] == "done" else PAPER
        axes.add_patch(Rectangle((x, y), width, height, fc=tint, ec=MUTED, lw=0.8))
    for path in HINTS:
        axes.plot(*zip(*path, strict=True), color=MUTED, lw=0.9, ls=(0, (1.5, 2)), zorder=2)
    for path in ARROWS:
        _arrow(axes, path)
    for x in (_LEFT_AXIS, _RIGHT_AXIS):
        axes.add_patch(Circle((x, 120), 8, fc=PAPER, ec=INK, lw=1, zorder=3))
        axes.plot([x - 8, x + 8, x, x, x], [120, 120, 120, 128, 112], color=INK, lw=1, zorder=4)
    for part in PARTS:
        for box in part.boxes:
            _box(axes, box, box.label or part.label, states[part.name], part in now)
            _badge(axes, box, part, done)
            if box.lists_components:
                _components(axes, box, part, done)
    for note, x, y in NOTES:
        axes.text(x, y, note, ha="center", va="center", fontsize=9.5)
    _legend(axes)
    return Picture(figure, _describe(done, now))


def _box(axes: Axes, box: Box, label: str, state: str, current: bool) -> None:
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
        label,
        ha="left" if box.lists_components else "center",
        va="center",
        fontsize=9.5,
        linespacing=1.05,
        zorder=5,
        bbox=_backing(state),
    )


def _badge(axes: Axes, box: Box, part: Part, done: Collection[str]) -> None:
    """Write the state as a tick or a count, so that it does not depend on colour."""
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


def _arrow(axes: Axes, path: tuple[tuple[float, float], ...]) -> None:
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
        _box(
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


def _describe(done: Collection[str], now: set[Part]) -> str:
    lines = []
    for part in PARTS:
        missing = [component for component in part.components if component not in done]
        line = (
            _("Lesson {lesson}, {part}: {state}, part of this lesson ({detail}).")
            if part in now
            else _("Lesson {lesson}, {part}: {state} ({detail}).")
        )
        lines.append(
            line.format(
                lesson=part.lesson,
                part=" ".join(part.label.split()),
                state=STATES[part.state(done)],
                detail=_("to build: {names}").format(names=", ".join(missing))
                if missing
                else _("has {names}").format(names=", ".join(part.components)),
            )
        )
    finished = sum(part.state(done) == "done" for part in PARTS)
    return _(
        "Figure 1 of the paper, encoder on the left, decoder on the right; {finished} of {total} "
        "parts are built.\n"
        "{lines}"
    ).format(finished=finished, total=len(PARTS), lines="\n".join(lines))
