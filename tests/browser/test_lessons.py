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

# Lessons 09 and 10 in small: as many steps of a quarter of the size, and one epoch of twelve.
SMALL = """import dataclasses

small, all_of_it = wb.number_words, wb.number_words.splits
small.LESSON = dataclasses.replace(small.LESSON, train=1600, epochs=1, batch_size=16)
small.Batches.__init__.__defaults__ = (16, 0, None)
small.splits = lambda train, validation, test, seed=0: all_of_it(
    min(train, 1600), min(validation, 60), min(test, 60), seed
)
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
    if small and id >= "09":
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


# Those with the most to look at; a kernel runs all of them in CI, a browser the others in soak.
SEEN = ("00", "01", "05", "06", "09")
SOME = [id if id[:2] in SEEN else pytest.param(id, marks=pytest.mark.soak) for id in LESSONS]


@pytest.mark.parametrize("id", SOME)
def test_filled_in_it_runs_and_nothing_is_fetched(id, lab, shared_notebook, outside, monkeypatch):
    path = lay_filled_in(lab, id, f"small-{id}", monkeypatch, small=True)
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
