# Derived from autograder/lessons/12-faster/probes.py: do not edit.
"""How the components of lesson 12 are called.

What they make faster are stand-ins of earlier lessons, with known weights.
"""

from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F

from transformer_workbook.probing import fill_parameters, gradients
from transformer_workbook.standins.add_and_norm import LayerNorm
from transformer_workbook.standins.full_model import make_model
from transformer_workbook.standins.multi_head_attention import MultiHeadAttention

BOS, EOS = 1, 2


def attend(fused_class, num_heads, query, key, value, mask=None):
    """Output and gradients in evaluation, and whether one kernel did it."""
    attention = _attention(query, num_heads)
    fused = fused_class(attention).eval()
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    with _counting("scaled_dot_product_attention") as calls:
        output = fused(query, key, value, mask)
    shared = [fused.get_parameter(name) is one for name, one in attention.named_parameters()]
    return {
        "output": output,
        **gradients(output, leaves),
        "one kernel": calls == [1],
        "shares its weights": all(shared),
    }


def drop(fused_class, num_heads, x):
    """With dropout of 1 no weight is left in training; in evaluation, nothing is dropped."""
    fused = fused_class(_attention(x, num_heads, dropout=1.0))
    in_training = fused.train()(x, x, x)
    return {"output in training": in_training, "output in evaluation": fused.eval()(x, x, x)}


def normalize(fused_class, x, eps):
    norm = fill_parameters(LayerNorm(x.size(-1), eps)).to(x.dtype)
    x.requires_grad_()
    with _counting("layer_norm") as calls:
        output = fused_class(norm)(x)
    found = gradients(output, {"x": x} | dict(norm.named_parameters()))
    return {"output": output, **found, "one kernel": calls == [1]}


def smooth(loss_class, logits, target, pad_id, smoothing=None):
    options = [] if smoothing is None else [smoothing]
    loss_fn = loss_class(logits.size(-1), pad_id, *options)
    logits.requires_grad_()
    loss = loss_fn(logits.log_softmax(dim=-1), target)
    return {"loss": loss, **gradients(loss, {"logits": logits})}


def drop_numbers(fast_class, shape, p):
    """What is dropped of many ones, what is left of the others, and how gradients follow."""
    fast = fast_class(nn.Dropout(p)).train()
    x = torch.ones(shape, requires_grad=True)
    output = fast(x)
    (gradient,) = torch.autograd.grad(output.sum(), x)
    kept = output != 0
    again = fast(x) != 0
    return {
        "shape": list(output.shape),
        "dtype stays": output.dtype == x.dtype,
        "share dropped": 1 - kept.double().mean().item(),
        "what is kept": output.sum() / (x * kept).sum().clamp(min=1e-9),
        "gradient follows": bool(((gradient != 0) == kept).all()),
        "dropped twice": (~kept & ~again).double().mean().item(),
        "output in evaluation": fast.eval()(x.flatten()[:12]),
    }


def fuse_a_model(fuse, src, tgt, training=False, **sizes):
    model = opinionated(0, **sizes)
    names = list(model.state_dict())
    before = model.eval()(src, tgt)
    model.train(training)
    fused = fuse(model)
    modes = {part.training for part in fused.modules()}
    kinds = [type(part).__name__ for part in fused.modules()]
    outside = [part for part in fused.modules() if not hasattr(part, "w_q")]
    children = [child for part in outside for child in part.children()]
    return {
        "before": before.float(),
        "after": fused.eval()(src, tgt).float(),
        "fused attentions": kinds.count("FusedMultiHeadAttention"),
        "fused norms": kinds.count("FusedLayerNorm"),
        "plain dropouts left": sum(isinstance(child, nn.Dropout) for child in children),
        "names of the weights": list(fused.state_dict()),
        "names stayed": list(fused.state_dict()) == names,
        "modes": sorted(modes),
    }


def write(cached_class, num_heads, x, ids, order):
    """Self-attention, position by position; in the middle the rows change their order."""
    attention = _attention(x, num_heads).eval()
    cached, outputs = cached_class(attention), []
    with torch.no_grad(), _rows_of(attention.w_k) as keys, _rows_of(attention.w_v) as values:
        for place in range(x.size(1)):
            if place == x.size(1) // 2:
                x, ids = x[order], ids[order]
                cached.keep(order, torch.ones(len(order), 1, dtype=torch.bool))
            mask = (ids[:, : place + 1] != 0)[:, None, None, :]
            mask = None if (ids != 0).all() else mask
            newest = x[:, place : place + 1].clone()
            outputs.append(cached(newest, newest, newest, mask))
    return {
        **{f"output {place}": output for place, output in enumerate(outputs)},
        "keys computed": sum(keys),
        "values computed": sum(values),
    }


