"""One training shared by several processes, one a GPU, as torchrun starts them.

Each process computes a part of every batch, and the gradients are averaged by torch's
DistributedDataParallel, so that all hold the same weights after each step. The loss is an average
over tokens, and the parts hold different numbers of them: each part's loss is weighed by its share,
which makes the step the same as that of one process with the whole batch.
"""

import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import distributed, nn

from .subwords import PAD
from .texts import texts

# With a process that says nothing: the first one scores alone, which may take long. A process that
# dies is noticed at once, by its connections or by torchrun.
_PATIENCE = datetime.timedelta(hours=2)


T = TypeVar("T")


class LostProcess(RuntimeError):
    """Another process of this run has ended, or does not answer."""


@dataclass(frozen=True)
class Processes:
    """Which of how many processes this is."""

    rank: int = 0
    count: int = 1

    @classmethod
    def join(cls, device_type: str) -> "Processes":
        """Meet the other processes that torchrun started; alone if it started none."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            return cls()
        backend = "nccl" if device_type == "cuda" else "gloo"
        distributed.init_process_group(backend, timeout=_PATIENCE)
        return cls(distributed.get_rank(), count)

    @property
    def is_first(self) -> bool:
        """The first one alone speaks and writes files."""
        return self.rank == 0

    def leave(self) -> None:
        if self.count > 1 and distributed.is_initialized():
            distributed.destroy_process_group()

    def share(self, model: nn.Module) -> nn.Module:
        """The model, its gradients averaged over all processes after each backward."""
        if self.count == 1:
            return model
        device = next(model.parameters()).device
        return nn.parallel.DistributedDataParallel(
            model,
            device_ids=[device] if device.type == "cuda" else None,
            broadcast_buffers=False,  # the positions: the same everywhere, and large
        )

    def first_alone(self, deed: Callable[[], T]) -> T:
        """What `deed` gives, done by the first process before the others: they find its files."""
        if not self.is_first:
            self.wait()
        done = deed()
        if self.is_first:
            self.wait()
        return done

    def draw_otherwise(self, seed: int, step: int) -> None:
        """Random numbers that the first process does not draw; the same if a step is repeated.

        All would drop the same units otherwise. The first one's are kept in the checkpoint.
        """
        if not self.is_first:
            torch.manual_seed((seed * 1_000_003 + step) * self.count + self.rank)

    def part_of(self, batch):
        """This process's rows of a batch (src, tgt); one row of padding where none is left."""
        if self.count == 1:
            return batch
        return tuple(
            ids[self.rank :: self.count] if len(ids) > self.rank else torch.full_like(ids[:1], PAD)
            for ids in batch
        )

    def weigh(self, loss_fn):
        """A loss whose average over the processes is the loss per token of the whole batch."""
        if self.count == 1:
            return loss_fn

        def weighed(log_probs, labels):
            real = (labels != PAD).sum()
            share = real * self.count / self.sum(real).clamp(min=1)
            return loss_fn(log_probs, labels) * share

        return weighed

    def mean(self, number: float, device) -> float:
        """The mean over all processes."""
        if self.count == 1:
            return number
        return (
            self.sum(torch.tensor(number, dtype=torch.float64, device=device)).item() / self.count
        )

    def sum(self, number: torch.Tensor) -> torch.Tensor:
        total = number.clone()
        if self.count > 1:
            self._together(lambda: distributed.all_reduce(total))
        return total

    def wait(self) -> None:
        """Until all have come here."""
        if self.count > 1:
            self._together(distributed.barrier)

    def _together(self, deed) -> None:
        try:
            deed()
        except RuntimeError as error:
            raise LostProcess(texts()["processes"]["lost"].format(rank=self.rank)) from error


ALONE = Processes()
