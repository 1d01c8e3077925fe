"""A GPT beside the paper's Figure 1: what is left out, what changed, and what stays."""

from autograder.lessons import figure_one as one
from autograder.lessons.figure_one import CHANGED, COLUMN, GONE, LEFT, RIGHT, STAYS, Box, Map

HEIGHT = 740
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
# Box, its state, and the remark on it; from below, as the text passes through.
_BOXES = (
    (Box(_GPT, 56, COLUMN, 34, "Embedding"), STAYS, ""),
    (Box(_GPT, 190, COLUMN, 26, "Norm"), CHANGED, "moved: before\nthe sublayer"),
    (Box(_GPT, 226, COLUMN, 42, "Masked multi-head\nattention"), STAYS, ""),
    (Box(_GPT, 330, COLUMN, 26, "Norm"), CHANGED, ""),
    (Box(_GPT, 366, COLUMN, 42, "Feed\nforward"), STAYS, ""),
    (Box(_GPT, 496, COLUMN, 26, "Norm"), CHANGED, "new: one last\nnorm above all"),
    (Box(_GPT, 564, COLUMN, 26, "Linear"), STAYS, "tied, as in\nthe paper"),
    (Box(_GPT, 604, COLUMN, 26, "Softmax"), STAYS, ""),
)  # fmt: skip
_POSITIONS = 120  # where they are added
_SUMS = {_POSITIONS: 0, 292: 180, 434: 314}  # where each residual connection ends and begins
_FRAME = Box(_GPT - 24, 166, COLUMN + 48, 300)  # around one layer
_DESCRIPTION = (
    "Left out, and crossed in Figure 1: the whole encoder with its embedding, and in the decoder "
    "the cross-attention with its add & norm. Stays: embedding, positions, masked multi-head "
    "attention, feed-forward network, linear layer, softmax, and both residual connections. "
    "Changed: each norm stands before its sublayer, no longer after the sum; a last norm stands "
    "above all layers. From below, a GPT is: embedding, plus positions; N times norm, masked "
    "attention, plus what entered, norm, feed-forward, plus what entered; norm, linear, softmax: "
    "the probabilities of the next token."
)


def draw() -> Map:
    figure = Map(HEIGHT, "Left, Figure 1 of the paper; right, a GPT.", _DESCRIPTION)
    _figure_one(figure)
    _causal_lm(figure)
    figure.note(RIGHT + COLUMN / 2, 722, "2017: Figure 1", 15)
    figure.note(_AXIS, 722, "GPT: your CausalLM", 15)
    for index, state in enumerate((GONE, CHANGED, STAYS)):
        box = Box(LEFT, 640 - 34 * index, 34, 20)
        figure.state(box, "", state)
        figure.note(box.x + 44, box.y + 10, state, anchor="start")
    return figure


def _figure_one(figure: Map) -> None:
    for name, *place in one.FRAMES:
        if name in _SHOWN:
            figure.box(Box(*place), fill="none", stroke="currentColor", stroke_opacity=0.6)
    one.draw_arrows(figure, _SHOWN)
    for part in one.PARTS:
        for box in part.boxes if part.name in _SHOWN else ():
            state = CHANGED if part.name == "add_norm" else STAYS
            if box.y in _CROSS or (box.x < _DECODER and part.name != "positions"):
                state = GONE
            figure.state(box, box.label or part.label, state)
    for note, x, y in one.NOTES:
        figure.note(x, y, note)


def _causal_lm(figure: Map) -> None:
    figure.box(_FRAME, fill="none", stroke="currentColor", stroke_opacity=0.6)
    right, top = _FRAME.x + _FRAME.width, _FRAME.y + _FRAME.height
    figure.note(right + 8, top - 8, "N × layer", anchor="start")
    figure.column([box[:2] for box in _BOXES], _SUMS, 34, 676)
    # Positions stand right of their sum here: Figure 1 is left of it.
    figure.join((_NOTES, _POSITIONS), (_AXIS + 8, _POSITIONS))
    figure.state(Box(_NOTES, 100, 132, 40), "Positional\nencoding", STAYS)
    for box, _state, remark in _BOXES:
        figure.note(_NOTES, box.y + box.height / 2, remark, anchor="start")
    figure.note(_AXIS, 22, "text: tokens")
    figure.note(_AXIS, 686, "probabilities of the next token")
