"""The keys of both attentions of a decoder layer, step by step: which are new, which were kept."""

from autograder.authoring.svg import TINTS, Figure

SOURCE = ("die", "Katze", "schläft", "<eos>")
READ = ("<bos>", "the", "cat", "is", "sleeping")  # a token at each step
SELF, CROSS, UNIT, HIGH, ROW, TOP = 108.0, 520.0, 62.0, 32.0, 42.0, 60.0
KEPT, NEW = TINTS[:2]


def draw() -> Figure:
    said = " ".join(
        f"Step {step} reads {token}: keys in self-attention: {step}, the last is new."
        for step, token in enumerate(READ, start=1)
    )
    figure = Figure(
        880,
        TOP + ROW * len(READ) + 44,
        "What the cache of a decoder layer keeps at each step",
        f"For a source of {len(SOURCE)} tokens. {said} Cross-attention computes its {len(SOURCE)} "
        "keys at step 1, and keeps them.",
    )
    figure.text(10, 38, "the step reads", 11, anchor="start", opacity=0.75)
    for x, name in ((SELF, "self-attention"), (CROSS, "cross-attention")):
        figure.text(x, 14, name, 14, anchor="start")
        about = "keys and values, and the shape of each"
        figure.text(x, 38, about, 11, anchor="start", opacity=0.75)
    for step, token in enumerate(READ, start=1):
        y = TOP + ROW * (step - 1)
        figure.text(10, y + HIGH / 2, f"{step}.  {token}", 12, anchor="start")
        _keys(figure, SELF, y, READ[:step], new=range(step - 1, step))
        _keys(figure, CROSS, y, SOURCE, new=range(len(SOURCE) if step == 1 else 0))
    below = TOP + ROW * len(READ) + 6
    for x, tint, name in ((SELF, NEW, "computed at this step"), (SELF + 220, KEPT, "kept")):
        figure.cell((x, below, 32, 24), "", tint, outlined=tint == NEW)
        figure.text(x + 42, below + 12, name, 12, anchor="start")
    return figure


def _keys(figure: Figure, x: float, y: float, tokens: tuple[str, ...], new: range) -> None:
    for place, token in enumerate(tokens):
        spot, is_new = (x + place * UNIT, y, UNIT, HIGH), place in new
        figure.cell(spot, token, NEW if is_new else KEPT, size=11, outlined=is_new)
    end = x + len(tokens) * UNIT + 10
    figure.text(end, y + HIGH / 2, f"(1, H, {len(tokens)}, d_{{k}})", 12, anchor="start")
