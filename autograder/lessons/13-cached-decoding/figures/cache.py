"""The keys of a decoder layer, step by step: which are new, which were kept, and a beam's moves."""

from autograder.authoring.svg import TINTS, Figure

SOURCE = ("die", "Katze", "schläft", "<eos>")
READ = ("<bos>", "the", "cat", "is", "sleeping")  # a token at each step
SELF, CROSS, UNIT, HIGH, ROW, TOP = 108.0, 520.0, 62.0, 32.0, 42.0, 60.0
KEPT, NEW = TINTS[:2]
FIRST, PARENTS, ADDED = 3, (1, 0, 0), ("is", "is", "sleeps")
BEAM = (("<bos>", "the", "cat"), ("<bos>", "a", "cat"), ("<bos>", "the", "kitten"))


def draw() -> dict[str, Figure]:
    return {"": _steps(), "beam": _beam()}


def _steps() -> Figure:
    about, below = f"For a source of {len(SOURCE)} tokens.", TOP + ROW * len(READ) + 6
    figure = Figure(880, below + 38, "What the cache of a decoder layer keeps at each step", about)
    figure.text(10, 38, "the step reads", 11, anchor="start", opacity=0.75)
    for x, name in ((SELF, "self-attention"), (CROSS, "cross-attention")):
        figure.text(x, 14, name, 14, anchor="start")
        about = "keys and values, and the shape of each"
        figure.text(x, 38, about, 11, anchor="start", opacity=0.75)
    for step, token in enumerate(READ, start=1):
        y, said = TOP + ROW * (step - 1), f"keys in self-attention: {step}, the last is new."
        figure.description += f" Step {step} reads {token}: {said}"
        figure.text(10, y + HIGH / 2, f"{step}.  {token}", 12, anchor="start")
        both = ((SELF, READ[:step], step - 1), (CROSS, SOURCE, len(SOURCE) * (step > 1)))
        for x, tokens, kept in both:
            figure.row((x, y, UNIT, HIGH), tokens[:kept], KEPT, size=11)
            new = (x + kept * UNIT, y, UNIT, HIGH)
            figure.row(new, tokens[kept:], NEW, new=range(len(tokens)), size=11)
            end, shape = x + len(tokens) * UNIT + 10, f"(1, H, {len(tokens)}, d_{{k}})"
            figure.text(end, y + HIGH / 2, shape, 12, anchor="start")
    for x, tint, name in ((SELF, NEW, "computed at this step"), (SELF + 220, KEPT, "kept")):
        figure.cell((x, below, 32, 24), "", tint, outlined=tint == NEW)
        figure.text(x + 42, below + 12, name, 12, anchor="start")
    said = f"Cross-attention computes its {len(SOURCE)} keys at step 1, and keeps them."
    figure.description += f" {said}"
    return figure


def _beam() -> Figure:
    about = f"The caches of three rows: {', '.join(map(' '.join, BEAM))}. After reorder:"
    figure = Figure(690, 44 + 3 * ROW, "The caches of a beam move with its prefixes", about)
    names = {157: "cached", 351: "first + parent", 493: "after reorder", 637: "read next"}
    for x, name in names.items():
        figure.text(x, 20, name)
    for row, (parent, token) in enumerate(zip(PARENTS, ADDED, strict=True)):
        y, middle = 40 + ROW * row, 40 + HIGH / 2
        figure.text(8, y + HIGH / 2, f"row {FIRST + row}", anchor="start")
        figure.row((64, y, UNIT, HIGH), BEAM[row], TINTS[row], size=11)
        figure.arrow([(256, middle + ROW * parent), (308, y + HIGH / 2)], stroke_width=2)
        figure.text(351, y + HIGH / 2, f"{FIRST} + {parent} = {FIRST + parent}")
        figure.row((400, y, UNIT, HIGH), BEAM[parent], TINTS[parent], size=11)
        figure.cell((606, y, UNIT, HIGH), token, outlined=True, size=11)
        said = f"row {FIRST + row} has that of row {FIRST + parent}, and reads {token}"
        figure.description += f" {said}{';;.'[row]}"
    return figure
