"""How the components of lesson 14 are called.

Parameters get known values. What `generate` borrows is a small model of stand-ins, made to have
strong opinions.
"""

import copy

import torch
from torch import nn

from transformer_workbook.lessons.cached_decoding.standins import (
    KeyValueCache,
    attend,
    keys_and_values,
)
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention
from transformer_workbook.shared.probing import certain_dropout, fill_parameters, gradients, named
from transformer_workbook.shared.words import GRADIENTS_RECORDED, Wording, wording

LOGITS = {"logits": "the tensor of logits"}


@wording(LOGITS)
def predict(component, ids, start=None, **sizes):
    """Logits in evaluation, for the beginning of a text or for what comes later in it."""
    model = fill_parameters(component(**sizes)).eval()
    later = {} if start is None else {"start": start}
    return {"logits": model(ids, **later)}


@wording(
    LOGITS
    | {
        "dtype": Wording(
            "the dtype",
            "The model is in double precision, and the result in {actual}; expected {expected}.",
        )
    }
)
def predict_exactly(component, ids, **sizes):
    """The same in double precision, with all sizes given in their order, without names."""
    logits = fill_parameters(component(*sizes.values())).eval().double()(ids)
    return {"logits": logits.float(), "dtype": str(logits.dtype)}


@wording(LOGITS)
def predict_in_training(component, ids, **sizes):
    """The same in training, where dropout is active."""
    with certain_dropout():
        return {"logits": fill_parameters(component(**sizes)).train()(ids)}


@wording(
    {
        "device": Wording(
            "the device of the logits",
            "The ids are on the device {expected}, but the logits are on {actual}.",
            {
                "two devices": "The ids and the model were moved to another device, and something "
                "in forward was still on the CPU. Make it on the device of ids."
            },
        )
    }
)
def predict_elsewhere(component, ids, **sizes):
    """On a device without memory: where the logits are can be seen, what is in them cannot."""
    model = copy.deepcopy(component(**sizes)).eval().to("meta")
    try:
        return {"device": model(ids.to("meta")).device.type}
    except RuntimeError as error:
        if "expected device" in str(error) or "same device" in str(error):
            return {"device": "two devices"}
        raise


@wording(
    {
        "before": "the result where no change may be seen",
        "after": Wording(
            "the result where no change may be seen, after one,",
            "Only later tokens were changed, yet the result at the earlier ones changed.",
        ),
    }
)
def predict_twice(component, ids, other, first, **sizes):
    """Logits before position `first`, from which on the two texts differ."""
    model = fill_parameters(component(**sizes)).eval()
    return {"before": model(ids)[:, :first], "after": model(other)[:, :first]}


@wording(
    {
        "of a piece": "the tensor of logits for the last 2 tokens, with their start,",
        "of the whole": "the tensor of logits for the whole text, after a piece of it,",
    }
)
def predict_in_turn(component, ids, **sizes):
    """Logits for the end of a text, and then for all of it, by one and the same model."""
    model = fill_parameters(component(**sizes)).eval()
    return {"of a piece": model(ids[:, -2:], start=ids.size(1) - 2), "of the whole": model(ids)}


@wording({"logits *": "the tensor of logits after call {rest}"})
def predict_on(component, ids, pieces, **sizes):
    """Logits after each piece of a text, where the caches have what was read before."""
    model = fill_parameters(component(**sizes)).eval()
    caches = [KeyValueCache(ids.size(1)) for _layer in range(sizes["num_layers"])]
    logits, end = {}, 0
    with torch.no_grad():
        for number, count in enumerate(pieces, start=1):
            start, end = end, end + count
            logits[f"logits {number}"] = named(model, "read_on")(ids[:, start:end], start, caches)
    return logits


@wording({"project.weight.grad": "the gradient of the shared matrix"})
def predict_backward(component, ids, **sizes):
    model = fill_parameters(component(**sizes)).eval()
    weight = named(named(model, "project"), "weight")
    return gradients(model(ids), {"project.weight": weight})


