"""How the components of lesson 03 are called."""

import torch
from torch import nn

from transformer_workbook.probing import (
    fill_norms,
    fill_parameters,
    gradients,
    named,
    named_parameters,
    part_of,
    what_dropout_did,
)


def normalize(layer_norm, x, eps=None):
    """A layer whose parameters have known values."""
    return {"output": _norm(layer_norm, x, eps)(x)}


def normalize_fresh(layer_norm, x):
    """A layer as it is when it has just been made."""
    return {"output": layer_norm(x.size(-1)).to(x.dtype)(x)}


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
    return {"parameters": sorted(f"{name} {tuple(one.shape)}" for name, one in learned)}


def connect(sublayer_connection, x, dropout, training, norm_first=None):
    """What comes out, what the sublayer has read, and how often it was called."""
    read = []

    def sublayer(features):
        read.append(features.detach().clone())
        return 2 * torch.cos(features + 1)

    layer = _connection(sublayer_connection, x, dropout, norm_first).train(training)
    fill_norms(layer)
    output = layer(x, sublayer)
    return {"output": output, "calls": len(read), **({"read": read[0]} if read else {})}


def drop_some(sublayer_connection, said, dropout=None):
    """Pre-norm adds to x, which is 0 here, what dropout leaves of `said`, a positive vector."""
    rate = {} if dropout is None else {"dropout": dropout}
    layer = sublayer_connection(said.size(-1), norm_first=True, **rate)
    said = said.repeat(2000, 2, 1)
    return what_dropout_did(said, layer(torch.zeros_like(said), lambda features: said.clone()))


def connect_backward(sublayer_connection, x, norm_first):
    """Gradients of the input, of the sublayer's weights and of the norm's parameters."""
    d_model = x.size(-1)
    sublayer = fill_parameters(nn.Linear(d_model, d_model).to(x.dtype))
    layer = _connection(sublayer_connection, x, 0.0, norm_first).eval()
    x.requires_grad_()
    own = {
        f"{kind} {place}": one
        for kind, parameters in fill_norms(layer).items()
        for place, one in enumerate(parameters)
        if one.requires_grad
    }
    found = gradients(layer(x, sublayer), {"x": x, "sublayer": sublayer.weight, **own})
    # Whether each way has a norm of its own is open.
    for kind in ("gamma", "beta"):
        if parts := [found.pop(f"{name}.grad") for name in own if name.startswith(kind)]:
            found[f"{kind}.grad"] = sum(parts)
    return found


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
    return {name: one for name, one in named_parameters(module) if one.requires_grad}
