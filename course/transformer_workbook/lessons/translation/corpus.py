"""Sentence pairs, German and English: Multi30k, or number words where it is not available.

Multi30k (Elliott et al. 2016) is downloaded from its public repository. Each file is checked
against its SHA-256 and cached. A folder that holds the files is read instead if the argument or
MULTI30K_DIR names one.
"""

import gzip
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from torch.hub import download_url_to_file

from ...shared.language import N_, _, say
from ..number_words import words as number_words

ADDRESS = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
# Of the public files at commit a3d2e0d.
CHECKSUMS = {
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2017_flickr.de.gz": "a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee",
    "test_2017_flickr.en.gz": "76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074",
}
NUMBER_WORDS = N_("number words")
FEW = 1000  # training pairs: with fewer, no sentence is translated
FOLDER = Path("multi30k")  # the cache, beside the notebook

Pair = tuple[str, str]  # German, English


class NoCorpus(RuntimeError):
    """The corpus is not available; the message says why, and what to do."""


@dataclass(frozen=True)
class Corpus:
    """Training, validation and test pairs, each (German, English)."""

    name: str
    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]

    def __repr__(self) -> str:
        said = _("{name}: {train:,} pairs to train, {validation:,} to validate, {test:,} to test")
        sizes = {part: len(getattr(self, part)) for part in ("train", "validation", "test")}
        return said.format(name=_(self.name), **sizes)

    def cut(self, pairs: int | None) -> "Corpus":
        """The corpus with the first `pairs` of each split only; None keeps all."""
        splits = (self.train, self.validation, self.test)
        return Corpus(self.name, *(split[:pairs] for split in splits))


def why_hopeless(corpus: str, pairs: int) -> str:
    """Why a model of so many training pairs earns next to nothing; empty if it may earn more."""
    if corpus != NUMBER_WORDS and not 0 < pairs < FEW:
        return ""
    return _(
        "the model was trained on {pairs:,} pairs of {corpus}, and the grader's sentences describe "
        "photographs: expect a BLEU near 0, which earns next to nothing. Train on all of Multi30k"
    ).format(corpus=corpus, pairs=pairs)


def find_corpus(
    folder: str | os.PathLike | None = None, number_of_pairs: int | None = None
) -> Corpus:
    """Multi30k if it is available; else number words, and a printed sentence that says why.

    `number_of_pairs` limits the training pairs, for a trial.
    """
    try:
        corpus = multi30k(folder)
    except NoCorpus as problem:
        say(str(problem))
        message = _(
            "So this lesson continues with number words (as in lessons 09 and 10): everything "
            "works the same, but the score says nothing about real sentences."
        )
        say(message)
        corpus = numbers()
    return replace(corpus, train=corpus.train[:number_of_pairs])


def multi30k(folder: str | os.PathLike | None = None, test: str = "test_2016_flickr") -> Corpus:
    """Multi30k, German and English: 29,000 training, 1,014 validation and 1,000 test pairs.

    Raises NoCorpus if a file is missing, damaged or cannot be downloaded.
    """
    folder = folder or os.environ.get("MULTI30K_DIR")
    read = _reader(Path(folder)) if folder else fetch
    pairs = [_pairs(name, read) for name in ("train", "val", test)]
    return Corpus("Multi30k", *pairs)


def test_pairs(name: str, folder: str | os.PathLike | None = None, kept: Path = FOLDER):
    """The pairs of one test set: read from `folder`, or downloaded and cached in `kept`.

    Raises NoCorpus if they are not available.
    """
    return _pairs(name, _reader(Path(folder)) if folder else lambda file: fetch(file, kept))


def numbers(train: int = 20_000, validation: int = 500, test: int = 1_000) -> Corpus:
    """German number words and their English, generated: nothing is downloaded.

    Raises ValueError for more than 300,000 pairs.
    """
    drawn = number_words.splits(train, validation, test)
    parts = (drawn.train, drawn.validation, drawn.test)
    pairs = ([(number_words.german(n), number_words.english(n)) for n in part] for part in parts)
    return Corpus(NUMBER_WORDS, *pairs)


def _pairs(name: str, read: Callable[[str], bytes]) -> list[Pair]:
    sides = []
    for language in ("de", "en"):
        text = gzip.decompress(read(f"{name}.{language}.gz")).decode("utf-8")
        # On "\n" alone: splitlines() would also split at other characters within a sentence.
        sides.append([line.strip() for line in text.removesuffix("\n").split("\n")])
    german, english = sides
    if len(german) != len(english):
        message = _(
            "Multi30k: {name} has {german} German lines and {english} English ones; expected as "
            "many of each."
        )
        raise NoCorpus(message.format(name=name, german=len(german), english=len(english)))
    return list(zip(german, english, strict=True))


def _reader(folder: Path) -> Callable[[str], bytes]:
    """Reads .gz files from a folder and checks their SHA-256; or the unpacked file, unchecked."""

    def read(name: str) -> bytes:
        packed, plain = folder / name, folder / name.removesuffix(".gz")
        if packed.is_file():
            return _checked(name, packed.read_bytes(), packed)
        if plain.is_file():  # another corpus in the same form is welcome
            return gzip.compress(plain.read_bytes(), compresslevel=1)
        message = _(
            "Multi30k: there is no {name} in {folder}, which was named by the argument or by "
            "MULTI30K_DIR. Put the files train, val and test_2016_flickr there (.de.gz and "
            ".en.gz), or name no folder to have them downloaded."
        )
        raise NoCorpus(message.format(name=name, folder=folder))

    return read


def fetch(name: str, folder: Path = FOLDER, address: str = ADDRESS) -> bytes:
    """The bytes of a file of the corpus: from the cache `folder`, else downloaded into it.

    Raises NoCorpus if the file is damaged or unreachable.
    """
    path = folder / name
    if path.is_file():
        return _checked(name, path.read_bytes(), path)
    checksum = CHECKSUMS.get(name, "unknown")  # with which no content is right
    try:
        folder.mkdir(parents=True, exist_ok=True)
        download_url_to_file(f"{address}/{name}", str(path), checksum, progress=False)
        return path.read_bytes()
    except (OSError, RuntimeError) as error:  # the second for another checksum
        message = _(
            "Multi30k: {name} could not be fetched from {address} ({reason}). Run the cell again; "
            "or put the files in a folder and set MULTI30K_DIR to it."
        )
        reason = getattr(error, "reason", error)
        raise NoCorpus(message.format(name=name, address=address, reason=reason)) from error


def _checked(name: str, data: bytes, path: Path) -> bytes:
    if name in CHECKSUMS and hashlib.sha256(data).hexdigest() != CHECKSUMS[name]:
        message = _(
            "Multi30k: {path} is damaged or another version. Delete it, then run the cell again."
        )
        raise NoCorpus(message.format(path=path))
    return data
