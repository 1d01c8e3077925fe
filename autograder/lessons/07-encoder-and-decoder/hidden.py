"""The tests of lesson 07 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    copied_decoder,
    copied_encoder,
    decode,
    decode_backward,
    decode_in_training,
    decode_in_turn,
    encode,
    encode_backward,
    encode_in_training,
    encode_in_turn,
    other_future,
    other_memory,
    other_order,
    other_padding,
    parts,
    reload_decoder,
    reload_encoder,
    usual,
    vote,
)

LAYER = {"d_model": 8, "num_heads": 4, "d_ff": 7, "dropout": 0.3}
ODD = {"d_model": 9, "num_heads": 3, "d_ff": 11, "dropout": 0.25}
STACK = {"num_layers": 3, **ODD}
DEEP = {"num_layers": 4, **LAYER}
PRE = {"norm_first": True}


def tests(draw):
    return {
        "EncoderLayer": [
            Test("post-norm", 1, says="a layer as in the paper, masks of many shapes", cases=[
                encode(draw, "padding", LAYER, (3, 5), control="mask-dropped"),
                encode(draw, "odd sizes", ODD, (2, 6)),
                encode(draw, "full mask", LAYER, (2, 5), mask="full"),
                encode_in_turn(draw, "no mask", LAYER, (2, 7)),
                encode(draw, "one token", ODD, (2, 1), mask="none"),
                encode(draw, "double precision", LAYER, (2, 4)).in_float64(),
                other_padding(draw, "other padding", ODD, (3, 6)),
                other_order(draw, "other order", ODD, 5),
            ]),
            Test("pre-norm", 1, says="a layer with norm_first", cases=[
                encode(draw, "pre-norm padding", LAYER | PRE, (3, 6)),
                encode(draw, "pre-norm no mask", ODD | PRE, (2, 4), mask="none"),
                other_padding(draw, "pre-norm other padding", LAYER | PRE, (2, 6)),
            ]),
            Test("parts", 1, says="parameters, gradients and dropout", cases=[
                parts("parts", ODD),
                encode_backward(draw, "gradients", ODD, (3, 4)),
                encode_backward(draw, "pre-norm gradients", LAYER | PRE, (2, 5)),
                encode_in_training(draw, "dropout", ODD, (2, 4)),
                encode_in_training(draw, "pre-norm dropout", LAYER | PRE, (2, 3)),
                encode_in_training(draw, "usual dropout", usual(ODD), (1, 5)),
                copied_encoder(draw, "copied", LAYER, (2, 3)),
            ]),
        ],
        "DecoderLayer": [
            Test("three sublayers", 2, says="query, key and value from the right places", cases=[
                decode(draw, "short target", LAYER, (3, 4, 7)),
                decode(draw, "long target", ODD, (2, 6, 3)),
                decode(draw, "square", ODD, (3, 5, 5)),
                decode_in_turn(draw, "no masks", LAYER, (2, 5, 5)),
                decode(draw, "one position", LAYER, (2, 1, 4)),
                decode(draw, "double precision", LAYER, (2, 3, 6)).in_float64(),
            ]),
            Test("masks", 1, says="what each mask hides", cases=[
                decode(draw, "full masks", ODD, (2, 5, 6), masks="full"),
                decode(draw, "full square masks", LAYER, (2, 4, 4), masks="full",
                       control="masks-swapped"),
                other_future(draw, "other future", ODD, (3, 6, 4), 4),
                other_memory(draw, "other memory", ODD, (3, 4, 6)),
            ]),
            Test("pre-norm", 1, says="a layer with norm_first", cases=[
                decode(draw, "pre-norm short target", ODD | PRE, (2, 3, 6)),
                decode(draw, "pre-norm square", LAYER | PRE, (3, 4, 4)),
                other_future(draw, "pre-norm other future", LAYER | PRE, (2, 5, 4), 2),
            ]),
            Test("parts", 1, says="parameters and dropout", cases=[
                parts("parts", ODD),
                decode_in_training(draw, "dropout", ODD, (2, 3, 4)),
                decode_in_training(draw, "pre-norm dropout", LAYER | PRE, (1, 3, 5)),
                decode_in_training(draw, "usual dropout", usual(LAYER), (2, 3, 2)),
                copied_decoder(draw, "copied", ODD, (2, 3, 5)),
            ]),
            Test("gradients", 1, says="the gradients, which reach every parameter", cases=[
                decode_backward(draw, "gradients", ODD, (2, 4, 3)),
                decode_backward(draw, "pre-norm gradients", LAYER | PRE, (2, 3, 5)),
            ]),
        ],
        "Encoder": [
            Test("layers", 1, says="stacks of several layers, with and without masks", cases=[
                encode(draw, "padding", STACK, (3, 5), control="encoder-mask-dropped"),
                encode(draw, "full mask", DEEP, (2, 4), mask="full"),
                encode_in_turn(draw, "no mask", STACK, (2, 6)),
                encode(draw, "one layer", STACK | {"num_layers": 1}, (2, 4)),
                encode(draw, "double precision", STACK, (2, 3)).in_float64(),
                other_padding(draw, "other padding", STACK, (2, 6),
                              control="encoder-mask-dropped"),
            ]),
            Test("independent layers", 1, says="layers that are saved and learn", cases=[
                parts("parts", DEEP),
                reload_encoder(draw, "reloaded", STACK, (2, 4)),
                encode_backward(draw, "gradients", STACK, (2, 5)),
            ]),
            Test("last norm", 1, says="a last norm with norm_first, and none without", cases=[
                encode(draw, "pre-norm", STACK | PRE, (2, 5)),
                encode(draw, "deep pre-norm", DEEP | PRE, (2, 3), mask="none"),
                parts("pre-norm parts", STACK | PRE),
                parts("post-norm parts", STACK),
                encode_in_training(draw, "dropout", STACK | PRE, (2, 3)),
                encode_in_training(draw, "usual dropout", usual(STACK), (1, 4)),
            ]),
        ],
        "Decoder": [
            Test("layers", 1, says="stacks of several layers, with and without masks", cases=[
                decode(draw, "short target", STACK, (3, 4, 6)),
                decode(draw, "square", STACK, (2, 5, 5), control="decoder-masks-swapped"),
                decode(draw, "full masks", DEEP, (2, 3, 4), masks="full"),
                decode_in_turn(draw, "no masks", DEEP, (2, 4, 3)),
                decode(draw, "one layer", STACK | {"num_layers": 1}, (2, 4, 5)),
                decode(draw, "double precision", STACK, (2, 3, 5)).in_float64(),
                other_future(draw, "other future", STACK, (2, 6, 3), 3,
                             control="decoder-target-mask-dropped"),
                other_memory(draw, "other memory", STACK, (2, 3, 6),
                             control="decoder-source-mask-dropped"),
            ]),
            Test("independent layers", 1, says="layers that are saved and learn", cases=[
                parts("parts", DEEP),
                reload_decoder(draw, "reloaded", STACK, (2, 4, 3)),
                decode_backward(draw, "gradients", STACK, (2, 3, 5)),
            ]),
            Test("last norm", 1, says="a last norm with norm_first, and none without", cases=[
                decode(draw, "pre-norm", STACK | PRE, (2, 5, 4)),
                decode(draw, "deep pre-norm", DEEP | PRE, (1, 3, 3), masks="none"),
                parts("pre-norm parts", STACK | PRE),
                parts("post-norm parts", STACK),
                decode_in_training(draw, "dropout", STACK | PRE, (2, 3, 4)),
                decode_in_training(draw, "usual dropout", usual(STACK), (1, 4, 3)),
            ]),
        ],
        "bug_hunt_1": [
            Test("committee", 2, says="committees of other sizes", cases=[
                vote(draw, "five members", (5, 3, 4), 2),
                vote(draw, "one member", (1, 6, 3), 4),
                vote(draw, "four members", (4, 7, 5), 3),
            ]),
        ],
    }  # fmt: skip
