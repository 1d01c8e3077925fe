"""The decoder's loop, a frame for each step: what goes in, what comes out, what is kept."""

from autograder.authoring.svg import BLUE, GRAY, GREEN, ORANGE, VERMILLION, Figure

# The two likeliest next tokens of each step; the first is chosen.
STEPS = (
    (("seven", 0.9), ("five", 0.05)),
    (("hundred", 0.95), ("thousand", 0.02)),
    (("five", 0.8), ("<eos>", 0.1)),
    (("<eos>", 0.9), ("thousand", 0.04)),
)
LEFT, GAP, CELL, BEST = 102.0, 30.0, 56.0, 112.0  # BEST: how wide the likeliest tokens are
NEXT, VECTORS, DECODER, READ = 66.0, 144.0, 176.0, 232.0  # the tops of the rows
DESCRIPTION = (
    "The memory of siebenhundertfünf, as the encoder has read it, goes into the decoder at every "
    "step. {steps} With <eos> the loop ends."
)


def draw() -> Figure:
    rights, read, said = [], ["<bos>"], []
    for step in range(len(STEPS)):
        rights.append((rights[-1] + GAP if rights else LEFT) + _wide(step))
    figure = Figure(rights[-1] + 8, 302, "The decoder's loop, step by step", "")
    memory = "memory: siebenhundertfünf, as the encoder has read it"
    figure.cell((LEFT, 8, rights[-1] - LEFT, 28), memory, (GREEN, 0.3))
    for y, name in ((NEXT + 24, "likeliest next"), (VECTORS + 8, "vectors"), (READ + 15, "reads")):
        figure.text(LEFT - 14, y, name, 12, anchor="end", opacity=0.75)
    for step, (right, best) in enumerate(zip(rights, STEPS, strict=True)):
        _frame(figure, right, read, best)
        figure.text(right - _wide(step) / 2, READ + 58, f"step {step + 1}", 13)
        listed = ", ".join(f"{token} {share:.2f}" for token, share in best)
        chosen = best[0][0]
        said.append(
            f"Step {step + 1}: the decoder reads {' '.join(read)}; the likeliest next tokens are "
            f"{listed}; {chosen} is chosen and kept."
        )
        read.append(chosen)
        for end in rights[step + 1 : step + 2]:  # what was chosen is read at the next step
            x, y, low, end = right + GAP / 2 - 4, NEXT + 12, READ + 42, end - CELL / 2
            turns = [(right, y), (x, y), (x, low), (end, low), (end, READ + 31)]
            figure.arrow(turns, opacity=0.75)
    figure.description = DESCRIPTION.format(steps=" ".join(said))
    return figure


def _wide(step: int) -> float:
    """The width of a frame, with the arrow of the memory at its left."""
    return 24 + max(BEST, CELL * (step + 1))


def _frame(figure: Figure, right: float, read: list[str], best) -> None:
    """One step: tokens, decoder, a vector for each, and what the last vector predicts."""
    left = right - _wide(len(read) - 1)
    for row, (token, share) in enumerate(best):
        y = NEXT + 26 * row
        figure.rect(right - BEST, y + 18, BEST * share, 5, fill=BLUE, fill_opacity=0.55)
        figure.text(right - BEST + 6, y + 9, token, 12, anchor="start")
        figure.text(right - 4, y + 9, f"{share:.2f}", 12, anchor="end")
    figure.rect(right - BEST, NEXT, BEST, 24, fill="none", stroke=VERMILLION, stroke_width=2)
    figure.cell((left, DECODER, right - left, 34), "decoder", (ORANGE, 0.35))
    figure.arrow([(left + 10, 36), (left + 10, DECODER)], opacity=0.75)
    for place, token in enumerate(read):
        x, is_last = right - CELL * (len(read) - place), place == len(read) - 1
        figure.cell((x, READ, CELL, 30), token, outlined=is_last and place > 0)
        figure.cell((x + 8, VECTORS, CELL - 16, 16), "", GRAY)
        figure.arrow([(x + CELL / 2, READ), (x + CELL / 2, DECODER + 34)], opacity=0.75)
    end = right - CELL / 2
    figure.arrow([(end, VECTORS), (end, NEXT + 51)], opacity=0.75)
