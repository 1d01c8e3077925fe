"""How the components of lesson 13 are called."""

import copy
from contextlib import suppress

import torch

from transformer_workbook.lessons.encoder_and_decoder.standins import DecoderLayer, EncoderLayer
from transformer_workbook.lessons.fused_parts.probes import (
    MODES,
    Counted,
    attention_of,
    modes_of_parts,
    opinionated,
)
from transformer_workbook.shared.probing import fill_parameters, named
from transformer_workbook.shared.words import GRADIENTS_RECORDED, Wording, wording

BOS, EOS = 1, 3

GIVEN_BACK = Wording(wrong="The model was not left as it was: parts of it are still replaced.")
SOURCES_READ = Wording(
    "the count of encoder calls",
    "The source was read {actual} times; once is enough.",
    {"0": "The source was never read."},
)


@wording(
    {
        "keys *": "the tensor of keys after call {rest}",
        "values *": "the tensor of values after call {rest}",
        "length": Wording("the length", "The length is {actual}; expected {expected}."),
        "room made once": Wording(
            wrong="All keys or values were copied to another place. There should be room for "
            "max_len positions from the first call on."
        ),
    }
)
def remember(cache_class, keys, values, pieces, max_len, order=None):
    """What a cache returns, call by call, while another one is used, too.

    With an `order`, the rows change to it before each call but the first.
    """
    # Copies, since a module that was used is there in the second run, with what it holds.
    cache, second = (copy.deepcopy(cache_class(max_len)) for _ in range(2))
    kept, places, end = {}, [], 0
    for number, count in enumerate(pieces, start=1):
        if order is not None and number > 1:
            named(cache, "reorder")(order)
            keys, values = keys[order], values[order]
        start, end = end, end + count
        new = keys[:, :, start:end].clone(), values[:, :, start:end].clone()
        kept_keys, kept_values = named(cache, "append")(*new)
        named(second, "append")(*(part[:, :, :1] + 1 for part in new))
        kept |= {f"keys {number}": kept_keys.clone(), f"values {number}": kept_values.clone()}
        places.append((kept_keys.data_ptr(), kept_values.data_ptr()))
    return {
        **kept,
        "length": named(cache, "length"),
        "room made once": order is not None or len(set(places)) == 1,
    }


@wording(
    {
        "keys": "the tensor of keys",
        "values": "the tensor of values",
        "keys of others": "the tensor of keys of other vectors, asked of the same attention,",
        "values of others": "the tensor of values of other vectors, asked of the same attention,",
    }
)
def project(keys_and_values, num_heads, x):
    attention = attention_of(x, num_heads).eval()
    keys, values = keys_and_values(attention, x)
    later_keys, later_values = keys_and_values(attention, x[:, 1:] + 1)
    return {
        "keys": keys,
        "values": values,
        "keys of others": later_keys,
        "values of others": later_values,
    }


@wording({"output": "the output", "output in train mode": "the output in train mode"})
def ask(attend, num_heads, query, source, mask=None):
    """An attention, in eval and in train mode, that is given the keys and values of a source."""
    attention = attention_of(query, num_heads, dropout=1.0).eval()
    given = (query, *_past(attention, source), *(() if mask is None else (mask,)))
    with Counted():
        output = attend(attention, *given)
        return {"output": output, "output in train mode": attend(attention.train(), *given)}


COMPUTED = {
    "output *": "the output of call {rest}",
    "keys kept": Wording(
        "the count of keys in the cache",
        "The cache has {actual} keys for each row; expected {expected}, one for each position.",
    ),
    "keys computed": Wording(
        "the count of keys",
        "{actual} keys were computed, but {high} are enough: none has to be computed twice.",
    ),
}


@wording(COMPUTED)
def read_on(cached_layer, x, ids, pieces, memory=None, memory_mask=None, masked=True, **sizes):
    """What a layer makes of rows x, (R, T, D), piece by piece.

    It is a decoder's layer where it has a memory, (N, S, D), and else an encoder's. Unless
    `masked`, no mask is passed: each piece sees all that was read.
    """
    kind = EncoderLayer if memory is None else DecoderLayer
    layer = kind(dropout=0.0, **sizes)
    for seed, part in enumerate([*layer.children(), *layer.sublayers]):
        fill_parameters(part, seed)  # no two of them alike
    layer = layer.to(x.dtype).eval()
    options = {} if memory_mask is None else {"memory_mask": memory_mask}
    if memory is not None:
        options["memory"] = _past(layer.cross_attn, memory)
    cache, outputs, end = _Past(), {}, 0
    no_future = torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril()
    keys = _rows_of(layer.self_attn.w_k)
    with torch.no_grad(), Counted():
        for number, count in enumerate(pieces, start=1):
            start, end = end, end + count
            mask = no_future[start:end, :end] & (ids[:, None, None, :end] != 0)
            masks = [mask] if masked else []
            new = x[:, start:end]
            outputs[f"output {number}"] = cached_layer(layer, new, cache, *masks, **options)
    return {**outputs, "keys kept": cache.past[0].size(2), "keys computed": sum(keys)}


