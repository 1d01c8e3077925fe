"""How the components of lesson 05 are called."""

import copy

import torch

from transformer_workbook.shared.probing import (
    TWO_DEVICES,
    error_of,
    fill_parameters,
    gradients,
    named,
    what_dropout_did,
    where_it_runs,
)
from transformer_workbook.shared.words import Wording, accepted, refused, wording


@wording({"vectors": "the tensor of vectors"})
def embed(TokenEmbedding, ids, table, pad_id):
    """Look ids up, with known vectors; the padding's vector is 0, as torch makes it."""
    module = with_table(TokenEmbedding(*table.shape, pad_id), table)
    named(module, "embedding")
    return {
        "vectors": module(ids),
        "parameters": [f"{name} {tuple(p.shape)}" for name, p in module.named_parameters()],
    }


@wording({"embedding.weight.grad": "the gradient of the embedding's table"})
def embed_backward(TokenEmbedding, ids, table, pad_id=None):
    vocab_size, d_model = table.shape
    padding = {} if pad_id is None else {"pad_id": pad_id}
    module = TokenEmbedding(vocab_size=vocab_size, d_model=d_model, **padding)
    weight = named(named(with_table(module, table), "embedding"), "weight")
    return gradients(module(ids), {"embedding.weight": weight})


@wording({"encoding": "the encoding"})
def encode(sinusoidal_encoding, length, d_model):
    return {"encoding": sinusoidal_encoding(length, d_model=d_model)}


@wording({"last positions": "the encoding of the last positions"})
def encode_far(sinusoidal_encoding, length, d_model):
    """The last of many positions, where the rounding of an angle would show."""
    encoding = sinusoidal_encoding(length, d_model=d_model)
    return {"last positions": encoding[-3:].float()}


def add_positions(PositionalEncoding, x, max_len, dropout=0.0, training=False, **start):
    module = PositionalEncoding(x.size(-1), dropout, max_len)
    return {"output": module.train(training)(x, **start)}


@wording(
    {
        "shorter": "the output for shorter sentences",
        "longer": "the output for longer sentences, after shorter ones,",
        "others": "the output for other sentences of the same length, with a start of 2",
    }
)
def add_in_turn(PositionalEncoding, x, max_len):
    """Shorter sentences, longer ones, and others further on, by one and the same module."""
    module = PositionalEncoding(x.size(-1), dropout=0.0, max_len=max_len)
    return {"shorter": module(x[:, :-1]), "longer": module(x), "others": module(x.flip(0), 2)}


@wording({"last words": "the output at the last words of sentences of max_len positions"})
def add_far_away(PositionalEncoding, last_words, max_len):
    """The last words of sentences that are as long as they may be."""
    batch, length, d_model = last_words.shape
    module = PositionalEncoding(d_model, dropout=0.0, max_len=max_len)
    words = torch.zeros(batch, max_len, d_model)
    words[:, -length:] = last_words
    return {"last words": module(words)[:, -length:]}


def drop_some(positions, words, dropout=None):
    """The same for both kinds of positions; `words`, (T, D), are far greater than positions."""
    rate = {} if dropout is None else {"dropout": dropout}
    module = positions(words.size(-1), max_len=len(words), **rate)
    x = words.expand(300, *words.shape)
    given = module.eval()(x)
    return what_dropout_did(given, module.train()(x))


def add_positions_backward(PositionalEncoding, x, max_len):
    module = PositionalEncoding(x.size(-1), dropout=0.0, max_len=max_len).eval()
    x.requires_grad_()
    return gradients(module(x), {"x": x})


@wording(
    {
        "parameters": Wording(
            "the count of numbers that learn",
            "The parameters hold {actual} numbers, though nothing in this encoding should learn.",
        ),
        "has a buffer": Wording(
            wrong="No buffer holds the encoding, so it does not move to a device with the module."
        ),
    }
)
def what_it_holds(PositionalEncoding, d_model, max_len):
    module = PositionalEncoding(d_model, max_len=max_len)
    return {
        "parameters": sum(parameter.numel() for parameter in module.parameters()),
        "has a buffer": any(True for _ in module.buffers()),
    }


@wording(
    {
        "error at max_len": accepted("a sentence has exactly max_len positions"),
        "error past max_len": refused("a sentence has more than max_len positions"),
        "error later": refused("a word is to stand at position max_len, by `start`"),
    }
)
def longer_than_max_len(positions, d_model, max_len, by_default=False):
    """The same for both kinds of positions."""
    given = {} if by_default else {"max_len": max_len}
    module = positions(d_model, dropout=0.0, **given)
    return {
        "error at max_len": error_of(lambda: module(torch.zeros(2, max_len, d_model))),
        "error past max_len": error_of(lambda: module(torch.zeros(2, max_len + 1, d_model))),
        "error later": error_of(lambda: module(torch.zeros(2, 1, d_model), start=max_len)),
    }


def add_learned(LearnedPositionalEmbedding, x, table, dropout=0.0, training=False, **start):
    max_len, d_model = table.shape
    module = LearnedPositionalEmbedding(d_model, dropout, max_len)
    return {"output": with_table(module, table).train(training)(x, **start)}


@wording(
    {
        "device": Wording(
            "the output's device",
            "The input `x` and the module are on the device {expected}, but the output is on "
            "{actual}.",
            {
                TWO_DEVICES: "The input `x` and the module were on another device, and something "
                "was made on the CPU. Make the ids of the positions on the device of `x`."
            },
        )
    }
)
def add_learned_there(LearnedPositionalEmbedding, x, max_len):
    """With x and the module on another device than new tensors are."""
    module = LearnedPositionalEmbedding(x.size(-1), dropout=0.0, max_len=max_len)
    moved = copy.deepcopy(module).to("meta")
    return {"device": where_it_runs(lambda: moved(x.to("meta")).device.type)}


@wording(
    {
        "learned numbers": Wording(
            "the count of numbers that learn",
            "{actual} numbers learn; expected {expected}, which is one vector for each position.",
        ),
        "table.grad": Wording(
            "the gradient of the table of positions",
            missing="No parameter that learns has the size of the table of positions.",
        ),
    }
)
def learn(LearnedPositionalEmbedding, x, table):
    """What is learned, and what the gradient says to each position."""
    max_len, d_model = table.shape
    module = LearnedPositionalEmbedding(d_model, dropout=0.0, max_len=max_len)
    learned = [parameter for parameter in module.parameters() if parameter.requires_grad]
    x.requires_grad_()
    output = with_table(module, table).eval()(x)
    evidence = gradients(output, {"x": x, **_fitting(learned, table)})
    if "table.grad" in evidence:
        evidence["table.grad"] = evidence["table.grad"].reshape(table.shape)
    return {"learned numbers": sum(parameter.numel() for parameter in learned), **evidence}


def with_table(module, table):
    """The module with known numbers: `table` in the parameter of its size, whatever its name."""
    module = fill_parameters(module).to(table.dtype)
    with torch.no_grad():
        for parameter in _fitting(module.parameters(), table).values():
            parameter.copy_(table.reshape(parameter.shape))
    return module


def _fitting(parameters, table) -> dict:
    fitting = [weight for weight in parameters if weight.numel() == table.numel()]
    return {"table": fitting[0]} if fitting else {}


@wording({"moved": "the shifted encoding"})
def shift(shift, encoding, rate, steps):
    return {"moved": shift(encoding, rate, steps)}
