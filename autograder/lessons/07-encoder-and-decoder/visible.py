"""The cases of the checks in the notebook of lesson 07. Inputs and results go to students."""

from dataclasses import replace

import torch

from autograder.lesson.cases import Case, Rule

# All sizes differ, so that none fits by luck in place of another.
LAYER = {"d_model": 6, "num_heads": 2, "d_ff": 5, "dropout": 0.2}
WIDE = {"d_model": 8, "num_heads": 2, "d_ff": 3, "dropout": 0.4}
STACK = {"num_layers": 2, **LAYER}
DROPS = STACK | {"norm_first": True, "dropout": 0.9}


def cases(draw):
    return {
        "EncoderLayer": [
            encode(draw, "masked", LAYER, (2, 4), "one sentence with padding, one without"),
            encode(draw, "pre-norm", LAYER | {"norm_first": True}, (2, 3), "the norm first"),
            other_padding(draw, "padding", LAYER, (2, 5), "other vectors where padding is hidden"),
            other_order(draw, "order", LAYER, 4, "the tokens in another order"),
            encode_backward(draw, "gradients", LAYER, (2, 3), "the gradients"),
            encode(draw, "one token", WIDE, (2, 1), "sentences of one token", mask="none"),
            encode(draw, "mask for each head", WIDE, (1, 4), "a mask for each head", mask="full"),
            encode(draw, "float64", LAYER, (1, 2), "float64").in_float64(),
            encode_in_turn(draw, "no mask", WIDE, (2, 3), "with a mask, then without one"),
            encode_in_training(draw, "dropout", WIDE, (1, 3), "dropout in training"),
            encode_in_training(
                draw,
                "pre-norm dropout",
                LAYER | {"norm_first": True},
                (1, 2),
                "dropout in training, the norm first",
            ),
            encode_in_training(
                draw, "usual dropout", usual(LAYER), (2, 2), "no dropout given: it is 0.1"
            ),
            copied_encoder(draw, "copied", LAYER, (1, 4), "a copy of the layer"),
            parts("parts", LAYER, "what torch finds inside the layer"),
        ],
        "DecoderLayer": [
            decode(draw, "masked", LAYER, (2, 3, 5), "3 target and 5 source positions, masks"),
            decode(draw, "square", LAYER, (2, 4, 4), "as many target as source positions"),
            decode(draw, "pre-norm", LAYER | {"norm_first": True}, (2, 4, 3), "the norm first"),
            other_future(draw, "future", LAYER, (2, 5, 3), 3, "other vectors in the future"),
            other_memory(draw, "memory", LAYER, (2, 3, 4), "other vectors in hidden memory"),
            decode_backward(draw, "gradients", LAYER, (2, 3, 4), "the gradients"),
            decode(draw, "one position", WIDE, (2, 1, 3), "targets of one position"),
            decode(
                draw, "masks for each head", WIDE, (1, 4, 4), "masks for each head", masks="full"
            ),
            decode(draw, "float64", LAYER, (1, 2, 4), "float64").in_float64(),
            decode_in_turn(draw, "no masks", WIDE, (2, 3, 4), "with and without masks"),
            decode_in_training(draw, "dropout", WIDE, (1, 2, 3), "dropout in training"),
            decode_in_training(
                draw,
                "pre-norm dropout",
                LAYER | {"norm_first": True},
                (1, 3, 2),
                "dropout in training, the norm first",
            ),
            decode_in_training(
                draw, "usual dropout", usual(LAYER), (2, 2, 3), "no dropout given: it is 0.1"
            ),
            copied_decoder(draw, "copied", LAYER, (1, 3, 4), "a copy of the layer"),
            parts("parts", LAYER, "what torch finds inside the layer"),
        ],
        "Encoder": [
            encode(draw, "masked", STACK, (2, 4), "two layers, padding in one sentence"),
            encode(draw, "three", {**STACK, "num_layers": 3}, (2, 4), "three layers"),
            encode(draw, "pre-norm", STACK | {"norm_first": True}, (2, 3), "the norm first"),
            reload_encoder(draw, "reloaded", STACK, (1, 3), "saved, and loaded into another"),
            encode_backward(draw, "gradients", STACK, (1, 3), "the gradients"),
            encode(draw, "one layer", {**STACK, "num_layers": 1}, (1, 4), "one layer"),
            encode(draw, "float64", STACK, (1, 2), "float64").in_float64(),
            encode_in_turn(draw, "no mask", STACK, (2, 3), "with a mask, then without one"),
            encode_in_training(draw, "dropout", DROPS, (1, 3), "dropout in training"),
            encode_in_training(
                draw, "usual dropout", usual(STACK), (1, 2), "no dropout given: it is 0.1"
            ),
            parts("parts", STACK, "what torch finds inside, post-norm"),
            parts("pre-norm parts", STACK | {"norm_first": True}, "the same, pre-norm"),
        ],
        "Decoder": [
            decode(draw, "masked", STACK, (2, 3, 5), "two layers, both masks"),
            decode(draw, "square", {**STACK, "num_layers": 3}, (2, 4, 4), "three layers, S = T"),
            decode(draw, "pre-norm", STACK | {"norm_first": True}, (2, 4, 3), "the norm first"),
            reload_decoder(draw, "reloaded", STACK, (1, 3, 2), "saved, and loaded into another"),
            decode_backward(draw, "gradients", STACK, (1, 3, 4), "the gradients"),
            decode(draw, "one layer", {**STACK, "num_layers": 1}, (1, 4, 2), "one layer"),
            decode(draw, "float64", STACK, (1, 2, 4), "float64").in_float64(),
            decode_in_turn(draw, "no masks", STACK, (2, 3, 4), "with and without masks"),
            decode_in_training(draw, "dropout", DROPS, (1, 2, 3), "dropout in training"),
            decode_in_training(
                draw, "usual dropout", usual(STACK), (1, 3, 2), "no dropout given: it is 0.1"
            ),
            parts("parts", STACK, "what torch finds inside, post-norm"),
            parts("pre-norm parts", STACK | {"norm_first": True}, "the same, pre-norm"),
        ],
        "bug_hunt_1": [
            vote(draw, "vote", (3, 4, 2), 5, "three members, four features, two classes"),
            vote(draw, "pair", (2, 5, 3), 4, "two members, five features, three classes"),
        ],
    }


