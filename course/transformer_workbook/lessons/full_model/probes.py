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
from transformer_workbook.shared.words import Wording, accepted, count_of, refused, wording


def _shared(side: str) -> Wording:
    embedding = f"the {side}'s embedding and the projection"
    shared = f"{embedding[0].upper()}{embedding[1:]} share one matrix, though tie_weights is off."
    apart = f"With tie_weights, {embedding} should be one and the same matrix, and are not."
    return Wording(when={"True": shared, "False": apart})


def _spread(kind: str, how: str) -> Wording:
    few, many = f"1 of the {kind} is spread {how}.", f"{{actual}} of the {kind} are spread {how}."
    return count_of(few, many)


WEIGHTS = Wording(
    "the size of the matrices", "The model's matrices hold {actual} weights; expected {expected}."
)


@wording(
    {
        "proj is an nn.Linear": Wording(wrong="The generator's proj is not an nn.Linear."),
        "shape of proj.weight": "the shape of proj.weight",
    }
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


@wording(
    {
        "dtype": Wording(
            "the dtype",
            "The model is in double precision, and the result in {actual}; expected {expected}.",
        )
    }
)
def translate_exactly(component, src, tgt, **sizes):
    """The same in double precision, with all sizes given in their order, without names."""
    model = _filled(component(*sizes.values())).eval().double()
    log_probs = _log_probs(model, src, tgt)
    return {"log_probs": log_probs.float(), "dtype": str(log_probs.dtype)}


def translate_in_training(component, src, tgt, **sizes):
    """The same in training, where dropout is active."""
    with certain_dropout():
        return {"log_probs": _log_probs(_filled(component(**sizes)).train(), src, tgt)}


@wording(
    {
        "before": "the result where no change may be seen",
        "after": Wording(
            "the result where no change may be seen, after one,",
            "Only later tokens were changed, or padding added, yet the result at the others "
            "changed.",
        ),
    }
)
def translate_twice(component, src, tgt, other_src, other_tgt, kept, **sizes):
    """What comes out for the first `kept` positions of each row, for two inputs alike up to there.

    `kept` is a boolean (N, T).
    """
    model = _resting(component, sizes)
    first = _log_probs(model, src, tgt)
    second = _log_probs(model, other_src, other_tgt)[:, : tgt.size(1)]
    return {"before": first[kept], "after": second[kept]}


NO_TABLE = "Among the parameters of {part}, none has a row for each token and d_model columns."


@wording(
    {
        "token 0 of the source learns": Wording(
            wrong="The source token 0 does not learn, though it is not the padding here.",
            missing=NO_TABLE.format(part="src_embed"),
        ),
        "token 0 of the target learns": Wording(
            wrong="The target token 0 does not learn, though it is not the padding here.",
            missing=NO_TABLE.format(part="tgt_embed"),
        ),
    }
)
def translate_backward(component, src, tgt, src_vocab, tgt_vocab, d_model, **sizes):
    """Which parameters no gradient reaches, and whether the tokens with id 0 can learn."""
    model = _resting(component, {**sizes, "src_vocab": src_vocab, "tgt_vocab": tgt_vocab,
                                 "d_model": d_model})  # fmt: skip
    _log_probs(model, src, tgt).square().sum().backward()
    missed = [parameter for parameter in model.parameters() if parameter.grad is None]
    tables = {
        "token 0 of the source learns": _matrix(model, "src_embed", src_vocab, d_model),
        "token 0 of the target learns": _matrix(model, "tgt_embed", tgt_vocab, d_model),
    }
    return {
        "parameters without a gradient": sum(parameter.numel() for parameter in missed),
        **{
            name: table.grad is not None and bool(table.grad[0].any())
            for name, table in tables.items()
            if table is not None
        },
    }


@wording({"encoded": "the result of encode", "decoded": "the result of decode"})
def halves(component, src, tgt, memory, src_mask=None, tgt_mask=None, **sizes):
    """encode and decode by themselves, with masks that are given, or none."""
    model = _resting(component, sizes)
    return {
        "encoded": model.encode(src=src, src_mask=src_mask),
        "decoded": model.decode(tgt=tgt, memory=memory, src_mask=src_mask, tgt_mask=tgt_mask),
    }


@wording(
    {
        "encoded, reordered": "the result of encode, put in a different order,",
        "encoded in another order": Wording(
            "the result of encode for tokens in a different order",
            "The order of the source's tokens makes no difference to encode: are positions added?",
        ),
        "decoded, reordered": "the result of decode, put in a different order,",
        "decoded in another order": Wording(
            "the result of decode for tokens in a different order",
            "The order of the target's tokens makes no difference to decode: are positions added?",
        ),
    }
)
def reorder(component, src, tgt, memory, src_order, tgt_order, **sizes):
    """Results for tokens in a different order, and the results put in that order."""
    model = _resting(component, sizes)
    return {
        "encoded, reordered": model.encode(src)[:, src_order],
        "encoded in another order": model.encode(src[:, src_order]),
        "decoded, reordered": model.decode(tgt, memory)[:, tgt_order],
        "decoded in another order": model.decode(tgt[:, tgt_order], memory),
    }


@wording(
    {
        "matrices of that size": Wording(
            "the count of matrices",
            "{actual} matrices hold one vector for each token; expected {expected}.",
            {"1": "1 matrix holds one vector for each token; expected {expected}."},
        ),
        "the source's is the projection's": _shared("source"),
        "the target's is the projection's": _shared("target"),
        "the source's equals the projection's": Wording(
            when={
                "True": "The source's embedding and the projection hold the same numbers, though "
                "tie_weights is off.",
                "False": "With tie_weights, the source's embedding and the projection should hold "
                "the same numbers, and do not.",
            }
        ),
    }
)
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


@wording(
    {
        "tied, unequal": refused("weights are tied and the vocabularies differ in size"),
        "other positions": refused('positions is "none"'),
        "encode, max_len ids": accepted("encode was given exactly max_len ids"),
        "encode, one id more": refused("encode was given more than max_len ids"),
        "decode, max_len ids": accepted("decode was given exactly max_len ids"),
        "decode, one id more": refused("decode was given more than max_len ids"),
    }
)
def refuse(component, src_vocab, tgt_vocab, max_len, positions, **sizes):
    """What is refused: vocabularies of two sizes, other positions, and ids past max_len."""
    options = {**sizes, "max_len": max_len, "positions": positions}
    unequal = error_of(lambda: component(src_vocab, tgt_vocab, tie_weights=True, **options))
    unknown = options | {"positions": "none"}
    model = component(src_vocab, tgt_vocab, **options).eval()
    long = torch.ones(1, max_len, dtype=torch.long)
    longer = torch.ones(1, max_len + 1, dtype=torch.long)
    memory = model.encode(long)
    return {
        "tied, unequal": unequal,
        "other positions": error_of(lambda: component(src_vocab, tgt_vocab, **unknown)),
        "encode, max_len ids": error_of(lambda: model.encode(long)),
        "encode, one id more": error_of(lambda: model.encode(longer)),
        "decode, max_len ids": error_of(lambda: model.decode(long, memory)),
        "decode, one id more": error_of(lambda: model.decode(longer, memory)),
    }


@wording(
    {
        "weights in all": WEIGHTS,
        "weights of *": Wording(
            "the size of the {rest}",
            "The matrices of the {rest} hold {actual} weights; expected {expected}.",
        ),
        "src_embed has weights": Wording(wrong="The part src_embed has no weights."),
        "tgt_embed has weights": Wording(wrong="The part tgt_embed has no weights."),
        "pad_id": "the model's pad_id",
    }
)
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


@wording(
    {
        "encode, 5000 ids": accepted("max_len was left out and encode was given 5,000 ids"),
        "encode, 5001 ids": refused("max_len was left out and encode was given 5,001 ids"),
        "weights": WEIGHTS,
        "shape of memory": "the shape of the memory",
        "shape of decoded": "the shape of what decode returns",
        "device": Wording(
            "the device",
            "The model was made on the device {expected}, yet its result is on {actual}.",
        ),
    }
)
def without_memory(component, src_vocab, tgt_vocab, **sizes):
    """A model on the device "meta", which has shapes and no numbers: as large as we like.

    Only its weights are counted. What reads and writes has one layer: each takes a while there.
    """
    with torch.device("meta"):
        weights = _weights(component(src_vocab, tgt_vocab, **sizes))
        model = component(src_vocab, tgt_vocab, **{**sizes, "num_layers": 1})
        src, tgt = torch.ones(3, 9, dtype=torch.long), torch.ones(3, 7, dtype=torch.long)
        memory = model.encode(src)
        decoded = model.decode(tgt, memory)
        full, longer = (torch.ones(1, length, dtype=torch.long) for length in (5000, 5001))
        errors = [error_of(lambda: model.encode(full)), error_of(lambda: model.encode(longer))]
    return {
        "encode, 5000 ids": errors[0],
        "encode, 5001 ids": errors[1],
        "weights": weights,
        "shape of memory": list(memory.shape),
        "shape of decoded": list(decoded.shape),
        "device": decoded.device.type,
    }


@wording(
    {
        "matrices beyond the bound": count_of(
            "1 matrix has numbers beyond Xavier's bound.",
            "{actual} matrices have numbers beyond Xavier's bound.",
        ),
        "matrices too wide": _spread("matrices", "more widely than Xavier's rule says"),
        "matrices too narrow": _spread("matrices", "less widely than Xavier's rule says"),
        "embeddings too wide": _spread("embeddings", "more widely than 1 / sqrt(d_model)"),
        "embeddings too narrow": _spread("embeddings", "less widely than 1 / sqrt(d_model)"),
        "norms with a scale of 0": count_of(
            "The scale of 1 norm is 0 throughout, so nothing comes through it.",
            "The scales of {actual} norms are 0 throughout, so nothing comes through them.",
        ),
        "matrices": Wording(
            "the count of matrices",
            "The model has {actual} different matrices; expected {expected}. With tie_weights, "
            "three of them are one and the same.",
        ),
        "biases of 0": count_of(
            "The bias of 1 linear layer is 0 throughout. Biases stay as PyTorch has drawn them.",
            "The biases of {actual} linear layers are 0 throughout. Biases stay as PyTorch has "
            "drawn them.",
        ),
    }
)
def draw(component, src_vocab, tgt_vocab, **sizes):
    """How the matrices of a new model are spread, and whether the rest is as PyTorch made it.

    Xavier's bound is the root of 6 / (rows + columns); numbers that fill it evenly have a deviation
    of the bound over the root of 3. How learned positions start is left to the student.
    """
    model = component(src_vocab, tgt_vocab, **sizes)
    counts = {"matrices beyond the bound": 0, "matrices too wide": 0, "matrices too narrow": 0}
    counts |= {"embeddings too wide": 0, "embeddings too narrow": 0}
    for name, matrix in model.named_parameters():
        if matrix.dim() < 2 or "_embed.1" in name:
            continue
        kind = "embeddings" if "_embed.0" in name else "matrices"
        bound = (6 / sum(matrix.shape)) ** 0.5
        expected = matrix.size(1) ** -0.5 if kind == "embeddings" else bound / 3**0.5
        deviation = matrix.std().item() / expected
        counts[f"{kind} too wide"] += deviation > 1.15
        counts[f"{kind} too narrow"] += deviation < 0.85
        if kind == "matrices":
            counts["matrices beyond the bound"] += bool(matrix.abs().max() > 1.001 * bound)
    scales = [value for name, value in model.named_parameters() if name.endswith("gamma")]
    biases = [value for name, value in model.named_parameters() if name.endswith("bias")]
    return {
        **counts,
        "norms with a scale of 0": sum(not scale.any() for scale in scales),
        "matrices": len(_matrices(model)),
        "biases of 0": sum(not bias.any() for bias in biases),
    }


@wording(
    {
        "size of *": Wording(
            "the size of {rest}", "The size of {rest} is {actual}; expected {expected}."
        )
    }
)
def size_of_parts(size_of_parts, vocab, d_model, turned=False, alike=False):
    """A model whose first and last part share a matrix, and whose middle parts only look alike.

    With `alike`, these hold the same numbers, too, each its own. One has a buffer, which is learned
    no more than a table of positions is.
    """
    parts = {
        "embedding": nn.Embedding(vocab, d_model),
        "first": nn.Linear(d_model, d_model),
        "second": nn.Sequential(nn.Linear(d_model, d_model)),
        "projection": nn.Linear(d_model, vocab),
    }
    parts["projection"].weight = parts["embedding"].weight
    parts["second"].register_buffer("table", torch.zeros(vocab))
    if alike:
        parts["second"][0].load_state_dict(parts["first"].state_dict())
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
    tables = (table for table in named(model, part).parameters() if table.shape == (vocab, d_model))
    return next(tables, None)
