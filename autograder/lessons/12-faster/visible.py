"""The cases of the checks in the notebook of lesson 12. Inputs and results go to students."""

import inspect

import torch

import transformer
from autograder.lesson.cases import Case, Rule
from transformer_workbook.lessons.faster.probes import opinionated, translate

BOS, EOS = 1, 3  # there are words on both sides of each
SMALL = {"d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 12}
DEEP = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 10, "norm_first": True, "pad_id": 4}
LEARNED = {"d_model": 8, "num_heads": 4, "num_layers": 2, "d_ff": 6, "positions": "learned"}
VOCABULARY = 7

# What inputs of beam search have to tell apart: texts of the reference, and what is wrong for them.
MISCOUNTED = [
    *(("length + 5", f"length + {one}") for one in ("4", "6", "5 - alive.int()")),
    ("added[:, :, 0] = 0.0", "added[:] = 0.0"),  # what has ended goes on more than once
]
OTHER_DEFAULTS = [
    ("beam_size=4", "beam_size=3"),
    ("beam_size=4", "beam_size=5"),
    ("length_penalty=0.6", "length_penalty=0.3"),
    ("length_penalty=0.6", "length_penalty=1.0"),
]
UNSORTED = [("row.gather(1, parent)", "row")]
# A model may write padding as any other token, and continues: only eos_id ends a row.
ENDED_BY_PADDING = [("(token != eos_id)", "(token != eos_id) & (token != model.pad_id)")]
NARROW = [("min(beam_size, log_probs.size(1))", "1")]


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
        "FastDropout": [
            drop_numbers("a quarter", (40, 50, 20), 0.25, "40,000 numbers, p = 0.25"),
            drop_numbers("odd", (3, 7, 1001), 0.5, "an odd count of numbers, p = 0.5"),
            drop_numbers("everything", (5, 6), 1.0, "p = 1"),
        ],
        "fuse": [
            fuse(draw, "a model", DEEP, (2, 4, 3), "a model of 2 + 2 layers"),
            fuse(draw, "in training", SMALL, (2, 3, 5), "a model in train mode", training=True),
        ],
        "CachedMultiHeadAttention": [
            write(draw, "writing", 8, 2, 3, 4, [2, 0, 1], "3 rows, 4 positions"),
            write(draw, "fewer rows", 6, 3, 4, 5, [3, 1], "4 rows, one with padding; 2 stay",
                  padded=[(3, 1), (3, 3)]),
            write(draw, "twice the same", 4, 2, 2, 3, [1, 1], "2 rows continue the same one"),
            consult(draw, "memory", 8, 4, (3, 5), [[[1], [1], [1]], [[1], [0], [1]]],
                    "a memory of 5 positions, two steps before rows leave", first=2),
            consult(draw, "beams", 6, 2, (2, 3), [[[1, 1, 1], [1, 0, 1]], [[0, 1, 0], [1, 1, 0]]],
                    "up to 3 rows for each of 2 sentences"),
            consult(draw, "one position", 4, 2, (2, 1), [[[1, 1], [0, 1]], [[0, 1], [1, 0]]],
                    "a memory of one position, up to 2 rows for each of 2 sentences",
                    control="memory-by-its-length"),
        ],
        "CachedDecoder": [
            step(draw, "step by step", LEARNED, (3, 4), 4, [[1, 1], [0, 1], [1, 1]],
                 [[1, 0], [1, 1], [0, 0]], [[1, 1], [1, 0], [0, 0]], "3 sentences, 4 positions"),
            step(draw, "deep", DEEP, (2, 5), 5, [[1, 0, 1], [1, 1, 1]], [[2, 2, 0], [1, 2, 1]],
                 [[1, 1, 0], [0, 1, 1]], "a model of 2 + 2 layers in train mode", training=True),
            interrupted(draw, "error", SMALL, (2, 3), "an error inside the with block",
                        training=True),
        ],
        "cached_greedy_decode": [
            greedy(draw, "batch", LEARNED, (4, 5), 9, "4 sources"),
            greedy(draw, "deep", DEEP, (5, 4), 8,
                   "a model of 2 + 2 layers in train mode, another pad_id", training=True,
                   all_end=True),
            greedy(draw, "no room", SMALL, (2, 1), 1, "max_len of 1: room for bos_id alone"),
            greedy(draw, "padding written", SMALL, (4, 5), 8,
                   "a model that writes padding, too, and then continues, up to max_len", pad=2.0,
                   mistakes=ENDED_BY_PADDING),
        ],
        "cached_beam_search": [
            beam(draw, "beam of 3", LEARNED, (4, 5), 9, [3], "4 sources, a beam of 3",
                 mistakes=UNSORTED),
            beam(draw, "beam of 1", SMALL, (3, 4), 6, [1], "a beam of 1"),
            beam(draw, "length_penalty", DEEP, (5, 4), 8, [2, 2.0], "another length_penalty",
                 mistakes=MISCOUNTED),
            beam(draw, "one source", SMALL, (1, 5), 9, [8, 1.5], "one source, a beam of 8",
                 mistakes=NARROW),
            beam(draw, "no room", SMALL, (2, 4), 1, None, "max_len of 1: room for bos_id alone"),
            beam(draw, "train mode", DEEP, (6, 4), 12, None, "the default beam, in train mode",
                 training=True, mistakes=OTHER_DEFAULTS),
            beam(draw, "padding written", SMALL, (4, 5), 8, [3],
                 "a model that writes padding, too, and then continues, up to max_len", pad=2.0,
                 mistakes=ENDED_BY_PADDING),
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


def drop_numbers(name, shape, p, says=""):
    """Of ones, so that all that is kept shows its scale; shares are judged within 5 sigma."""
    off = 5 * (p * (1 - p) / torch.Size(shape).numel()) ** 0.5
    rules = {
        "share dropped": Rule("between", low=p - off - 1e-9, high=p + off + 1e-9),
        "what is kept": Rule(atol=1e-3),
        "numbers drawn": Rule("between", low=0, high=torch.Size(shape).numel() // 2 + 1),
    }
    inputs = {"shape": list(shape), "p": p}
    control = "kept-numbers-not-scaled" if p < 1 else ""
    return Case(name, "drop_numbers", inputs, rules, says=says, control=control)


def fuse(draw, name, sizes, shape, says="", training=False):
    batch, source, target = shape
    inputs = {
        "src": _sources(draw, sizes, batch, source),
        "tgt": _sources(draw, sizes, batch, target),
        "training": training,
        **_vocabularies(sizes),
    }
    return Case(name, "fuse_a_model", inputs, says=says, control="attention-stays")


def write(draw, name, d_model, num_heads, rows, length, order, says="", padded=()):
    ids = draw.integers(3, 9, rows, length)
    for place in padded:
        ids[place] = 0
    inputs = {
        "num_heads": num_heads,
        "x": draw.normal(rows, length, d_model),
        "ids": ids,
        "order": torch.tensor(order),
    }
    half = length // 2
    rules = _at_most(rows * half + len(order) * (length - half))
    return Case(name, "write", inputs, rules, says=says, control="nothing-remembered")


def consult(
    draw,
    name,
    d_model,
    num_heads,
    lengths,
    alive,
    says="",
    control="memory-projected-each-time",
    first=1,
):
    """`lengths` is sentences and positions of the memory.

    `first` steps come before `keep`, then one after each table of `alive`.
    """
    sentences, positions = lengths
    alive = torch.tensor(alive).bool()  # (steps - first, N, B)
    inputs = {
        "num_heads": num_heads,
        "x": draw.normal(sentences, alive.size(2), first + len(alive), d_model),
        "memory": draw.normal(sentences, positions, d_model),
        "mask": draw.mask(sentences, 1, 1, positions),
        "alive": alive,
    }
    rules = _at_most(sentences * positions)
    return Case(name, "consult", inputs, rules, says=says, control=control)


def _at_most(count):
    """So many vectors become keys and values where none is projected twice."""
    rule = Rule("between", low=0, high=count)
    return {"keys computed": rule, "values computed": rule}


def step(draw, name, sizes, shape, length, alive, parent, last, says="", training=False):
    """Who is alive in the middle, who is last at the end, and from which parent."""
    alive, last = torch.tensor(alive).bool(), torch.tensor(last).bool()  # (N, B)
    ids = _words(draw, sizes, *alive.shape, length)
    ids[:, :, 0] = BOS
    ids[0, 0, 1] = _pad_id(sizes)  # padding that was written: nobody may look at it
    inputs = {
        "src": _sources(draw, sizes, *shape),
        "ids": ids,
        "alive": alive,
        "parent": torch.tensor(parent),
        "last": last,
        "seed": draw.pick(*range(1000)),
        "training": training,
        **_vocabularies(sizes, training),
    }
    control = "in-train-mode" if training else "caches-not-told"
    rules = {"positions read": Rule("between", low=0, high=1)}
    return Case(name, "step", inputs, rules, says=says, control=control)


def interrupted(draw, name, sizes, shape, says="", training=False):
    inputs = {"src": _sources(draw, sizes, *shape), "training": training, **_vocabularies(sizes)}
    control = "attentions-not-given-back"
    return Case(name, "interrupt", inputs, says=says, control=control)


def greedy(
    draw, name, sizes, shape, max_len, says="", training=False, all_end=False, pad=None, mistakes=()
):
    decode = transformer.cached_greedy_decode
    inputs, rules = _telling(
        draw, decode, sizes, shape, max_len, training, None, mistakes, all_end, pad
    )
    inputs["whole"] = True  # greedy_decode stops as soon as all rows have ended
    control = "" if max_len == 1 else "nobody-leaves"
    return Case(name, "translate", inputs, rules, says=says, control=control)


def beam(
    draw, name, sizes, shape, max_len, options, says="", training=False, mistakes=(), pad=None
):
    """Sources, for each of `mistakes` one whose translation it would change."""
    decode = transformer.cached_beam_search
    all_end = True if options == [1] else None if pad is None else False
    inputs, rules = _telling(
        draw, decode, sizes, shape, max_len, training, options, mistakes, all_end, pad
    )
    control = "counted-from-1" if options and max_len > 1 else ""
    return Case(name, "translate", inputs, rules, says=says, control=control)


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


def _telling(
    draw, decode, sizes, shape, max_len, training, options=None, mistakes=(), all_end=None, pad=None
):
    """A model, and sources whose translations end at many lengths, the shortest one first.

    `all_end` tells whether each of them ends before max_len, or one is cut off; None: either.
    `pad` is the bias of padding, which is then all that the last column holds; None: the model
    never writes it.

    Who reads fewer positions than the reference is welcome to, and where there is room for bos_id
    alone, nothing has to be read.
    """
    count, length = shape
    options = {"options": options} if options else {}
    bias = {} if pad is None else {"pad": pad}
    for seed in range(draw.pick(*range(1000)), 10_000):
        src = _sources(draw, sizes, count if max_len == 1 else MANY, length)
        eos = 0.0
        if max_len > 1:
            eos = _eos_for_many_lengths(src, max_len, seed, **bias, **_vocabularies(sizes))
        inputs = {"src": src, "max_len": max_len, "training": False, "seed": seed, "eos": eos}
        inputs |= options | bias | _vocabularies(sizes)
        rows = range(count)
        if max_len > 1:
            rows = _telling_rows(decode, inputs, count, mistakes, all_end)
        if rows:
            inputs |= {"src": src[list(rows)], "training": training}
            inputs |= _vocabularies(sizes, training)
            found = translate(decode, **inputs)
            rules = {
                name: Rule("between", low=0, high=found[name])
                for name in ("positions read", "steps")
            }
            if max_len == 1:
                rules["sources read"] = Rule("between", low=0, high=1)
            return inputs, rules
    raise ValueError(f"no model of {sizes} tells the mistakes apart")


MANY = 64  # sources, of which the most telling ones are taken


def _telling_rows(decode, inputs, count, mistakes, all_end):
    """`count` rows of the sources: some that tell each mistake, others of many lengths.

    No rows if there are none such.
    """
    right = translate(decode, **inputs)["ids"]
    ends = [_length(row) for row in right.tolist()]
    if count == 1:
        of_beam = _changed(decode, "longest = length[:, 0].max()", "return length")
        length = translate(of_beam, **inputs)["ids"]  # (N, B)
        fit = (length[:, 1] < length[:, 0]) & (length[:, -1] < length[:, 0])
    else:
        fit = torch.tensor([end < inputs["max_len"] or not all_end for end in ends])
    if "pad" in inputs:
        fit = fit & (right[:, -1] == _pad_id(inputs))
    chosen = []
    if all_end is False:
        chosen = [row for row, ids in enumerate(right.tolist()) if fit[row] and EOS not in ids][:1]
        if not chosen:
            return []
    for old, new in mistakes:
        wrong = translate(_changed(decode, old, new), **inputs)["ids"]
        seen = fit & _rows_differ(right, wrong)
        if not seen.any():
            return []
        if not seen[chosen].any():
            chosen.append(int(seen.nonzero()[0]))
    for row in sorted(fit.nonzero().flatten().tolist(), key=lambda row: ends.count(ends[row])):
        if len(chosen) < count and ends[row] not in [ends[one] for one in chosen]:
            chosen.append(row)
    chosen += [row for row in range(MANY) if fit[row] and row not in chosen][: count - len(chosen)]
    lengths = {ends[row] for row in chosen}
    if len(chosen) != count or len(lengths) < min(count, 3):
        return []
    return sorted(chosen, key=lambda row: ends[row])


def _length(row):
    """How long a translation is, with <bos> and <eos>."""
    return row.index(EOS) + 1 if EOS in row else len(row)


def _rows_differ(ids, others):
    """Which rows differ, (N,), padded to one length with what is no id."""
    length = max(ids.size(1), others.size(1))
    ids, others = (
        torch.nn.functional.pad(one, (0, length - one.size(1)), value=-1) for one in (ids, others)
    )
    return (ids != others).any(dim=1)


def _changed(function, old, new):
    """The reference with one text changed."""
    source = inspect.getsource(function)
    if old not in source:
        raise ValueError(f"{function.__name__} has no {old!r}")
    namespace = dict(function.__globals__)
    exec(source.replace(old, new), namespace)
    return namespace[function.__name__]


def _eos_for_many_lengths(src, max_len, seed, **sizes):
    """How much likelier <eos> has to be for greedy translations to end at many lengths."""
    model = opinionated(seed, eos=-30.0, **sizes).eval()
    ids = transformer.greedy_decode(model, src, max_len, BOS, EOS)
    with torch.no_grad():
        log_probs = model(src, ids[:, :-1])  # (N, T, V)
    short_of = log_probs.amax(dim=-1) - log_probs[..., EOS] - 30.0  # by so much it is not chosen
    short_of = short_of.cummin(dim=1).values  # what ends a row at this step or an earlier one

    def lengths(eos):
        written = 1 + (short_of >= eos).sum(dim=1)
        return set(written.tolist()) - {1, short_of.size(1) + 1}

    # On a grid and with a margin, so that no processor's rounding enters or decides.
    places = short_of.flatten().sort().values
    between = ((places[1:] + places[:-1]) * 512).round() / 1024
    clear = (between[:, None] - places).abs().amin(dim=1) > 1e-4
    return max(between[clear].tolist(), key=lambda eos: len(lengths(eos)))


def _vocabularies(sizes, training=False):
    dropout = {"dropout": 1.0} if training else {}  # of 1: what it does is certain
    return {"src_vocab": VOCABULARY, "tgt_vocab": VOCABULARY, **dropout, **sizes}


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
