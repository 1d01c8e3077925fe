"""How the components of lesson 04 are called."""

import torch

from transformer_workbook.shared.probing import (
    called_twice,
    fill_parameters,
    gradients,
    named,
    part_of,
    what_dropout_did,
)
from transformer_workbook.shared.words import Wording, wording


def feed(feed_forward, x, d_ff, dropout=0.0, training=False):
    """A network whose parameters have known values."""
    return {"output": _network(feed_forward, x, d_ff, dropout).train(training)(x)}


@wording(
    {
        "together": "the output at a position among others",
        "alone": Wording(
            "the output at a position alone",
            "The same position gets a different output alone than together with others, on which "
            "it should not depend.",
        ),
    }
)
def feed_alone(feed_forward, x, d_ff, position):
    """One position, once among the others and once without them."""
    network = _network(feed_forward, x, d_ff).eval()
    place = (slice(None), slice(position, position + 1))
    return {"together": part_of(network(x), place), "alone": network(x[place])}


def feed_backward(feed_forward, x, d_ff):
    network = _network(feed_forward, x, d_ff).eval()
    x.requires_grad_()
    learned = {name: weight for name, weight in network.named_parameters() if weight.requires_grad}
    return gradients(network(x), {"x": x, **learned})


def drop_some(feed_forward, hidden, dropout=None):
    """Two layers that let through what dropout leaves of `hidden`, a positive vector.

    What is dropped is another draw in each call.
    """
    d_model = hidden.size(-1)
    rate = {} if dropout is None else {"dropout": dropout}
    network = feed_forward(d_model, d_model, **rate)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        named(named(network, "w_1"), "bias").copy_(hidden)
        named(named(network, "w_2"), "weight").copy_(torch.eye(d_model))
    hidden = hidden.repeat(1000, 2, 1)
    outputs = called_twice(lambda: network(torch.zeros_like(hidden)))
    return what_dropout_did(hidden.repeat(2, 1, 1, 1), outputs)


def list_parameters(feed_forward, d_model, d_ff):
    learned = feed_forward(d_model, d_ff).named_parameters()
    return {"parameters": sorted(f"{name} {tuple(weight.shape)}" for name, weight in learned)}


def gated(swiglu, x, w_gate, w_up, w_down):
    return {"output": swiglu(x, w_gate, w_up, w_down)}


def _network(feed_forward, x, d_ff, dropout=0.0):
    return fill_parameters(feed_forward(x.size(-1), d_ff, dropout).to(x.dtype))
