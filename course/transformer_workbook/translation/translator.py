"""A model with its vocabulary: text in, text out, and how good that is (sacreBLEU)."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from .. import show
from .batches import sources
from .corpus import Pair
from .subwords import BOS, EOS, Subwords
from .views import cross_attention

Decode = Callable[..., torch.Tensor]  # greedy_decode or beam_search


@dataclass(frozen=True)
class Bleu:
    """A score with its signature, without which it cannot be compared (Post 2018)."""

    score: float
    signature: str

    def __str__(self) -> str:
        return f"{self.score:.2f} ({self.signature})"


@dataclass
class Translator:
    """A trained model and the vocabulary that it reads and writes."""

    model: torch.nn.Module
    subwords: Subwords
    max_len: int = 64
    at_once: int = 100  # sentences

    def translate(self, sentences: Sequence[str], decode: Decode, **options) -> list[str]:
        """The English of German sentences; `options` go to `decode`."""
        device = next(self.model.parameters()).device
        # Sentences of a length together: a batch is as slow as its longest one.
        order = sorted(range(len(sentences)), key=lambda one: -len(sentences[one]))
        english = [""] * len(sentences)
        for start in range(0, len(order), self.at_once):
            some = order[start : start + self.at_once]
            src = sources([sentences[one] for one in some], self.subwords, device)
            ids = decode(self.model, src, self.max_len, BOS, EOS, **options)
            for one, row in zip(some, ids.tolist(), strict=True):
                english[one] = self.subwords.decode(row)
        return english

    def alignment(self, sentence: str, decode: Decode, **options) -> show.Picture:
        """A sentence, its translation, and where the model looked for each sub-word of it."""
        device = next(self.model.parameters()).device
        src = sources([sentence], self.subwords, device)
        tgt = decode(self.model, src, self.max_len, BOS, EOS, **options)[:1]
        if EOS not in tgt[0].tolist():
            tgt = torch.cat([tgt, tgt.new_full((1, 1), EOS)], dim=1)
        weights = cross_attention(self.model, src, tgt)
        pieces = self.subwords.pieces
        read = [self.subwords.decode([id]) or pieces[id] for id in src[0].tolist()]
        said = [self.subwords.decode([id]) or pieces[id] for id in tgt[0, 1:].tolist()]
        lines = [sentence, self.subwords.decode(tgt[0])]
        title = "\n".join(textwrap.fill(line, 70) for line in lines)
        return show.alignment(weights, read, said, title=title)

    def bleu(self, pairs: Sequence[Pair], decode: Decode, **options) -> Bleu:
        """The BLEU of this model's translations of pairs, cased, tokenised by sacreBLEU."""
        translations = self.translate([german for german, _ in pairs], decode, **options)
        return bleu(translations, [english for _, english in pairs])


def bleu(translations: Sequence[str], references: Sequence[str]) -> Bleu:
    """The corpus BLEU of translations against one reference each, with its signature."""
    from sacrebleu.metrics import BLEU

    metric = BLEU()
    score = metric.corpus_score(list(translations), [list(references)]).score
    return Bleu(score, metric.get_signature().format())
