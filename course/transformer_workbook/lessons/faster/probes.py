"""How the components of lesson 12 are called.

What they make faster are stand-ins of earlier lessons, with known weights.
"""

import copy
import re
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm
from transformer_workbook.lessons.encoder_and_decoder.standins import DecoderLayer, EncoderLayer
from transformer_workbook.lessons.full_model.standins import make_model
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention
from transformer_workbook.shared.probing import fill_parameters, gradients, named
from transformer_workbook.shared.words import GRADIENTS_RECORDED, Wording, count_of, wording

BOS, EOS = 1, 3


ONE_KERNEL = Wording(wrong="It was not done by exactly one call of torch's fused function.")
MODES = Wording(
    "the mode",
    when={
        "train": "Parts of the model that were in eval mode are left in train mode.",
        "eval": "Parts of the model that were in train mode are left in eval mode.",
        "train and eval": "Some parts of the model are left in train mode, others in eval mode.",
    },
)
GIVEN_BACK = Wording(wrong="The model was not left as it was: parts of it are still replaced.")
SOURCES_READ = Wording(
    "the count of encoder calls",
    "The source was read {actual} times; once is enough.",
    {"0": "The source was never read."},
)
FUSED_NORMS = Wording(
    "the count of fused norms",
    "{actual} norms are fused; expected {expected}.",
    {"1": "1 norm is fused; expected {expected}."},
)


@wording(
    {
        "one kernel": ONE_KERNEL,
        "num_heads": "the attribute `num_heads`",
        "shares its weights": Wording(
            wrong="The projections are copies: share those of the attention that was passed."
        ),
        "computed with them": Wording(
            wrong="The output does not depend on all weights of the attention that was passed: "
            "some get no gradient, so training would never change what is computed."
        ),
    }
)
def attend(fused_class, num_heads, query, key, value, mask=None):
    """Output and gradients in evaluation, whether one kernel did it, and with which weights."""
    attention = _attention(query, num_heads)
    fused = fused_class(attention).eval()
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    with _Counted(F.scaled_dot_product_attention) as kernel:
        output = fused(query, key, value, mask)
    projections = [name for name, _ in attention.named_children() if name.startswith("w_")]
    weights = {name: getattr(attention, name).weight for name in projections}
    reached = gradients(output, weights).values()
    return {
        "output": output,
        **gradients(output, leaves),
        "one kernel": kernel.calls == 1,
        "num_heads": named(fused, "num_heads"),
        "shares its weights": all(
            getattr(named(fused, name), "weight", None) is weight
            for name, weight in weights.items()
        ),
        "computed with them": all(grad is not None and grad.any().item() for grad in reached),
    }


def drop(fused_class, num_heads, x):
    """In evaluation nothing is dropped; in training after it, by dropout of 1, all weights are."""
    fused = fused_class(_attention(x, num_heads, dropout=1.0))
    in_evaluation = fused.eval()(x, x, x)
    return {"output in training": fused.train()(x, x, x), "output in evaluation": in_evaluation}


@wording(
    {
        "weights dropped": Wording(
            "the share of the weights that are dropped",
            "A share of {actual} of the weights is dropped; it should be between {low} and {high}.",
            {"0": "No weight is dropped in training mode."},
        ),
        "whole heads": Wording(
            wrong="Single numbers of what the heads found are dropped. Dropout acts on the "
            "weights: where the only one is dropped, the head finds zeros and nothing else.",
        ),
        "what is kept": "the factor that kept weights are scaled by",
    }
)
def drop_some(fused_class, num_heads, shape, p):
    """With one key, a head finds the value or, where its only weight is dropped, zeros.

    The projections leave x as it is, which is ones.
    """
    attention = _attention(torch.ones(shape), num_heads, dropout=p)
    with torch.no_grad():
        for linear in (attention.w_v, attention.w_o):
            linear.weight.copy_(torch.eye(shape[-1]))
            linear.bias.zero_()
    fused = fused_class(attention).train()
    key = torch.ones(shape[0], 1, shape[-1])
    torch.manual_seed(0)  # what wrong answers return depends on what is dropped
    output = fused(torch.ones(shape), key, key)
    if not isinstance(output, torch.Tensor) or output.shape != torch.Size(shape):
        return {"what is kept": output}
    kept = (output != 0).unflatten(-1, (num_heads, -1))  # (N, T, H, d_k)
    return {
        "whole heads": bool((kept.all(-1) == kept.any(-1)).all()),
        "weights dropped": 1 - kept.any(-1).double().mean().item(),
        "what is kept": output.sum() / kept.sum().clamp(min=1),
    }


