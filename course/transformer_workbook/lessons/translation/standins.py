"""Stand-ins for lesson 11."""

import torch
from torch import nn

from transformer_workbook.lessons.training.standins import shift_right


def token_batches(lengths, max_tokens):
    """Group sentences of similar length, taken from the longest down; lists of indices."""
    left = torch.tensor(lengths, dtype=torch.long).argsort(descending=True, stable=True).tolist()
    batches = []
    while left:
        rows = max(1, max_tokens // max(1, lengths[left[0]]))
        batches.append(left[:rows])
        del left[:rows]
    return batches[::-1]


def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """A step in torch's recipe for mixed precision; returns the loss per real token."""
    device = batch[0].device.type
    read, say = shift_right(batch[1])
    model.zero_grad()
    with torch.autocast(device, dtype=dtype, enabled=bool(dtype)):
        said = model(batch[0], read)
    loss = loss_fn(nn.functional.log_softmax(said, dim=2, dtype=torch.float32), say)
    amp = scaler
    torch.autograd.backward(amp.scale(loss))
    amp.unscale_(optimizer)
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    amp.step(optimizer)
    amp.update()
    if scheduler:
        scheduler.step()
    return float(loss.detach())


def average_weights(states):
    """Each entry's mean over the states."""
    return {name: torch.mean(torch.stack([item[name] for item in states]), 0) for name in states[0]}