@wording(
    {
        "embedding and projection share": Wording(
            wrong="The embedding and the projection should be one and the same matrix, and are not."
        ),
        "numbers that learn": Wording(
            "the size of the parameters",
            "The parameters hold {actual} numbers; expected {expected}.",
        ),
        "dropouts with another rate": Wording(
            wrong="Some dropouts do not have the rate that the model was made with."
        ),
        "mean is 0": Wording(wrong="The numbers in the new matrix are not spread around 0."),
        "deviation is 0.02": Wording(
            wrong="The numbers in the new matrix do not have a standard deviation of 0.02."
        ),
        "norms as they start": Wording(wrong="A norm's `gamma` does not start at 1."),
    }
)
def parts(component, **sizes):
    """What a new model is made of, and how its matrix is drawn."""
    model = component(**sizes)
    matrix = named(named(model, "project"), "weight")
    scales = [scale for name, scale in model.named_parameters() if name.endswith("gamma")]
    dropouts = [part for part in model.modules() if isinstance(part, nn.Dropout)]
    rate = sizes.get("dropout", 0.1)
    return {
        "embedding and projection share": named(model, "embed").embedding.weight is matrix,
        "numbers that learn": sum(parameter.numel() for parameter in model.parameters()),
        "dropouts with another rate": any(part.p != rate for part in dropouts),
        "mean is 0": bool(matrix.mean().abs() < 0.15 * matrix.std()),
        "deviation is 0.02": bool((matrix.std() - 0.02).abs() < 0.002),
        "norms as they start": all(bool((scale == 1).all()) for scale in scales),
    }


def compare(next_token_loss, logits, ids, pad_id=None):
    logits.requires_grad_()
    loss = next_token_loss(logits, ids, *([] if pad_id is None else [pad_id]))
    return {"loss": loss, **gradients(loss, {"logits": logits})}


@wording(
    {
        "probabilities": "the result",
        "logits changed": Wording(
            wrong="The logits of the caller were changed in place. Compute a new tensor."
        ),
    }
)
def soften(next_token_probabilities, logits, temperature=None, top_k=None):
    given = {"temperature": temperature, "top_k": top_k}
    options = {name: value for name, value in given.items() if value is not None}
    before = logits.clone()
    probabilities = next_token_probabilities(logits, **options)
    return {"probabilities": probabilities, "logits changed": not torch.equal(logits, before)}


LEFT = {
    "in train mode": Wording(wrong="The model writes in train mode, with dropout."),
    "with gradients": GRADIENTS_RECORDED,
    "model as it was": Wording(wrong="The model was not left as it was: its parts are replaced."),
    "modes": Wording(
        "the list of modes",
        when={
            "[True]": "The model was in eval mode and is left in train mode.",
            "[False]": "The model was in train mode and is left in eval mode.",
            "[False, True]": "Parts of the model are left in train mode, others in eval mode.",
        },
    ),
    "positions read": Wording(
        "the count of positions that the model reads",
        "The model read {actual} positions in all, but {high} are enough: each one once.",
    ),
    "caller's ids changed": Wording(
        wrong="The ids of the caller were changed in place. Make a new tensor."
    ),
}


@wording(LEFT)
def write(generate, ids, max_new_tokens, seed, training=False, options=None, **sizes):
    """What is written if only one token can be drawn, and how the model is left."""
    model = Opinionated(seed, **sizes).train(training)
    parts, before = list(model.modules()), ids.clone()
    torch.manual_seed(seed)
    written = generate(model, ids, max_new_tokens, **options)
    return {
        "ids": written,
        "in train mode": any(model.modes),
        "with gradients": any(model.recorded),
        "model as it was": parts == list(model.modules()),
        "modes": sorted({part.training for part in model.modules()}),
        "positions read": sum(model.read),
        "caller's ids changed": not torch.equal(ids, before),
    }