@wording({"one kernel": ONE_KERNEL, "names of weights": "the list of the names of its weights"})
def normalize(fused_class, x, eps):
    norm = fill_parameters(LayerNorm(x.size(-1), eps)).to(x.dtype)
    x.requires_grad_()
    with _Counted(F.layer_norm, torch.layer_norm) as kernel:
        fused = fused_class(norm)
        output = fused(x)
    found = gradients(output, {"x": x} | dict(norm.named_parameters()))
    return {
        "output": output,
        **found,
        "one kernel": kernel.calls == 1 and output is kernel.made,
        "names of weights": sorted(fused.state_dict()),
    }


@wording(
    {
        "without a table": Wording(
            wrong="A table with as many numbers as log_probs was filled in. The sums need none."
        )
    }
)
def smooth(loss_class, logits, target, pad_id, smoothing=None):
    options = [] if smoothing is None else [smoothing]
    loss_fn = loss_class(logits.size(-1), pad_id, *options)
    logits.requires_grad_()
    with _Made(logits.numel()) as made:
        loss = loss_fn(logits.log_softmax(dim=-1), target)
    found = gradients(loss, {"logits": logits})
    return {"loss": loss, **found, "without a table": made.tables == 0}


@wording(
    {
        "what came back": Wording(
            "the result",
            "The result is of type {actual}; expected the model.",
            {"another model": "The result is another model; expected the one that was given."},
        ),
        "weights of its own": count_of(
            "The fused model has a weight of its own, which the model did not have.",
            "The fused model has {actual} weights of its own, which the model did not have.",
        ),
        "before": "the result before fusing",
        "after": "the result of the fused model",
        "fused attentions": Wording(
            "the count of fused attentions",
            "{actual} attentions are fused; expected {expected}.",
            {"1": "1 attention is fused; expected {expected}."},
        ),
        "fused norms": FUSED_NORMS,
        "names of weights lost": Wording(
            "the list of lost names", "Weights are no longer found under their names: {actual}."
        ),
        "new names of weights": Wording(
            "the list of new names", "Weights have names that they did not have: {actual}."
        ),
        "modes": MODES,
        "fused norms of an encoder": FUSED_NORMS,
    }
)
def fuse_a_model(fuse, src, tgt, training=False, **sizes):
    model = opinionated(0, **sizes)
    names, weights = list(model.state_dict()), list(model.parameters())
    before = model.eval()(src, tgt)
    model.train(training)
    actual = fuse(model)
    fused = actual if isinstance(actual, nn.Module) else model
    modes = _modes_of_parts(fused)
    kinds = _kinds_in_place(fused)
    encoder = fuse(opinionated(0, **sizes).encoder)  # its norm is in no other part
    kind = "the model" if actual is model else "another model"
    return {
        "what came back": kind if fused is actual else type(actual).__name__,
        "weights of its own": sum(
            all(one is not other for other in weights) for one in fused.parameters()
        ),
        "before": before.float(),
        "after": fused.eval()(src, tgt).float(),
        "fused attentions": kinds.count("FusedMultiHeadAttention"),
        "fused norms": kinds.count("FusedLayerNorm"),
        "names of weights lost": sorted(set(names) - set(fused.state_dict())),
        "new names of weights": sorted(set(fused.state_dict()) - set(names)),
        "modes": modes,
        "fused norms of an encoder": _kinds_in_place(encoder).count("FusedLayerNorm"),
    }


def _kinds_in_place(model):
    """The classes of all parts that are found by a name of their own, not by a path with dots."""
    named = [child for part in model.modules() for child in part.named_children()]
    return [type(part).__name__ for name, part in named if "." not in name]


