"""The tests of lesson 05 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    all_dropped,
    far_away,
    far_waves,
    fixed,
    fixed_gradient,
    holds,
    in_turn,
    learned,
    learned_there,
    learning,
    lookup,
    none_dropped,
    shifting,
    some_dropped,
    table_gradient,
    too_long,
    usual_max_len,
    waves,
)


def tests(draw):
    return {
        "TokenEmbedding": [
            Test("lookup and scale", 2, says="vocabularies and sentences of many sizes", cases=[
                lookup(draw, "batch", (3, 5), (11, 6), 0),
                lookup(draw, "one sentence", (1, 7), (5, 3), 2),
                lookup(draw, "one token", (4, 1), (9, 16), 3),
                lookup(draw, "wide", (2, 6), (3, 10), 1),
                lookup(draw, "double precision", (2, 4), (7, 5), 0).in_float64(),
            ]),
            Test("gradients", 1, says="every real token's vector learns", cases=[
                table_gradient(draw, "padding in the middle", (3, 5), (8, 4), 3),
                table_gradient(draw, "padding last", (2, 6), (5, 7), 4),
                table_gradient(draw, "usual padding", (3, 4), (6, 3), None),
            ]),
        ],
        "sinusoidal_encoding": [
            Test("even d_model", 2, says="many lengths, an even number of features", cases=[
                waves("batch of positions", 9, 12),
                waves("one position", 1, 6),
                waves("square", 7, 14),
                waves("long", 40, 10),
                waves("one pair", 8, 2),
                far_waves("far", 6000, 12),
            ]),
            Test("odd d_model", 2, says="many lengths, an odd number of features", cases=[
                waves("odd", 12, 5),
                waves("odd and square", 6, 11),
                waves("one feature", 4, 1),
                far_waves("far and odd", 5300, 15),
            ]),
        ],
        "PositionalEncoding": [
            Test("sum", 2, says="the encoding is added along the time axis", cases=[
                fixed(draw, "batch", (3, 5, 8), 12),
                fixed(draw, "one sentence", (1, 6, 4), 20),
                fixed(draw, "one token", (4, 1, 6), 5),
                fixed(draw, "square", (5, 5, 5), 9),
                fixed(draw, "as long as wide", (2, 6, 6), 6),
                fixed(draw, "double precision", (2, 3, 6), 7).in_float64(),
                fixed(draw, "later", (3, 2, 6), 7, start=5),
                in_turn(draw, "in turn", (3, 5, 4), 8),
                far_away(draw, "far away", (2, 3, 6), 5300),
                fixed_gradient(draw, "gradient of x", (3, 2, 6), 11),
            ]),
            Test("dropout", 1, says="dropout on the sum in training, none in eval", cases=[
                all_dropped(draw, "training", (3, 4, 6), 8),
                none_dropped(draw, "eval", (2, 3, 8), 6),
                some_dropped(draw, "half", (2, 5), dropout=0.5),
                some_dropped(draw, "usual rate", (4, 3)),
            ]),
            Test("a buffer", 1, says="the encoding is a buffer, not a parameter", cases=[
                holds("small", 4, 5),
                holds("odd", 7, 30),
            ]),
            Test("max_len", 1, says="max_len positions work, one more is a ValueError", cases=[
                too_long("short", 6, 3),
                too_long("long", 3, 15),
                usual_max_len("usual max_len", 3, 5000),
            ]),
        ],
        "LearnedPositionalEmbedding": [
            Test("sum", 1, says="a vector for each position, added along the time axis", cases=[
                learned(draw, "batch", (3, 5, 8), 12),
                learned(draw, "one sentence", (1, 6, 4), 20),
                learned(draw, "one token", (4, 1, 6), 5),
                learned(draw, "square", (5, 5, 3), 9),
                learned(draw, "full", (2, 7, 4), 7),
                learned(draw, "later", (3, 4, 6), 9, start=3),
                learned(draw, "double precision", (2, 3, 6), 7).in_float64(),
            ]),
            Test("learning", 1, says="the positions are parameters, and learn", cases=[
                learning(draw, "gradients", (3, 2, 6), 11),
                learning(draw, "gradients, full", (2, 8, 5), 8),
            ]),
            Test("dropout", 1, says="dropout on the sum in training, none in eval", cases=[
                learned(draw, "training", (3, 4, 6), 8, dropout=1.0, training=True),
                learned(draw, "eval", (2, 3, 8), 6, dropout=1.0),
                some_dropped(draw, "half", (2, 5), dropout=0.5),
                some_dropped(draw, "usual rate", (4, 3)),
            ]),
            Test("max_len", 1, says="max_len positions work, one more is a ValueError", cases=[
                too_long("short", 6, 3),
                too_long("long", 3, 15),
                usual_max_len("usual max_len", 2, 512),
            ]),
            Test("device", 1, says="the positions' ids are on the device that x is on", cases=[
                learned_there(draw, "other device", (3, 4, 6), 9),
                learned_there(draw, "other device, full", (2, 5, 3), 5),
            ]),
        ],
        "bug_hunt_1": [
            Test("shifting", 2, says="other encodings, moved by other steps", cases=[
                shifting(draw, "far", (5, 10), 7),
                shifting(draw, "one pair", (6, 2), 3),
                shifting(draw, "far back", (2, 4), -5),
            ]),
        ],
    }  # fmt: skip
