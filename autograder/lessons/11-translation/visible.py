"""The cases of the checks in the notebook of lesson 11. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case


def cases(draw):
    return {
        "token_batches": [
            grouped("short and long", [3, 9, 4, 8, 2, 7], 16, "six sentences, 16 tokens a batch"),
            grouped("just full", [4, 5, 6, 12, 11], 12, "batches that are just full"),
            grouped("all alike", [5] * 40, 100, "sentences of one length"),
            grouped("too long", [12, 3, 20, 4], 10, "two sentences longer than a batch"),
            grouped("all too long", [12, 20], 10, "no sentence fits"),
            grouped("one", [7], 30, "one sentence"),
            grouped("none", [], 8, "no sentence at all"),
        ],
        "mixed_precision_step": [
            step(draw, "plain", (2, 4), (2, 5), 0, "two steps in float32, with no scaling",
                 max_norm=100.0),
            step(draw, "scaled", (2, 3), (2, 5), 0, "two steps with a scaled loss", max_norm=100.0,
                 scale=1024.0),
            step(draw, "clipped", (2, 3), (2, 4), 1, "scaled, and gradients that are too large",
                 max_norm=0.25, scale=1024.0),
            step(draw, "default norm", (3, 3), (3, 5), 0, "max_norm not given, so it is 1"),
            step(draw, "old gradients", (2, 4), (2, 3), 0,
                 "gradients of another batch are left over", max_norm=100.0, stale=True),
            step(draw, "scheduled", (2, 3), (2, 4), 2, "with a scheduler", max_norm=100.0,
                 scheduled=True),
            on_pair(draw, "overflow", "overflow", (2, 3), (2, 4), 0,
                    "a scale that is too large: this step has to be left out"),
            on_pair(draw, "bfloat16", "precision", (2, 3), (2, 4), 0, "bfloat16",
                    dtype="bfloat16"),
            on_pair(draw, "float16", "precision", (2, 4), (2, 3), 0, "float16", dtype="float16"),
            on_pair(draw, "no low precision", "precision", (2, 3), (2, 4), 0, "dtype is None",
                    dtype=""),
            on_pair(draw, "device", "device", (2, 3), (2, 4), 0, "on another device"),
        ],
        "average_weights": [
            averaged(draw, "three states", 3, [(2, 3), (4,)], "three states of two entries each"),
            averaged(draw, "two states", 2, [(3,), (2, 2, 2)], "two states"),
            averaged(draw, "one state", 1, [(3,)], "one state: the average is the state itself"),
            averaged(draw, "seven states", 7, [(2,)], "seven states"),
        ],
        "bug_hunt_1": [
            scored("repeated", [[5, 5, 5, 6]], [[5, 6, 7, 8]], "a word written three times", 1),
            scored("too short", [[1, 2, 3]], [[1, 2, 3, 4, 5]], "a translation that is too short",
                   2),
            scored("too long", [[1, 2, 3, 4, 9, 9]], [[1, 2, 3, 4]], "one that is too long"),
            scored("two", [[1, 2, 9], [4, 5, 6, 7, 8]], [[1, 2, 3, 5], [4, 5, 6, 8, 9]],
                   "two translations, one with a word of the other's reference", 2),
            scored("short and long", [[1, 2, 3], [4, 5, 6, 7, 8]], [[1, 2, 3, 9], [4, 5, 6, 7]],
                   "one that is too short, and one as much too long", 2),
            scored("twice in both", [[1, 2, 1, 2, 3]], [[1, 2, 4, 1, 2]],
                   "words that both have twice", 2),
        ],
    }  # fmt: skip


def grouped(name, lengths, max_tokens, says=""):
    inputs = {"lengths": torch.tensor(lengths, dtype=torch.long), "max_tokens": max_tokens}
    return Case(name, "group", inputs, says=says)


def step(draw, name, src, tgt, pad_id, says="", **options):
    return on_pair(draw, name, "learn", src, tgt, pad_id, says, **options)


def on_pair(draw, name, probe, src, tgt, pad_id, says="", **options):
    src, tgt = pair(draw, src, tgt, pad_id)
    inputs = {"src": src, "tgt": tgt, "pad_id": pad_id, **options}
    return Case(name, probe, inputs, says=says)


def pair(draw, src, tgt, pad_id):
    """Ids of 7 tokens for the model of the probes; the last row of each is padded at its end."""
    src, tgt = (draw.integers(1, 5, *shape) for shape in (src, tgt))
    src, tgt = src + (src >= pad_id), tgt + (tgt >= pad_id)
    src[-1, -1] = tgt[-1, -1] = pad_id
    return src, tgt


def averaged(draw, name, count, shapes, says=""):
    entries = {
        f"{letter}_{number}": draw.normal(*shape)
        for number in range(1, count + 1)
        for letter, shape in zip("ab", shapes, strict=False)
    }
    return Case(name, "average", entries, says=says)


def scored(name, translations, references, says="", max_n=None):
    inputs = {} if max_n is None else {"max_n": max_n}
    for number, (came, there) in enumerate(zip(translations, references, strict=True), start=1):
        inputs[f"translation_{number}"] = torch.tensor(came)
        inputs[f"reference_{number}"] = torch.tensor(there)
    return Case(name, "score", inputs, says=says)
