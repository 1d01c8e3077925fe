"""The cases of the checks in the notebook of lesson 12. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case, Rule

BOS, EOS = 1, 3  # there are words on both sides of each
SMALL = {"d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 12}
DEEP = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 10, "norm_first": True, "pad_id": 4,
        "src_vocab": 9, "tgt_vocab": 8}  # fmt: skip
LEARNED = {"d_model": 8, "num_heads": 4, "num_layers": 2, "d_ff": 6, "positions": "learned"}
VOCABULARY = 7
BOTH = {"src_vocab": VOCABULARY, "tgt_vocab": VOCABULARY}
SMALL, DEEP, LEARNED = ({**BOTH, **sizes} for sizes in (SMALL, DEEP, LEARNED))


def cases(draw):
    return {
        "FusedMultiHeadAttention": [
            attend(draw, "cross-attention", 12, 3, (2, 4, 5), says="4 queries, 5 keys, 3 heads"),
            attend(draw, "padding", 8, 4, (2, 3, 5), (2, 1, 1, 5), "a padding mask"),
            attend(draw, "target mask", 6, 2, (2, 3, 3), (2, 1, 3, 3), "a mask for each query"),
            attend(draw, "mask by head", 10, 5, (1, 2, 4), (1, 5, 2, 4), "a mask for each head"),
            dropping(draw, "dropout", 6, 3, (2, 4), "dropout of 1: no weight is left"),
            dropping_some("one key", 2, (40, 50), 8, 0.25, "one key, dropout of 0.25"),
        ],
        "FusedLayerNorm": [
            normalize(draw, "sentence", (2, 3, 5), 1e-6, "2 sentences of 3 positions"),
            normalize(draw, "large eps", (3, 4), 0.25, "another eps"),
        ],
        "FusedLabelSmoothing": [
            smooth(draw, "flat", (3, 5), 0, [], "3 tokens, one after the other, no padding"),
            smooth(draw, "batch", (2, 3, 6), 0, [(1, 2)], "a batch with one padded position"),
            smooth(draw, "more smoothing", (2, 2, 5), 4, [(0, 1)],
                   "smoothing of 0.4, padding is the last token", 0.4),
            smooth(draw, "no smoothing", (2, 3, 4), 1, [(1, 2)], "smoothing of 0", 0.0),
            smooth(draw, "one real token", (1, 3, 5), 2, [(0, 0), (0, 2)], "one real token"),
            smooth(draw, "padding alone", (1, 2, 5), 0, [(0, 0), (0, 1)], "padding alone"),
        ],
        "fuse": [
            fuse(draw, "a model", DEEP, (2, 4, 3), "a model of 2 + 2 layers"),
            fuse(draw, "in training", SMALL, (2, 3, 5), "a model in train mode", training=True),
            Case("an encoder", "fuse_an_encoder", DEEP, says="an encoder alone"),
        ],
        "bug_hunt_1": [
            utilize(draw, "half a second", (2, 5), [(0, 4)], 0, "a batch with a padded position"),
            utilize(draw, "another pad_id", (3, 4), [(1, 2), (1, 3)], 9,
                    "another pad_id, and as many weights as a real model has", large=True),
        ],
    }  # fmt: skip


def attend(draw, name, d_model, num_heads, lengths, mask_shape=None, says=""):
    batch, t_q, t_k = lengths
    inputs = {
        "num_heads": num_heads,
        "query": draw.normal(batch, t_q, d_model),
        "key": draw.normal(batch, t_k, d_model),
        "value": draw.normal(batch, t_k, d_model),
    }
    if mask_shape:
        inputs["mask"] = draw.mask(*mask_shape)
    return Case(name, "attend", inputs, says=says, control="mask-lost" if mask_shape else "")


def dropping(draw, name, d_model, num_heads, lengths, says=""):
    inputs = {"num_heads": num_heads, "x": draw.normal(*lengths, d_model)}
    return Case(name, "drop", inputs, says=says, control="never-drops")


def dropping_some(name, num_heads, lengths, d_model, p, says=""):
    """2 or more features a head: with one key, they have one weight, which is dropped or not."""
    weights = torch.Size(lengths).numel() * num_heads
    off = 5 * (p * (1 - p) / weights) ** 0.5
    rules = {
        "weights dropped": Rule("between", low=round(p - off, 4), high=round(p + off, 4)),
        "what is kept": Rule(atol=1e-3),
    }
    inputs = {"num_heads": num_heads, "shape": [*lengths, d_model], "p": p}
    return Case(name, "drop_some", inputs, rules, says=says, control="outputs-dropped")


def normalize(draw, name, shape, eps, says=""):
    return Case(name, "normalize", {"x": draw.normal(*shape), "eps": eps}, says=says)


def smooth(draw, name, shape, pad_id, padded, says="", smoothing=None):
    tokens = [token for token in range(shape[-1]) if token != pad_id]
    count = torch.Size(shape[:-1]).numel()
    target = torch.tensor([draw.pick(*tokens) for _ in range(count)]).reshape(shape[:-1])
    for place in padded:
        target[place] = pad_id
    inputs = {"logits": draw.normal(*shape), "target": target, "pad_id": pad_id}
    if smoothing is not None:
        inputs["smoothing"] = smoothing
    return Case(name, "smooth", inputs, says=says)


def fuse(draw, name, sizes, shape, says="", training=False):
    batch, source, target = shape
    inputs = {
        "src": _sources(draw, sizes, batch, source),
        "tgt": _sources(draw, sizes, batch, target),
        "training": training,
        **sizes,
    }
    return Case(name, "fuse_a_model", inputs, says=says, control="attention-stays")


def utilize(draw, name, shape, padded, pad_id, says="", large=False):
    """With `large`, the operations are more than an int32 holds, and its product is wrong."""
    ids = draw.integers(4, 9, *shape)
    for place in padded:
        ids[place] = pad_id
    inputs = {
        "weights": draw.pick(3, 4, 5),
        "ids": ids,
        "pad_id": pad_id,
        "seconds": draw.pick(0.7, 1.4),  # so that a share in whole numbers differs
        "peak": draw.pick(1000.0, 2000.0),
    }
    if large:
        inputs |= {"weights": draw.pick(61, 63, 65) * 10**6, "peak": draw.pick(2e10, 4e10)}
    return Case(name, "utilize", inputs, says=says)


def _sources(draw, sizes, batch, length):
    """Most rows end in padding, each in another amount of it."""
    ids = _words(draw, sizes, batch, length)
    for row in range(batch):
        ids[row, length - row % max(length - 1, 1) :] = _pad_id(sizes)
    return ids


def _words(draw, sizes, *shape):
    """Ids of any tokens but padding and the marks."""
    words = [token for token in range(VOCABULARY) if token not in (_pad_id(sizes), BOS, EOS)]
    return torch.tensor(words)[draw.integers(0, len(words), *shape)]


def _pad_id(sizes):
    return sizes.get("pad_id", 0)
