"""A lesson in another language: what is translated, and what becomes of texts that change."""

import ast
import re

import pytest
from babel.messages.pofile import read_po, write_po

from autograder.authoring import catalogues
from autograder.lesson.lesson import LESSONS, ROOT
from autograder.lesson.notebook import reference_notebook, student_notebook
from autograder.lesson.translation import code, key_of, prose

GLOSSARY = ROOT / "docs" / "glossary.ko.md"
CODE = re.compile(r"`[^`\n]+`")
# An address, a formula, a field, code (x.y, x=1, x(..., x[...), or the paper's title.
NO_TERMS = re.compile(
    r"`[^`]*`|\$+[^$]*\$+|\]\([^)]*\)|\w+[.=]\w\S*|\w+[([][^])]*|\{[^}]*\}"
    r"|attention is all you need"
)
SENTENCE = "# Each head has a share of them."


def test_prose_is_translated_by_paragraph_and_what_is_fenced_stays():
    assert prose("# Two\nlines\n\n```\nx = 1\n```", str.upper) == "# TWO\nLINES\n\n```\nx = 1\n```"


def test_comments_docstrings_and_texts_are_translated_and_the_code_is_the_same():
    source = '''\
import math  # for the root

# Two lines
# of one comment.
def mean(x):
    """Take the mean.

    Of all ä numbers.
    """
    print("the mean", f"is {x} now", "mean", 'ä b', x)  # shown ä
    return compare(x, without="one part")
'''
    translated = code(source, str.upper)
    assert "# FOR THE ROOT" in translated and "# TWO LINES OF ONE COMMENT." in translated
    assert '"""TAKE THE MEAN.\n\n    OF ALL Ä NUMBERS.\n    """' in translated
    assert 'print("THE MEAN", F"IS {X} NOW", "mean", "Ä B", x)  # SHOWN Ä' in translated
    assert 'without="one part"' in translated
    assert [type(node) for node in ast.walk(ast.parse(translated))] == [
        type(node) for node in ast.walk(ast.parse(source))
    ]


def test_a_pictures_labels_are_translated_in_one_word_too():
    source = (
        'wb.show.curves({"mean": mean, **more}, x_label="step", key="mean")\nlines["mean"] = 1\n'
    )
    assert code(source, str.upper) == (
        'wb.show.curves({"MEAN": mean, **more}, x_label="STEP", key="mean")\nlines["mean"] = 1\n'
    )


@pytest.fixture
def in_german(toy):
    """The toy course with a catalogue in which each text of prose begins with "Also: "."""
    toy.replace("lesson.py", "# ## Heads\n", f"# ## Heads\n#\n{SENTENCE}\n")
    toy.replace(toy.root / "autograder/course.toml", "title", 'languages = ["de"]\ntitle')
    course = toy.course()
    catalogue = catalogues.asked(course, course.lessons[0], "de")
    template = catalogues.Catalog()
    for text in catalogue.asked.values():
        template.add(text, "" if text.startswith("Write") else f"Also: {text}")
    with catalogue.file.open("wb") as opened:
        write_po(opened, template, omit_header=True)
    return toy


def test_a_notebook_in_another_language_has_the_same_cells_and_says_which(in_german):
    course = in_german.course()
    english, german = (
        student_notebook(course, course.lessons[0], language=language) for language in ("en", "de")
    )
    assert [cell.id for cell in german.cells] == [cell.id for cell in english.cells]
    assert german.metadata.workbook == {"lesson": "00-toy", "language": "de"}
    assert 'language="de")' in german.cells[1].source
    filled = reference_notebook(course, course.lessons[0])
    assert "Also: " not in str(filled) and "Also: " in str(german)


def test_a_paragraph_broken_otherwise_is_still_translated_and_a_changed_one_is_stale(in_german):
    in_german.replace("lesson.py", SENTENCE, "# Each head\n# has a share of them.")
    course = in_german.course()
    before = catalogues.asked(course, course.lessons[0], "de").stale()
    in_german.replace("lesson.py", "# has a share", "# gets a share")
    course = in_german.course()
    catalogue = catalogues.asked(course, course.lessons[0], "de")
    (changed,) = set(catalogue.stale()) - set(before)
    assert changed == "Each head\ngets a share of them."
    place = catalogues.place_of(course.lessons[0], changed)
    assert place == "autograder/lessons/00-toy/lesson.py:4"
    assert changed in str(
        student_notebook(course, course.lessons[0], language="de").cells[2].source
    )
    catalogues.update_lesson(course, course.lessons[0], "de")
    with catalogue.file.open("rb") as file:
        (entry,) = [entry for entry in read_po(file) if entry.id == changed]
    assert entry.fuzzy and entry.string.startswith("Also: ")  # to begin with, for who translates


def test_what_tests_test_is_in_the_graders_catalogue(toy):
    course = toy.course()
    of_students, of_grader = (
        catalogues.template_of(course, package) for package in catalogues.PACKAGES
    )
    tests = [test for tests in course.lessons[0].any_hidden().values() for test in tests]
    assert tests
    for test in tests:
        assert test.name in of_grader and (test.says or test.name) in of_grader
    assert "Tested: {says}. {finding}" in of_grader
    assert "Tested: {says}. {finding}" not in of_students


def terms() -> dict[str, str]:
    """The Korean terms by the English ones, of those that the glossary holds texts to."""
    return dict(re.findall(r"(?m)^\| ([^|]+?) \| .*?\*\*(.+?)\*\*", GLOSSARY.read_text()))


CATALOGUES = [*sorted(LESSONS.glob("*/ko.po")), ROOT / "docs" / "ko.po"]


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.name)
def test_korean_texts_use_the_terms_of_the_glossary_and_quote_the_same_code(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    entries = [entry for entry in read_po(lines) if entry.string and not entry.fuzzy]
    wrong = []
    for entry in entries:
        english = NO_TERMS.sub("", entry.id.lower())
        for term, korean in terms().items():
            if re.search(rf"\b{term}s?\b(?!\()", english) and korean not in entry.string:
                wrong.append(f"{term} is {korean}: {entry.id[:60]!r}")
        if sorted(CODE.findall(key_of(entry.id))) != sorted(CODE.findall(key_of(entry.string))):
            wrong.append(f"other code than in {entry.id[:60]!r}")
    assert not wrong