def padding(lengths, length):
    """(N, 1, 1, length), True at the first so many positions of each row."""
    position = torch.arange(length)
    return (position < torch.tensor(lengths)[:, None])[:, None, None]


def causal(length):
    """(1, 1, length, length), True on and below the diagonal."""
    position = torch.arange(length)
    return (position[None] <= position[:, None])[None, None]


def lengths(batch, length):
    """The first row is full, each further one a position shorter, down to two."""
    return [max(length - row, min(2, length)) for row in range(batch)]


def encode(draw, name, sizes, shape, says="", mask="padding", **more):
    batch, length = shape
    masks = {
        "padding": padding(lengths(batch, length), length),
        "full": draw.mask(batch, sizes["num_heads"], length, length),
        "none": None,
    }
    inputs = {"x": draw.normal(batch, length, sizes["d_model"]), "mask": masks[mask]}
    return Case(name, "encode", inputs | sizes, says=says, **more)


def encode_backward(draw, name, sizes, shape, says=""):
    batch, length = shape
    inputs = {
        "x": draw.normal(batch, length, sizes["d_model"]),
        "mask": padding(lengths(batch, length), length),
    }
    return Case(name, "encode_backward", inputs | sizes, says=says)


def encode_in_training(draw, name, sizes, shape, says=""):
    inputs = {"x": draw.normal(*shape, sizes["d_model"])}
    return Case(name, "encode_in_training", inputs | sizes, says=says)


def usual(sizes):
    """The sizes without a dropout rate."""
    return {name: size for name, size in sizes.items() if name != "dropout"}


def encode_in_turn(draw, name, sizes, shape, says=""):
    case = encode(draw, name, sizes, shape, says)
    return replace(case, probe="encode_in_turn")


COPIED = {"layer": Rule("finite"), "copy": Rule("same", other="layer")}


def copied_encoder(draw, name, sizes, shape, says=""):
    inputs = {"x": draw.normal(*shape, sizes["d_model"])}
    return Case(name, "copied", inputs | sizes, COPIED, says, "encoder-steps-made-early")


SAME = {"before": Rule("finite"), "after": Rule("same", other="before")}


def other_padding(draw, name, sizes, shape, says="", control="mask-dropped"):
    """Padding is hidden, so it may hold anything: nothing else may depend on it."""
    batch, length = shape
    mask = padding([length - 1 - row for row in range(batch)], length)
    x = draw.normal(batch, length, sizes["d_model"])
    other = draw.normal(batch, length, sizes["d_model"])
    real = mask[:, 0, 0]
    changed = torch.where(real[..., None], x, other)
    inputs = {"x": x, "changed": changed, "mask": mask, "real": real}
    return Case(name, "encode_other_padding", inputs | sizes, SAME, says, control)


