"""How the components of lesson 12 are called.

What they make faster are stand-ins of earlier lessons, with known weights.
"""

import re
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm
from transformer_workbook.lessons.full_model.standins import make_model
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention
from transformer_workbook.shared.probing import fill_parameters, gradients, named, without_padding
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
FUSED_NORMS = Wording(
    "the count of fused norms",
    "{actual} norms are fused; expected {expected}.",
    {"1": "1 norm is fused; expected {expected}."},
)
COMPUTED = {
    "output *": "the output at position {rest}",
    "keys computed": Wording(
        "the count of keys",
        "{actual} keys were computed, but {high} are enough: none has to be computed twice.",
    ),
    "values computed": Wording(
        "the count of values",
        "{actual} values were computed, but {high} are enough: none has to be computed twice.",
    ),
}


@wording(
    {
        "one kernel": ONE_KERNEL,
        "shares its weights": Wording(
            wrong="The projections are not those of the attention that was passed: its weights "
            "should be shared, not copied."
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
        "shares its weights": all(
            getattr(named(fused, name), "weight", None) is weight
            for name, weight in weights.items()
        ),
        "computed with them": all(grad is not None and grad.any().item() for grad in reached),
    }


def drop(fused_class, num_heads, x):
    """With dropout of 1 no weight is left in training; in evaluation, nothing is dropped."""
    fused = fused_class(_attention(x, num_heads, dropout=1.0))
    in_training = fused.train()(x, x, x)
    return {"output in training": in_training, "output in evaluation": fused.eval()(x, x, x)}


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
        "one kernel": kernel.calls == 1,
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
        "shape": "the shape of the output",
        "dtype stays": Wording(wrong="The output and the input differ in dtype."),
        "share dropped": Wording(
            "the share of what is dropped",
            "A share of {actual} is dropped; it should be between {low} and {high}.",
            {"0": "Nothing is dropped in training mode."},
        ),
        "what is kept": "the factor that the output is scaled by",
        "gradient follows": Wording(
            wrong="The gradient does not go exactly where the output was kept."
        ),
        "drawn again": Wording(
            wrong="Two calls in a row drop the same numbers more often, or less often, than they "
            "would if each number had a draw of its own in each call.",
        ),
        "drawn one by one": Wording(
            wrong="Neighbors, or numbers at another fixed distance, are dropped together more "
            "often, or less, than chance would. Each number needs a draw of its own.",
        ),
        "gradient in evaluation": Wording(wrong="In evaluation, no gradient comes through."),
        "numbers drawn": Wording(
            "the count of random numbers that were drawn",
            "{actual} random numbers were drawn, far more than the given line draws: each of its "
            "draws is four of `numbers`. Use those.",
        ),
    }
)
def drop_numbers(fast_class, shape, p):
    """What is dropped of many ones, what is left of the others, and how gradients follow."""
    fast = fast_class(nn.Dropout(p)).train()
    x = torch.ones(shape, requires_grad=True)
    with _Made() as made:
        output = fast(x)
    if not isinstance(output, torch.Tensor):
        return {"what is kept": output}
    (gradient,) = torch.autograd.grad(output.sum(), x)
    kept = output != 0
    again = fast(x) != 0
    half = fast(x.detach().bfloat16())
    evaluated = fast.eval()(x.flatten()[:12])
    return {
        "shape": list(output.shape),
        "dtype stays": (output.dtype, half.dtype) == (x.dtype, torch.bfloat16),
        "share dropped": 1 - kept.double().mean().item(),
        "what is kept": output.sum() / (x * kept).sum().clamp(min=1e-9),
        "gradient follows": bool(((gradient != 0) == kept).all()),
        "drawn again": _are_independent(~kept, ~again),
        "drawn one by one": _are_independent(~kept[..., 1:], ~kept[..., :-1])
        and not _is_repeated(kept),
        "output in evaluation": evaluated,
        "gradient in evaluation": evaluated.requires_grad,
        "numbers drawn": made.drawn,
    }


def _are_independent(one, other):
    """Whether two tables of booleans are True in the same places as often as chance has it."""
    shares = one.double().mean(), other.double().mean()
    both = (one & other).double().mean()
    spread = torch.stack([share * (1 - share) for share in shares]).prod().sqrt()
    return bool((both - shares[0] * shares[1]).abs() <= 5 * spread / one.numel() ** 0.5 + 1e-9)


