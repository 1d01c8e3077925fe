"""The cases of the checks in the notebook of lesson 13. Inputs and results go to students."""

import inspect

import torch

import transformer
from autograder.lesson.cases import Case, Rule
from transformer_workbook.lessons.cached_decoding.probes import translate
from transformer_workbook.lessons.fused_parts.probes import opinionated

BOS, EOS = 1, 3  # there are words on both sides of each
SMALL = {"d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 12}
DEEP = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 10, "norm_first": True, "pad_id": 4,
        "src_vocab": 9, "tgt_vocab": 8}  # fmt: skip
LEARNED = {"d_model": 8, "num_heads": 4, "num_layers": 2, "d_ff": 6, "positions": "learned"}
POST_NORM = {"d_model": 6, "num_heads": 3, "d_ff": 5}
PRE_NORM = {"d_model": 8, "num_heads": 2, "d_ff": 6, "norm_first": True}
VOCABULARY = 7

# A model may write padding as any other token, and continues: only eos_id ends a row.
ENDED_BY_PADDING = ("(token == eos_id)", "(token == eos_id) | (token == model.pad_id)")


def cases(draw):
    return {
        "KeyValueCache": [
            remember(draw, "token by token", (2, 3, 4), [1, 1, 1], 5, "3 calls with one position"),
            remember(draw, "prompt", (3, 2, 5), [3, 1, 2], 6, "a prompt of 3 positions at first"),
            remember(draw, "rows", (4, 2, 3), [1, 1, 1], 4, "4 rows, some of which continue others",
                     order=[2, 0, 0, 3]),
            remember(draw, "float64", (1, 2, 2), [1, 2], 3, "float64, no room left").in_float64(),
        ],
        "keys_and_values": [
            project(draw, "batch", 2, (3, 4, 6), "3 sentences of 4 positions, 2 heads"),
            project(draw, "square", 3, (2, 3, 12), "as many positions as heads"),
        ],
        "attend": [
            ask(draw, "one query", 2, (3, 1, 5), 6, "a query for each of 3 rows"),
            ask(draw, "padding", 4, (2, 3, 4), 8, "3 queries, a padding mask", (2, 1, 1, 4)),
            ask(draw, "mask by query", 3, (2, 3, 3), 6, "a mask for each query", (2, 1, 3, 3)),
            ask(draw, "no mask", 2, (2, 3, 5), 4, "3 queries, 5 keys, no mask"),
        ],
        "cached_layer": [
            read_on(draw, "encoder", PRE_NORM, 2, [3, 1, 1],
                    "an encoder's pre-norm layer: a prompt of 3 positions, then one by one"),
            read_on(draw, "decoder", POST_NORM, 3, [1, 1, 1], "a decoder's layer, a row a source",
                    memory=(3, 4)),
            read_on(draw, "beam", PRE_NORM, 6, [1, 1], "3 rows for each of 2 sources",
                    memory=(2, 3), control="one-row-for-each-source"),
            read_on(draw, "no mask", POST_NORM, 2, [1, 1], "a decoder's layer, no mask at all",
                    memory=(2, 3), masked=False),
        ],
        "CachedDecoder": [
            step(draw, "step by step", LEARNED, (3, 4), [[0], [0], [0]], 4,
                 "3 sentences, 4 positions"),
            step(draw, "deep", DEEP, (2, 5), [[2, 2, 0], [1, 2, 1]], 5,
                 "a model of 2 + 2 layers, 3 rows for each sentence"),
        ],
        "cached_greedy_decode": [
            greedy(draw, "batch", LEARNED, (4, 5), 9, "4 sources"),
            greedy(draw, "deep", DEEP, (5, 4), 8,
                   "a model of 2 + 2 layers in train mode, another pad_id", training=True,
                   all_end=True),
            greedy(draw, "no room", SMALL, (2, 1), 1, "max_len of 1: room for bos_id alone"),
            greedy(draw, "padding written", SMALL, (4, 5), 8,
                   "a model that writes padding, too, and then continues, up to max_len", pad=2.0),
        ],
    }  # fmt: skip


def remember(draw, name, shape, pieces, max_len, says="", order=None):
    """`shape` is rows, heads and features; before a later piece the rows change their order."""
    rows, heads, d_k = shape
    inputs = {
        "keys": draw.normal(rows, heads, sum(pieces), d_k),
        "values": draw.normal(rows, heads, sum(pieces), d_k),
        "pieces": pieces,
        "max_len": max_len,
    }
    if order:
        inputs["order"] = torch.tensor(order)
    control = "reorder-does-nothing" if order else "length-not-counted"
    return Case(name, "remember", inputs, says=says, control=control)


def project(draw, name, num_heads, shape, says=""):
    inputs = {"num_heads": num_heads, "x": draw.normal(*shape)}
    return Case(name, "project", inputs, says=says, control="swapped")


