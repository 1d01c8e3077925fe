# Derived from autograder/lessons/05-embeddings-and-positions/probes.py: do not edit.
"""How the components of lesson 05 are called."""

import torch

from transformer_workbook.probing import error_of, fill_parameters, gradients


def embed(TokenEmbedding, ids, table, pad_id):
    """Look ids up twice, with known vectors; the padding's vector is 0, as torch makes it."""
    module = with_table(TokenEmbedding(*table.shape, pad_id=pad_id), table)
    return {
        "vectors": module(ids),
        "vectors again": module(ids),
        "parameters": [f"{name} {tuple(p.shape)}" for name, p in module.named_parameters()],
    }


def embed_backward(TokenEmbedding, ids, table, pad_id):
    module = with_table(TokenEmbedding(*table.shape, pad_id=pad_id), table)
    return gradients(module(ids), {"embedding.weight": module.embedding.weight})


def encode(sinusoidal_encoding, length, d_model):
    encoding = sinusoidal_encoding(length, d_model)
    return {"encoding": encoding.float()}  # of any floating-point dtype


def add_positions(PositionalEncoding, x, max_len, dropout=0.0, training=False):
    module = PositionalEncoding(x.size(-1), dropout=dropout, max_len=max_len)
    return {"output": module.train(training)(x)}


def add_positions_backward(PositionalEncoding, x, max_len):
    module = PositionalEncoding(x.size(-1), dropout=0.0, max_len=max_len).eval()
    x.requires_grad_()
    return gradients(module(x), {"x": x})


def what_it_holds(PositionalEncoding, d_model, max_len):
    module = PositionalEncoding(d_model, max_len=max_len)
    return {
        "parameters": sum(parameter.numel() for parameter in module.parameters()),
        "has a buffer": any(True for _ in module.buffers()),
    }


def longer_than_max_len(positions, d_model, max_len):
    """The same for both kinds of positions."""
    module = positions(d_model, dropout=0.0, max_len=max_len)
    return {
        "error at max_len": error_of(lambda: module(torch.zeros(2, max_len, d_model))),
        "error past max_len": error_of(lambda: module(torch.zeros(2, max_len + 1, d_model))),
    }


def add_learned(LearnedPositionalEmbedding, x, table, dropout=0.0, training=False):
    max_len, d_model = table.shape
    module = LearnedPositionalEmbedding(d_model, dropout=dropout, max_len=max_len)
    return {"output": with_table(module, table).train(training)(x)}


def learn(LearnedPositionalEmbedding, x, table):
    """What is learned, and what the gradient says to each position."""
    max_len, d_model = table.shape
    module = LearnedPositionalEmbedding(d_model, dropout=0.0, max_len=max_len)
    learned = [parameter for parameter in module.parameters() if parameter.requires_grad]
    x.requires_grad_()
    output = with_table(module, table).eval()(x)
    found = gradients(output, {"x": x, **_named(learned, table)})
    if "table.grad" in found:
        found["table.grad"] = found["table.grad"].reshape(table.shape)
    return {"learned numbers": sum(parameter.numel() for parameter in learned), **found}


def with_table(module, table):
    """The module with known numbers: `table` in the parameter of its size, whatever its name."""
    module = fill_parameters(module).to(table.dtype)
    with torch.no_grad():
        for parameter in _named(module.parameters(), table).values():
            parameter.copy_(table.reshape(parameter.shape))
    return module


def _named(parameters, table) -> dict:
    fitting = [one for one in parameters if one.numel() == table.numel()]
    return {"table": fitting[0]} if fitting else {}


def shift(shift, encoding, rate, steps):
    return {"moved": shift(encoding, rate, steps)}
