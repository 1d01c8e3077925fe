"""How the components of lesson 08 are called.

Parameters get known values, since those of a new model are drawn at random. A bias of the last
projection is left to the student, so it is set to 0 where there is one; logits pass for
log-probabilities.
"""

import torch
from torch import nn

from transformer_workbook.shared.probing import (
    certain_dropout,
    error_of,
    fill_parameters,
    gradients,
    named,
)


def generate(component, x, **sizes):
    generator = _filled(component(**sizes).to(x.dtype))
    proj = named(generator, "proj")
    return {
        "log_probs": generator(x),
        "proj is an nn.Linear": isinstance(proj, nn.Linear),
        "shape of proj.weight": list(named(proj, "weight").shape),
    }


def generate_backward(component, x, **sizes):
    x.requires_grad_()
    generator = _filled(component(**sizes).to(x.dtype))
    weight = named(named(generator, "proj"), "weight")
    return gradients(generator(x), {"x": x, "proj.weight": weight})


def translate(component, src, tgt, **sizes):
    """The whole model, which builds its own masks."""
    return {"log_probs": _log_probs(_resting(component, sizes), src, tgt)}


def translate_exactly(component, src, tgt, **sizes):
    """The same in double precision, with all sizes given in their order, without names."""
    model = _filled(component(*sizes.values())).eval().double()
    log_probs = _log_probs(model, src, tgt)
    return {"log_probs": log_probs.float(), "dtype": str(log_probs.dtype)}


def translate_in_training(component, src, tgt, **sizes):
    """The same in training, where dropout is at work."""
    with certain_dropout():
        return {"log_probs": _log_probs(_filled(component(**sizes)).train(), src, tgt)}


def translate_twice(component, src, tgt, other_src, other_tgt, kept, **sizes):
    """What comes out for the first `kept` positions of each row, for two inputs alike up to there.

    `kept` is a boolean (N, T).
    """
    model = _resting(component, sizes)
    first = _log_probs(model, src, tgt)
    second = _log_probs(model, other_src, other_tgt)[:, : tgt.size(1)]
    return {"before": first[kept], "after": second[kept]}


def translate_backward(component, src, tgt, src_vocab, tgt_vocab, d_model, **sizes):
    """Which parameters no gradient reaches, and whether the tokens with id 0 can learn."""
    model = _resting(component, {**sizes, "src_vocab": src_vocab, "tgt_vocab": tgt_vocab,
                                 "d_model": d_model})  # fmt: skip
    _log_probs(model, src, tgt).square().sum().backward()
    missed = [parameter for parameter in model.parameters() if parameter.grad is None]
    return {
        "parameters without a gradient": sum(parameter.numel() for parameter in missed),
        "token 0 of the source learns": _learns(_matrix(model, "src_embed", src_vocab, d_model)),
        "token 0 of the target learns": _learns(_matrix(model, "tgt_embed", tgt_vocab, d_model)),
    }


def halves(component, src, tgt, memory, src_mask=None, tgt_mask=None, **sizes):
    """encode and decode by themselves, with masks that are given, or none."""
    model = _resting(component, sizes)
    return {
        "encoded": model.encode(src=src, src_mask=src_mask),
        "decoded": model.decode(tgt=tgt, memory=memory, src_mask=src_mask, tgt_mask=tgt_mask),
    }


def reorder(component, src, tgt, memory, src_order, tgt_order, **sizes):
    """Results for tokens in another order, and the results put in that order."""
    model = _resting(component, sizes)
    return {
        "encoded, reordered": model.encode(src)[:, src_order],
        "encoded in another order": model.encode(src[:, src_order]),
        "decoded, reordered": model.decode(tgt, memory)[:, tgt_order],
        "decoded in another order": model.decode(tgt[:, tgt_order], memory),
    }


def tie(component, vocab, d_model, tie_weights, **sizes):
    """How many matrices of a vocabulary's size there are, and which of them are one."""
    model = component(vocab, vocab, d_model=d_model, tie_weights=tie_weights, **sizes)
    source = _matrix(model, "src_embed", vocab, d_model)
    target = _matrix(model, "tgt_embed", vocab, d_model)
    last = named(named(named(model, "generator"), "proj"), "weight")
    sized = [parameter for parameter in model.parameters() if parameter.shape == (vocab, d_model)]
    return {
        "matrices of that size": len(sized),
        "the source's is the projection's": source is last,
        "the target's is the projection's": target is last,
        "the source's equals the projection's": source is not None and torch.equal(source, last),
    }


