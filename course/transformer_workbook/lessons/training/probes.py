"""How the components of lesson 09 are called."""

from functools import partial

import torch
from torch.nn import functional as F

from transformer_workbook.shared.probing import gradients
from transformer_workbook.shared.training_doubles import ToyModel, token_loss, two_steps
from transformer_workbook.shared.words import TWO_STEPS, Wording, wording


@wording({"decoder_input": "the decoder's input", "labels": "the tensor of labels"})
def shift(shift_right, tgt):
    decoder_input, labels = shift_right(tgt)
    return {"decoder_input": decoder_input, "labels": labels}


@wording(
    {
        "log_probs_changed": Wording(
            wrong="The log-probabilities that were passed were changed in place."
        ),
        "target_changed": Wording(wrong="The target that was passed was changed in place."),
    }
)
def smooth(label_smoothing, logits, target, pad_id, smoothing=None):
    """The loss, and whether log-probabilities and target were left as they were."""
    given, labels = F.log_softmax(logits, dim=-1), _as_labels(target)
    before = given.clone()
    loss = _smoothing(label_smoothing, logits, pad_id, smoothing)(given, labels)
    return {
        "loss": loss,
        "log_probs_changed": not torch.equal(given, before),
        "target_changed": not torch.equal(labels, target),
    }


def smooth_backward(label_smoothing, logits, target, pad_id, smoothing=None):
    logits.requires_grad_()
    criterion = _smoothing(label_smoothing, logits, pad_id, smoothing)
    # A copy: log_softmax needs its own result for the way back.
    given = F.log_softmax(logits, dim=-1).clone()
    loss = criterion(given, _as_labels(target))
    if isinstance(loss, torch.Tensor):  # of anything else there is no gradient
        loss.backward()
    return {"logits.grad": logits.grad}


@wording(
    {
        "loss": "the loss of padding alone",
        "is_a_constant": Wording(
            wrong="The loss of padding alone is not computed from the log-probabilities, so "
            "backward cannot start from it."
        ),
    }
)
def smooth_padding(label_smoothing, logits, target, pad_id):
    """The loss where nothing is real, and its gradient, which a constant does not have."""
    logits.requires_grad_()
    given = F.log_softmax(logits, dim=-1).clone()
    loss = _smoothing(label_smoothing, logits, pad_id, None)(given, _as_labels(target))
    if isinstance(loss, torch.Tensor) and loss.requires_grad:
        grads = gradients(loss, {"logits": logits})
    else:
        grads = {"logits.grad": torch.zeros_like(logits)}
    is_a_constant = isinstance(loss, torch.Tensor) and not loss.requires_grad
    return {"loss": loss, "is_a_constant": is_a_constant, **grads}


@wording({"rate of step *": "the rate of step {rest}"})
def rates(noam_lr, steps, d_model, **options):
    return {f"rate of step {step}": noam_lr(step, d_model, **options) for step in steps.tolist()}


@wording(TWO_STEPS | {"rates": "the learning rate, step by step,"})
def learn(train_step, src, tgt, pad_id, max_norm=None, stale=False, scheduled=False, groups=False):
    """Two steps on one batch: the losses, what the optimizer saw, and the weights at the end."""
    model = ToyModel(pad_id, gain=6.0)
    step = partial(train_step, model, (src, tgt), token_loss(pad_id))
    first, last, optimizer = two_steps(step, model, max_norm, stale, scheduled, groups)
    rates = [*optimizer.rates, optimizer.param_groups[0]["lr"]]
    return {**first, "rates": torch.tensor(rates), **last}


def measure(evaluate, pad_id, training, **ids):
    """The loss over several batches; in which mode it was measured, and which mode is left."""
    count = len(ids) // 2
    batches = [(ids[f"src_{number}"], ids[f"tgt_{number}"]) for number in range(1, count + 1)]
    model = ToyModel(pad_id, dropout=1.0).train(training)
    loss = evaluate(model, batches, token_loss(pad_id))
    return {
        "loss": loss,
        "in_train_mode": any(mode for mode, _ in model.seen),
        "with_gradients": any(gradients for _, gradients in model.seen),
        "left_in_train_mode": model.training,
    }


@wording({"clipped_*": "the clipped gradient {rest}", "norm": "the norm before clipping"})
def clip(clip_gradients, max_norm, **gradients):
    """The clipped gradients by name, and the length before, which may be a float or a tensor."""
    clipped, norm = clip_gradients(list(gradients.values()), max_norm)
    named = {f"clipped_{name}": grad for name, grad in zip(gradients, clipped, strict=False)}
    like = next(iter(gradients.values()))
    return {**named, "norm": like.new_tensor(norm) if isinstance(norm, float) else norm}


def _smoothing(label_smoothing, logits, pad_id, smoothing):
    options = () if smoothing is None else (smoothing,)
    return label_smoothing(logits.size(-1), pad_id, *options)


def _as_labels(target):
    """The same numbers as a window of something longer, as shift_right's labels are."""
    return torch.cat([target[..., :1], target], dim=-1)[..., 1:]