@wording(
    {
        "keys *": "the tensor of keys after call {rest}",
        "values *": "the tensor of values after call {rest}",
        "length": Wording("the length", "The length is {actual}; expected {expected}."),
        "room made once": Wording(
            wrong="All keys or values were copied to another place, though there is room for "
            "max_len positions from the first call on."
        ),
    }
)
def remember(cache_class, keys, values, pieces, max_len, order=None):
    """What a cache returns, call by call, while another one is used, too.

    With an `order`, the rows change to it before each call but the first.
    """
    # Copies, since a module that was used is there in the second run, with what it holds.
    cache, other = (copy.deepcopy(cache_class(max_len)) for _ in range(2))
    found, places, end = {}, [], 0
    for number, count in enumerate(pieces, start=1):
        if order is not None and number > 1:
            named(cache, "reorder")(order)
            keys, values = keys[order], values[order]
        start, end = end, end + count
        new = keys[:, :, start:end].clone(), values[:, :, start:end].clone()
        kept_keys, kept_values = named(cache, "append")(*new)
        named(other, "append")(*(one[:, :, :1] + 1 for one in new))
        found |= {f"keys {number}": kept_keys.clone(), f"values {number}": kept_values.clone()}
        places.append((kept_keys.data_ptr(), kept_values.data_ptr()))
    return {
        **found,
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
    attention = _attention(x, num_heads).eval()
    keys, values = keys_and_values(attention, x)
    later_keys, later_values = keys_and_values(attention, x[:, 1:] + 1)
    return {
        "keys": keys,
        "values": values,
        "keys of others": later_keys,
        "values of others": later_values,
    }


def ask(attend, num_heads, query, source, mask=None):
    """An attention that is given the keys and values of a source."""
    attention = _attention(query, num_heads, dropout=1.0).eval()
    past = _past(attention, source)
    with _Counted():
        return {"output": attend(attention, query, *past, *(() if mask is None else (mask,)))}


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
    options = {}
    if memory is not None:
        options = {"memory": _past(layer.cross_attn, memory)}
    if memory_mask is not None:
        options["memory_mask"] = memory_mask
    cache, found, end = _Past(), {}, 0
    no_future = torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril()
    with torch.no_grad(), _Counted(), _rows_of(layer.self_attn.w_k) as keys:
        for number, count in enumerate(pieces, start=1):
            start, end = end, end + count
            mask = no_future[start:end, :end] & (ids[:, None, None, :end] != 0)
            masks = [mask] if masked else []
            found[f"output {number}"] = cached_layer(
                layer, x[:, start:end], cache, *masks, **options
            )
    return {**found, "keys kept": cache.past[0].size(2), "keys computed": sum(keys)}


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
    parts, found, sources = list(model.modules()), {}, []
    hook = _on_call(model.encoder, sources.append)
    rows, length = ids.flatten(0, 1), ids.size(2)
    first = ids.size(1) * torch.arange(len(ids)).unsqueeze(1)
    with torch.no_grad(), _rows_of(model.decoder.layers[0].feed_forward) as read:
        decoder = decoder_class(model, src, length + 1)
        for place in range(length):
            if place == length // 2:
                order = (first + parent).flatten()
                named(decoder, "reorder")(order)
                rows = torch.cat([rows[order, :place], rows[:, place:]], dim=1)
            log_probs = named(decoder, "step")(rows[:, : place + 1])
            found[f"log_probs {place}"] = log_probs.log_softmax(dim=-1).float()
    hook.remove()
    return {
        **found,
        "sources read": len(sources),
        "positions read": max(read, default=0) // len(rows),
        "model given back": _is_made_of(model, parts),
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
    }
)
def translate(decode, src, seed, max_len, eos, training=False, pad=None, **sizes):
    """What was written, and what it took. `pad` is the bias of padding; None: it writes none."""
    model = opinionated(seed, eos, **({} if pad is None else {"pad": pad}), **sizes).train(training)
    parts, steps, sources, recorded = list(model.modules()), [], [], []
    hooks = [
        _on_call(model.generator, steps.append),
        _on_call(model.encoder, sources.append),
        _on_call(model.generator, lambda _: recorded.append(torch.is_grad_enabled())),
    ]
    with _rows_of(model.decoder.layers[0].feed_forward) as read:
        ids = decode(model, src, max_len, BOS, EOS)
    for hook in hooks:
        hook.remove()
    return {
        "ids": ids,
        "positions read": sum(read),
        "steps": len(steps),
        "sources read": len(sources),
        "with gradients": any(recorded),
        "model given back": _is_made_of(model, parts),
        "modes": _modes_of_parts(model),
    }


@wording({"share": "the share"})
def utilize(utilization, weights, ids, pad_id, seconds, peak):
    """The share, which may be a float or a tensor of one number."""
    share = utilization(weights, ids, pad_id, seconds, peak)
    one_number = isinstance(share, torch.Tensor) and share.numel() == 1
    return {"share": share.item() if one_number else share}


