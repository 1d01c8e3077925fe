"""Sentence pairs as batches of token ids, limited by their number of tokens."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

import torch

from ..number_words.words import pad
from .corpus import Pair
from .subwords import BOS, EOS, PAD, Subwords

GroupByLength = Callable[[list[int], int], list[list[int]]]  # token_batches of lesson 11
Batch = tuple[torch.Tensor, torch.Tensor]


class TokenBatches:
    """Batches `(src, tgt)` of pairs, (N, S) and (N, T), shuffled again for each epoch.

    `token_batches(lengths, max_tokens)` groups the sentences. A call with an epoch's number returns
    that epoch's list of batches, the same one each time; iteration is unshuffled, for validation.
    Pairs of more than `longest` tokens on a side are left out.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        subwords: Subwords,
        token_batches: GroupByLength,
        max_tokens: int,
        *,
        seed: int = 0,
        device: torch.device | str | None = None,
        longest: int = 128,
    ) -> None:
        sources = subwords.encode_all([german for german, _ in pairs])
        targets = subwords.encode_all([english for _, english in pairs])
        self.rows = [
            ([*src, EOS], [BOS, *tgt, EOS]) for src, tgt in zip(sources, targets, strict=True)
        ]
        self.rows = [row for row in self.rows if max(map(len, row)) <= longest]
        self.token_batches = token_batches
        self.max_tokens = max_tokens
        self.seed = seed
        self.device = device

    def __iter__(self) -> Iterator[Batch]:
        return iter(self._batches(self.rows))

    def __call__(self, epoch: int) -> list[Batch]:
        rng = random.Random(f"{self.seed} {epoch}")
        # Grouping keeps the order of sentences of one length, so each epoch has other groups.
        batches = self._batches(rng.sample(self.rows, len(self.rows)))
        rng.shuffle(batches)
        return batches

    def _batches(self, rows) -> list[Batch]:
        lengths = [max(len(src), len(tgt)) for src, tgt in rows]
        groups = self.token_batches(lengths, self.max_tokens)
        pairs = [zip(*(rows[index] for index in group), strict=True) for group in groups]
        return [tuple(pad(side, self.device) for side in sides) for sides in pairs]


def sources(sentences: Sequence[str], subwords: Subwords, device=None) -> torch.Tensor:
    """German sentences as padded ids with end marks: (N, S)."""
    return pad([[*ids, EOS] for ids in subwords.encode_all(sentences)], device)


def padding_of(batches: Iterable[Batch]) -> float:
    """The share of padding among the ids of all batches, from 0 to 1."""
    tensors = [ids for batch in batches for ids in batch]
    real = sum(int((ids != PAD).sum()) for ids in tensors)
    return 1 - real / sum(ids.numel() for ids in tensors)
