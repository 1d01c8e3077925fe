"""How the components of lesson 11 are called."""

from contextlib import suppress
from itertools import pairwise
from unittest import mock

import torch

from transformer_workbook.shared.training_doubles import (
    RecordingSGD,
    ToyModel,
    token_loss,
    two_steps,
)
from transformer_workbook.shared.words import TWO_STEPS, Wording, count_of, wording


@wording(
    {
        "each_sentence_once": Wording(
            wrong="Some sentence is in no batch, or in more than one place."
        ),
        "indices_of_no_sentence": count_of(
            "1 index belongs to no sentence.", "{actual} indices belong to no sentence."
        ),
        "batches_too_large": count_of(
            "1 batch is larger than max_tokens, with its padding counted.",
            "{actual} batches are larger than max_tokens, with their padding counted.",
        ),
        "batches_that_mix_lengths": count_of(
            "The lengths in two batches overlap: sentences of like length belong together.",
            "The lengths of batches overlap in {actual} places: sentences of like length belong "
            "together.",
        ),
        "number_of_batches": Wording(
            "the number of batches",
            "The sentences are in {actual} batches; expected {expected}.",
            {"1": "The sentences are in 1 batch; expected {expected}."},
        ),
        "empty_batches": count_of("1 batch is empty.", "{actual} batches are empty."),
        "lengths_changed": Wording(wrong="The list of lengths that was passed was changed."),
    }
)
def group(token_batches, lengths, max_tokens):
    """What any good grouping has, whichever way it went through the sentences."""
    sizes = lengths.tolist()
    given = list(sizes)
    actual = [list(batch) for batch in token_batches(given, max_tokens)]
    places = range(len(sizes))
    strangers = [index for batch in actual for index in batch if index not in places]
    listed = [sorted(index for index in batch if index in places) for batch in actual]
    batches = [batch for batch in listed if batch]
    spans = sorted((min(sizes[i] for i in part), max(sizes[i] for i in part)) for part in batches)
    mixing = [a for a, b in pairwise(spans) if a[1] > b[0]]
    too_large = [
        batch
        for batch in batches
        if len(batch) > 1 and max(sizes[index] for index in batch) * len(batch) > max_tokens
    ]
    return {
        "each_sentence_once": sorted(sum(batches, [])) == list(places),
        "indices_of_no_sentence": len(strangers),
        "batches_too_large": len(too_large),
        "batches_that_mix_lengths": len(mixing),
        "number_of_batches": len(batches),
        "empty_batches": len(listed) - len(batches),
        "lengths_changed": given != sizes,
    }


@wording(
    TWO_STEPS
    | {
        "rate_left": "the learning rate after both steps",
        "scale_left": "the scaler's scale after both steps",
    }
)
def learn(
    mixed_precision_step, src, tgt, pad_id, scale=None, max_norm=None, scheduled=False, stale=False
):
    """Two steps on one batch; with a scale, the scaler doubles it after each of them."""
    model, scaler = ToyModel(pad_id, gain=6.0).float(), _scaler(scale)

    def step(optimizer, *scheduler, **options):
        given = model, (src, tgt), token_loss(pad_id), optimizer, scaler
        return mixed_precision_step(*given, *scheduler, **options)

    first, last, optimizer = two_steps(step, model, max_norm, stale, scheduled)
    left = {"rate_left": optimizer.param_groups[0]["lr"], "scale_left": float(scaler.get_scale())}
    return {**first, **left, **last}


@wording(
    {
        "steps_taken": count_of(
            "The loss times the scale is infinite, yet the optimizer took 1 step.",
            "The loss times the scale is infinite, yet the optimizer took {actual} steps.",
        ),
        "scale_is_smaller": Wording(
            wrong="The loss times the scale is infinite, yet the scaler's scale is not smaller "
            "afterwards."
        ),
    }
)
def overflow(mixed_precision_step, src, tgt, pad_id):
    """A scale so large that the scaled loss becomes infinite: the step has to be left out."""
    model = ToyModel(pad_id, gain=6.0).float()
    before = [weight.detach().clone() for weight in model.parameters()]
    optimizer = RecordingSGD(model.parameters(), lr=0.5)
    scaler = _scaler(3e38)
    mixed_precision_step(model, (src, tgt), token_loss(pad_id), optimizer, scaler)
    pairs = zip(model.parameters(), before, strict=True)
    return {
        "steps_taken": len(optimizer.norms),
        "weights_changed": not all(torch.equal(weight.detach(), old) for weight, old in pairs),
        "scale_is_smaller": scaler.get_scale() < 3e38,
    }


