"""Lessons as a student meets them, in JupyterLab: filled in, run from top to bottom, looked at."""

import re
import shutil

import nbformat
import pytest

from autograder.authoring.course import read_course
from autograder.authoring.notebook import reference_notebook
from transformer_workbook import carry

COURSE = read_course()
LESSONS = [lesson.id for lesson in COURSE.lessons if lesson.id < "11"]
BADGES = {
    "https://colab.research.google.com/assets/colab-badge.svg",
    "https://mybinder.org/badge_logo.svg",
}

# Lessons 09 and 10 in small: a twelfth of the training, fewer numbers to be tested on.
SMALL = """import dataclasses

wb.number_words.LESSON = dataclasses.replace(wb.number_words.LESSON, train=6400, epochs=1, test=60)
"""


def lay_filled_in(lab, id: str, home: str, monkeypatch, small: bool) -> str:
    """A lesson with the reference filled in, on the code of all earlier lessons; its path."""
    lesson = COURSE.lesson(id)
    folder = lab.folder / home
    monkeypatch.setenv("WORKBOOK_HOME", str(folder))
    (folder / carry.PACKAGE).mkdir(parents=True, exist_ok=True)
    for earlier in lesson.earlier:
        for component in earlier.components.values():
            if not component.is_bug_hunt:
                used = [
                    name
                    for name in lesson.stand_ins
                    if name != component.name and re.search(rf"\b{name}\b", component.source)
                ]
                carry.save(component.name, component.source, used)
    notebook = reference_notebook(COURSE, lesson)
    if small:
        notebook.cells.insert(2, nbformat.v4.new_code_cell(SMALL, id="small"))
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


@pytest.mark.parametrize("id", LESSONS)
def test_filled_in_it_runs_and_nothing_is_fetched(id, lab, shared_notebook, outside, monkeypatch):
    path = lay_filled_in(lab, id, f"small-{id}", monkeypatch, small=True)
    opened = shared_notebook(path)
    opened.run_all()
    try:
        assert_all_is_well(opened, COURSE.lesson(id))
        opened.whole(f"lesson-{id}")
    finally:
        opened.close()
    assert set(outside) <= BADGES


@pytest.mark.soak
@pytest.mark.parametrize("id", LESSONS)
def test_whole_and_in_both_themes(id, lab, shared_notebook, monkeypatch):
    """Lesson 10 with the weights of lesson 09, if that has run before."""
    lesson = COURSE.lesson(id)
    path = lay_filled_in(lab, id, f"whole-{id}", monkeypatch, small=False)
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
