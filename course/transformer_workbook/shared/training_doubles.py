"""A model, an optimizer and a loss that the probes of training steps give to a component."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR

from .probing import fill_parameters


class ToyModel(nn.Module):
    """A model with one layer: what comes next follows from the last token and the source.

    For each call it notes whether it was in train mode and whether gradients were recorded
    (`seen`), and the dtype of the logits (`computed_in`), which are multiplied by `gain`.
    """

    def __init__(
        self, pad_id: int, vocab_size: int = 7, dropout: float = 0.0, gain: float = 1.0
    ) -> None:
        super().__init__()
        self.pad_id, self.gain = pad_id, gain
        self.seen: list[tuple[bool, bool]] = []
        self.computed_in: list[str] = []
        self.source = fill_parameters(nn.Embedding(vocab_size, 4), seed=1)
        self.tokens = fill_parameters(nn.Embedding(vocab_size, 4), seed=2)
        self.output = fill_parameters(nn.Linear(4, vocab_size), seed=3)
        self.dropout = nn.Dropout(dropout)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        self.seen.append((self.training, torch.is_grad_enabled()))
        real = (src != self.pad_id).unsqueeze(2)
        about = (self.source(src) * real).sum(dim=1, keepdim=True)
        mixed = torch.tanh(self.tokens(tgt) + about)
        logits: Tensor = self.output(self.dropout(mixed))  # (N, T, V)
        self.computed_in.append(str(logits.dtype).removeprefix("torch."))
        return self.gain * logits


class RecordingSGD(torch.optim.SGD):
    """Plain gradient descent that notes the rate and the size of the gradients of each step."""

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float) -> None:
        super().__init__(parameters, lr)
        self.rates: list[float] = []
        self.norms: list[float] = []

    def step(self, closure: Any = None) -> Any:
        loss = None if closure is None else closure()
        learned = [parameter for group in self.param_groups for parameter in group["params"]]
        squares = [
            parameter.grad.square().sum() for parameter in learned if parameter.grad is not None
        ]
        self.rates.append(float(self.param_groups[0]["lr"]))
        self.norms.append(sum(squares).sqrt().item() if squares else 0.0)
        super().step()
        return loss


def token_loss(pad_id: int) -> Callable[[Tensor, Tensor], Tensor]:
    """A loss without smoothing: minus the log-probability of the right token, per real token.

    Its arguments are called as those of LabelSmoothing.
    """

    def loss_fn(log_probs: Tensor, target: Tensor) -> Tensor:
        log_probs = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1)
        total = F.nll_loss(log_probs, target, ignore_index=pad_id, reduction="sum")
        return total / (target != pad_id).sum().clamp(min=1)

    return loss_fn


def two_steps(
    step: Callable[..., Any],
    model: ToyModel,
    max_norm: float | None,
    stale: bool,
    scheduled: bool,
    groups: bool = False,
) -> tuple[dict[str, Any], dict[str, Any], RecordingSGD]:
    """The losses of two steps; what is known of gradients and weights after them; the optimizer.

    `step` takes the optimizer, perhaps a scheduler, and `max_norm`. With `stale` there are
    gradients from before; with `scheduled` the rate falls at each step; with `groups` the
    optimizer holds the embeddings in one group, the last layer in another.
    """
    weights = list(model.parameters())
    parts: Any = [{"params": weights[:2]}, {"params": weights[2:]}] if groups else weights
    optimizer = RecordingSGD(parts, lr=0.5)
    rest: list[Any] = [LambdaLR(optimizer, lambda steps: 1 / (1 + steps))] if scheduled else []
    for weight in weights if stale else ():
        weight.grad = torch.ones_like(weight)
    options = {} if max_norm is None else {"max_norm": max_norm}
    losses = {name: step(optimizer, *rest, **options) for name in ("loss", "second_loss")}
    return (
        {**losses, "gradient_norms": torch.tensor(optimizer.norms)},
        {
            "weights": torch.cat([weight.detach().flatten() for weight in weights]),
            "in_eval_mode": not all(training for training, _ in model.seen),
        },
        optimizer,
    )