def other_order(draw, name, sizes, length, says="", control="causal-in-encoder"):
    """Without positions and masks the order of tokens is nothing to the encoder."""
    x = draw.normal(2, length, sizes["d_model"])
    order = torch.roll(torch.arange(length), 1)
    order[:2] = order[:2].flip(0)
    rules = {
        "result, reordered": Rule("finite"),
        "result of reordered": Rule("same", other="result, reordered"),
    }
    inputs = {"x": x, "order": order}
    return Case(name, "encode_other_order", inputs | sizes, rules, says, control)


LOADED = {"saved": Rule("finite"), "loaded": Rule("same", other="saved")}


def reload_encoder(draw, name, sizes, shape, says=""):
    inputs = {"x": draw.normal(*shape, sizes["d_model"])}
    return Case(name, "reloaded", inputs | sizes, LOADED, says, "layers-in-a-list")


def decode(draw, name, sizes, shape, says="", masks="both", **more):
    inputs = decoder_inputs(draw, sizes, shape)
    if masks == "none":
        inputs |= {"src_mask": None, "tgt_mask": None}
    if masks == "full":
        batch, t, s = shape
        inputs["src_mask"] = draw.mask(batch, sizes["num_heads"], t, s)
        inputs["tgt_mask"] = draw.mask(batch, sizes["num_heads"], t, t)
    return Case(name, "decode", inputs | sizes, says=says, **more)


def decoder_inputs(draw, sizes, shape):
    """Rows of the source get shorter, those of the target longer: no mask fits for the other."""
    batch, t, s = shape
    return {
        "x": draw.normal(batch, t, sizes["d_model"]),
        "memory": draw.normal(batch, s, sizes["d_model"]),
        "src_mask": padding(lengths(batch, s), s),
        "tgt_mask": padding(lengths(batch, t)[::-1], t) & causal(t),
    }


def decode_backward(draw, name, sizes, shape, says=""):
    return Case(name, "decode_backward", decoder_inputs(draw, sizes, shape) | sizes, says=says)


def decode_in_training(draw, name, sizes, shape, says=""):
    inputs = decoder_inputs(draw, sizes, shape) | sizes
    return Case(name, "decode_in_training", inputs, says=says)


def decode_in_turn(draw, name, sizes, shape, says=""):
    inputs = decoder_inputs(draw, sizes, shape) | sizes
    return Case(name, "decode_in_turn", inputs, says=says)


def other_future(draw, name, sizes, shape, first, says="", control="target-mask-dropped"):
    """Positions from `first` on are changed: what comes out before may not notice."""
    batch, t, s = shape
    x = draw.normal(batch, t, sizes["d_model"])
    changed = torch.cat([x[:, :first], draw.normal(batch, t - first, sizes["d_model"])], dim=1)
    inputs = {
        "x": x,
        "memory": draw.normal(batch, s, sizes["d_model"]),
        "changed": changed,
        "first": first,
        "tgt_mask": causal(t),
    }
    rules = SAME | {
        "later, before": Rule("finite"),
        "later, after": Rule("differs", other="later, before"),
    }
    return Case(name, "decode_other_future", inputs | sizes, rules, says, control)


def other_memory(draw, name, sizes, shape, says="", control="source-mask-dropped"):
    """Hidden positions of the memory are changed: nothing may notice."""
    batch, t, s = shape
    mask = padding([s - 1 - row for row in range(batch)], s)
    memory = draw.normal(batch, s, sizes["d_model"])
    other = draw.normal(batch, s, sizes["d_model"])
    inputs = {
        "x": draw.normal(batch, t, sizes["d_model"]),
        "memory": memory,
        "changed": torch.where(mask[:, 0, 0, :, None], memory, other),
        "src_mask": mask,
    }
    return Case(name, "decode_other_padding", inputs | sizes, SAME, says, control)


def unmasked(draw, sizes, shape):
    batch, t, s = shape
    return {
        "x": draw.normal(batch, t, sizes["d_model"]),
        "memory": draw.normal(batch, s, sizes["d_model"]),
    }


def copied_decoder(draw, name, sizes, shape, says=""):
    inputs = unmasked(draw, sizes, shape)
    return Case(name, "copied", inputs | sizes, COPIED, says, "steps-made-early")


def reload_decoder(draw, name, sizes, shape, says=""):
    inputs = unmasked(draw, sizes, shape)
    return Case(name, "reloaded", inputs | sizes, LOADED, says, "layers-in-a-list")


def parts(name, sizes, says=""):
    return Case(name, "parts", dict(sizes), says=says)


def vote(draw, name, sizes, batch, says=""):
    names = ("num_members", "num_features", "num_classes")
    inputs = {"x": draw.normal(batch, sizes[1]), **dict(zip(names, sizes, strict=True))}
    return Case(name, "vote", inputs, says=says)
