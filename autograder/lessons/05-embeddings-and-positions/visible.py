"""The cases of the checks in the notebook of lesson 05. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "TokenEmbedding": [
            lookup(draw, "lookup", (2, 3), (7, 4), 0, "2 sentences of 3 tokens, 4 features"),
            lookup(draw, "other padding", (3, 5), (6, 9), 2, "padding is token 2, 9 features"),
            lookup(draw, "one token", (1, 1), (4, 3), 3, "1 sentence of 1 token"),
            lookup(draw, "float64", (2, 2), (5, 3), 0, "float64").in_float64(),
            table_gradient(draw, "gradients", (2, 4), (6, 5), 1, "the gradient of the table"),
            table_gradient(draw, "usual padding", (2, 8), (4, 5), None, "no pad_id given: it is 0"),
        ],
        "sinusoidal_encoding": [
            waves("by hand", 3, 4, "3 positions, 4 features, as in the example by hand"),
            waves("even", 5, 8, "5 positions, 8 features"),
            waves("odd", 6, 7, "an odd number of features"),
            waves("square", 4, 8, "as many positions as pairs of features"),
            waves("one position", 1, 4, "a single position"),
            waves("one feature", 3, 1, "a single feature"),
            waves("long", 30, 3, "30 positions, 3 features"),
            far_waves("far", 5000, 10, "the last of 5000 positions"),
        ],
        "PositionalEncoding": [
            fixed(draw, "sum", (2, 4, 6), 10, "2 sentences of 4 tokens, no dropout"),
            fixed(draw, "square", (3, 3, 4), 8, "as many sentences as tokens"),
            fixed(draw, "one sentence", (1, 4, 5), 9, "1 sentence, an odd number of features"),
            fixed(draw, "one token", (3, 1, 4), 6, "sentences of 1 token"),
            fixed(draw, "float64", (2, 2, 6), 5, "float64").in_float64(),
            fixed(draw, "later", (2, 3, 4), 9, "3 words after 4 others, start=4", start=4),
            in_turn(draw, "in turn", (2, 4, 6), 7, "shorter sentences, then longer ones"),
            far_away(draw, "far away", (2, 1, 4), 5100, "the last words of 5100, max_len=5100"),
            all_dropped(draw, "training", (2, 5, 4), 9, "dropout=1.0 in training: all is 0"),
            none_dropped(draw, "eval", (2, 5, 6), 9, "dropout=1.0 in eval: no effect"),
            some_dropped(draw, "dropout of 0.5", (3, 4), "a dropout of 0.5", 0.5),
            some_dropped(draw, "usual dropout", (2, 6), "no dropout given: it is 0.1"),
            holds("buffer", 6, 8, "what the module holds: a buffer, no parameter"),
            too_long("too long", 4, 7, "sequences of max_len, and one longer"),
            usual_max_len("usual max_len", 2, 5000, "no max_len given: it is 5000"),
            fixed_gradient(draw, "gradients", (2, 4, 6), 9, "the gradient of x"),
        ],
        "LearnedPositionalEmbedding": [
            learned(draw, "sum", (2, 4, 6), 10, "2 sentences of 4 tokens, no dropout"),
            learned(draw, "square", (3, 3, 4), 8, "as many sentences as tokens"),
            learned(draw, "one sentence", (1, 4, 5), 4, "1 sentence of max_len tokens"),
            learned(draw, "one token", (3, 1, 4), 6, "sentences of 1 token"),
            learned(draw, "float64", (2, 2, 6), 5, "float64").in_float64(),
            learned(draw, "later", (2, 3, 4), 8, "3 words after 5 others, start=5", start=5),
            learned(draw, "training", (2, 5, 4), 9, "dropout=1.0 in training: all is 0",
                    dropout=1.0, training=True),
            learned(draw, "eval", (2, 5, 6), 9, "dropout=1.0 in eval: no effect",
                    dropout=1.0),
            some_dropped(draw, "dropout of 0.5", (3, 4), "a dropout of 0.5", 0.5),
            some_dropped(draw, "usual dropout", (2, 6), "no dropout given: it is 0.1"),
            learning(draw, "gradients", (2, 4, 6), 9, "what is learned, and its gradient"),
            too_long("too long", 4, 7, "sequences of max_len, and one longer"),
            usual_max_len("usual max_len", 3, 512, "no max_len given: it is 512"),
            learned_there(draw, "device", (2, 3, 4), 6, "x and the module on another device"),
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
    """Every token is there. Whether padding gets a gradient is left open.

    A pad_id of None is not given, and is 0.
    """
    vocab_size = table[0]
    tokens = draw.integers(0, vocab_size, *ids)
    tokens.view(-1)[-vocab_size:] = torch.arange(vocab_size)
    padding = pad_id or 0
    real = (torch.arange(vocab_size) != padding).unsqueeze(1)
    inputs = {"ids": tokens, "table": token_table(draw, *table, padding)}
    if pad_id is not None:
        inputs["pad_id"] = pad_id
    return Case(
        name,
        "embed_backward",
        inputs,
        rules={"embedding.weight.grad": Rule(where="real")},
        masks={"real": real},
        says=says,
        control="padding-is-always-0" if pad_id else "",
    )


def waves(name, length, d_model, says=""):
    return Case(name, "encode", {"length": length, "d_model": d_model}, says=says)


def far_waves(name, length, d_model, says=""):
    """Rates and angles may be in float32: that rounding is 4e-4 at position 5000, at most."""
    inputs = {"length": length, "d_model": d_model}
    rules = {"last positions": Rule(atol=2e-7 * length, rtol=0.0)}
    return Case(name, "encode_far", inputs, rules, says=says)


def fixed(draw, name, x, max_len, says="", **options):
    """The first word is all zeros: it is a word as any other."""
    words = draw.normal(*x)
    words[0, 0] = 0
    inputs = {"x": words, "max_len": max_len, **options}
    control = "start-ignored" if "start" in options else ""
    return Case(name, "add_positions", inputs, says=says, control=control)


def in_turn(draw, name, x, max_len, says=""):
    return Case(name, "add_in_turn", {"x": draw.normal(*x), "max_len": max_len}, says=says)


def far_away(draw, name, last_words, max_len, says=""):
    """In single precision, an angle of thousands is known to a few digits after the point."""
    inputs = {"last_words": draw.normal(*last_words), "max_len": max_len}
    rules = {"last words": Rule(atol=1e-3)}
    return Case(name, "add_far_away", inputs, rules=rules, says=says)


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


def some_dropped(draw, name, words, says="", dropout=None):
    inputs = {"words": 8 + draw.normal(*words).abs()}
    if dropout is not None:
        inputs["dropout"] = dropout
    return Case(name, "drop_some", inputs, says=says)


def too_long(name, d_model, max_len, says=""):
    inputs = {"d_model": d_model, "max_len": max_len}
    return Case(name, "longer_than_max_len", inputs, says=says, control="max_len-refused")


def usual_max_len(name, d_model, max_len, says=""):
    inputs = {"d_model": d_model, "max_len": max_len, "by_default": True}
    return Case(name, "longer_than_max_len", inputs, says=says)


def learned(draw, name, x, max_len, says="", **options):
    inputs = {"x": draw.normal(*x), "table": draw.normal(max_len, x[-1]), **options}
    control = "start-ignored" if "start" in options else ""
    return Case(name, "add_learned", inputs, says=says, control=control)


def learned_there(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "max_len": max_len}
    return Case(name, "add_learned_there", inputs, says=says, control="learned-device-ignored")


def learning(draw, name, x, max_len, says=""):
    inputs = {"x": draw.normal(*x), "table": draw.normal(max_len, x[-1])}
    return Case(name, "learn", inputs, says=says, control="positions-frozen")


def shifting(draw, name, encoding, steps, says=""):
    """Each pair is the sine and the cosine of some angle, computed alike on every machine."""
    rate = draw.normal(encoding[-1] // 2, scale=0.5)
    half = draw.normal(encoding[0], encoding[1] // 2, scale=1.5)  # the tangent of half the angle
    pairs = torch.stack([2 * half, 1 - half * half], dim=-1) / (1 + half * half).unsqueeze(-1)
    inputs = {"encoding": pairs.flatten(1), "rate": rate, "steps": steps}
    return Case(name, "shift", inputs, says=says)