def _is_repeated(table):
    """Whether a table of booleans resembles itself at some distance more than chance has it."""
    centered = table.flatten().double()
    centered -= centered.mean()
    count = len(centered)
    distances = torch.arange(1, count // 2 + 2)
    spectrum = torch.fft.rfft(centered, 2 * count)  # padded: the end does not meet the beginning
    products = torch.fft.irfft(spectrum.abs().square(), 2 * count)[distances]
    bound = 7 * centered.square().mean() * (count - distances).sqrt()  # 7 sigma: there are many
    return bool((products.abs() > bound + 1e-9).any())


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
        "plain dropouts left": count_of(
            "1 nn.Dropout is left as it was.", "{actual} nn.Dropout are left as they were."
        ),
        "dropouts with another rate": count_of(
            "1 dropout has another rate than the one whose place it takes.",
            "{actual} dropouts have another rate than those whose places they take.",
        ),
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
    rates = _dropouts_told_apart(model)
    names, weights = list(model.state_dict()), list(model.parameters())
    before = model.eval()(src, tgt)
    model.train(training)
    actual = fuse(model)
    fused = actual if isinstance(actual, nn.Module) else model
    modes = _modes_of_parts(fused)
    kinds = [type(part).__name__ for part in fused.modules()]
    parts = dict(fused.named_modules(remove_duplicate=False))
    outside = [part for part in fused.modules() if not hasattr(part, "w_q")]
    children = [child for part in outside for child in part.children()]
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
        "plain dropouts left": sum(isinstance(child, nn.Dropout) for child in children),
        "dropouts with another rate": sum(
            name in parts and _rate_of(parts[name]) != rate for name, rate in rates.items()
        ),
        "names of weights lost": sorted(set(names) - set(fused.state_dict())),
        "new names of weights": sorted(set(fused.state_dict()) - set(names)),
        "modes": modes,
        "fused norms of an encoder": sum(
            type(part).__name__ == "FusedLayerNorm" for part in encoder.modules()
        ),
    }


def _dropouts_told_apart(model):
    """The rates of the dropouts outside attentions, by name: 0 and 1 in turns from now on."""
    attentions = [name for name, part in model.named_modules() if hasattr(part, "w_q")]
    rates = {}
    for name, part in model.named_modules():
        if isinstance(part, nn.Dropout) and name.rpartition(".")[0] not in attentions:
            rates[name] = part.p = float(len(rates) % 2)
    return rates


def _rate_of(dropout):
    """The share of ones that a dropout drops in training."""
    return (dropout.train()(torch.ones(8)) == 0).double().mean().item()


@wording(COMPUTED)
def write(cached_class, num_heads, x, ids, order):
    """Self-attention, position by position; in the middle the rows change their order."""
    attention = _attention(x, num_heads).eval()
    cached, outputs = cached_class(attention), []
    with _caching(attention) as (keys, values):
        for place in range(x.size(1)):
            if place == x.size(1) // 2:
                x, ids = x[order], ids[order]
                named(cached, "keep")(order, torch.ones(1, len(order), dtype=torch.bool))
            mask = (ids[:, : place + 1] != 0)[:, None, None, :]
            mask = None if (ids != 0).all() else mask
            newest = x[:, place : place + 1].clone()
            masks = () if mask is None else (mask,)
            outputs.append(cached(newest, newest, newest, *masks))
    return {
        **{f"output {place}": output for place, output in enumerate(outputs)},
        "keys computed": sum(keys),
        "values computed": sum(values),
    }


@wording(COMPUTED)
def consult(cached_class, num_heads, x, memory, mask, alive):
    """Cross-attention, position by position: one row for each sentence, then those alive.

    x is (N, B, steps, D), alive has an (N, B) for each of the last steps: `keep` comes before them.
    """
    attention = _attention(x, num_heads).eval()
    cached, outputs = cached_class(attention), []
    sentence, first = torch.arange(len(x)), x.size(2) - len(alive)
    with _caching(attention) as (keys, values):
        for place in range(x.size(2)):
            newest = x[:, 0, place]
            if place >= first:
                now = alive[place - first]
                before, sentence = sentence, now.nonzero()[:, 0]
                rows = (before == sentence.unsqueeze(1)).int().argmax(dim=1)
                named(cached, "keep")(rows, now)
                newest = x[:, :, place][now]
            outputs.append(cached(newest.unsqueeze(1), memory, memory, mask))
    return {
        **{f"output {place}": output for place, output in enumerate(outputs)},
        "keys computed": sum(keys),
        "values computed": sum(values),
    }


@wording(
    {
        "log_probs *": "the tensor of log-probabilities at position {rest}",
        "positions read": Wording(
            "the count of positions that the decoder reads",
            "In one step the decoder read {actual} positions; the newest one is enough.",
        ),
        "model given back": GIVEN_BACK,
        "modes": MODES,
    }
)
def step(decoder_class, src, ids, alive, parent, last, seed, training=False, **sizes):
    """Log-probabilities position by position, of ids (N, B, length).

    Each sentence has one row at first, then those alive, (N, B); at the end some of these are
    last, (N, B), and continue their parent.
    """
    model = opinionated(seed, **sizes).train(training)
    parts = list(model.modules())
    read, found = [], {}
    hook = _on_call(model.decoder, read.append)
    half, length = ids.size(2) // 2, ids.size(2)
    ids = torch.cat([ids[:, :1, :half].expand(-1, ids.size(1), -1), ids[:, :, half:]], dim=2)
    rows = ids[:, 0]
    with torch.no_grad(), decoder_class(model, src) as decoder:
        for place in range(length):
            if place == half:
                named(decoder, "keep")(alive.nonzero()[:, 0], alive)
                rows = ids[alive]
            if place == length - 1:
                places = torch.full(alive.shape, -1)
                places[alive] = torch.arange(int(alive.sum()))
                named(decoder, "keep")(places.gather(1, parent)[last], last)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                rows = torch.cat([grown[:, :, :-1], ids[:, :, -1:]], dim=2)[last]
            log_probs = named(decoder, "step")(rows[:, : place + 1])
            found[f"log_probs {place}"] = log_probs.log_softmax(dim=-1).float()
    hook.remove()
    return {
        **found,
        "positions read": max((x.size(1) for x in read), default=0),
        "model given back": _is_made_of(model, parts),
        "modes": _modes_of_parts(model),
    }