def _attention(like, num_heads, dropout=0.0):
    attention = MultiHeadAttention(like.size(-1), num_heads, dropout=dropout)
    return fill_parameters(attention).to(like.dtype)


def opinionated(seed, eos=1.0, pad=-30.0, **sizes):
    """A model with strong opinions that depend on the source, in float64: no close calls.

    `eos` is added to the bias of <eos>, and `pad` is that of padding: at -30 it never writes any.
    """
    model = fill_parameters(make_model(**sizes), seed)
    for number, layer in enumerate([*model.encoder.layers, *model.decoder.layers]):
        fill_parameters(layer, seed + number)  # no two of them alike
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "src_embed" in name or "cross_attn" in name:
                parameter.mul_(2)
        model.generator.proj.weight.mul_(4)
        model.generator.proj.bias[model.pad_id] = pad
        model.generator.proj.bias[EOS] += eos
    return model.double()


def _past(attention, source):
    """Keys and values of a source's vectors, (N, H, T, d_k) each."""
    made = attention.w_k(source), attention.w_v(source)
    return [x.unflatten(2, (attention.num_heads, -1)).transpose(1, 2) for x in made]


class _Past:
    """A cache for any number of positions; it does not know how many will come."""

    def __init__(self):
        self.past = None

    def append(self, *new):
        self.past = new if self.past is None else list(map(_longer, self.past, new))
        return self.past


def _longer(before, after):
    return torch.cat([before, after], dim=2)


class _Counted(TorchFunctionMode):
    """While this lasts, `calls` counts how often one of these functions is called.

    `made` is what the last such call returned. Under which name the caller knows the function
    makes no difference.
    """

    def __init__(self, *functions):
        super().__init__()
        self.functions, self.calls, self.made = functions, 0, None

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is F.scaled_dot_product_attention:
            _refuse_unequal(*args, **kwargs)
        made = function(*args, **kwargs)
        if any(function is one for one in self.functions):
            self.calls, self.made = self.calls + 1, made
        return made


class _Made(TorchDispatchMode):
    """While this lasts, `tables` counts the tables that are filled in.

    A table has `size` numbers or more, and no tensor of that size is read to make it.
    """

    def __init__(self, size):
        super().__init__()
        self.size, self.tables = size, 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        made = operator(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor) and (
            made.untyped_storage().nbytes() >= self.size * made.element_size() > 0
        ):
            self.tables += made.numel() >= self.size and self._is_filled_in(operator, args)
        return made

    def _is_filled_in(self, operator, args):
        """Whether no tensor of that size is read: of `zeros_like(x)`, only the shape of x is."""
        read = [one.numel() for one in args if isinstance(one, torch.Tensor)]
        return bool(re.search("_like|new_", operator.name())) or max(read, default=0) < self.size


def _refuse_unequal(query, key, value, *others, **options):
    """On a CPU the kernel does not look at these lengths, and reads beyond the end of a tensor.

    What torch refuses by itself is left to it: its message tells more.
    """
    of_torch = key.shape[:-2] != value.shape[:-2] or key.size(-1) != query.size(-1)
    if not of_torch and key.size(-2) != value.size(-2):
        raise RuntimeError(f"{key.size(-2)} keys and {value.size(-2)} values: each key has a value")


def _on_call(module, note):
    """Tell `note` the first argument of each call of a module, until the hook is removed."""

    def hook(_, args, kwargs):
        note([*args, *kwargs.values()][0])

    return module.register_forward_pre_hook(hook, with_kwargs=True)


def _is_made_of(model, parts):
    """Whether a model's parts are the very ones that it had."""
    now = list(model.modules())
    return len(now) == len(parts) and all(a is b for a, b in zip(now, parts, strict=True))


def _modes_of_parts(model):
    """The mode of a model's parts: "train", "eval", or "train and eval"."""
    modes = {part.training for part in model.modules()}
    return " and ".join([*["train"] * (True in modes), *["eval"] * (False in modes)])


@contextmanager
def _rows_of(linear):
    """How many vectors each call of a projection is given."""
    seen = []
    hook = _on_call(linear, lambda x: seen.append(x[..., 0].numel()))
    try:
        yield seen
    finally:
        hook.remove()
