"""Counterparts of the reference modules in torch.nn, with the weights copied."""

import pytest
import torch
from torch import nn

import transformer


def _pairs(ours, theirs):
    """Yield each parameter of ours with the parameter of theirs, and the rows of it, that it is."""
    everything = slice(None)
    if isinstance(ours, transformer.MultiHeadAttention):
        d_model = ours.w_q.in_features
        for i, linear in enumerate((ours.w_q, ours.w_k, ours.w_v)):
            rows = slice(i * d_model, (i + 1) * d_model)
            yield linear.weight, theirs.in_proj_weight, rows
            yield linear.bias, theirs.in_proj_bias, rows
        yield from _pairs(ours.w_o, theirs.out_proj)
    elif isinstance(ours, nn.Linear):
        yield ours.weight, theirs.weight, everything
        yield ours.bias, theirs.bias, everything
    elif isinstance(ours, transformer.LayerNorm):
        yield ours.gamma, theirs.weight, everything
        yield ours.beta, theirs.bias, everything
    elif isinstance(ours, transformer.EncoderLayer | transformer.DecoderLayer):
        yield from _pairs(ours.self_attn, theirs.self_attn)
        if isinstance(ours, transformer.DecoderLayer):
            yield from _pairs(ours.cross_attn, theirs.multihead_attn)
        yield from _pairs(ours.feed_forward.w_1, theirs.linear1)
        yield from _pairs(ours.feed_forward.w_2, theirs.linear2)
        for i, sublayer in enumerate(ours.sublayers, start=1):
            yield from _pairs(sublayer.norm, getattr(theirs, f"norm{i}"))
    elif isinstance(ours, transformer.Encoder | transformer.Decoder):
        for our_layer, their_layer in zip(ours.layers, theirs.layers, strict=True):
            yield from _pairs(our_layer, their_layer)
        if theirs.norm is not None:
            yield from _pairs(ours.norm, theirs.norm)
    else:
        raise TypeError(type(ours))


def _build(ours):
    """Make the torch.nn module that ours should equal: no dropout, batch first, float64."""
    if isinstance(ours, transformer.MultiHeadAttention):
        return nn.MultiheadAttention(ours.w_q.in_features, ours.num_heads, batch_first=True)
    if isinstance(ours, transformer.LayerNorm):
        return nn.LayerNorm(len(ours.gamma), eps=ours.eps)
    if isinstance(ours, transformer.EncoderLayer | transformer.DecoderLayer):
        decodes = isinstance(ours, transformer.DecoderLayer)
        layer_class = nn.TransformerDecoderLayer if decodes else nn.TransformerEncoderLayer
        return layer_class(
            ours.self_attn.w_q.in_features,
            ours.self_attn.num_heads,
            ours.feed_forward.w_1.out_features,
            dropout=0.0,
            layer_norm_eps=1e-6,
            batch_first=True,
            norm_first=ours.sublayers[0].norm_first,
        )
    has_norm = isinstance(ours.norm, transformer.LayerNorm)
    layer, norm = _build(ours.layers[0]), _build(ours.norm) if has_norm else None
    if isinstance(ours, transformer.Encoder):
        return nn.TransformerEncoder(layer, len(ours.layers), norm, enable_nested_tensor=False)
    return nn.TransformerDecoder(layer, len(ours.layers), norm)


@pytest.fixture
def counterpart():
    """A function: from a reference module to its torch.nn counterpart with the same weights.

    The weights, those of the norms included, are first drawn anew, so that no two are alike.
    """

    def make(ours):
        generator = torch.Generator().manual_seed(7)
        theirs = _build(ours).double()
        with torch.no_grad():
            for our, their, rows in _pairs(ours, theirs):
                our.copy_(0.4 * torch.randn(our.shape, generator=generator, dtype=our.dtype))
                their[rows] = our
        covered = sum(our.numel() for our, _, _ in _pairs(ours, theirs))
        assert covered == sum(p.numel() for p in ours.parameters())
        assert covered == sum(p.numel() for p in theirs.parameters())
        return theirs

    return make


@pytest.fixture
def assert_same_gradients():
    """A function: asserts that both modules got the same gradients, parameter by parameter."""

    def check(ours, theirs):
        for our, their, rows in _pairs(ours, theirs):
            torch.testing.assert_close(our.grad, their.grad[rows])

    return check
