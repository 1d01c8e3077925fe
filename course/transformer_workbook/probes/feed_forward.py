# Derived from autograder/lessons/04-feed-forward/probes.py: do not edit.
"""How the components of lesson 04 are called."""

from transformer_workbook.probing import fill_parameters, gradients


def feed(feed_forward, x, d_ff, dropout=0.0, training=False):
    """A network whose parameters have known values."""
    return {"output": _network(feed_forward, x, d_ff, dropout).train(training)(x)}


def feed_alone(feed_forward, x, d_ff, position):
    """One position, once among the others and once without them."""
    network = _network(feed_forward, x, d_ff).eval()
    one = slice(position, position + 1)
    return {"together": network(x)[:, one], "alone": network(x[:, one])}


def feed_backward(feed_forward, x, d_ff):
    network = _network(feed_forward, x, d_ff).eval()
    x.requires_grad_()
    learned = {name: one for name, one in network.named_parameters() if one.requires_grad}
    return gradients(network(x), {"x": x, **learned})


def list_parameters(feed_forward, d_model, d_ff):
    named = feed_forward(d_model, d_ff).named_parameters()
    return {"parameters": sorted(f"{name} {tuple(one.shape)}" for name, one in named)}


def gated(swiglu, x, w_gate, w_up, w_down):
    return {"output": swiglu(x, w_gate, w_up, w_down)}


def _network(feed_forward, x, d_ff, dropout=0.0):
    return fill_parameters(feed_forward(x.size(-1), d_ff, dropout).to(x.dtype))
