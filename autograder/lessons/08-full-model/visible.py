"""The cases of the checks in the notebook of lesson 08. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case, Rule

# All sizes differ, so that none fits by luck in place of another.
SMALL = {
    "src_vocab": 11,
    "tgt_vocab": 9,
    "d_model": 6,
    "num_heads": 2,
    "num_layers": 1,
    "d_ff": 5,
    "dropout": 0.2,
}
MORE_TARGETS = SMALL | {"src_vocab": 8, "tgt_vocab": 12}
LEARNED = SMALL | {"positions": "learned", "max_len": 7}
TIED = {"src_vocab": 9, "tgt_vocab": 9, "tie_weights": True}
FEW = {"src_vocab": 7, "tgt_vocab": 6, "d_model": 8, "num_layers": 1, "d_ff": 3}
# So many tokens that neither Xavier's rule nor PyTorch's own start are like what is asked for.
DRAWN = {"d_model": 24, "num_heads": 2, "num_layers": 1, "d_ff": 36}


def cases(draw):
    return {
        "Generator": [
            generate(draw, "vectors", (2, 3, 4), 5, "vectors (N, T, D), vocabulary of 5"),
            generate(draw, "one row", (3, 4), 6, "vectors without an axis for time"),
            generate(draw, "certain", (2, 3, 4), 5, "scores that lie far apart", far=True),
            generate(draw, "float64", (1, 2, 3), 4, "float64").in_float64(),
            generate_backward(draw, "gradients", (2, 3, 4), 6, "the gradients"),
        ],
        "Transformer": [
            translate(draw, "padded", SMALL, (5, 3), (2, 4), "padding in both languages"),
            translate(draw, "square", MORE_TARGETS | {"pad_id": 2}, (4, 2), (3, 4),
                      "pad_id = 2, source and target equally long"),
            translate(draw, "pre-norm", SMALL | {"norm_first": True}, (3, 3), (4, 2), "pre-norm"),
            translate(draw, "learned", LEARNED | TIED, (3, 2), (2, 3),
                      "learned positions, tied weights"),
            halves(draw, "halves", SMALL, (4, 2), (3, 3), "encode and decode, given masks"),
            halves(draw, "no masks", SMALL, (4, 3), (3, 2), "encode and decode, no masks",
                   masked=False),
            other_future(draw, "future", SMALL, (4, 2), 5, 3, "other tokens in the future"),
            more_padding(draw, "padding", SMALL, (4, 2), (2, 3), 2, "more padding"),
            reorder(draw, "order", SMALL, 4, 5, "the same tokens in another order"),
            translate_backward(draw, "gradients", SMALL | {"pad_id": 3}, (4, 2), (2, 3),
                               "gradients, with pad_id = 3"),
            translate(draw, "padding inside", SMALL, (4, 2), (3, 2), "padding inside", hole=True),
            translate(draw, "one token", SMALL, (1, 1), (1, 1), "sentences of one token"),
            translate(draw, "float64", SMALL, (2, 3), (3, 2), "float64",
                      probe="translate_exactly"),
            reorder(draw, "order, learned", LEARNED, 4, 3, "another order, learned positions"),
            translate_in_training(draw, "dropout", SMALL, (3, 2), (2, 3), "dropout in training"),
            translate_in_training(draw, "usual values", FEW, (3, 3), (2, 4),
                                  "no num_heads and no dropout given: 8 and 0.1"),
            tie("tied", SMALL, 8, "tie_weights: one matrix for all three"),
            tie("not tied", SMALL, 7, "one vocabulary, not tied", tie_weights=False),
            refuse("refused", SMALL, 5, "sinusoidal", "what has to be refused"),
            refuse("refused, learned", MORE_TARGETS, 4, "learned", "the same, learned positions"),
            without_memory("usual sizes", {"src_vocab": 900, "tgt_vocab": 700},
                           "no sizes given: those of the paper"),
            parts("parts", SMALL | {"pad_id": 4}, "what the model is made of"),
            parts("parts, learned", LEARNED | {"pad_id": 3},
                  "what a model with learned positions is made of",
                  control="positions-module-shared"),
            parts("parts, learned and tied", LEARNED | TIED | {"pad_id": 5},
                  "the same with tie_weights"),
        ],
        "make_model": [
            make(draw, "made", SMALL, (3, 2), (2, 3), "a model of the sizes asked for"),
            drawn("drawn", DRAWN, 57, 63, "how its matrices are spread"),
            drawn("drawn and tied", DRAWN | {"tie_weights": True}, 60, 60,
                  "the same with tie_weights"),
            drawn("no sizes given", {"num_layers": 1, "d_ff": 36}, 340, 330,
                  "the same, and no d_model given: 512"),
        ],
        "bug_hunt_1": [
            Case("small", "size_of_parts", {"vocab": 7, "d_model": 3}, says="a small model"),
            Case("turned", "size_of_parts", {"vocab": 6, "d_model": 2, "turned": True},
                 says="its parts in the opposite order"),
            Case("equal", "size_of_parts", {"vocab": 5, "d_model": 4, "alike": True},
                 says="two parts with the same numbers, each with its own"),
        ],
    }  # fmt: skip


def generate(draw, name, shape, vocab_size, says="", far=False):
    x = draw.normal(*shape)
    if far:
        # Whole numbers, so that even such large scores are exact.
        x = draw.integers(-3, 4, *shape).float() * 2.0**22
    inputs = {"x": x, "d_model": shape[-1], "vocab_size": vocab_size}
    return Case(name, "generate", inputs, says=says)


def generate_backward(draw, name, shape, vocab_size, says=""):
    inputs = {"x": draw.normal(*shape), "d_model": shape[-1], "vocab_size": vocab_size}
    return Case(name, "generate_backward", inputs, says=says)


def ids(draw, lengths, vocab, pad, hole=False):
    """Sentences of these lengths as ids, padded; with `hole` the first has padding inside too."""
    rows = torch.full((len(lengths), max(lengths)), pad)
    for row, length in enumerate(lengths):
        tokens = draw.integers(0, vocab - 1, length)
        rows[row, :length] = tokens + (tokens >= pad).long()
    if hole:
        rows[0, 1] = pad
    return rows


def sentences(draw, sizes, src_lengths, tgt_lengths, hole=False):
    pad = sizes.get("pad_id", 0)
    return {
        "src": ids(draw, src_lengths, sizes["src_vocab"], pad, hole),
        "tgt": ids(draw, tgt_lengths, sizes["tgt_vocab"], pad, hole),
    }


def translate(draw, name, sizes, src_lengths, tgt_lengths, says="", hole=False, control="",
              probe="translate"):  # fmt: skip
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths, hole)
    return Case(name, probe, inputs | sizes, says=says, control=control)


def translate_in_training(draw, name, sizes, src_lengths, tgt_lengths, says=""):
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths) | sizes
    return Case(name, "translate_in_training", inputs, says=says)


def translate_backward(draw, name, sizes, src_lengths, tgt_lengths, says=""):
    """Token 0 is a real one here, and both languages use it."""
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths)
    inputs["src"][0, 0] = inputs["tgt"][0, 0] = 0
    return Case(name, "translate_backward", inputs | sizes, says=says)


def halves(draw, name, sizes, src_lengths, tgt_lengths, says="", masked=True):
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths)
    batch, s, t = len(src_lengths), max(src_lengths), max(tgt_lengths)
    inputs["memory"] = draw.normal(batch, s, sizes["d_model"])
    inputs["src_mask"] = draw.mask(batch, 1, 1, s) if masked else None
    inputs["tgt_mask"] = draw.mask(batch, 1, t, t) if masked else None
    return Case(name, "halves", inputs | sizes, says=says)


SAME = {"before": Rule("finite"), "after": Rule("same", other="before")}


def other_future(draw, name, sizes, src_lengths, length, first, says="",
                 control="causal-mask-missing"):  # fmt: skip
    """Target tokens from position `first` on are others: what comes before may not notice."""
    batch, pad = len(src_lengths), sizes.get("pad_id", 0)
    inputs = sentences(draw, sizes, src_lengths, [length] * batch)
    later = ids(draw, [length - first] * batch, sizes["tgt_vocab"], pad)
    # Each of them is another one, whatever was drawn.
    clash = later == inputs["tgt"][:, first:]
    spare = [token for token in range(sizes["tgt_vocab"]) if token != pad]
    nearby = torch.tensor([spare[(spare.index(int(t)) + 1) % len(spare)] for t in later.flatten()])
    later = torch.where(clash, nearby.reshape(later.shape), later)
    other = torch.cat([inputs["tgt"][:, :first], later], dim=1)
    kept = (torch.arange(length) < first).expand(batch, length).clone()
    inputs |= {"other_src": inputs["src"].clone(), "other_tgt": other, "kept": kept}
    return Case(name, "translate_twice", inputs | sizes, SAME, says, control)


def more_padding(draw, name, sizes, src_lengths, tgt_lengths, more, says="",
                 control="source-mask-missing"):  # fmt: skip
    """How much padding a batch happens to have is nothing to the real tokens."""
    pad = sizes.get("pad_id", 0)
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths)
    padding = torch.full((len(src_lengths), more), pad)
    for side in ("src", "tgt"):
        inputs[f"other_{side}"] = torch.cat([inputs[side], padding], dim=1)
    inputs["kept"] = inputs["tgt"] != pad
    return Case(name, "translate_twice", inputs | sizes, SAME, says, control)


def reorder(draw, name, sizes, src_length, tgt_length, says="",
            control="target-positions-forgotten"):  # fmt: skip
    """With positions, another order is another sentence."""
    orders, found = {}, {}
    for side, length in (("src", src_length), ("tgt", tgt_length)):
        orders[f"{side}_order"] = torch.arange(length).flip(0)
        # No two tokens alike, so that every order is another one.
        found[side] = torch.stack([torch.arange(1, length + 1), torch.arange(2, length + 2)])
    inputs = {**found, "memory": draw.normal(2, src_length, sizes["d_model"]), **orders}
    rules = {
        "encoded, reordered": Rule("finite"),
        "decoded, reordered": Rule("finite"),
        "encoded in another order": Rule("differs", other="encoded, reordered"),
        "decoded in another order": Rule("differs", other="decoded, reordered"),
    }
    return Case(name, "reorder", inputs | sizes, rules, says, control)


def tie(name, sizes, vocab, says="", tie_weights=True):
    rest = {key: value for key, value in sizes.items() if not key.endswith("vocab")}
    return Case(name, "tie", {"vocab": vocab, "tie_weights": tie_weights} | rest, says=says)


def refuse(name, sizes, max_len, positions, says=""):
    return Case(name, "refuse", {**sizes, "max_len": max_len, "positions": positions}, says=says)


def without_memory(name, sizes, says=""):
    """On "meta", so that the paper's own sizes cost nothing."""
    return Case(name, "without_memory", dict(sizes), says=says)


def parts(name, sizes, says="", control=""):
    return Case(name, "parts", dict(sizes), says=says, control=control)


def make(draw, name, sizes, src_lengths, tgt_lengths, says=""):
    """The sizes that a model was made with show in what it returns for known weights."""
    inputs = sentences(draw, sizes, src_lengths, tgt_lengths)
    return Case(name, "translate", inputs | sizes, says=says)


def drawn(name, sizes, src_vocab, tgt_vocab, says=""):
    return Case(name, "draw", {"src_vocab": src_vocab, "tgt_vocab": tgt_vocab, **sizes}, says=says)
