"""How the components of lesson 03 are called."""

import torch
from torch import nn

from transformer_workbook.shared.probing import (
    called_twice,
    fill_norms,
    fill_parameters,
    gradients,
    named,
    named_parameters,
    part_of,
    what_dropout_did,
)
from transformer_workbook.shared.words import Wording, wording

NEVER_CALLED = "The sublayer is never called."


def normalize(layer_norm, x, eps=None):
    """A layer whose parameters have known values."""
    return {"output": _norm(layer_norm, x, eps)(x)}


def normalize_fresh(layer_norm, x):
    """A layer as it is when it has just been made, in the dtype that it is made in."""
    return {"output": layer_norm(x.size(-1))(x)}


def normalize_swapped(layer_norm, x):
    """Axes 1 and 2 of x are swapped first, so that it does not lie in memory as it is read."""
    return {"output": _norm(layer_norm, x)(x.transpose(1, 2))}


@wording(
    {
        "together": "the output for a sentence among others",
        "alone": Wording(
            "the output for a sentence alone",
            "The same sentence gets a different output alone than together with others, on which "
            "it should not depend.",
        ),
    }
)
def normalize_alone(layer_norm, x):
    """The first sentence, once among the others and once without them."""
    layer = _norm(layer_norm, x)
    return {"together": part_of(layer(x), slice(1)), "alone": layer(x[:1])}


def normalize_backward(layer_norm, x):
    layer = _norm(layer_norm, x)
    x.requires_grad_()
    return gradients(layer(x), {"x": x, **_trainable(layer)})


def list_parameters(layer_norm, d_model):
    learned = layer_norm(d_model).named_parameters()
    return {"parameters": sorted(f"{name} {tuple(weight.shape)}" for name, weight in learned)}


@wording(
    {
        "calls": Wording(
            "the count of the sublayer's calls",
            "The sublayer is called {actual} times; expected {expected}.",
            {"0": NEVER_CALLED},
        ),
        "read": Wording("what the sublayer is given", missing=NEVER_CALLED),
        "said": Wording("what the sublayer returns", missing=NEVER_CALLED),
        "said_changed": Wording(
            wrong="What the sublayer returned was changed in place (+=, or a method that ends in "
            "an underscore). It may still be needed elsewhere: compute a new tensor."
        ),
    }
)
def connect(sublayer_connection, x, dropout, training, norm_first=None):
    """What comes out, what the sublayer has read and said, and how often it was called.

    The same sublayer has been called before, with other numbers.
    """
    read, said, returned = [], [], []

    def sublayer(features):
        read.append(features.detach().clone())
        returned.append(2 * torch.cos(features + 1))
        said.append(returned[-1].detach().clone())
        return returned[-1]

    layer = _connection(sublayer_connection, x, dropout, norm_first).train(training)
    fill_norms(layer)
    layer(-x, sublayer)
    for calls in (read, said, returned):
        calls.clear()
    output = layer(x, sublayer)
    evidence = {"output": output, "calls": len(read)}
    if not read:
        return evidence
    changed = not torch.equal(said[0], returned[0])
    return {**evidence, "read": read[0], "said": said[0], "said_changed": changed}


def drop_some(sublayer_connection, said, dropout=None):
    """Pre-norm adds to x, which is 0 here, what dropout leaves of `said`, a positive vector.

    What is dropped is another draw in each call.
    """
    rate = {} if dropout is None else {"dropout": dropout}
    layer = sublayer_connection(said.size(-1), norm_first=True, **rate)
    said = said.repeat(1000, 2, 1)
    outputs = called_twice(lambda: layer(torch.zeros_like(said), lambda features: said.clone()))
    return what_dropout_did(said.repeat(2, 1, 1, 1), outputs)


@wording({"sublayer.grad": "the gradient of the sublayer's weight"})
def connect_backward(sublayer_connection, x, norm_first):
    """Gradients of the input, of the sublayer's weights and of the norm's parameters."""
    d_model = x.size(-1)
    sublayer = fill_parameters(nn.Linear(d_model, d_model).to(x.dtype))
    layer = _connection(sublayer_connection, x, 0.0, norm_first).eval()
    x.requires_grad_()
    vectors = {
        f"{kind} {place}": weight
        for kind, parameters in fill_norms(layer).items()
        for place, weight in enumerate(parameters)
        if weight.requires_grad
    }
    evidence = gradients(layer(x, sublayer), {"x": x, "sublayer": sublayer.weight, **vectors})
    # Whether each way has a norm of its own is open.
    for kind in ("gamma", "beta"):
        if parts := [evidence.pop(f"{name}.grad") for name in vectors if name.startswith(kind)]:
            evidence[f"{kind}.grad"] = sum(parts)
    return evidence


def rms(rms_norm, x, gain, eps=None):
    return {"output": rms_norm(x, gain) if eps is None else rms_norm(x, gain, eps)}


def _norm(layer_norm, x, eps=None):
    layer = layer_norm(x.size(-1)) if eps is None else layer_norm(x.size(-1), eps)
    for name in ("gamma", "beta"):
        named(layer, name)
    return fill_parameters(layer.to(x.dtype))


def _connection(sublayer_connection, x, dropout, norm_first):
    way = () if norm_first is None else (norm_first,)
    return sublayer_connection(x.size(-1), dropout, *way).to(x.dtype)


def _trainable(module):
    return {name: weight for name, weight in named_parameters(module) if weight.requires_grad}
