"""A norm as six kernels and as one: how often its numbers travel to the compute units and back."""

from autograder.authoring.svg import ORANGE, Figure

STEPS = ("mean", "variance", "- mean", "divide", "· gamma", "+ beta")
SHORT = STEPS[:2]  # return few numbers
LEFT, WIDE, UNITS, MEMORY, HIGH = 86.0, 68.0, 34.0, 150.0, 44.0
DESCRIPTION = (
    "Six kernels in a row, mean, variance, minus mean, divide, times gamma, plus beta: each reads "
    "1000 numbers from memory, and the last four write 1000 back: six trips, 10,000 numbers. "
    "Beside them one kernel that does all six: one trip, 1000 numbers read and 1000 written."
)


def draw() -> Figure:
    figure = Figure(640, 260, "A norm as six kernels, and as one", DESCRIPTION)
    for y, name in ((UNITS, "compute\nunits"), (MEMORY, "memory")):
        figure.text(LEFT - 10, y + HIGH / 2, name, anchor="end")
    for left, wide, steps, title, said in (
        (LEFT, WIDE, STEPS, "six kernels", "6 trips: 10,000 numbers"),
        (LEFT + 6 * WIDE + 32, 98, ("all six",), "one fused kernel", "1 trip: 2,000"),
    ):
        center = left + wide * len(steps) / 2
        figure.text(center, 14, title, 14)
        figure.cell((left, MEMORY, wide * len(steps), HIGH), "1000 numbers")
        figure.text(center, MEMORY + HIGH + 18, said)
        for number, step in enumerate(steps):
            box = (left + number * wide + 2, UNITS, wide - 4, HIGH)
            x, low = figure.cell(box, step, (ORANGE, 0.35)).bottom
            figure.arrow([(x - 14, MEMORY), (x - 14, low)], stroke_width=3)
            figure.arrow([(x + 14, low), (x + 14, MEMORY)], stroke_width=1 if step in SHORT else 3)
    said = "up: read, down: write; thick arrow: 1000 numbers, thin: few"
    figure.text(LEFT, 246, said, 12, anchor="start")
    return figure
