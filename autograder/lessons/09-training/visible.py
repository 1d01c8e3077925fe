"""The cases of the checks in the notebook of lesson 09. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "shift_right": [
            shifted(draw, "batch", 2, 5, "2 targets of 5 tokens"),
            shifted(draw, "one token", 3, 2, "targets of 2 tokens, so that 1 is left"),
            shifted(draw, "square", 3, 3, "as many targets as tokens"),
        ],
        "LabelSmoothing": [
            smoothed(draw, "flat", (3, 5), 0, [], "3 tokens, one after the other, no padding"),
            smoothed(draw, "batch", (2, 3, 6), 0, [(1, 2)], "a batch with one padded position"),
            smoothed(draw, "other padding", (2, 4, 5), 2, [(0, 3), (1, 2), (1, 3)],
                     "another pad_id and several padded positions"),
            smoothed(draw, "more smoothing", (2, 2, 5), 4, [(0, 1)],
                     "smoothing of 0.4, padding is the last token", smoothing=0.4),
            smoothed(draw, "no smoothing", (2, 3, 4), 1, [(1, 2)], "smoothing of 0", smoothing=0.0),
            smoothed(draw, "one real token", (2, 2, 6), 3, [(0, 1), (1, 0), (1, 1)],
                     "a batch with one real token"),
            all_padding(draw, "padding alone", (1, 3, 5), 0, "a batch of padding alone"),
            gradient(draw, "gradients", (2, 3, 5), 3, [(0, 1), (0, 2)], "the gradient"),
            # Of these, reshape(-1) makes no copy: what is written into it is written into them.
            smoothed(draw, "flat with padding", (4, 5), 2, [(1,)],
                     "4 tokens, one after the other, one of them padding"),
        ],
        "noam_lr": [
            rates("rise and fall", [1, 2, 5, 8, 20], "before, at and after the end of the warm-up",
                  16, warmup=8),
            rates("factor", [1, 3, 30], "another width, a factor of 2", 9, warmup=4, factor=2.0),
            rates("default", [400, 4000, 16000], "4000 steps of warm-up, as in the paper", 1),
            rates("step 0", [0, 1], "step 0 is taken as step 1", 4, warmup=2),
        ],
        "train_step": [
            step(draw, "two steps", (2, 4), (2, 5), 0, "two steps, gradients small enough",
                 max_norm=100.0),
            step(draw, "clipped", (2, 3), (2, 4), 1, "gradients that have to be clipped",
                 max_norm=0.25),
            step(draw, "default", (3, 3), (3, 5), 0,
                 "max_norm not given, so it is 1; two groups of weights", groups=True),
            step(draw, "old gradients", (2, 3), (2, 5), 0,
                 "gradients of another batch are left over, in two groups of weights",
                 max_norm=100.0, stale=True, groups=True),
            step(draw, "scheduled", (2, 3), (2, 4), 0, "with a scheduler", max_norm=100.0,
                 scheduled=True),
        ],
        "evaluate": [
            measured(draw, "one batch", [((2, 3), (2, 4))], 0, False,
                     "one batch, model in eval mode"),
            measured(draw, "two batches", [((3, 4), (3, 6)), ((1, 2), (1, 3))], 0, True,
                     "two batches of other sizes, model in train mode"),
            measured(draw, "other padding", [((2, 3), (2, 4)), ((2, 2), (2, 3))], 5, False,
                     "another pad_id"),
            measured(draw, "one token", [((1, 3), (1, 4))], 0, True, "one real token in all"),
        ],
        "bug_hunt_1": [
            clipped(draw, "long", [(2, 3), (4,)], 1.0, 1.0, "gradients that are too long"),
            clipped(draw, "short", [(3,), (2, 2)], 0.125, 5.0, "gradients that are short enough"),
            one_short(draw, "one short", (3,), (2, 3),
                      "two gradients: one short enough by itself, both together too long"),
        ],
    }  # fmt: skip


def shifted(draw, name, count, length, says=""):
    return Case(name, "shift", {"tgt": draw.integers(0, 6, count, length)}, says=says)


def smoothed(draw, name, shape, pad_id, padded, says="", smoothing=None, control=""):
    """Log-probabilities of the given shape; the target is padded at the places `padded`."""
    target = _real_tokens(draw, shape[-1], pad_id, *shape[:-1])
    for place in padded:
        target[place] = pad_id
    inputs = {"logits": draw.normal(*shape), "target": target, "pad_id": pad_id}
    if smoothing is not None:
        inputs["smoothing"] = smoothing
    return Case(name, "smooth", inputs, says=says, control=control)


def all_padding(draw, name, shape, pad_id, says=""):
    target = torch.full(shape[:-1], pad_id)
    inputs = {"logits": draw.normal(*shape), "target": target, "pad_id": pad_id}
    return Case(name, "smooth_padding", inputs, says=says, control="nothing-but-padding")


def gradient(draw, name, shape, pad_id, padded, says=""):
    case = smoothed(draw, name, shape, pad_id, padded)
    return Case(name, "smooth_backward", case.inputs, says=says, control="padding-counted")


def rates(name, steps, says, d_model, **options):
    inputs = {"steps": torch.tensor(steps), "d_model": d_model, **options}
    # Rates are small numbers, and Python's own floats.
    rules = {f"rate of step {step}": Rule(atol=1e-9, rtol=1e-5) for step in steps}
    return Case(name, "rates", inputs, rules, says=says)


def step(draw, name, src, tgt, pad_id, says="", **options):
    src, tgt = pair(draw, src, tgt, pad_id)
    inputs = {"src": src, "tgt": tgt, "pad_id": pad_id, **options}
    return Case(name, "learn", inputs, says=says)


def measured(draw, name, shapes, pad_id, training, says=""):
    """Batches with different shares of padding, so that their means weigh differently."""
    inputs = {"pad_id": pad_id, "training": training}
    for number, (src, tgt) in enumerate(shapes, start=1):
        inputs[f"src_{number}"], inputs[f"tgt_{number}"] = pair(draw, src, tgt, pad_id)
    inputs["tgt_1"][-1, -2:] = pad_id
    return Case(name, "measure", inputs, says=says)


def pair(draw, src, tgt, pad_id):
    """Ids of 7 tokens for the model of the probes; the last row of each is padded at its end.

    Token 0 is padding, or is not there: who takes it for padding counts wrongly.
    """
    src, tgt = (_real_tokens(draw, 7, pad_id, *shape, low=1) for shape in (src, tgt))
    src[-1, -1] = pad_id
    if tgt.size(1) > 2:
        tgt[-1, -1] = pad_id
    return src, tgt


def clipped(draw, name, shapes, scale, max_norm, says=""):
    gradients = {
        letter: draw.normal(*shape, scale=scale)
        for letter, shape in zip("abcd", shapes, strict=False)
    }
    return Case(name, "clip", {"max_norm": max_norm, **gradients}, says=says)


def one_short(draw, name, short, long, says=""):
    """Two gradients, of which the first is short enough by itself; the second has six numbers.

    Together they are longer than max_norm, yet the square of their length is below it.
    """
    gradients = {
        "a": draw.normal(*short, scale=1 / 16),
        "b": 0.25 + draw.normal(*long, scale=1 / 64),
    }
    return Case(name, "clip", {"max_norm": 0.5, **gradients}, says=says)


def _real_tokens(draw, vocab_size, pad_id, *shape, low=0):
    """Ids of any token from `low` but padding."""
    ids = draw.integers(max(low - (pad_id < low), 0), vocab_size - 1, *shape)
    return ids + (ids >= pad_id)
