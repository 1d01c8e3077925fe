"""The student's own trained translator, for the lessons after its training."""

import copy
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from safetensors import SafetensorError
from torch import nn

from ...own_code.paths import home
from ...own_code.store import use
from ...shared.language import _, say
from ..full_model import standins as full_model
from ..number_words import words as number_words
from ..number_words.model import SETTING, fill, trained
from ..translation.config import Config
from ..translation.grader_probes import load
from ..translation.hand_in import WEIGHTS, BadHandIn, sizes_of
from ..translation.scenes import SENTENCES
from ..translation.subwords import BadVocabulary
from ..translation.trained_translator import Translator
from .speed import name_parts

_LESSON = "11-translation"
_NUMBERS = range(21_001, 1_000_000, 61_113)  # 17 long ones


@dataclass(frozen=True)
class OwnTranslator:
    """A trained translator made from the student's components, and sentences to try it on."""

    translator: Translator
    sentences: Sequence[str]
    num_heads: int


class _NumberWords:
    """The vocabularies of number words, with the methods of Subwords."""

    def encode_all(self, sentences: Sequence[str]) -> list[list[int]]:
        parsed = [number_words.parse_german(sentence) for sentence in sentences]
        return [number_words.GERMAN.encode(number_words.german_tokens(n)) for n in parsed]

    def decode(self, row) -> str:
        return number_words.join_english(number_words.ENGLISH.decode(row))


def own_translator(folder: str | os.PathLike | None = None) -> OwnTranslator:
    """The translator that lesson 11 wrote to hand in, as a model of your own `make_model`.

    It is looked for in `folder`; by default beside this notebook, beside that of lesson 11, and
    beside your saved code. Where there is none, the course's translator of number words stands in.
    Prints which it is.
    """
    make_model = use("make_model", quiet=True)
    folders = [Path(folder)] if folder else _folders()
    for place in folders:
        if not (place / WEIGHTS).is_file():
            continue
        try:
            loaded = _handed_in(place, make_model)
        except (BadHandIn, BadVocabulary, OSError, SafetensorError, ValueError) as problem:
            text = _("The translator in {folder} cannot be used: {problem}")
            say(text.format(folder=place.resolve(), problem=problem))
            continue
        count = sum(parameter.numel() for parameter in loaded.translator.model.parameters())
        text = _("Your translator of lesson 11, {count:.1f} million parameters, from {folder}.")
        say(text.format(count=count / 1e6, folder=place.resolve()))
        return loaded
    text = _(
        "There is no translator of lesson 11 here ({file} in {folders}). So the course's small "
        "translator of number words stands in. To use yours, call own_translator with the folder "
        "of its three files."
    )
    say(text.format(file=WEIGHTS, folders=", ".join(map(str, folders))))
    return _of_numbers(make_model)


def _folders() -> list[Path]:
    beside = home().parent
    places = [Path("."), Path("..") / _LESSON, beside, beside / _LESSON]
    return list({place.resolve(): place for place in places}.values())


def _handed_in(folder: Path, make_model) -> OwnTranslator:
    # As the grader loads it: so what is wrong with the files is said here, too.
    loaded = load(SimpleNamespace(make_model=full_model.make_model), folder, Config().max_len)
    sizes = sizes_of(loaded.model, dict(loaded.model.named_parameters(remove_duplicate=False)))
    loaded.model = _yours(make_model, (len(loaded.subwords),) * 2, sizes, loaded.model)
    return OwnTranslator(loaded, SENTENCES, sizes["num_heads"])


def _of_numbers(make_model) -> OwnTranslator:
    vocabularies = (len(number_words.GERMAN), len(number_words.ENGLISH))
    model = _yours(make_model, vocabularies, SETTING.sizes, trained())
    translator = Translator(model, _NumberWords(), number_words.MAX_LEN)
    sentences = [number_words.german(n) for n in _NUMBERS]
    return OwnTranslator(translator, sentences, SETTING.num_heads)


def _yours(make_model, vocabularies, sizes: dict, original: nn.Module) -> nn.Module:
    """Your model with the weights of the course's model of the same sizes, in eval mode."""
    model = make_model(*vocabularies, **{**sizes, "dropout": 0.0})
    try:
        fill(model, original, "make_model")
    except ValueError as problem:
        say(_("{problem} So the course's model has them.").format(problem=problem))
        model = copy.deepcopy(original)
    return name_parts(model, sizes["num_heads"], 0.0).eval()
