"""A joint vocabulary of sub-words: byte-level BPE (Sennrich et al. 2016; section 5.1).

A vocabulary is its list of merges: the special tokens and the 256 bytes come first, then one token
for each merge, in the order in which they were learnt. So the file is short and readable.
"""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from ...shared.language import _

PAD, BOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<bos>", "<eos>")
_BATCH = 1000  # sentences; the tokenizer's encodings take far more memory than the ids


class BadVocabulary(ValueError):
    """A file or a list of merges that is not a vocabulary."""


class Subwords:
    """Encodes text of both languages as ids and decodes them; ids 0 to 2 are PAD, BOS and EOS.

    Raises BadVocabulary for a merge of parts that no earlier merge has made.
    """

    def __init__(self, merges: Iterable[tuple[str, str]]) -> None:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        self.merges = [(first, second) for first, second in merges]
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        pieces = dict.fromkeys((*SPECIAL, *alphabet))
        for first, second in self.merges:
            if first not in pieces or second not in pieces:
                message = _(
                    "The vocabulary merges {merge}, but one of these is not a token yet. Take "
                    "the file that Subwords.save wrote."
                )
                raise BadVocabulary(message.format(merge=(first, second)))
            pieces[first + second] = None
        self.pieces = list(pieces)
        ids = {piece: id for id, piece in enumerate(self.pieces)}
        self._tokenizer = Tokenizer(models.BPE(ids, self.merges))
        self._tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        self._tokenizer.decoder = decoders.ByteLevel()

    @classmethod
    def learn(cls, sentences: Iterable[str], size: int = 8000) -> "Subwords":
        """Learn a vocabulary of `size` tokens, or fewer if the text has no more pairs to merge."""
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers

        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=list(SPECIAL),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        tokenizer.train_from_iterator(sentences, trainer)
        merges = json.loads(tokenizer.to_str())["model"]["merges"]
        return cls(
            merge if isinstance(merge, list) else tuple(merge.split(" ")) for merge in merges
        )

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, without BOS and EOS."""
        return self._tokenizer.encode(text).ids

    def encode_all(self, sentences: Sequence[str]) -> list[list[int]]:
        """The ids of many texts, without BOS and EOS."""
        rows = []
        for start in range(0, len(sentences), _BATCH):
            batch = list(sentences[start : start + _BATCH])
            rows += [encoding.ids for encoding in self._tokenizer.encode_batch(batch)]
        return rows

    def pieces_of(self, text: str) -> list[str]:
        """The sub-words of a text; those that begin a word begin with a space."""
        return [self._tokenizer.decode([id]) for id in self.encode(text)]

    def decode(self, ids: Iterable[int] | torch.Tensor) -> str:
        """The text of one row of ids, (T,), up to EOS."""
        row = ids.tolist() if isinstance(ids, torch.Tensor) else list(ids)
        if EOS in row:
            row = row[: row.index(EOS)]
        return self._tokenizer.decode([id for id in row if id not in (PAD, BOS)]).strip()

    def save(self, path: str | os.PathLike) -> Path:
        """Write the vocabulary to a JSON file."""
        path = Path(path)
        tree = {"kind": "byte-level BPE", "merges": [" ".join(merge) for merge in self.merges]}
        path.write_text(json.dumps(tree, ensure_ascii=False, indent=0), encoding="utf-8")
        return path

    @classmethod
    def load(cls, path: str | os.PathLike) -> "Subwords":
        """Read what `save` wrote. Raises BadVocabulary for anything else."""
        try:
            merges = json.loads(Path(path).read_text(encoding="utf-8"))["merges"]
            pairs = [tuple(merge.split(" ")) for merge in merges]
            if any(len(pair) != 2 for pair in pairs):
                raise ValueError(pairs)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = _("{path} holds no vocabulary. Take the file that Subwords.save wrote.")
            raise BadVocabulary(message.format(path=path)) from error
        return cls(pairs)
