"""Configurations of a run, by kind of machine; docs/translation.md has the experiments."""

import os
from dataclasses import asdict, dataclass

from ...shared.language import _
from .hardware import Hardware


@dataclass(frozen=True)
class Config:
    """A model's sizes, and the hyperparameters of its training and decoding."""

    vocabulary: int = 8000  # sub-words, shared by both languages
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
    peak: float = 1e-3  # the highest learning rate
    noam: bool = False  # decay as in the paper; else linear decay to 0 at the end
    averaged: int = 5  # last epochs, whose weights are averaged
    score_every: int = 5  # epochs
    scored: int | None = None  # validation sentences for an epoch's BLEU; None: all
    beam_size: int = 5
    length_penalty: float = 1.0
    max_len: int = 64  # tokens of a translation
    at_once: int = 100  # batch size when translating, in sentences
    pairs: int | None = None  # used of each split of the corpus; None: all

    def sizes(self) -> dict:
        """The keyword arguments of make_model, but for the vocabulary."""
        return {name: getattr(self, name) for name in _SIZES}

    def trained(self) -> dict:
        """The fields that trained weights depend on: all but those of scoring and decoding."""
        return {name: value for name, value in asdict(self).items() if name not in _DECODING}

    def __str__(self) -> str:
        norm = _("pre-norm") if self.norm_first else _("post-norm")
        fall = _("then down as in the paper") if self.noam else _("then down to 0")
        return _(
            "{vocabulary:,} sub-words, {layers}+{layers} layers, d_model {d_model}, "
            "{num_heads} heads, d_ff {d_ff}, {norm}\n"
            "dropout {dropout}, label smoothing {smoothing}\n"
            "{epochs} epochs with at most {max_tokens:,} tokens a batch; the last {averaged} "
            "can be averaged\n"
            "learning rate up to {peak} in {warmup} steps, {fall}\n"
            "beam of {beam_size}, length penalty {length_penalty}"
        ).format(**asdict(self), layers=self.num_layers, norm=norm, fall=fall)


_SIZES = (
    "num_layers", "d_model", "num_heads", "d_ff", "dropout", "norm_first", "tie_weights",
)  # fmt: skip
_DECODING = {
    "score_every", "scored", "beam_size", "length_penalty", "max_len", "at_once",
}  # fmt: skip

CONFIGS = {
    # 30 to 60 epochs for small data, with much dropout.
    "gpu": Config(),
    # The same model in about two hours on a laptop: fewer epochs, so less dropout.
    "cpu-long": Config(
        dropout=0.15, max_tokens=2048, epochs=14, warmup=400, averaged=3, score_every=3, scored=200
    ),
    # Ends in minutes, with a modest score. Three epochs do not overfit, so there is no dropout.
    "cpu": Config(
        vocabulary=4000, num_layers=2, d_model=128, d_ff=512, dropout=0.0, max_tokens=512,
        epochs=3, warmup=400, peak=2e-3, averaged=2, score_every=1, scored=100, at_once=20,
    ),
    # For tests: runs every step, learns nothing.
    "trial": Config(
        vocabulary=300, num_layers=1, d_model=32, num_heads=2, d_ff=64, dropout=0.0,
        max_tokens=256, epochs=2, warmup=10, averaged=2, score_every=1, scored=8, max_len=24,
        beam_size=2, pairs=40,
    ),
}  # fmt: skip


def choose(hardware: Hardware, name: str | None = None) -> Config:
    """The configuration named here or in TRANSLATION_SETTING; else the one for this hardware.

    Raises ValueError for an unknown name.
    """
    name = name or os.environ.get("TRANSLATION_SETTING")
    name = name or ("gpu" if hardware.device.type == "cuda" else "cpu")
    if name not in CONFIGS:
        message = _("There is no setting {name!r}; the settings are {known}.")
        raise ValueError(message.format(name=name, known=list(CONFIGS)))
    return CONFIGS[name]
