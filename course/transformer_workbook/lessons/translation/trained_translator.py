"""A model with its vocabulary: translates text, and measures BLEU with sacreBLEU."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ... import show
from ...shared.language import _
from .batches import sources
from .corpus import Pair
from .subwords import BOS, EOS, SPECIAL, Subwords

Decode = Callable[..., torch.Tensor]  # greedy_decode or beam_search


@dataclass(frozen=True)
class Bleu:
    """A score from 0 to 100 and its signature, which makes it comparable (Post 2018)."""

    score: float
    signature: str

    def __str__(self) -> str:
        return f"{self.score:.2f} ({self.signature})"


@dataclass
class Translator:
    """A trained model and its vocabulary, shared by source and target."""

    model: torch.nn.Module
    subwords: Subwords
    max_len: int = 64  # tokens of a translation
    at_once: int = 100  # batch size, in sentences

    def translate(
        self, sentences: Sequence[str], decode: Decode, *, progress: str = "", **options: Any
    ) -> list[str]:
        """Translate German sentences into English; `options` are passed to `decode`.

        `progress` is the title of a progress bar; without one there is none. Raises TypeError for
        a text in place of a list of sentences.
        """
        if isinstance(sentences, str):
            message = _("translate takes a list of sentences, but got a text. Write [{text!r}].")
            raise TypeError(message.format(text=textwrap.shorten(sentences, 40)))
        device = next(self.model.parameters()).device
        # Batches of similar length: a batch takes as long as its longest sentence.
        order = sorted(range(len(sentences)), key=lambda index: -len(sentences[index]))
        english = [""] * len(sentences)
        bar = _bar(progress, len(order))
        for start in range(0, len(order), self.at_once):
            batch = order[start : start + self.at_once]
            src = sources([sentences[index] for index in batch], self.subwords, device)
            ids = decode(self.model, src, self.max_len, BOS, EOS, **options)  # (N, T)
            for index, row in zip(batch, ids.tolist(), strict=True):
                english[index] = self.subwords.decode(row)
            if bar:
                bar.update(len(batch))
        if bar:
            bar.close()
        return english

    def alignment(
        self, sentence: str, decode: Decode, *, by: str = "", **options: Any
    ) -> show.Picture:
        """Draw the last decoder layer's cross-attention in a translation, sub-word by sub-word.

        The mean over the heads is drawn. `by` names the way to decode, for the title.
        """
        # Imported here: the grader translates without pictures.
        from ..decoding.views import cross_attention

        device = next(self.model.parameters()).device
        src = sources([sentence], self.subwords, device)
        tgt = decode(self.model, src, self.max_len, BOS, EOS, **options)[:1]
        written = tgt[0].tolist()
        if EOS in written:  # only padding follows it
            tgt = tgt[:, : written.index(EOS) + 1]
        elif len(written) == 1:
            tgt = torch.cat([tgt, tgt.new_full((1, 1), EOS)], dim=1)
        weights = cross_attention(self.model, src, tgt)
        german = [self._label(id) for id in src[0].tolist()]
        english = [self._label(id) for id in tgt[0, 1:].tolist()]
        by = by or _("the model")
        lines = [sentence, f"{by}: {self.subwords.decode(tgt[0])}"]
        # The picture is as wide as the source is long, but a translation may be far longer.
        width = min(max(40, 22 + 6 * len(german)), 70)
        lines = [textwrap.shorten(line, 2 * width, placeholder=" ...") for line in lines]
        title = "\n".join(textwrap.fill(line, width) for line in lines)
        return show.alignment(weights, german, english, title=title)

    def _label(self, id: int) -> str:
        """A sub-word as people read it, in a picture."""
        if id < len(SPECIAL):
            return self.subwords.pieces[id]
        text = self.subwords.decode([id])
        if "\N{REPLACEMENT CHARACTER}" in text:
            return _("(byte)")  # a part of a letter, such as half of an umlaut
        return text or _("(space)")

    def explorer(self, decoders: Mapping[str, Decode], sentence: str) -> object:
        """A widget for German sentences of your own: translation, and where the model looks.

        `decoders` has ways to decode by name, the first one to begin with; each is called like
        greedy_decode. Where no kernel runs, it is the picture for `sentence`.
        """
        from ...show.picture import note
        from ...show.widgets import choice, explore

        first = next(iter(decoders))

        def draw(sentence: str = sentence, by: str = first) -> show.Picture:
            if not sentence.strip():
                return note(_("Write a German sentence."))
            return self.alignment(sentence, decoders[by], by=by)

        def text(library):
            return library.Text(value=sentence, description=_("German"), continuous_update=False)

        ways = choice(_("decode by"), {name: name for name in decoders}, first)
        return explore(draw, {"sentence": text, "by": ways})

    def bleu(self, pairs: Sequence[Pair], decode: Decode, **options: Any) -> Bleu:
        """BLEU of this model's translations of (German, English) pairs, see `bleu`, `translate`."""
        translations = self.translate([german for german, _ in pairs], decode, **options)
        return bleu(translations, [english for _, english in pairs])


def _bar(title: str, total: int):
    """A progress bar; None without a title, as for the grader."""
    if not title:
        return None
    from ...shared.progress_bar import progress_bar

    return progress_bar(total, title=title)


def bleu(translations: Sequence[str], references: Sequence[str]) -> Bleu:
    """Corpus BLEU of translations against one reference each: cased, tokenised by sacreBLEU."""
    from sacrebleu.metrics import BLEU

    metric = BLEU()
    score = metric.corpus_score(list(translations), [list(references)]).score
    return Bleu(score, metric.get_signature().format())
