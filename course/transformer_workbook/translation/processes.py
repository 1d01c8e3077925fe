"""Data-parallel training: one process for each GPU, started by torchrun.

Each process computes a part of every batch, and DistributedDataParallel averages the gradients, so
all processes hold the same weights after each step. The loss is a mean over tokens, and the parts
have different numbers of tokens. So each part's loss is weighted by its share of the tokens, which
makes the step equal to that of one process with the whole batch.
"""

import datetime
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import distributed, nn

from ..shared.language import _
from .subwords import PAD

# Long, since the others wait while the first process computes BLEU. A process that dies is noticed
# at once, by its connections or by torchrun.
_TIMEOUT = datetime.timedelta(hours=2)

T = TypeVar("T")


class LostProcess(RuntimeError):
    """Another process of this run has ended or does not answer."""


@dataclass(frozen=True)
class Processes:
    """This process's rank, and the number of processes."""

    rank: int = 0
    count: int = 1

    @classmethod
    def join(cls, device_type: str) -> "Processes":
        """Join the process group that torchrun started; a group of one without torchrun."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            return cls()
        backend = "nccl" if device_type == "cuda" else "gloo"
        distributed.init_process_group(backend, timeout=_TIMEOUT)
        return cls(distributed.get_rank(), count)

    @property
    def is_first(self) -> bool:
        """Whether this process prints and writes files: only the one of rank 0 does."""
        return self.rank == 0

    def leave(self) -> None:
        """Destroy the process group."""
        if self.count > 1 and distributed.is_initialized():
            distributed.destroy_process_group()

    def share(self, model: nn.Module) -> nn.Module:
        """The model, wrapped so that each backward averages its gradients over all processes."""
        if self.count == 1:
            return model
        device = next(model.parameters()).device
        parallel = nn.parallel.DistributedDataParallel
        renamed = "forward_sync_buffers" in inspect.signature(parallel).parameters  # PyTorch 2.13
        # Positional encodings are large, and equal everywhere.
        options = {"forward_sync_buffers" if renamed else "broadcast_buffers": False}
        return parallel(model, device_ids=[device] if device.type == "cuda" else None, **options)

    def first_alone(self, action: Callable[[], T]) -> T:
        """`action()`, run by the first process before all others, which then find its files."""
        if not self.is_first:
            self.wait()
        result = action()
        if self.is_first:
            self.wait()
        return result

    def draw_otherwise(self, seed: int, step: int) -> None:
        """Seed all processes but the first differently, by seed and step.

        Otherwise all would drop the same units. The first one's RNG state is in the checkpoint.
        """
        if not self.is_first:
            torch.manual_seed((seed * 1_000_003 + step) * self.count + self.rank)

    def part_of(self, batch):
        """This process's rows of a batch (src, tgt); one row of padding if there are too few."""
        if self.count == 1:
            return batch
        return tuple(
            ids[self.rank :: self.count] if len(ids) > self.rank else torch.full_like(ids[:1], PAD)
            for ids in batch
        )

    def weigh(self, loss_fn):
        """A loss function whose mean over the processes is the whole batch's loss per token."""
        if self.count == 1:
            return loss_fn

        def weighted(log_probs, labels):
            tokens = (labels != PAD).sum()
            share = tokens * self.count / self.sum(tokens).clamp(min=1)
            return loss_fn(log_probs, labels) * share

        return weighted

    def mean(self, number: float, device) -> float:
        """The mean over all processes."""
        if self.count == 1:
            return number
        tensor = torch.tensor(number, dtype=torch.float64, device=device)
        return self.sum(tensor).item() / self.count

    def sum(self, number: torch.Tensor) -> torch.Tensor:
        """The sum over all processes. Raises LostProcess."""
        total = number.clone()
        if self.count > 1:
            self._together(lambda: distributed.all_reduce(total))
        return total

    def wait(self) -> None:
        """Wait until all processes have called this. Raises LostProcess."""
        if self.count > 1:
            self._together(distributed.barrier)

    def _together(self, communicate: Callable[[], object]) -> None:
        try:
            communicate()
        except RuntimeError as error:
            raise LostProcess(
                _(
                    "Process {rank} has lost another process of this run, which has ended or does "
                    "not answer. The first message of an error further above says why. The same "
                    "command resumes from the last checkpoint."
                ).format(rank=self.rank)
            ) from error


ALONE = Processes()