@wording(
    {
        "matrix_products": Wording(
            "the dtype of the matrix products",
            "The matrix products were computed in {actual}; expected {expected}.",
        ),
        "log_probs": Wording(
            "the dtype that the loss is given",
            "The loss was given numbers in {actual}; expected {expected}.",
        ),
        "sums to 1": Wording(
            wrong="The probabilities do not add up to 1 exactly enough: the softmax was computed "
            "in 16 bits, and turned to float32 too late."
        ),
        "gradients": Wording(
            "the dtype of the gradients", "The gradients are in {actual}; expected {expected}."
        ),
        "in_eval_mode": Wording(wrong="The model was in eval mode during the step."),
    }
)
def precision(mixed_precision_step, src, tgt, pad_id, dtype):
    """In which dtype the matrix products are computed, and what the loss is given."""
    model = ToyModel(pad_id, gain=6.0).float()
    loss_fn = token_loss(pad_id)
    seen, errors = [], []

    def watched_loss(log_probs, target):
        seen.append(_name(log_probs.dtype))
        errors.append(log_probs.double().logsumexp(dim=-1).abs().max().item())
        return loss_fn(log_probs.float(), target)

    optimizer = RecordingSGD(model.parameters(), lr=0.5)
    low = getattr(torch, dtype) if dtype else None
    mixed_precision_step(model, (src, tgt), watched_loss, optimizer, _scaler(None), dtype=low)
    return {
        "matrix_products": model.computed_in,
        "log_probs": seen,
        "sums to 1": max(errors, default=1.0) < 1e-4,
        "gradients": sorted({_name(weight.grad.dtype) for weight in model.parameters()}),
        "in_eval_mode": not all(training for training, _ in model.seen),
    }


@wording(
    {
        "for_another_device": Wording(
            wrong="Model and batch are on another device, and autocast is asked for a device that "
            "they are not on."
        )
    }
)
def device(mixed_precision_step, src, tgt, pad_id):
    """Whether autocast is for the device of the batch: "meta", where each step ends in an error."""
    asked = []
    model = ToyModel(pad_id, gain=6.0).float().to("meta")
    optimizer = RecordingSGD(model.parameters(), lr=0.5)
    options = {"scaler": _scaler(None), "dtype": torch.bfloat16}
    watched = mock.patch.object(
        torch.autocast, "__init__", lambda _self, device_type, *_, **__: asked.append(device_type)
    )
    with watched, suppress(Exception):
        batch = src.to("meta"), tgt.to("meta")
        mixed_precision_step(model, batch, token_loss(pad_id), optimizer, **options)
    return {"for_another_device": any(kind != "meta" for kind in asked)}


@wording(
    {
        "average_*": Wording("the average of {rest}", missing="The average has no entry {rest}."),
        "what came back": Wording(
            "the result", "The result is of type {actual}; expected {expected}."
        ),
        "states_unchanged": Wording(wrong="The states that were passed were changed in place."),
        "new_tensors": Wording(
            wrong="The average holds tensors of a state, so it changes when that state does."
        ),
    }
)
def average(average_weights, **entries):
    """States given as `a_1`, `b_1`, `a_2`, ...: letter, number. The last has another order."""
    states: dict[str, dict] = {}
    for name, tensor in entries.items():
        letter, _, number = name.partition("_")
        states.setdefault(number, {})[letter] = tensor.clone()
    states[number] = dict(reversed(states[number].items()))
    averaged = average_weights([states[number] for number in sorted(states)])
    of_states = {tensor.data_ptr() for state in states.values() for tensor in state.values()}
    unchanged = all(torch.equal(states[name[2:]][name[0]], entries[name]) for name in entries)
    averages = averaged if isinstance(averaged, dict) else {}
    made = [tensor for tensor in averages.values() if isinstance(tensor, torch.Tensor)]
    return {
        **{f"average_{name}": tensor for name, tensor in averages.items()},
        "what came back": "dict" if isinstance(averaged, dict) else type(averaged).__name__,
        "states_unchanged": unchanged,
        "new_tensors": of_states.isdisjoint(tensor.data_ptr() for tensor in made),
    }


@wording({"bleu": "the BLEU score"})
def score(bleu, max_n=None, **ids):
    """Sentences `translation_1`, `reference_1`, ... of ids, as lists of words."""
    count = len(ids) // 2
    translations, references = (
        [[f"w{id}" for id in ids[f"{kind}_{number}"].tolist()] for number in range(1, count + 1)]
        for kind in ("translation", "reference")
    )
    options = {} if max_n is None else {"max_n": max_n}
    return {"bleu": bleu(translations, references, **options)}


def _scaler(scale):
    options = {} if scale is None else {"init_scale": scale, "growth_interval": 1}
    return torch.amp.GradScaler("cpu", enabled=scale is not None, **options)


def _name(dtype):
    return str(dtype).removeprefix("torch.")
