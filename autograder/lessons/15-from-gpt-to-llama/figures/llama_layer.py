"""A layer of GPT-2 beside one of Llama, with all that differs outlined."""

from autograder.lessons.figure_one import CHANGED, STAYS, Box, Map

WIDE = 212
# What stands in the frames, by left edge, bottom and width; and arrows, by place, start and end.
GPT = {"4 q": (16, 134, 54), "4 k": (79, 134, 54), "4 v": (142, 134, 54)}
GPT |= {"attention": (16, 206, 180), "W^{O}": (16, 242, 180), "W_{1}": (16, 404, 180)}
GPT |= {"GELU": (16, 458, 180), "W_{2}": (16, 512, 180)}
LLAMA = {"4 q": (16, 134, 54), "2 k": (79, 134, 27), "2 v": (142, 134, 27)}
LLAMA |= {"rotate": (16, 170, 90), "attention": (16, 206, 180), "W^{O}": (16, 242, 180)}
LLAMA |= {"W_{gate}": (16, 404, 86), "W_{up}": (110, 404, 86), "SiLU": (16, 440, 86)}
LLAMA |= {"gate · up": (16, 476, 180), "W_{down}": (16, 512, 180)}
IN_GPT = {43: (160, 206), 106: (160, 206, 232, 242, 430, 458, 484, 512), 169: (160, 206)}
IN_LLAMA = {43: (160, 170, 196, 206), 92: (160, 170, 196, 206), 155: (160, 206)}
IN_LLAMA |= {59: (430, 440, 466, 476), 153: (430, 476), 106: (232, 242, 502, 512)}
# Names from below: of what comes in, the norms, both parts and the layer.
IS_GPT = ("x: token and position", "LayerNorm", "masked multi-head attention")
IS_GPT += ("feed-forward network", "GPT-2: with biases")
IS_LLAMA = ("x: token alone", "RMSNorm", "masked grouped-query attention")
IS_LLAMA += ("SwiGLU", "Llama: without biases")
DESCRIPTION = (
    "Both layers, from below: norm, attention and its output projection, plus what entered, norm, "
    "network, plus what entered. GPT-2: LayerNorm; 4 queries, 4 keys and 4 values; a matrix, GELU, "
    "a second matrix. Changed in Llama: RMSNorm; 2 keys and 2 values for 4 queries; queries and "
    "keys are rotated; a gate, with SiLU, times a second projection, then a third matrix; no "
    "biases, and no positions in what enters."
)


def draw() -> Map:
    figure = Map(648, "A layer of GPT-2, and one of Llama", DESCRIPTION, 524)
    sides = ((8, GPT, IN_GPT, IS_GPT, ""), (290, LLAMA, IN_LLAMA, IS_LLAMA, CHANGED))
    for left, boxes, arrows, (given, norm, *names), other in sides:
        stops = [(Box(left, y, WIDE, 26, norm), other) for y in (82, 350)]
        stops += [(Box(left, y, WIDE, high), other) for y, high in ((126, 170), (396, 170))]
        figure.column(stops, {320: 72, 590: 338}, 60, 618)
        for y, name in zip((48, 282, 552, 634), (given, *names), strict=True):
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