class Interrupted(Exception):
    """What goes wrong inside the with block."""


@wording(
    {
        "error goes on": Wording(wrong="An error was raised inside the block, and was lost."),
        "model given back": GIVEN_BACK,
        "modes": MODES,
    }
)
def interrupt(decoder_class, src, training=False, **sizes):
    """What is left of the model, and of the error, when one is raised inside the with block."""
    model = opinionated(0, **sizes).train(training)
    parts, raised = list(model.modules()), False
    try:
        with torch.no_grad(), decoder_class(model, src) as decoder:
            named(decoder, "step")(torch.full_like(src[:, :1], BOS))
            raise Interrupted
    except Interrupted:
        raised = True
    return {
        "error goes on": raised,
        "model given back": _is_made_of(model, parts),
        "modes": _modes_of_parts(model),
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
            "The decoder was called {actual} times, but {high} are enough.",
            {"1": "The decoder was called once, though there was nothing to write."},
        ),
        "sources read": Wording(
            "the count of encoder calls",
            "The source was read {actual} times; once is enough.",
            {"0": "The source was never read."},
        ),
        "with gradients": GRADIENTS_RECORDED,
        "model given back": GIVEN_BACK,
        "modes": MODES,
    }
)
def translate(
    decode, src, seed, max_len, eos, training=False, options=None, pad=None, whole=False, **sizes
):
    """What was written, and what it took.

    `pad` is the bias of padding. Without one the model never writes any, and padding at the end of
    all rows is looked at only if `whole`.
    """
    model = opinionated(seed, eos, **({} if pad is None else {"pad": pad}), **sizes).train(training)
    parts, read, sources, recorded = list(model.modules()), [], [], []
    hooks = [
        _on_call(model.decoder, read.append),
        _on_call(model.encoder, sources.append),
        _on_call(model.decoder, lambda _: recorded.append(torch.is_grad_enabled())),
    ]
    ids = decode(model, src, max_len, BOS, EOS, **_named(options))
    for hook in hooks:
        hook.remove()
    return {
        "ids": ids if whole or pad is not None else without_padding(ids, model.pad_id),
        "positions read": sum(x.size(0) * x.size(1) for x in read),
        "steps": len(read),
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


def _named(options):
    return dict(zip(("beam_size", "length_penalty"), options or [], strict=False))


def _attention(like, num_heads, dropout=0.0):
    attention = MultiHeadAttention(like.size(-1), num_heads, dropout=dropout)
    return fill_parameters(attention).to(like.dtype)


def opinionated(seed, eos=1.0, pad=-30.0, **sizes):
    """A model with strong opinions that depend on the source, in float64: no close calls.

    `eos` is added to the bias of <eos>, and `pad` is that of padding: at -30 it never writes any.
    """
    model = fill_parameters(make_model(**sizes), seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "src_embed" in name or "cross_attn" in name:
                parameter.mul_(2)
        model.generator.proj.weight.mul_(4)
        model.generator.proj.bias[model.pad_id] = pad
        model.generator.proj.bias[EOS] += eos
    return model.double()


class _Counted(TorchFunctionMode):
    """While this lasts, `calls` counts how often one of these functions is called.

    Under which name the caller knows the function makes no difference.
    """

    def __init__(self, *functions):
        super().__init__()
        self.functions, self.calls = functions, 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        self.calls += any(function is one for one in self.functions)
        if function is F.scaled_dot_product_attention:
            _refuse_unequal(*args, **kwargs)
        return function(*args, **kwargs)


class _Made(TorchDispatchMode):
    """While this lasts, `drawn` counts random numbers, and `tables` the tables that are filled in.

    A table has `size` numbers or more, and no tensor of that size is read to make it.
    """

    def __init__(self, size=0):
        super().__init__()
        self.size, self.drawn, self.tables = size, 0, 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        made = operator(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor):
            if torch.Tag.nondeterministic_seeded in operator.tags:
                self.drawn += made.numel()
            if made.untyped_storage().nbytes() >= self.size * made.element_size() > 0:
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
def _caching(attention):
    """How many vectors each call of w_k and of w_v is given; without gradients."""
    with (
        torch.no_grad(),
        _Counted(),
        _rows_of(attention.w_k) as keys,
        _rows_of(attention.w_v) as values,
    ):
        yield keys, values


@contextmanager
def _rows_of(linear):
    """How many vectors each call of a projection is given."""
    seen = []
    hook = _on_call(linear, lambda x: seen.append(x[..., 0].numel()))
    try:
        yield seen
    finally:
        hook.remove()
