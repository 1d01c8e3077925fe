"""The tests of lesson 08 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import (
    LEARNED,
    TIED,
    drawn,
    generate,
    generate_backward,
    halves,
    make,
    more_padding,
    other_future,
    parts,
    refuse,
    reorder,
    tie,
    translate,
    translate_backward,
    translate_in_training,
    without_memory,
)

TINY = {
    "src_vocab": 13,
    "tgt_vocab": 10,
    "d_model": 8,
    "num_heads": 4,
    "num_layers": 2,
    "d_ff": 7,
    "dropout": 0.3,
}
ODD = TINY | {"src_vocab": 9, "tgt_vocab": 14, "d_model": 9, "num_heads": 3, "pad_id": 5}
FEW = {"src_vocab": 6, "tgt_vocab": 8, "d_model": 16, "num_layers": 2, "d_ff": 4}
PRE = {"norm_first": True}
PLACES = {"positions": "learned", "max_len": 8}
PAPER = {"src_vocab": 37000, "tgt_vocab": 37000, "tie_weights": True}


def tests(draw):
    return {
        "Generator": [
            Test("log-probabilities", 2, says="vectors of many shapes, scores near and far", cases=[
                generate(draw, "vectors", (3, 4, 5), 7),
                generate(draw, "square", (4, 4, 4), 4),
                generate(draw, "without time", (5, 3), 8),
                generate(draw, "one vector", (1, 1, 6), 9),
                generate(draw, "far apart", (2, 5, 4), 6, far=True),
                generate(draw, "double precision", (2, 4, 3), 7).in_float64(),
                generate_backward(draw, "gradients", (3, 2, 5), 6),
            ]),
        ],
        "Transformer": [
            Test("translation", 2, says="sentences of many lengths, with padding", cases=[
                translate(draw, "long source", TINY, (6, 3, 4), (2, 4, 1)),
                translate(draw, "long target", ODD, (3, 2), (4, 6)),
                translate(draw, "square", TINY | {"pad_id": 9}, (5, 2, 4), (3, 5, 5)),
                translate(draw, "padding inside", ODD, (5, 3), (4, 2), hole=True,
                          control="target-padding-seen"),
                translate(draw, "one token each", TINY, (1, 1), (1, 1)),
                translate(draw, "double precision", TINY, (4, 2), (3, 4),
                          probe="translate_exactly"),
            ]),
            Test("masks", 2, says="what later tokens and padding may not change", cases=[
                other_future(draw, "future", TINY, (5, 3), 6, 2),
                other_future(draw, "near future", ODD, (4, 4), 4, 3),
                more_padding(draw, "padding", ODD, (5, 2, 3), (3, 4, 2), 3),
                more_padding(draw, "padding, pre-norm", TINY | PRE, (4, 3), (3, 2), 1),
            ]),
            Test("encode and decode", 1, says="each half by itself, masks given or not", cases=[
                halves(draw, "halves", TINY, (6, 4), (3, 5)),
                halves(draw, "square halves", ODD, (5, 3, 4), (5, 2, 4)),
                halves(draw, "halves without masks", ODD, (4, 6), (3, 2), masked=False),
            ]),
            Test("positions", 1, says="sinusoidal and learned positions, both languages", cases=[
                reorder(draw, "order", TINY, 5, 4),
                reorder(draw, "order, learned", ODD | PLACES, 4, 6,
                        control="source-positions-forgotten"),
                translate(draw, "learned", TINY | PLACES | TIED, (4, 2), (3, 5)),
                parts("parts, learned", TINY | PLACES | {"pad_id": 6}),
                parts("parts, learned and tied", TINY | PLACES | TIED | {"pad_id": 3}),
                refuse("too long", TINY, 6, "sinusoidal"),
                refuse("too long, learned", ODD, 4, "learned"),
            ]),
            Test("options", 1, says="pad_id, norm_first and dropout reach every part", cases=[
                translate(draw, "pre-norm", TINY | PRE, (4, 2), (3, 5)),
                translate(draw, "pre-norm, learned", LEARNED | PRE, (3, 4), (5, 2)),
                translate_in_training(draw, "dropout", TINY | PRE, (4, 2), (2, 3)),
                translate_in_training(draw, "usual values", FEW, (4, 3), (3, 5)),
                parts("parts", ODD | PRE),
                parts("parts, other padding", TINY | {"pad_id": 7}),
                without_memory("paper", PAPER),
                without_memory("defaults", {"src_vocab": 1200, "tgt_vocab": 1300}),
            ]),
            Test("weights", 1, says="tied weights, and gradients everywhere", cases=[
                tie("tied", TINY, 12),
                tie("tied, pre-norm", ODD | PRE, 11),
                tie("not tied", TINY, 9, tie_weights=False),
                translate_backward(draw, "gradients", ODD, (4, 2), (2, 5)),
                translate_backward(draw, "gradients, pre-norm", TINY | PRE | {"pad_id": 2},
                                   (3, 5), (4, 3)),
            ]),
        ],
        "make_model": [
            Test("sizes", 1, says="models of the sizes asked for", cases=[
                make(draw, "post-norm", TINY, (4, 2, 3), (3, 5, 1)),
                make(draw, "all options", ODD | PRE | PLACES, (3, 2), (2, 4)),
            ]),
            Test("start", 1, says="how the matrices of a new model are spread", cases=[
                drawn("two layers", {"d_model": 32, "num_heads": 4, "num_layers": 2, "d_ff": 27},
                      79, 83),
                drawn("learned", {"d_model": 28, "num_heads": 7, "num_layers": 1, "d_ff": 40,
                                  "positions": "learned", "max_len": 26}, 68, 73),
                drawn("tied", {"d_model": 30, "num_heads": 3, "num_layers": 1, "d_ff": 31,
                               "tie_weights": True}, 77, 77),
                drawn("no sizes given", {"num_layers": 1, "d_ff": 33}, 320, 345),
            ]),
        ],
        "bug_hunt_1": [
            Test("sizes of parts", 2, says="models of other sizes", cases=[
                Case("wide", "size_of_parts", {"vocab": 5, "d_model": 9}),
                Case("tall", "size_of_parts", {"vocab": 12, "d_model": 4}),
                Case("turned", "size_of_parts", {"vocab": 8, "d_model": 5, "turned": True}),
                Case("equal", "size_of_parts", {"vocab": 7, "d_model": 6, "alike": True}),
            ]),
        ],
    }  # fmt: skip