@wording(
    {
        "log_probs *": "the tensor of log-probabilities at position {rest}",
        "positions read": Wording(
            "the count of positions that a layer reads",
            "In one step a layer read {actual} positions of a row; the newest one is enough.",
        ),
        "sources read": SOURCES_READ,
        "model given back": GIVEN_BACK,
    }
)
def step(decoder_class, src, ids, parent, seed, **sizes):
    """Log-probabilities position by position, of ids (N, B, length).

    In the middle each prefix continues its parent, (N, B), another one of the same source.
    """
    model = opinionated(seed, **sizes).eval()
    parts, steps, sources = list(model.modules()), {}, []
    _on_call(model.encoder, sources.append)
    rows, length = ids.flatten(0, 1), ids.size(2)
    first = ids.size(1) * torch.arange(len(ids)).unsqueeze(1)
    read = _rows_of(model.decoder.layers[0].feed_forward)
    with torch.no_grad():
        decoder = decoder_class(model, src, length + 1)
        for place in range(length):
            if place == length // 2:
                order = (first + parent).flatten()
                named(decoder, "reorder")(order)
                rows = torch.cat([rows[order, :place], rows[:, place:]], dim=1)
            log_probs = named(decoder, "step")(rows[:, : place + 1])
            steps[f"log_probs {place}"] = log_probs.log_softmax(dim=-1).float()
    return {
        **steps,
        "sources read": len(sources),
        "positions read": max(read, default=0) // len(rows),
        "model given back": parts == list(model.modules()),
    }


@wording(
    {
        "positions read": Wording(
            "the count of positions that the decoder reads",
            "The decoder read {actual} positions in all, but {high} are enough.",
            {"1": "The decoder read 1 position, though there was nothing to write."},
        ),
        "steps": Wording(
            "the count of steps",
            "There were {actual} steps, but {high} are enough.",
            {"1": "There was a step, though there was nothing to write."},
        ),
        "sources read": SOURCES_READ,
        "with gradients": GRADIENTS_RECORDED,
        "model given back": GIVEN_BACK,
        "modes": MODES,
        "modes after an error": Wording(
            "the mode after an error",
            "After an error in the middle the model was left in another mode than it had.",
        ),
    }
)
def translate(decode, src, seed, max_len, eos, training=False, pad=None, **sizes):
    """What was written, and what it took. `pad` is the bias of padding; None: it writes none."""
    model = opinionated(seed, eos, **({} if pad is None else {"pad": pad}), **sizes).train(training)
    parts, sources, recorded = list(model.modules()), [], []
    _on_call(model.encoder, sources.append)
    _on_call(model.generator, lambda _: recorded.append(torch.is_grad_enabled()))
    read = _rows_of(model.decoder.layers[0].feed_forward)
    ids = decode(model, src, max_len, BOS, EOS)
    evidence = {
        "ids": ids,
        "positions read": sum(read),
        "steps": len(recorded),
        "sources read": len(sources),
        "with gradients": any(recorded),
        "model given back": parts == list(model.modules()),
        "modes": modes_of_parts(model),
    }
    _on_call(model.train(training).generator, lambda _: 1 / 0)
    with suppress(ZeroDivisionError):
        decode(model, src, max_len, BOS, EOS)
    return {**evidence, "modes after an error": modes_of_parts(model)}


def _past(attention, source):
    """Keys and values of a source's vectors, (N, H, T, d_k) each."""
    made = attention.w_k(source), attention.w_v(source)
    return [x.unflatten(2, (attention.num_heads, -1)).transpose(1, 2) for x in made]


class _Past:
    """A cache for any number of positions; it does not know how many will come."""

    def __init__(self):
        self.past = None

    def append(self, *new):
        if self.past is not None:
            new = [torch.cat(pair, dim=2) for pair in zip(self.past, new, strict=False)]
        self.past = new
        return self.past


def _on_call(module, note):
    """Tell `note` the first argument of each call of a module from now on."""

    def hook(_, args, kwargs):
        note([*args, *kwargs.values()][0])

    module.register_forward_pre_hook(hook, with_kwargs=True)


def _rows_of(linear):
    """A list that notes how many vectors each call of a projection is given."""
    seen = []
    _on_call(linear, lambda x: seen.append(x[..., 0].numel()))
    return seen