@wording(
    {
        "share *": Wording(
            "the share of {rest}",
            "The share of {rest} is {actual}; with the model's probabilities it lies between "
            "{low} and {high}.",
        ),
        "prompt kept": Wording(wrong="The result does not begin with the ids that were given."),
        "repeated": Wording(
            wrong="Two generators with the same seed lead to different results: some draw does "
            "not use the generator."
        ),
        "another seed, another text": Wording(
            wrong="Generators with different seeds lead to the same result."
        ),
        "torch's own numbers used": Wording(
            wrong="Although a generator was passed, torch's global random numbers were used."
        ),
        "drawn without a generator": Wording(
            wrong="Without a generator, each call writes the same. Then draw torch's own random "
            "numbers, which differ from call to call."
        ),
    }
)
def draw_many(generate, prompts, rows, seed, options=None, **sizes):
    """How often each token is drawn, of two, after each prompt, (P, T); `rows` of each."""
    model = Opinionated(seed, **sizes).eval()
    ids = prompts.repeat_interleave(rows, dim=0)

    def text(number):
        generator = torch.Generator().manual_seed(number)
        return generate(model, ids, 2, **(options or {}), generator=generator)

    torch.manual_seed(seed)
    state = torch.get_rng_state()
    written = text(seed)
    untouched = torch.equal(torch.get_rng_state(), state)
    unseeded = [generate(model, ids[:50], 2, **(options or {})) for _turn in range(2)]
    shares = {}
    for prompt, block in enumerate(written.unflatten(0, (len(prompts), rows))):
        for place in (-2, -1):
            nth = ["first", "second"][place]
            for token in range(sizes["vocab_size"]):
                share = (block[:, place] == token).double().mean().item()
                shares[f"share token {token} as {nth} new one after prompt {prompt}"] = share
    return {
        **shares,
        "prompt kept": torch.equal(written[:, :-2], ids),
        "repeated": torch.equal(text(seed), written),
        "another seed, another text": not torch.equal(text(seed + 1), written),
        "torch's own numbers used": not untouched,
        "drawn without a generator": not torch.equal(*unseeded),
    }


class Opinionated(nn.Module):
    """A few attentions in a row, called as a CausalLM is, in float64: no close calls.

    It notes how many positions it reads, and in which mode.
    """

    def __init__(self, seed, vocab_size, d_model, num_heads, dropout=0.0, scale=4.0, num_layers=2):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(40, d_model)
        self.encoder = nn.Module()
        self.encoder.layers = nn.ModuleList(
            MultiHeadAttention(d_model, num_heads, dropout) for _layer in range(num_layers)
        )
        self.scores = nn.Linear(d_model, vocab_size)
        fill_parameters(self, seed).double()
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name.endswith("weight"):
                    parameter.mul_(scale if name == "scores.weight" else 2.5)
        self.read, self.modes, self.recorded = [], [], []

    def forward(self, ids, start=0):
        caches = [KeyValueCache(ids.size(1)) for _layer in self.encoder.layers]
        return self.scores(self._read(ids, start, caches, 0))

    def read_on(self, ids, start, caches):
        return self.scores(self._read(ids, start, caches, start)[:, -1])

    def _read(self, ids, start, caches, before):
        """What is made of ids from position `start` on; the caches have `before` positions."""
        self.read.append(ids.numel())
        self.modes.append(self.training)
        self.recorded.append(torch.is_grad_enabled())
        end = before + ids.size(1)
        seen = torch.arange(before, end).unsqueeze(1) >= torch.arange(end)
        x = self.tokens(ids) + self.places(torch.arange(start, start + ids.size(1)))
        for attention, cache in zip(self.encoder.layers, caches, strict=True):
            keys, values = cache.append(*keys_and_values(attention, x))
            mask = seen.view(1, 1, *seen.shape)
            dropout = attention.dropout if self.training else nn.Identity()
            x = x + dropout(attend(attention, x, keys, values, mask))
        return x
