"""How the components of lesson 12 are called.

What they make faster are stand-ins of earlier lessons, with known weights.
"""

import re

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm
from transformer_workbook.lessons.full_model.standins import make_model
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention
from transformer_workbook.shared.probing import fill_parameters, gradients, named
from transformer_workbook.shared.words import Wording, count_of, wording

EOS = 3

ONE_KERNEL = Wording(wrong="It was not done by one call of torch's fused function alone.")
MODES = Wording(
    "the mode",
    when={
        "train": "Parts of the model that were in eval mode are left in train mode.",
        "eval": "Parts of the model that were in train mode are left in eval mode.",
        "train and eval": "Some parts of the model are left in train mode, others in eval mode.",
    },
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
    attention = attention_of(query, num_heads)
    fused = fused_class(attention).eval()
    leaves = {"query": query, "key": key, "value": value}
    for leaf in leaves.values():
        leaf.requires_grad_()
    with Counted(F.scaled_dot_product_attention) as kernel:
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
    fused = fused_class(attention_of(x, num_heads, dropout=1.0))
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
    attention = attention_of(torch.ones(shape), num_heads, dropout=p)
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
    with Counted(F.layer_norm, torch.layer_norm) as kernel:
        fused = fused_class(norm)
        output = fused(x)
    evidence = gradients(output, {"x": x} | dict(norm.named_parameters()))
    return {
        "output": output,
        **evidence,
        "one kernel": kernel.calls == 1 and output is kernel.made,
        "names of weights": sorted(fused.state_dict()),
    }


@wording(
    {
        "without a table": Wording(
            wrong="A table as large as log_probs was made of other numbers than its own. "
            "The sums need none."
        )
    }
)
def smooth(loss_class, logits, target, pad_id, smoothing=None):
    options = [] if smoothing is None else [smoothing]
    loss_fn = loss_class(logits.size(-1), pad_id, *options)
    logits.requires_grad_()
    with _Made(logits.numel()) as made:
        loss = loss_fn(logits.log_softmax(dim=-1), target)
    evidence = gradients(loss, {"logits": logits})
    return {"loss": loss, **evidence, "without a table": made.tables == 0}


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
    }
)
def fuse_a_model(fuse, src, tgt, training=False, **sizes):
    model = opinionated(0, **sizes)
    names, weights = list(model.state_dict()), list(model.parameters())
    before = model.eval()(src, tgt)
    model.train(training)
    actual = fuse(model)
    fused = actual if isinstance(actual, nn.Module) else model
    modes = modes_of_parts(fused)
    kinds = _kinds_in_place(fused)
    kind = "the model" if actual is model else "another model"
    return {
        "what came back": kind if fused is actual else type(actual).__name__,
        "weights of its own": sum(
            all(weight is not shared for shared in weights) for weight in fused.parameters()
        ),
        "before": before.float(),
        "after": fused.eval()(src, tgt).float(),
        "fused attentions": kinds.count("FusedMultiHeadAttention"),
        "fused norms": kinds.count("FusedLayerNorm"),
        "names of weights lost": sorted(set(names) - set(fused.state_dict())),
        "new names of weights": sorted(set(fused.state_dict()) - set(names)),
        "modes": modes,
    }


@wording({"fused norms": FUSED_NORMS})
def fuse_an_encoder(fuse, **sizes):
    encoder = opinionated(0, **sizes).encoder  # its last norm is in no other part
    fuse(encoder)
    return {"fused norms": _kinds_in_place(encoder).count("FusedLayerNorm")}


def _kinds_in_place(model):
    """The classes of all parts that are found by a name of their own, not by a path with dots."""
    named = [child for part in model.modules() for child in part.named_children()]
    return [type(part).__name__ for name, part in named if "." not in name]


@wording({"share": "the share"})
def utilize(utilization, weights, ids, pad_id, seconds, peak):
    """The share, which may be a float or a tensor of one number."""
    share = utilization(weights, ids, pad_id, seconds, peak)
    one_number = isinstance(share, torch.Tensor) and share.numel() == 1
    return {"share": share.item() if one_number else share}


def attention_of(like, num_heads, dropout=0.0):
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


class Counted(TorchFunctionMode):
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
        if any(function is counted for counted in self.functions):
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
        read = [tensor.numel() for tensor in args if isinstance(tensor, torch.Tensor)]
        return bool(re.search("_like|new_", operator.name())) or max(read, default=0) < self.size


def _refuse_unequal(query, key, value, *rest, **options):
    """On a CPU the kernel does not look at these lengths, and reads beyond the end of a tensor.

    What torch refuses by itself is left to it: its message tells more.
    """
    of_torch = key.shape[:-2] != value.shape[:-2] or key.size(-1) != query.size(-1)
    if not of_torch and key.size(-2) != value.size(-2):
        raise RuntimeError(f"{key.size(-2)} keys and {value.size(-2)} values: each key has a value")


def modes_of_parts(model):
    """The mode of a model's parts: "train", "eval", or "train and eval"."""
    modes = {part.training for part in model.modules()}
    return " and ".join([*["train"] * (True in modes), *["eval"] * (False in modes)])
