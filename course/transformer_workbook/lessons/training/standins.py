"""Stand-ins for lesson 09."""

from contextlib import contextmanager

import torch
from torch import nn

_entropy = torch.special.entr
_clip_gradients = nn.utils.clip_grad_norm_


def shift_right(tgt):
    """The decoder's input and the labels, two views of the target, each (N, T - 1)."""
    read, say = tgt.unfold(1, tgt.shape[1] - 1, 1).unbind(dim=1)
    return read, say


class LabelSmoothing(nn.Module):
    """Section 5.4: KL divergence per real token, as cross-entropy less the target's entropy."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        rest = vocab_size - 2
        shares = torch.tensor([1.0 - smoothing] + [smoothing / rest] * rest, dtype=torch.float64)
        self.bonus = (shares[0] - shares[1]).item()
        self.wrong = shares[1].item()
        self.entropy = _entropy(shares).sum().item()
        self.vocab_size = vocab_size
        self.smoothing = smoothing
        self.pad_id = pad_id

    def forward(self, log_probs, target):
        chosen = target.flatten().ne(self.pad_id).nonzero().squeeze(1)
        log_probs = log_probs.flatten(0, -2)[chosen]  # (real tokens, V)
        target = target.flatten()[chosen]
        of_target = nn.functional.nll_loss(log_probs, target, reduction="sum")
        of_padding = log_probs[:, self.pad_id].sum()
        of_all = of_padding - log_probs.sum()
        surprise = of_target * self.bonus + of_all * self.wrong
        return (surprise - len(chosen) * self.entropy) / max(len(chosen), 1)


def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Eq. 3: the two branches meet at step `warmup`."""
    step = step or 1
    if step < warmup:
        return factor * step / (d_model * warmup**3) ** 0.5
    return factor / (d_model * step) ** 0.5


def _loss(model, batch, loss_fn):
    src, targets = batch
    read, say = shift_right(targets)
    return loss_fn(nn.functional.log_softmax(model(src, read), dim=2), say), say


def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """One training step; returns the loss per real token."""

    def closure():
        model.zero_grad()
        loss, _ = _loss(model, batch, loss_fn)
        torch.autograd.backward(loss)
        _clip_gradients(list(model.parameters()), max_norm=max_norm)
        return loss

    loss = optimizer.step(closure)
    if scheduler:
        scheduler.step()
    return float(loss.detach())


@contextmanager
def at_rest(model):
    """Eval mode without gradients; every module's own mode is restored."""
    modes = {module: module.training for module in model.modules()}
    model.train(False)
    try:
        with torch.set_grad_enabled(False):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def evaluate(model, batches, loss_fn):
    """Mean loss per real token, in eval mode; the modes are restored."""
    losses, counts = [0.0], [0]
    with at_rest(model):
        for batch in batches:
            loss, say = _loss(model, batch, loss_fn)
            counts.append(int(say.ne(model.pad_id).count_nonzero()))
            losses.append(float(loss) * counts[-1])
    return sum(losses) / (sum(counts) or 1)
