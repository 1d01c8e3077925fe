"""A model card of a trained translator, to show to others (Mitchell et al. 2019, arXiv 1810.03993).

It says what was trained, on what, how well it does and what it cannot do, in Markdown.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ...own_code.store import saved
from ...shared.language import N_, _, say
from .config import Config
from .corpus import Corpus, Pair
from .hand_in import fingerprint
from .hardware import Hardware
from .run import TrainingOutcome
from .trained_translator import Bleu

CARD = "model-card.md"
CELL = str.maketrans({"|": "\\|", "\n": " "})

_CALLED = {"last": N_("those of the last epoch"), "average": N_("the mean of the last epochs")}

TEXT = N_("""\
# A Transformer, {source} to {target}

Built by hand, part by part, after "Attention Is All You Need" (Vaswani et al. 2017).

| | |
|---|---|
| model | {parameters:,} parameters |
| trained on | {corpus}: {pairs:,} pairs of sentences, {tokens:,} tokens of the target |
| device | {device} |
| time | {minutes:.1f} minutes |
| weights | {weights}, chosen on {validated:,} sentences of validation |
| BLEU on {tested:,} unseen sentences{decoding} | **{bleu:.1f}** (`{signature}`) |
| fingerprint | `{fingerprint}` |
| written by hand | {own} of its {count} parts{others} |

## Setting

{setting}

## Some of its translations

They are the first ones of the test set, not the best ones.

| source | the model | reference |
|---|---|---|
{samples}

## What it is not for

It has read nothing but {corpus}. It does not know words that are not in there, it translates one
sentence at a time, and it can be wrong without a sign of doubt. It is a model to learn from, not
one to rely on.
""")


def model_card(
    outcome: TrainingOutcome,
    corpus: Corpus,
    setting: Config,
    hardware: Hardware,
    bleu: Bleu,
    samples: Sequence[tuple[Pair, str]],
    folder: str | os.PathLike = ".",
    *,
    decoding: str = "",
) -> None:
    """Write model-card.md into `folder`, and print where it is.

    `bleu` is the score on the test set, with the way of `decoding`; `samples` are pairs of that
    set, each with its translation. The card's fingerprint is that of the translator's weights now,
    by which `wb.finish` tells whether the files to hand in hold this very model.
    """
    parts = _parts()
    kept = parts & saved()
    remark = _("; the others are stand-ins: {names}").format(names=", ".join(sorted(parts - kept)))
    rows = [
        f"| {german.translate(CELL)} | {actual.translate(CELL)} | {english.translate(CELL)} |"
        for (german, english), actual in samples
    ]
    text = _(TEXT).format(
        source=_("German"),
        target=_("English"),
        parameters=sum(weights.numel() for weights in outcome.translator.model.parameters()),
        corpus=corpus.name,
        pairs=len(corpus.train),
        tokens=outcome.tokens,
        device=hardware.name,
        minutes=outcome.seconds / 60,
        weights=_(_CALLED.get(outcome.taken, outcome.taken)),
        validated=len(corpus.validation),
        tested=len(corpus.test),
        decoding=f", {decoding}" if decoding else "",
        fingerprint=fingerprint(outcome.translator.model.parameters(), outcome.translator.subwords),
        bleu=bleu.score,
        signature=bleu.signature,
        own=len(kept),
        count=len(parts),
        others=remark if kept < parts else "",
        setting="\n".join(f"- {line}" for line in str(setting).splitlines()),
        samples="\n".join(rows),
    )
    path = Path(folder) / CARD
    path.write_text(text, encoding="utf-8")
    say(_("The model card is in {path}: show it to somebody.").format(path=path.resolve()))


def fingerprint_on(card: Path) -> str:
    """The fingerprint of the model that a card describes; empty if there is no such card."""
    try:
        match = re.search(r"`([0-9a-f]{12})`", card.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    return match.group(1) if match else ""


def _parts() -> set[str]:
    """The components of the course up to this lesson that a translator is made of."""
    from ...diagnosis.recorded_lessons import index

    lessons = index()["lessons"]
    return {name for id in lessons if id[:2] <= "11" for name in lessons[id]["components"]}
