"""Lessons as a student meets them, in JupyterLab: filled in, run from top to bottom, looked at."""

import shutil

import nbformat
import pytest
from the_course import COURSE

from autograder.lesson.notebook import reference_notebook

LESSONS = [lesson.id for lesson in COURSE.lessons]
BADGES = {
    "https://colab.research.google.com/assets/colab-badge.svg",
    "https://mybinder.org/badge_logo.svg",
}

# Lesson 11 takes its smallest setting, and number words: there is no Multi30k in that folder.
TRIAL = 'import os\nos.environ.update(TRANSLATION_SETTING="trial", MULTI30K_DIR="/")'


def lay_filled_in(lab, id: str, home: str, carry_forward, small: bool) -> str:
    """A lesson with the reference filled in, on the code of all earlier lessons; its path."""
    lesson = COURSE.lesson(id)
    folder = lab.folder / home
    carry_forward(lesson, folder)
    notebook = reference_notebook(COURSE, lesson, quick=small)
    notebook.cells.insert(1, nbformat.v4.new_code_cell(TRIAL, id="trial"))
    path = f"{home}/{id}/{lesson.name}.ipynb"
    lab.lay(path, notebook)
    return path


def assert_all_is_well(opened, lesson) -> None:
    assert opened.errors() == []
    places = [
        place
        for place, cell in enumerate(nbformat.read(opened.lab.folder / opened.path, 4).cells)
        if cell.source.startswith("wb.check(")
    ]
    assert len(places) == len(lesson.components)
    for place in places:
        assert opened.text(place).startswith("✓"), opened.text(place)
    for image in opened.page.locator(".jp-OutputArea-output img:visible").all():
        assert len(image.get_attribute("alt")) > 20
        assert image.evaluate("image => image.naturalWidth") > 100


# Those with the most to look at. A kernel runs all of them as released, a browser the rest in soak.
# Of 00 and 06 other tests here show cells: the first check, and the explorer of masks.
SEEN = ("01", "05")
SOME = [id if id[:2] in SEEN else pytest.param(id, marks=pytest.mark.soak) for id in LESSONS]


@pytest.mark.parametrize("id", SOME)
def test_filled_in_it_runs_and_nothing_is_fetched(id, lab, shared_notebook, outside, carry_forward):
    path = lay_filled_in(lab, id, f"small-{id}", carry_forward, small=True)
    opened = shared_notebook(path)
    opened.run_all(400)
    try:
        assert_all_is_well(opened, COURSE.lesson(id))
        opened.whole(f"lesson-{id}")
    finally:
        opened.close()
    assert set(outside) <= BADGES


@pytest.mark.soak
@pytest.mark.parametrize("id", LESSONS)
def test_whole_and_in_both_themes(id, lab, shared_notebook, carry_forward):
    """Lesson 10 with the weights of lesson 09, if that has run before."""
    lesson = COURSE.lesson(id)
    path = lay_filled_in(lab, id, f"whole-{id}", carry_forward, small=False)
    kept = lab.folder / "whole-09-training" / "09-training" / "number_words.safetensors"
    if id == "10-decoding" and kept.is_file():
        shutil.copy(kept, (lab.folder / path).parent)
    opened = shared_notebook(path)
    opened.run_all(600)
    try:
        assert_all_is_well(opened, lesson)
        for theme in ("Light", "Dark"):
            opened.theme(theme)
            opened.whole(f"lesson-{id}-{theme.lower()}")
    finally:
        opened.close()