def consult(cached_class, num_heads, x, memory, mask, alive):
    """Cross-attention, position by position: one row for each sentence, then those alive.

    x is (N, B, steps, D), alive (steps - 1, N, B).
    """
    attention = _attention(x, num_heads).eval()
    cached, outputs = cached_class(attention), []
    newest, sentence = x[:, 0, 0], torch.arange(len(x))
    with torch.no_grad(), _rows_of(attention.w_k) as keys, _rows_of(attention.w_v) as values:
        for place in range(x.size(2)):
            if place > 0:
                now = alive[place - 1]
                before, sentence = sentence, now.nonzero()[:, 0]
                rows = (before == sentence.unsqueeze(1)).int().argmax(dim=1)
                cached.keep(rows, now)
                newest = x[:, :, place][now]
            outputs.append(cached(newest.unsqueeze(1), memory, memory, mask))
    return {
        **{f"output {place}": output for place, output in enumerate(outputs)},
        "keys computed": sum(keys),
        "values computed": sum(values),
    }


def step(decoder_class, src, ids, alive, parent, last, seed, training=False, **sizes):
    """Log-probabilities position by position, of ids (N, B, length).

    Each sentence has one row at first, then those alive, (N, B); at the end some of these are
    last, (N, B), and go on from their parent.
    """
    model = opinionated(seed, **sizes).train(training)
    parts = list(model.modules())
    read, found = [], {}
    hook = model.decoder.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0]))
    half, length = ids.size(2) // 2, ids.size(2)
    ids = torch.cat([ids[:, :1, :half].expand(-1, ids.size(1), -1), ids[:, :, half:]], dim=2)
    rows = ids[:, 0]
    with torch.no_grad(), decoder_class(model, src) as decoder:
        for place in range(length):
            if place == half:
                decoder.keep(alive.nonzero()[:, 0], alive)
                rows = ids[alive]
            if place == length - 1:
                places = torch.full(alive.shape, -1)
                places[alive] = torch.arange(int(alive.sum()))
                decoder.keep(places.gather(1, parent)[last], last)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                rows = torch.cat([grown[:, :, :-1], ids[:, :, -1:]], dim=2)[last]
            log_probs = decoder.step(rows[:, : place + 1])
            found[f"log_probs {place}"] = log_probs.log_softmax(dim=-1).float()
    hook.remove()
    after = list(model.modules())
    same = len(after) == len(parts) and all(a is b for a, b in zip(after, parts, strict=True))
    return {
        **found,
        "positions read": max(x.size(1) for x in read),
        "model given back": same,
        "left in train mode": model.training,
    }


def translate(decode, src, seed, max_len, eos, training=False, options=None, **sizes):
    """What was written, without padding at the end of all rows, and what it took."""
    model = opinionated(seed, eos, **sizes).train(training)
    parts, read, sources = list(model.modules()), [], []
    hooks = [
        model.decoder.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0].shape)),
        model.encoder.register_forward_pre_hook(lambda _, inputs: sources.append(1)),
    ]
    ids = decode(model, src, max_len, BOS, EOS, **_named(options))
    for hook in hooks:
        hook.remove()
    while ids.dim() == 2 and ids.size(1) > 1 and (ids[:, -1] == model.pad_id).all():
        ids = ids[:, :-1]
    after = list(model.modules())
    same = len(after) == len(parts) and all(a is b for a, b in zip(after, parts, strict=True))
    return {
        "ids": ids,
        "positions read": sum(shape[0] * shape[1] for shape in read),
        "sources read": len(sources),
        "model given back": same,
        "left in train mode": model.training,
    }


def utilize(utilization, weights, ids, pad_id, seconds, peak):
    return {"share": utilization(weights, ids, pad_id, seconds, peak)}


def _named(options):
    return dict(zip(("beam_size", "length_penalty"), options or [], strict=False))


def _attention(like, num_heads, dropout=0.0):
    attention = MultiHeadAttention(like.size(-1), num_heads, dropout=dropout)
    return fill_parameters(attention).to(like.dtype)


def opinionated(seed, eos=1.0, **sizes):
    """A model with strong opinions that depend on the source, in float64: no close calls."""
    model = fill_parameters(make_model(**sizes), seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "src_embed" in name or "cross_attn" in name:
                parameter.mul_(2)
        model.generator.proj.weight.mul_(4)
        model.generator.proj.bias[model.pad_id] = -30
        model.generator.proj.bias[EOS] += eos
    return model.double()


@contextmanager
def _counting(name):
    """How often this function of torch.nn.functional is called, as a list of one number."""
    original, calls = getattr(F, name), [0]

    def counted(*args, **kwargs):
        calls[0] += 1
        return original(*args, **kwargs)

    setattr(F, name, counted)
    try:
        yield calls
    finally:
        setattr(F, name, original)


@contextmanager
def _rows_of(linear):
    """How many vectors each call of a projection is given."""
    seen = []
    hook = linear.register_forward_pre_hook(
        lambda _, inputs: seen.append(inputs[0][..., 0].numel())
    )
    try:
        yield seen
    finally:
        hook.remove()
