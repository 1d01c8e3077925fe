"""The tests of lesson 15 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import attend, attend_in_pieces, transform, transform_in_pieces, turn, turn_in_16_bits


def tests(draw):
    return {
        "apply_rotary": [
            Test("rotation", 3, says="other sizes, another base, later positions", cases=[
                turn(draw, "hidden head", (5, 6)),
                turn(draw, "hidden heads", (3, 2, 4, 8)),
                turn(draw, "hidden square", (3, 6, 6)),
                turn(draw, "hidden one position", (3, 1, 6)),
                turn(draw, "hidden base", (3, 5, 10), then={"base": 200.0}, base=50.0),
                turn(draw, "hidden later", (3, 2, 4), start=7),
                turn(draw, "hidden float64", (3, 5, 6)).in_float64(),
                turn_in_16_bits(draw, "hidden bfloat16", (3, 2, 4), start=723),
                Case("hidden device", "turn_there", {"x": draw.normal(3, 2, 6)}),
            ]),
        ],
        "GroupedQueryAttention": [
            Test("groups", 3, says="other numbers of heads and of keys", cases=[
                attend(draw, "hidden groups", 6, 3, (3, 4, 24)),
                attend(draw, "hidden masked", 8, 2, (2, 5, 32), masked=True),
                attend(draw, "hidden one key", 4, 1, (2, 3, 8), masked=True),
                attend(draw, "hidden as many keys", 3, 3, (2, 4, 12)),
                attend(draw, "hidden one position", 4, 2, (2, 1, 16)),
                attend(draw, "hidden later", 6, 2, (1, 3, 12), start=4),
                attend(draw, "hidden float64", 6, 3, (2, 3, 12)).in_float64(),
            ]),
            Test("cache", 2, says="texts in pieces", cases=[
                attend_in_pieces(draw, "hidden pieces", 8, 2, (2, 7, 16), [2, 4, 1]),
                attend_in_pieces(draw, "hidden token by token", 6, 3, (1, 3, 12), [1, 1, 1]),
            ]),
        ],
        "LlamaLayer": [
            Test("layer", 3, says="other sizes", cases=[
                transform(draw, "hidden groups", 6, 3, 9, (3, 4, 12)),
                transform(draw, "hidden masked", 8, 2, 12, (2, 5, 16), masked=True),
                transform(draw, "hidden one position", 4, 2, 5, (2, 1, 8)),
                transform(draw, "hidden float64", 6, 2, 7, (1, 4, 12)).in_float64(),
                transform_in_pieces(draw, "hidden pieces", 6, 3, 8, (2, 5, 12), [2, 2, 1]),
            ]),
        ],
    }  # fmt: skip