def ask(draw, name, num_heads, lengths, d_model, says="", mask_shape=None):
    rows, t_q, t_k = lengths
    inputs = {
        "num_heads": num_heads,
        "query": draw.normal(rows, t_q, d_model),
        "source": draw.normal(rows, t_k, d_model),
    }
    if mask_shape:
        inputs["mask"] = draw.mask(*mask_shape)
    return Case(name, "ask", inputs, says=says, control="mask-lost" if mask_shape else "")


def read_on(
    draw, name, sizes, rows, pieces, says="", memory=None, masked=True, control="nothing-remembered"
):
    """With a memory (N, S), the layer is a decoder's, and reads one position a piece."""
    ids = draw.integers(3, 9, rows, sum(pieces))
    ids[-1, 1] = 0  # padding that was written
    inputs = {
        "x": draw.normal(rows, sum(pieces), sizes["d_model"]), "ids": ids, "pieces": pieces, **sizes
    }  # fmt: skip
    if memory:
        inputs["memory"] = draw.normal(*memory, sizes["d_model"])
    if memory and masked:
        inputs["memory_mask"] = draw.mask(memory[0], 1, 1, memory[1])
    if not masked:
        inputs["masked"] = False
    rules = {"keys computed": Rule("between", low=0, high=ids.numel())}
    return Case(name, "read_on", inputs, rules, says=says, control=control)


def step(draw, name, sizes, shape, parent, length, says=""):
    """`parent`, (N, B), is what each prefix continues from the middle on."""
    parent = torch.tensor(parent)
    ids = _words(draw, sizes, *parent.shape, length)
    ids[:, :, 0] = BOS
    ids[0, 0, 1] = _pad_id(sizes)  # padding that was written: nobody may look at it
    inputs = {
        "src": _sources(draw, sizes, *shape),
        "ids": ids,
        "parent": parent,
        "seed": draw.pick(*range(1000)),
        **_vocabularies(sizes),
    }
    rules = {"positions read": Rule("between", low=0, high=1)}
    control = "caches-not-reordered" if parent.size(1) > 1 else "always-at-position-0"
    return Case(name, "step", inputs, rules, says=says, control=control)


def greedy(draw, name, sizes, shape, max_len, says="", training=False, all_end=None, pad=None):
    """A model, and sources whose translations end at many lengths, the shortest one first.

    `all_end` tells whether each of them ends before max_len; None: some may be cut off. `pad` is
    the bias of padding, which is then all that the last column holds; None: the model never writes
    it. Who reads fewer positions than the reference is welcome to, and where there is room for
    bos_id alone, nothing has to be read.
    """
    count, length = shape
    bias = {} if pad is None else {"pad": pad}
    for seed in range(draw.pick(*range(1000)), 10_000):
        src = _sources(draw, sizes, count if max_len == 1 else MANY, length)
        eos = 0.0
        if max_len > 1:
            eos = _eos_for_many_lengths(src, max_len, seed, **bias, **_vocabularies(sizes))
        inputs = {"src": src, "max_len": max_len, "training": False, "seed": seed, "eos": eos}
        inputs |= bias | _vocabularies(sizes)
        rows = range(count) if max_len == 1 else _telling_rows(inputs, count, all_end)
        if rows:
            inputs |= {"src": src[list(rows)], "training": training}
            inputs |= _vocabularies(sizes, training)
            expected = translate(transformer.cached_greedy_decode, **inputs)
            rules = {
                count: Rule("between", low=0, high=expected[count])
                for count in ("positions read", "steps")
            }
            if max_len == 1:
                rules["sources read"] = Rule("between", low=0, high=1)
            control = "" if max_len == 1 else "nobody-ends"
            return Case(name, "translate", inputs, rules, says=says, control=control)
    raise ValueError(f"no model of {sizes} writes translations of many lengths")


MANY = 64  # sources, of which the most telling ones are taken


def _telling_rows(inputs, count, all_end):
    """`count` rows of the sources, of many lengths; no rows if there are none such.

    Where padding is written, one of them ends by none of the two, and one tells that padding is no
    end.
    """
    decode = transformer.cached_greedy_decode
    right = translate(decode, **inputs)["ids"]
    ends = [_length(row) for row in right.tolist()]
    fit = torch.tensor([end < inputs["max_len"] or not all_end for end in ends])
    chosen = []
    if "pad" in inputs:
        fit = fit & (right[:, -1] == _pad_id(inputs))
        wrong = translate(_changed(decode, *ENDED_BY_PADDING), **inputs)["ids"]
        seen = fit & _rows_differ(right, wrong)
        unended = [row for row, ids in enumerate(right.tolist()) if fit[row] and EOS not in ids][:1]
        if not unended or not seen.any():
            return []
        chosen = unended if seen[unended].any() else [*unended, int(seen.nonzero()[0])]
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
