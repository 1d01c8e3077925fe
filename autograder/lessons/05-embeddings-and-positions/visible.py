"""The cases of the checks in the notebook of lesson 05. Inputs and results go to students."""

import torch

from autograder.authoring.cases import Case, Rule


def cases(draw):
    return {
        "TokenEmbedding": [
            lookup(draw, "lookup", (2, 3), (7, 4), 0, "2 sentences of 3 tokens, 4 features"),
            lookup(draw, "other padding", (3, 5), (6, 9), 2, "padding is token 2, 9 features"),
            table_gradient(draw, "gradients", (2, 4), (6, 5), 1, "the gradient of the table"),
        ],
        "sinusoidal_encoding": [
            waves("by hand", 3, 4, "3 positions, 4 features, as in the example by hand"),
            waves("even", 5, 8, "5 positions, 8 features"),
            waves("odd", 6, 7, "an odd number of features"),
            waves("square", 4, 8, "as many positions as pairs of features"),
        ],
        "PositionalEncoding": [
            fixed(draw, "sum", (2, 4, 6), 10, "2 sentences of 4 tokens, no dropout"),
            fixed(draw, "square", (3, 3, 4), 8, "as many sentences as tokens"),
            all_dropped(draw, "training", (2, 5, 4), 9, "dropout=1.0 in training: all is 0"),
            none_dropped(draw, "eval", (2, 5, 6), 9, "dropout=1.0 in eval: no effect"),
            holds("buffer", 6, 8, "what the module holds: a buffer, no parameter"),
            too_long("too long", 4, 7, "sequences of max_len, and one longer"),
            fixed_gradient(draw, "gradients", (2, 4, 6), 9, "the gradient of x"),
        ],
        "LearnedPositionalEmbedding": [
            learned(draw, "sum", (2, 4, 6), 10, "2 sentences of 4 tokens, no dropout"),
            learned(draw, "square", (3, 3, 4), 8, "as many sentences as tokens"),
            learned(draw, "training", (2, 5, 4), 9, "dropout=1.0 in training: all is 0",
                    dropout=1.0, training=True),
            learned(draw, "eval", (2, 5, 6), 9, "dropout=1.0 in eval: no effect",
                    dropout=1.0),
            learning(draw, "gradients", (2, 4, 6), 9, "what is learned, and its gradient"),
            too_long("too long", 4, 7, "sequences of max_len, and one longer"),
        ],
        "bug_hunt_1": [
            shifting(draw, "one step", (4, 6), 1, "4 positions, moved by 1"),
            shifting(draw, "back", (3, 8), -2, "3 positions, moved back by 2"),
        ],
    }  # fmt: skip


def token_table(draw, vocab_size, d_model, pad_id):
    table = draw.normal(vocab_size, d_model)
    table[pad_id] = 0.0
    return table


def lookup(draw, name, ids, table, pad_id, says=""):
    """A row that is padded, and one that is not."""
    vocab_size = table[0]
    tokens = draw.integers(0, vocab_size, *ids)
    tokens[0, -1] = pad_id
    inputs = {"ids": tokens, "table": token_table(draw, *table, pad_id), "pad_id": pad_id}
    return Case(name, "embed", inputs, says=says)


def table_gradient(draw, name, ids, table, pad_id, says=""):
    """Token 0 is a real one here. Whether padding gets a gradient is left open."""
    vocab_size = table[0]
    tokens = draw.integers(0, vocab_size, *ids)
    tokens[:, 0] = 0
    tokens[-1, -1] = pad_id
    real = (torch.arange(vocab_size) != pad_id).unsqueeze(1)
    return Case(
        name,
        "embed_backward",
        {"ids": tokens, "table": token_table(draw, *table, pad_id), "pad_id": pad_id},
        rules={"embedding.weight.grad": Rule(where="real")},
        masks={"real": real},
        says=says,
        control="padding-is-always-0",
    )


def waves(name, length, d_model, says=""):
    return Case(name, "encode", {"length": length, "d_model": d_model}, says=says)


def fixed(draw, name, x, max_len, says=""):
    return Case(name, "add_positions", {"x": draw.normal(*x), "max_len": max_len}, says=says)


def all_dropped(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "max_len": max_len, "dropout": 1.0, "training": True}
    return Case(name, "add_positions", inputs, says=says, control="dropout-on-encoding-alone")


def none_dropped(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "max_len": max_len, "dropout": 1.0}
    return Case(name, "add_positions", inputs, says=says, control="dropout-in-eval")


def fixed_gradient(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "max_len": max_len}
    return Case(name, "add_positions_backward", inputs, says=says)


def holds(name, d_model, max_len, says=""):
    return Case(name, "what_it_holds", {"d_model": d_model, "max_len": max_len}, says=says)


def too_long(name, d_model, max_len, says=""):
    inputs = {"d_model": d_model, "max_len": max_len}
    return Case(name, "longer_than_max_len", inputs, says=says, control="max_len-refused")


def learned(draw, name, x, max_len, says="", **options):
    inputs = {"x": draw.normal(*x), "table": draw.normal(max_len, x[-1]), **options}
    return Case(name, "add_learned", inputs, says=says)


def learning(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "table": draw.normal(max_len, x[-1])}
    return Case(name, "learn", inputs, says=says, control="positions-frozen")


def shifting(draw, name, encoding, steps, says=""):
    rate = draw.normal(encoding[-1] // 2, scale=0.5)
    inputs = {"encoding": draw.normal(*encoding), "rate": rate, "steps": steps}
    return Case(name, "shift", inputs, says=says)
