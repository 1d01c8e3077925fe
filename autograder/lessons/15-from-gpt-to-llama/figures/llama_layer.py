"""A layer of GPT-2 beside one of Llama, with all that differs outlined."""

from autograder.lessons.figure_one import CHANGED, STAYS, Box, Map

WIDE = 212
# What stands in the frames, by left edge, bottom and width; and arrows, by place, start and end.
GPT = {"4 q": (16, 134, 54), "4 k": (79, 134, 54), "4 v": (142, 134, 54)}
GPT |= {"attention": (16, 206, 180), "W_{1}": (16, 368, 180)}
GPT |= {"GELU": (16, 422, 180), "W_{2}": (16, 476, 180)}
LLAMA = {"4 q": (16, 134, 54), "2 k": (79, 134, 27), "2 v": (142, 134, 27)}
LLAMA |= {"rotate": (16, 170, 90), "attention": (16, 206, 180), "W_{gate}": (16, 368, 86)}
LLAMA |= {"W_{up}": (110, 368, 86), "SiLU": (16, 404, 86), "gate · up": (16, 440, 180)}
LLAMA |= {"W_{down}": (16, 476, 180)}
IN_GPT = {43: (160, 206), 106: (160, 206, 394, 422, 448, 476), 169: (160, 206)}
IN_LLAMA = {43: (160, 170, 196, 206), 92: (160, 170, 196, 206), 155: (160, 206)}
IN_LLAMA |= {59: (394, 404, 430, 440), 153: (394, 440), 106: (466, 476)}
# Names from below: of what comes in, the norms, both parts and the layer.
IS_GPT = ("x: token and position", "LayerNorm", "masked multi-head attention")
IS_GPT += ("feed-forward network", "GPT-2: with biases")
IS_LLAMA = ("x: token alone", "RMSNorm", "masked grouped-query attention")
IS_LLAMA += ("SwiGLU", "Llama: without biases")
DESCRIPTION = (
    "Both layers, from below: norm, attention, plus what entered, norm, network, plus what "
    "entered. GPT-2: LayerNorm; 4 queries, 4 keys and 4 values; a matrix, GELU, a second matrix. "
    "Changed in Llama: RMSNorm; 2 keys and 2 values for 4 queries; queries and keys are rotated; a "
    "gate, with SiLU, times a second projection, then a third matrix; no biases, and no positions "
    "in what enters."
)


def draw() -> Map:
    figure = Map(612, "A layer of GPT-2, and one of Llama", DESCRIPTION, 524)
    sides = ((8, GPT, IN_GPT, IS_GPT, ""), (290, LLAMA, IN_LLAMA, IS_LLAMA, CHANGED))
    for left, boxes, arrows, (given, norm, *names), other in sides:
        stops = [(Box(left, y, WIDE, 26, norm), other) for y in (82, 314)]
        stops += [(Box(left, y, WIDE, high), "") for y, high in ((126, 134), (360, 170))]
        figure.column(stops, {284: 72, 554: 302}, 60, 582)
        for y, name in zip((48, 246, 516, 598), (given, *names), strict=True):
            figure.note(left + WIDE / 2, y, name)
        for text, (x, y, wide) in boxes.items():
            state = STAYS if text in GPT.keys() & LLAMA.keys() else other
            figure.state(Box(left + x, y, wide, 26), text, state)
        for x, ends in arrows.items():
            for start, end in zip(ends[::2], ends[1::2], strict=True):
                figure.join((left + x, start), (left + x, end))
    for x, name, state in (8, "both", STAYS), (150, "GPT-2 only", ""), (290, "Llama only", CHANGED):
        figure.state(Box(x, 8, 34, 20), "", state)
        figure.note(x + 44, 18, name, anchor="start")
    return figure
