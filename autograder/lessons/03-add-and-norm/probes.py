"""How the components of lesson 03 are called."""

import torch
from torch import nn

from transformer_workbook.probing import fill_parameters, gradients, named_parameters


def normalize(layer_norm, x, eps=None):
    """A layer whose parameters have known values."""
    return {"output": _norm(layer_norm, x, eps)(x)}


def normalize_fresh(layer_norm, x):
    """A layer as it is when it has just been made."""
    return {"output": layer_norm(x.size(-1)).to(x.dtype)(x)}


def normalize_alone(layer_norm, x):
    """The first sentence, once among the others and once without them."""
    layer = _norm(layer_norm, x)
    return {"together": layer(x)[:1], "alone": layer(x[:1])}


def normalize_backward(layer_norm, x):
    layer = _norm(layer_norm, x)
    x.requires_grad_()
    return gradients(layer(x), {"x": x, **_trainable(layer)})


def list_parameters(layer_norm, d_model):
    named = layer_norm(d_model).named_parameters()
    return {"parameters": sorted(f"{name} {tuple(one.shape)}" for name, one in named)}


def connect(sublayer_connection, x, dropout, training, norm_first=None):
    """What comes out, what the sublayer has read, and how often it was called."""
    read = []

    def sublayer(features):
        read.append(features.detach().clone())
        return 2 * torch.cos(features + 1)

    layer = _connection(sublayer_connection, x, dropout, norm_first).train(training)
    output = layer(x, sublayer)
    return {"output": output, "calls": len(read), **({"read": read[0]} if read else {})}


def connect_backward(sublayer_connection, x, norm_first):
    """Gradients of the input, of the sublayer's weights and of the norm's parameters."""
    d_model = x.size(-1)
    sublayer = fill_parameters(nn.Linear(d_model, d_model).to(x.dtype))
    layer = _connection(sublayer_connection, x, 0.0, norm_first).eval()
    x.requires_grad_()
    own = _trainable(layer)
    found = gradients(layer(x, sublayer), {"x": x, "sublayer": sublayer.weight, **own})
    # How the norm is called inside is open, and so is whether each way has one of its own.
    for part in ("gamma", "beta"):
        names = [f"{name}.grad" for name in own if name.split(".")[-1] == part]
        found[f"{part}.grad"] = sum(found.pop(name) for name in names)
    return found


def rms(rms_norm, x, gain, eps):
    return {"output": rms_norm(x, gain, eps)}


def _norm(layer_norm, x, eps=None):
    layer = layer_norm(x.size(-1)) if eps is None else layer_norm(x.size(-1), eps)
    return fill_parameters(layer.to(x.dtype))


def _connection(sublayer_connection, x, dropout, norm_first):
    way = () if norm_first is None else (norm_first,)
    return fill_parameters(sublayer_connection(x.size(-1), dropout, *way).to(x.dtype))


def _trainable(module):
    return {name: one for name, one in named_parameters(module) if one.requires_grad}
