"""The paper's Figure 1 as a map of the course: what of it each lesson builds, and where it stands.

A part is a group in the drawing that says what it stands for, with what marks it as done, partly
done or current; `wb.progress()` keeps of these marks what holds.
"""

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from autograder.authoring.svg import BLUE, ORANGE, Figure, Point
from autograder.language import N_
from autograder.lesson.course import Course
from autograder.lesson.translation import said

WIDTH = 926  # pixels; in this module, y is counted from below
# What became of a box in a later model.
STAYS, CHANGED, GONE = "stays", "changed", "left out"


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
    components: tuple[str, ...]
    boxes: tuple[Box, ...]


LEFT, RIGHT, COLUMN = 62, 322, 172  # both columns of boxes and their width
SIDE, SIDE_COLUMN = 584, 328  # the boxes beside the figure

PARTS = (
    Part(
        "tensor_moves",
        N_("Tensor moves"),
        ("split_heads", "merge_heads"),
        (Box(SIDE, 354, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "scaled_attention",
        N_("Scaled dot-product attention"),
        ("scaled_dot_product_attention",),
        (Box(SIDE, 296, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "multi_head",
        N_("Multi-head\nattention"),
        ("MultiHeadAttention",),
        (
            Box(LEFT, 196, COLUMN, 42),
            Box(RIGHT, 196, COLUMN, 42, N_("Masked multi-head\nattention")),
            Box(RIGHT, 314, COLUMN, 42, N_("Multi-head\ncross-attention")),
        ),
    ),
    Part(
        "add_norm",
        N_("Add & norm"),
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
        N_("Feed\nforward"),
        ("PositionwiseFeedForward",),
        (Box(LEFT, 314, COLUMN, 42), Box(RIGHT, 432, COLUMN, 42)),
    ),
    Part(
        "embedding",
        N_("Embedding"),
        ("TokenEmbedding",),
        (
            Box(LEFT, 56, COLUMN, 34, N_("Input embedding")),
            Box(RIGHT, 56, COLUMN, 34, N_("Output embedding")),
        ),
    ),
    Part(
        "positions",
        N_("Positional\nencoding"),
        ("sinusoidal_encoding", "PositionalEncoding", "LearnedPositionalEmbedding"),
        (Box(193, 100, 170, 40),),
    ),
    Part(
        "masks",
        N_("Masks: who may look where"),
        ("padding_mask", "causal_mask", "target_mask"),
        (Box(SIDE, 183, SIDE_COLUMN, 68, lists_components=True),),
    ),
    Part(
        "encoder",
        N_("Encoder: N × layer"),
        ("EncoderLayer", "Encoder"),
        (Box(36, 402, 210, 26),),
    ),
    Part(
        "decoder",
        N_("Decoder: N × layer"),
        ("DecoderLayer", "Decoder"),
        (Box(310, 520, 210, 26),),
    ),
    Part(
        "generator",
        N_("Linear and softmax"),
        ("Generator",),
        (Box(RIGHT, 564, COLUMN, 26, N_("Linear")), Box(RIGHT, 604, COLUMN, 26, N_("Softmax"))),
    ),
    Part(
        "model",
        N_("Transformer: the whole model"),
        ("Transformer", "make_model"),
        (Box(14, 640, 528, 26),),
    ),
    Part(
        "training",
        N_("Training"),
        ("shift_right", "LabelSmoothing", "noam_lr", "train_step", "evaluate"),
        (Box(SIDE, 414, SIDE_COLUMN, 86, lists_components=True),),
    ),
    Part(
        "decoding",
        N_("Decoding"),
        ("greedy_decode", "beam_search"),
        (Box(SIDE, 510, SIDE_COLUMN, 50, lists_components=True),),
    ),
    Part(
        "translation",
        N_("Translation"),
        ("token_batches", "average_weights", "mixed_precision_step"),
        (Box(SIDE, 570, SIDE_COLUMN, 68, lists_components=True),),
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
    "multi_head": N_("Attention"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
}
TASKS = {"encoder": N_("reads the\nsource sentence"), "decoder": N_("writes the\ntranslation")}
# Texts of no part, and their centres.
NOTES = (
    (N_("inputs: source tokens"), _LEFT_AXIS, 22),
    (N_("outputs, shifted right"), _RIGHT_AXIS, 22),
    (N_("output probabilities"), _RIGHT_AXIS, 686),
    (N_("memory: keys, values"), 204, 461),
)
STATES = (N_("to build"), N_("partly built"), N_("built"), N_("this lesson"))
HATCH = 7.0  # pixels between two lines of what is partly built


class Map(Figure):
    """Figure 1, or a part of it, of which y is counted from below."""

    def __init__(self, height: float, title: str, about: str = "", width: float = WIDTH) -> None:
        super().__init__(width, height, title, about)

    def up(self, points: Iterable[Point]) -> list[Point]:
        return [(x, self.height - y) for x, y in points]

    def box(self, box: Box, **attributes: object) -> None:
        self.rect(box.x, self.height - box.y - box.height, box.width, box.height, **attributes)

    def note(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 13,
        anchor: str = "middle",
        **attributes: object,
    ) -> None:
        self.text(x, self.height - y, text, size, anchor, **attributes)

    def join(self, *points: Point) -> None:
        self.arrow(self.up(points))

    def outline(self, box: Box) -> None:
        self.box(box, rx=5, fill_opacity=0.05, stroke="currentColor", stroke_opacity=0.6)

    def label(self, box: Box, label: str) -> None:
        if box.lists_components:
            self.note(box.x + 12, box.y + box.height - 16, label, anchor="start")
        else:
            self.note(box.x + box.width / 2, box.y + box.height / 2, label)

    def state(self, box: Box, label: str, state: str) -> None:
        """A box that says its state without color: a heavy outline, or dashed and crossed."""
        if state != GONE:
            self.outline(box)
            if mark := {STAYS: self.done, CHANGED: self.current}.get(state):
                mark(box)
            self.label(box, label)
            return
        with self.group(opacity=0.75):
            look = {"fill": "none", "stroke": "currentColor", "stroke_dasharray": "3 2"}
            self.box(box, rx=5, **look)
            self.label(box, label)
            self.note(box.x + box.width - 11, box.y + box.height / 2, "✗", 14)

    def column(
        self, boxes: Sequence[tuple[Box, str]], sums: dict[float, float], bottom: float, top: float
    ) -> None:
        """Boxes with their states, and sums, each with the height where a residual begins, or 0."""
        axis, side = boxes[0][0].x + boxes[0][0].width / 2, boxes[0][0].x + boxes[0][0].width + 12
        stops = [(box.y, box.y + box.height) for box, _state in boxes]
        self.climb(axis, [(bottom, bottom), *stops, *((y - 8, y + 8) for y in sums), (top, top)])
        for y, start in sums.items():
            self.plus(axis, self.height - y)
            if start:
                self.join((axis, start), (side, start), (side, y), (axis + 8, y))
        for box, state in boxes:
            self.state(box, box.label, state)

    def climb(self, x: float, stops: Iterable[Point]) -> None:
        """Arrows from the top of each stop, its bottom and top, to the bottom of the next."""
        for (_low, start), (end, _high) in itertools.pairwise(sorted(stops)):
            self.join((x, start), (x, end))

    def done(self, box: Box) -> None:
        self.box(box, rx=5, fill=ORANGE, fill_opacity=0.42, class_="done")

    def current(self, box: Box) -> None:
        look = {"fill": "none", "stroke": BLUE, "stroke_width": 4, "class_": "current"}
        self.box(box, rx=5, **look)

    def hatched(self, box: Box) -> None:
        """Slanted lines at the left end of a box, where no letters are."""
        edge = 12.0
        lines = []
        for number in range(1, math.ceil((edge + box.height) / HATCH)):
            shift = number * HATCH
            ends = (max(0.0, shift - edge), min(shift, box.height))
            lines.append(self.up((box.x + shift - high, box.y + high) for high in ends))
        self.lines(lines, stroke=ORANGE, stroke_width=2, class_="partly")


def draw(course: Course, upto: str) -> Figure:
    """The map as far as the lesson with the number `upto`, such as "03"."""
    lesson_of = {name: lesson for lesson in course.lessons for name in lesson.components}
    parts = (*_parts_of(lesson_of), *_more_parts(course))
    lessons = {part.name: lesson_of[part.components[0]] for part in parts}
    parts = tuple(part for part in parts if lessons[part.name].id[:2] <= upto)
    beyond = {part.name for part in parts if lessons[part.name].beyond}
    headings = {
        N_("What the figure does not show"): _top_beside(p for p in parts if p.name not in beyond),
        N_("Beyond the paper"): _top_beside(p for p in parts if p.name in beyond),
    }
    shown = {part.name for part in parts}
    figure = Map(max(_OUTPUT, *headings.values()) + 24, N_("Figure 1 of the paper"))
    _places(figure, shown)
    draw_arrows(figure, shown)
    for part in parts:
        lesson = lessons[part.name]
        with figure.group(
            data_part=" ".join(said(part.label).split()),
            data_lesson=lesson.id[:2],
            data_beyond="beyond" if lesson.beyond else "",
            data_components=" ".join(part.components),
        ):
            _part(figure, part)
    for note, x, y in NOTES:
        figure.note(x, y, note)
    for heading, top in headings.items():
        if top:
            figure.note(SIDE + SIDE_COLUMN / 2, top + 12, heading)
    _legend(figure)
    return figure


def _parts_of(components: Collection[str]) -> Iterable[Part]:
    """The parts of the figure that a course with these components builds, as far as it does."""
    for part in PARTS:
        built = tuple(name for name in part.components if name in components)
        if built:
            yield replace(part, components=built)


def _more_parts(course: Course) -> Sequence[Part]:
    """A box beside the figure, above the others, for a lesson with components in no part of it."""
    placed = {name for part in PARTS for name in part.components}
    parts = []
    bottom: float = _top_beside(PARTS) + 24  # the heading of the others stands between
    for lesson in course.lessons:
        others = tuple(
            name
            for name, component in lesson.components.items()
            if name not in placed and not component.is_bug_hunt
        )
        if others:
            height = 34 + 17 * math.ceil(len(others) / 2)
            box = Box(SIDE, bottom, SIDE_COLUMN, height, lists_components=True)
            parts.append(Part(lesson.id, lesson.title, others, (box,)))
            bottom += height + 10
    return parts


def _top_beside(parts: Iterable[Part]) -> float:
    """The top of the highest box beside the figure, 0 if there is none."""
    return max((b.y + b.height for part in parts for b in part.boxes if b.x == SIDE), default=0)


def _places(figure: Map, shown: Collection[str]) -> None:
    """The frames, and in them the names and places of what a later lesson builds."""
    for name, x, y, width, height in FRAMES:
        if name == "model" and name not in shown:
            continue
        figure.box(Box(x, y, width, height), fill="none", stroke="currentColor", stroke_opacity=0.6)
        if name not in shown:
            figure.note(x + 14, y + height + 14, PLACES[name], 14, anchor="start")
            if "scaled_attention" not in shown:
                figure.note(x + width / 2, y + height / 2, TASKS[name], 14)
    if "multi_head" not in shown and "scaled_attention" in shown:
        (attention,) = (part for part in PARTS if part.name == "multi_head")
        for box in attention.boxes:
            look = {"stroke": "currentColor", "stroke_dasharray": "3 2", "stroke_opacity": 0.6}
            figure.box(box, fill="none", **look)
            figure.note(box.x + box.width / 2, box.y + box.height / 2, PLACES["multi_head"])


def draw_arrows(figure: Map, shown: Collection[str]) -> None:
    """The arrows between what is shown, and the dotted lines to what uses a part."""
    columns = [_column(_LEFT_AXIS, FRAMES[1], shown), _column(_RIGHT_AXIS, FRAMES[2], shown)]
    for axis, boxes in zip((_LEFT_AXIS, _RIGHT_AXIS), columns, strict=True):
        figure.climb(axis, [(22, 34), *boxes])
    figure.join((_RIGHT_AXIS, columns[1][-1][1]), (_RIGHT_AXIS, _OUTPUT))
    # The encoder's output, which the decoder takes as keys and values.
    memory = ((_LEFT_AXIS, columns[0][-1][1]), (_LEFT_AXIS, 450), (278, 450), (278, 290))
    inside = "scaled_attention" in shown or "multi_head" in shown
    figure.join(*memory, *(((350, 290), (350, 314)) if inside else ((310, 290),)))
    for path in RESIDUALS if "add_norm" in shown else ():
        figure.join(*path)
    if "positions" in shown:
        for axis, side in ((_LEFT_AXIS, 193), (_RIGHT_AXIS, 363)):
            figure.join((side, _SUM), (axis + math.copysign(8, side - axis), _SUM))
            figure.plus(axis, figure.height - _SUM)
    edge = 542 if "model" in shown else 520
    dotted: list[tuple[Point, ...]]
    dotted = [((SIDE, y), (edge, y)) for name, y in ON_THE_MODEL.items() if name in shown]
    for line in [*dotted, *_to_attention(figure, shown, inside)]:
        figure.line(figure.up(line), stroke_dasharray="2 3", stroke_opacity=0.7)


def _to_attention(figure: Map, shown: Collection[str], inside: bool) -> list[tuple[Point, ...]]:
    """The lines from what every attention uses; a dot says that lines meet, and do not cross."""
    heights = [y for name, y in IN_ATTENTION.items() if name in shown]
    if not heights:
        return []
    right, low = (RIGHT + COLUMN, 196) if inside else (520, 166)
    for y in {217, 335, *heights} - {max(heights)}:
        if y < max(heights):
            figure.add("circle", cx=_TRUNK, cy=figure.height - y, r=3, opacity=0.7)
    return [
        *(((SIDE, y), (_TRUNK, y)) for y in heights),
        ((_TRUNK, max(heights)), (_TRUNK, 152), (214, 152), (214, low)),
        ((_TRUNK, 217), (right, 217)),
        ((_TRUNK, 335), (right, 335)),
    ]


def _column(
    axis: float, frame: tuple[str, float, float, float, float], shown: Collection[str]
) -> list[Point]:
    """Bottom and top of what stands on one of the two axes, in order; of the frame if empty."""
    _name, left, bottom, _width, height = frame
    names = set(shown) | ({"multi_head"} if "scaled_attention" in shown else set())
    boxes = [
        (box.y, box.y + box.height)
        for part in PARTS
        if part.name in names
        for box in part.boxes
        if box.x < axis < box.x + box.width
        if left <= box.x or (part.name == "model" and axis == _RIGHT_AXIS)
    ]
    if "positions" in shown:
        boxes.append((_SUM - 8, _SUM + 8))
    if not any(bottom <= low <= bottom + height for low, _high in boxes):
        boxes.append((bottom, bottom + height))
    return sorted(boxes)


def _part(figure: Map, part: Part) -> None:
    for name, left, bottom, wide, high in FRAMES:
        if name == part.name:
            figure.box(Box(left, bottom, wide, high), fill=ORANGE, fill_opacity=0.07, class_="done")
    for box in part.boxes:
        figure.outline(box)
        figure.done(box)
        figure.hatched(box)
        figure.current(box)
        figure.label(box, box.label or part.label)
        # The state as a tick or a count, so that it does not depend on color.
        y = box.y + (box.height - 16 if box.lists_components else box.height / 2)
        bold = {"anchor": "end", "font_weight": "bold"}
        figure.note(box.x + box.width - 6, y, "✓", 14, class_="done", **bold)
        count = f"0/{len(part.components)}"
        figure.note(box.x + box.width - 6, y, count, 12, class_="partly", **bold)
        if box.lists_components:
            _components(figure, box, part.components)


def _components(figure: Map, box: Box, names: Sequence[str]) -> None:
    for start in range(0, len(names), 2):
        row = "   ".join(
            f'<tspan data-component="{name}">{name}</tspan>' for name in names[start : start + 2]
        )
        y = figure.height - box.y - box.height + 38 + 8.5 * start
        figure.add("text", row, x=box.x + 12, y=y, font_size=12, style="white-space:pre")


def _legend(figure: Map) -> None:
    figure.line(figure.up([(SIDE, 112), (SIDE + SIDE_COLUMN, 112)]), stroke_opacity=0.3)
    marks = {"partly built": figure.hatched, "built": figure.done, "this lesson": figure.current}
    for index, state in enumerate(STATES):
        box = Box(SIDE + index % 2 * 150, 72 - index // 2 * 34, 44, 20)
        figure.outline(box)
        if state in marks:
            marks[state](box)
        mark = {"partly built": "1/2", "built": "✓"}.get(state, "")
        figure.note(box.x + box.width - 6, box.y + 10, mark, 12, anchor="end", font_weight="bold")
        figure.note(box.x + 54, box.y + 10, state, 12.5, anchor="start")
