"""What a lesson expects beside its notebook, and what that earns: its translator.toml."""

from dataclasses import dataclass
from pathlib import Path

from autograder.errors import AuthoringError
from autograder.language import _

from .author_files import read_toml

TRANSLATOR = "translator.toml"


@dataclass(frozen=True)
class TranslatorSettings:
    """A trained translator, scored by the BLEU of held-back sentences.

    `component` is its name in the results. `sentences` names a test set of Multi30k, or another in
    the same format. `loads` points are for files that hold a model of the course. A BLEU of
    `begins` earns `begins_with` points, one of `full` earns `bleu` points, and between the two the
    points are linear. `seconds` is the limit for one submission.
    """

    component: str
    sentences: str
    loads: float
    bleu: float
    begins: float
    begins_with: float
    full: float
    seconds: float = 180.0
    beam_size: int = 5
    length_penalty: float = 1.0
    max_len: int = 64

    @property
    def points(self) -> float:
        return self.loads + self.bleu

    @property
    def tests(self) -> dict[str, float]:
        """The points of each test."""
        return {"loads": self.loads, "bleu": self.bleu}

    def earned(self, score: float) -> float:
        """The points for a BLEU; none for NaN."""
        if not score >= self.begins:
            return 0.0
        if score >= self.full:
            return self.bleu
        share = (score - self.begins) / (self.full - self.begins)
        return round(self.begins_with + share * (self.bleu - self.begins_with), 2)


def read_translator_settings(folder: Path) -> TranslatorSettings | None:
    """Read a lesson's translator.toml; None where it has none. Raises AuthoringError."""
    path = folder / TRANSLATOR
    if not path.is_file():
        return None
    settings = TranslatorSettings(**read_toml(path))
    if not (settings.begins < settings.full and settings.begins_with <= settings.bleu):
        raise AuthoringError(
            _("{path}: expected begins below full, and begins_with from 0 to bleu"), path=path
        )
    return settings