def refuse(component, src_vocab, tgt_vocab, max_len, positions, **sizes):
    """What is refused: vocabularies of two sizes, other positions, and ids past max_len."""
    options = {**sizes, "max_len": max_len, "positions": positions}
    unequal = error_of(lambda: component(src_vocab, tgt_vocab, tie_weights=True, **options))
    other = options | {"positions": "none"}
    model = component(src_vocab, tgt_vocab, **options).eval()
    long = torch.ones(1, max_len, dtype=torch.long)
    longer = torch.ones(1, max_len + 1, dtype=torch.long)
    memory = model.encode(long)
    return {
        "tied, unequal": unequal,
        "other positions": error_of(lambda: component(src_vocab, tgt_vocab, **other)),
        "encode, max_len ids": error_of(lambda: model.encode(long)),
        "encode, one id more": error_of(lambda: model.encode(longer)),
        "decode, max_len ids": error_of(lambda: model.decode(long, memory)),
        "decode, one id more": error_of(lambda: model.decode(longer, memory)),
    }


def parts(component, **sizes):
    """What the model is made of: weights by part, dropouts that were not told their rate."""
    model = component(**sizes)
    dropouts = [part for part in model.modules() if isinstance(part, nn.Dropout)]
    return {
        "weights in all": _weights(model),
        "weights of encoder": _weights(named(model, "encoder")),
        "weights of decoder": _weights(named(model, "decoder")),
        "weights of generator": _weights(named(model, "generator")),
        "src_embed has weights": _weights(named(model, "src_embed")) > 0,
        "tgt_embed has weights": _weights(named(model, "tgt_embed")) > 0,
        "pad_id": named(model, "pad_id"),
        "dropouts with another rate": sum(part.p != sizes["dropout"] for part in dropouts),
    }


def without_memory(component, src_vocab, tgt_vocab, **sizes):
    """A model on the device "meta", which has shapes and no numbers: as large as we like."""
    with torch.device("meta"):
        model = component(src_vocab, tgt_vocab, **sizes)
        src, tgt = torch.ones(3, 9, dtype=torch.long), torch.ones(3, 7, dtype=torch.long)
        memory = model.encode(src)
        decoded = model.decode(tgt, memory)
        full, longer = (torch.ones(1, length, dtype=torch.long) for length in (5000, 5001))
        errors = [error_of(lambda: model.encode(full)), error_of(lambda: model.encode(longer))]
    return {
        "encode, 5000 ids": errors[0],
        "encode, 5001 ids": errors[1],
        "weights": _weights(model),
        "shape of memory": list(memory.shape),
        "shape of decoded": list(decoded.shape),
        "device": decoded.device.type,
    }


def make(component, src, tgt, src_vocab, tgt_vocab, **sizes):
    """The sizes that the model was made with show in what it returns for known weights."""
    model = _filled(component(src_vocab, tgt_vocab, **sizes)).eval()
    return {"log_probs": _log_probs(model, src, tgt)}


def draw(component, src_vocab, tgt_vocab, **sizes):
    """How the matrices of a new model are spread, against Xavier's bound for each.

    The root of 6 / (rows + columns) is the bound; numbers that fill it evenly have a deviation of
    the bound over the root of 3.
    """
    model = component(src_vocab, tgt_vocab, **sizes)
    spread = {"matrices beyond the bound": 0, "matrices too wide": 0, "matrices too narrow": 0}
    for matrix in _matrices(model):
        bound = (6 / sum(matrix.shape)) ** 0.5
        deviation = matrix.std().item() * 3**0.5 / bound
        spread["matrices beyond the bound"] += bool(matrix.abs().max() > 1.001 * bound)
        spread["matrices too wide"] += deviation > 1.15
        spread["matrices too narrow"] += deviation < 0.85
    scales = [value for name, value in model.named_parameters() if name.endswith("gamma")]
    return {**spread, "norms with a scale of 0": sum(not scale.any() for scale in scales)}


def size_of_parts(size_of_parts, vocab, d_model, turned=False):
    """A model whose first and last part share a matrix, and whose middle parts only look alike."""
    parts = {
        "embedding": nn.Embedding(vocab, d_model),
        "first": nn.Linear(d_model, d_model),
        "second": nn.Linear(d_model, d_model),
        "projection": nn.Linear(d_model, vocab),
    }
    parts["projection"].weight = parts["embedding"].weight
    model = nn.ModuleDict(reversed(parts.items()) if turned else parts.items())
    return {f"size of {name}": size for name, size in size_of_parts(model).items()}


def _filled(module):
    fill_parameters(module)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name.endswith("proj.bias"):
                parameter.zero_()
    return module


def _resting(component, sizes):
    return _filled(component(**sizes)).eval()


def _log_probs(model, src, tgt):
    return model(src, tgt).log_softmax(dim=-1)


def _weights(module):
    return sum(matrix.numel() for matrix in _matrices(module))


def _matrices(module):
    return [parameter for parameter in module.parameters() if parameter.shape[1:]]


def _matrix(model, part, vocab, d_model):
    """The matrix of an embedding, whatever it is called; None where there is none of its size."""
    found = (one for one in named(model, part).parameters() if one.shape == (vocab, d_model))
    return next(found, None)


def _learns(matrix) -> bool:
    return matrix is not None and matrix.grad is not None and bool(matrix.grad[0].any())
