"""Writes the translator that answers on the site's first page, in the browser."""

import json
import shutil
from pathlib import Path

from autograder.lesson.translation import ENGLISH
from transformer_workbook.lessons.number_words import words
from transformer_workbook.lessons.number_words.model import SETTING, WEIGHTS, trained
from transformer_workbook.trainer.checkpoints import write_tensors

from .pages import TEMPLATES

PART = "translator.html.j2"
SOURCE = Path(__file__).parent / "translator"


def write_translator(static: Path, language: str = ENGLISH) -> str:
    """Write into `static` what the translator runs on; return its part of the page, as HTML.

    The weights are the file that ships with the course; those before training are beside it. All
    languages use the files of the English page.
    """
    if language != ENGLISH:
        return TEMPLATES.get_template(PART).render(folder=f"../_static/{SOURCE.name}")
    folder = static / SOURCE.name
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("tfjs"))
    shutil.copy(WEIGHTS, folder / "trained.safetensors")
    write_tensors(folder / "untrained.safetensors", trained("training").state_dict())
    data = SETTING.sizes | {
        "longest": words.MAX_LEN,
        "german": words.GERMAN.tokens,
        "english": words.ENGLISH.tokens,
        "words": [[words.german_tokens(n), words.english(n)] for n in range(1000)],
    }
    (folder / "data.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return TEMPLATES.get_template(PART).render(folder=f"_static/{SOURCE.name}")
