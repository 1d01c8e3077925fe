"""The settings of a run, for each kind of machine; docs/translation.md says how they were found."""

import os
from dataclasses import asdict, dataclass

from .hardware import Hardware
from .texts import texts


@dataclass(frozen=True)
class Setting:
    """A model's sizes, and how it is trained and read out."""

    vocabulary: int = 8000  # sub-words, of both languages
    num_layers: int = 3
    d_model: int = 256
    num_heads: int = 4
    d_ff: int = 1024
    dropout: float = 0.3
    norm_first: bool = True
    tie_weights: bool = True
    smoothing: float = 0.1
    max_tokens: int = 4096  # of the longer side of a batch, padding included
    epochs: int = 40
    warmup: int = 800
    peak: float = 1e-3  # the highest rate
    noam: bool = False  # from there it falls as in the paper; else in a line, to 0 at the end
    averaged: int = 5  # epochs whose weights are averaged
    score_every: int = 5  # epochs
    scored: int | None = None  # validation sentences for BLEU after an epoch; None: all
    beam_size: int = 5
    length_penalty: float = 1.0
    max_len: int = 64  # of a translation
    at_once: int = 100  # sentences that are translated together
    pairs: int | None = None  # of each part of the corpus; None: all

    def sizes(self) -> dict:
        """What make_model takes, but for the vocabulary."""
        return {
            "num_layers": self.num_layers,
            "d_model": self.d_model,
            "num_heads": self.num_heads,
            "d_ff": self.d_ff,
            "dropout": self.dropout,
            "norm_first": self.norm_first,
            "tie_weights": self.tie_weights,
        }

    def to_tree(self) -> dict:
        return asdict(self)

    def trained(self) -> dict:
        """What trained weights depend on: all but how they are scored and read out."""
        return {name: value for name, value in self.to_tree().items() if name not in _READ_OUT}

    def __str__(self) -> str:
        said = texts()["settings"]
        norm = said["pre_norm" if self.norm_first else "post_norm"]
        return said["summary"].strip().format(**self.to_tree(), layers=self.num_layers, norm=norm)


_READ_OUT = {
    "score_every", "scored", "beam_size", "length_penalty", "max_len", "at_once",
}  # fmt: skip

SETTINGS = {
    # 30 to 60 epochs for small data, with much dropout.
    "gpu": Setting(),
    # The same model for as long as a laptop may hum: too few epochs for so much dropout.
    "cpu-long": Setting(
        dropout=0.15, max_tokens=2048, epochs=14, warmup=400, averaged=3, score_every=3, scored=200
    ),
    # Ends in minutes, with a modest score: nothing is learnt by heart in three epochs.
    "cpu": Setting(
        vocabulary=4000, num_layers=2, d_model=128, d_ff=512, dropout=0.0, max_tokens=512,
        epochs=3, warmup=400, peak=2e-3, averaged=2, score_every=1, scored=100, at_once=20,
    ),
    # For tests: learns nothing, but comes by everything.
    "trial": Setting(
        vocabulary=300, num_layers=1, d_model=32, num_heads=2, d_ff=64, dropout=0.0,
        max_tokens=256, epochs=2, warmup=10, averaged=2, score_every=1, scored=8, max_len=24,
        beam_size=2, pairs=40,
    ),
}  # fmt: skip


def choose(hardware: Hardware, name: str | None = None) -> Setting:
    """The setting for this machine, or the one that is named here or in TRANSLATION_SETTING.

    Raises ValueError for a name that there is not.
    """
    name = name or os.environ.get("TRANSLATION_SETTING")
    name = name or ("gpu" if hardware.device.type == "cuda" else "cpu")
    if name not in SETTINGS:
        raise ValueError(texts()["settings"]["unknown"].format(name=name, known=list(SETTINGS)))
    return SETTINGS[name]
