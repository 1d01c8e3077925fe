"""The grader says things with gettext: a catalogue takes effect, and templates do not go round it.

The texts in the code are looked at in tests/workbook/test_language.py.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import jinja2
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from autograder.reports.pages import TEMPLATES
from autograder.results.remarks import REMARKS

ROOT = Path(__file__).resolve().parents[1]

# A catalogue takes effect.

# Both forms of a plural stand together, as in a catalogue.
GERMAN = {
    "Overview": "Überblick",
    (
        "{count} more that needs a person is listed in {path}",
        "{count} more that need a person are listed in {path}",
    ): ("Noch eine in {path}", "Noch {count} in {path}"),
    "OUT must not lie inside SUBMITTED": "OUT darf nicht in SUBMITTED liegen",
}
# In a process of its own, since a process speaks one language.
SPEAK = """
import gettext, io, json, sys
from pathlib import Path
locale, out, left = sys.argv[1:]
find = gettext.translation
gettext.translation = lambda domain, localedir, **more: find(domain, locale, **more)

from nbformat.v4 import new_notebook
from rich.console import Console
from autograder.cli import main
from autograder.results.submission import SubmissionResult
from autograder.reports import feedback, terminal
from autograder.lesson.course import read_course

shown = io.StringIO()
students = [f"student {n}" for n in range(terminal.MOST_ROWS + int(left))]
graded = [SubmissionResult(student, "01-attention", 1.0, fault="broken") for student in students]
terminal.show(graded, read_course(), Path(out), Console(file=shown, width=200))
page = feedback.page(new_notebook(), "Amina", "01-attention", None, feedback.PageTexts("Attention"))
print(json.dumps([page, shown.getvalue()]), flush=True)
main(["grade", out, "--out", out])
"""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory) -> Path:
    """A folder with a catalogue in German."""
    folder = tmp_path_factory.mktemp("locale")
    german = Catalog("de")
    for english, translated in GERMAN.items():
        german.add(english, translated)
    compiled = folder / "de/LC_MESSAGES/autograder.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, german)
    return folder


@pytest.mark.parametrize(
    ("language", "left", "tag", "heading", "line", "error"),
    [
        ("de", 1, "de", "Überblick", "Noch eine in", "OUT darf nicht in SUBMITTED liegen"),
        ("fr", 3, "en", "Overview", "3 more that need", "OUT must not lie inside SUBMITTED"),
    ],
)
def test_a_catalogue_translates_pages_terminal_and_errors(
    catalogue, tmp_path, language, left, tag, heading, line, error
):
    ran = subprocess.run(
        [sys.executable, "-c", SPEAK, catalogue, tmp_path, str(left)],
        env={**os.environ, "LANGUAGE": language, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert (ran.returncode, ran.stderr) == (2, f"autograder: {error}\n")
    page, terminal = json.loads(ran.stdout)
    assert f'<html lang="{tag}">' in page and f"<h2>{heading}</h2>" in page
    assert line in terminal


# What is said of submissions is looked up by a key.


def remarks_said() -> Iterator[tuple[str, str, set[str]]]:
    """The section and key of each remark that the grader makes, and the names of its details."""
    for path in sorted((ROOT / "autograder").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Problem"), [ast.Constant(key)], details):
                    yield "problem", key, {detail.arg for detail in details}
                case ast.Call(ast.Attribute(attr="_say"), [ast.Constant(key)], details):
                    yield "repair", key, {detail.arg for detail in details}
                case ast.Call(
                    ast.Name("Remark"), [ast.Constant(section), ast.Constant(key), ast.Dict(keys)]
                ):
                    yield section, key, {ast.literal_eval(name) for name in keys}


def test_every_remark_is_given_its_details():
    said = list(remarks_said())
    assert len(said) > 30
    for section, key, details in said:
        fields = {field for _, field, *_ in Formatter().parse(REMARKS[section][key])}
        assert fields - {None} <= details, (section, key)


# No text of a template goes round it.

WORD = re.compile(r"[^\W\d_]{2,}")
READ_ALOUD = ("alt", "aria-label", "placeholder", "title")  # attributes


class Unmarked(HTMLParser):
    """The words of a page that stand in its text, or in attributes that people hear or see."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[str] = []
        self._is_style = False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self._is_style = tag == "style"
        self.found += [value for name, value in attributes if name in READ_ALOUD and value]

    def handle_endtag(self, tag):
        self._is_style = False

    def handle_data(self, data):
        if not self._is_style:
            self.found.append(data)


def unmarked(template: str) -> list[str]:
    """What a template says in words that no catalogue can translate."""
    lexed = jinja2.Environment(extensions=["jinja2.ext.i18n"]).lex(template)
    tokens = [(kind, value) for _line, kind, value in lexed if kind != "whitespace"]
    page, strings, marked, printed = "", list[str](), False, False
    for place, (kind, value) in enumerate(tokens):
        before = tokens[max(0, place - 2) : place]
        if value in ("trans", "endtrans") and before[-1][0] == "block_begin":
            marked = value == "trans"
        elif kind in ("variable_begin", "variable_end"):
            printed = kind == "variable_begin"
        elif kind == "data" and not marked:
            page += value
        elif kind == "string" and printed and [text for _kind, text in before] != ["_", "("]:
            strings.append(value)
    return [text for text in [*Unmarked(page).found, *strings] if WORD.search(text)]


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.j2")), ids=lambda path: path.name)
def test_every_text_of_a_template_can_be_translated(path):
    assert not unmarked(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "template",
    [
        "<p>Score</p>",
        "{% trans %}Score{% endtrans %} of {{ points }}",
        "{{ 'Score' }}",
        "{{ points or 'none' }}",
        '<a href="{{ page }}" aria-label="feedback for {{ student }}">{{ student }}</a>',
    ],
)
def test_a_text_that_goes_round_the_catalogue_is_found(template):
    assert unmarked(template)


@pytest.mark.parametrize(
    "template",
    [
        "<style>p { color: red }</style><p class='soft'>{{ _(\"Score\") }}: 3&nbsp;</p>",
        "{% trans points=score.points %}{{ points }} points{% endtrans %}",
        "{% if status != 'passed' %}{{ marks[status] }}{% endif %}",
        '<a href="{{ page }}" aria-label="{% trans who %}for {{ who }}{% endtrans %}">-</a>',
    ],
)
def test_what_is_marked_or_no_language_is_not_found(template):
    assert not unmarked(template)
