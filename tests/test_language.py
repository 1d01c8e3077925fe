"""What people read: a catalogue translates it, and no text of code or templates goes round it.

A package that speaks is an entry of PACKAGES; the tests of its sources then hold for it, too.
"""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import jinja2
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from transformer_workbook.own_code import store
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS

ROOT = Path(__file__).resolve().parents[1]
IS_GRADER_HERE = importlib.util.find_spec("nbgrader")  # students do not install it
of_the_grader = pytest.mark.skipif(not IS_GRADER_HERE, reason="the grader is not installed")


@dataclass(frozen=True)
class Package:
    """A package whose texts for people stand under `_` or `ngettext`.

    `left_out` are folders and modules whose texts belong to lessons, or are data that people do not
    read. `no_language` are literals that look like language to `unmarked` and are none.
    """

    folder: Path
    left_out: tuple[str, ...]
    no_language: tuple[str, ...]

    @cached_property
    def sources(self) -> dict[str, ast.Module]:
        paths = {
            path.relative_to(self.folder).as_posix(): path for path in self.folder.rglob("*.py")
        }
        return {
            name: ast.parse(path.read_text(encoding="utf-8"))
            for name, path in sorted(paths.items())
            if not any(fnmatch(name, pattern) for pattern in self.left_out)
        }


# fmt: off
PACKAGES = {
    "transformer_workbook": Package(
        ROOT / "course/transformer_workbook",
        left_out=(
            "lessons/*/probes.py",  # their words are the lessons', whose catalogues have them
            "shared/words.py",
            "lessons/*/standins.py",  # errors are those of the lessons' components
            "shared/evidence.py",  # errors say what is wrong with bytes that a program wrote
            "shared/packing.py",
            "diagnosis/evidence_sketches.py",
            "lessons/translation/scenes.py",  # German sentences
        ),
        no_language=(
            # Commands.
            "pip install jupyterlab", 'pip install "{}{}"',
            "pip install --force-reinstall --no-deps {}",
            # Python's and torch's own words.
            "module {} has no attribute {}", "can't allocate memory", "without overflow",
            "expected all tensors to be on the same device", "expected device", "same device",
            ".*Profiler clears events",
            # Names in evidence and in results.json.
            "default dtype", "random numbers", "tensors on two devices", "{}, for all that follows",
            "share dropped", "each dropped for itself", "the others scaled up",
            # Names of what lessons take out of the translator.
            "causal mask", "padding mask", "all heads but one", "embedding scale",
            # Names of arguments, devices, fonts and parts of matplotlib.
            "d_model", "DejaVu Sans", "Noto Sans CJK KR", "Malgun Gothic", "Apple SD Gothic Neo",
            "offset points", "axes fraction", "upper left", "upper right",
            *(NOTEBOOK_IMPORTS, store.PACKAGE_IMPORT),
        ),
    ),
}
# fmt: on


def _grader() -> Package:
    from autograder.authoring.prove import notebooks
    from autograder.authoring.site import executed
    from autograder.lesson import course, lesson, notebook, translation
    from autograder.lms import file_names, roster
    from autograder.results.remarks import REMARKS
    from autograder.submissions import prose

    return Package(
        ROOT / "autograder",
        left_out=(
            "authoring/mutants/*",  # code, and the names of kinds
            "lessons/*",
            "sandbox/student/*",  # runs where only the standard library is
            "authoring/reference_package.py",  # writes code
            # What they write is in the course's language, as the lessons are.
            "authoring/front_page.py",
            "authoring/guides.py",
            "authoring/site/pages.py",
            "authoring/site/real_runs.py",
        ),
        no_language=(
            *REMARKS["problem"],  # their names
            # Code, and what is in every notebook: in the course's language, whoever runs this.
            *(notebooks.STORE, executed.START_CELL, "this folder"),
            *(notebook.INSTALL, course.OPEN_IN, lesson.TAKES.pattern, notebook.HIDDEN_TESTS),
            *(translation.PAIR, translation.NO_WORDS.pattern),
            *roster.LOOKED_FOR.values(),  # columns, as they are called in files
            *(file_names.SUBMITTED, file_names.WORKING),  # folders of Teams
            # Code, as patterns find it; errors that the module itself catches.
            *(prose.PIECES, "it is too large", "the process has ended"),
            # Columns and values of an LMS's own files, git's commands, names in files.
            *("Points Possible", "SIS Login ID", "SIS User ID"),
            *("Full name", "Email address", "ID number", "Maximum Grade"),
            "Last modified (submission)",
            *("{} remote add origin {}.git", "{} push origin {} {}"),
            *("course.toml: points.{}.{}", "course.toml: points.{}", "<!doctype html"),
            *("async def ", r"^(?:def|class|async def)\b"),
            "Copy of {}",  # what a made-up student hands in
            # Names: of this program, of styles, of SQLite's settings; what nbgrader says.
            *("autograder: {}", "blanks.toml", "bold red"),
            *("PRAGMA quick_check(1)", "No response."),
        ),
    )


if IS_GRADER_HERE:
    PACKAGES["autograder"] = _grader()


# A catalogue takes effect.

# Both forms of a plural stand together, as in a catalogue.
GERMAN = {
    "Overview": "Überblick",
    (
        "{count} submission needs a person: see {path}",
        "{count} submissions need a person: see {path}",
    ): ("Noch eine in {path}", "Noch {count} in {path}"),
    "OUT must not lie inside SUBMITTED": "OUT darf nicht in SUBMITTED liegen",
    "Nothing called {component} is defined. Run the cell that defines it, and keep its name.": (
        "Es gibt kein {component}."
    ),
    "{component}: {count} of {of} checks passed.": "{component}: {count} von {of} bestanden.",
    "Sinusoidal encoding": "Sinuskodierung",
    "usage: python -m transformer_workbook doctor": "Aufruf: python -m transformer_workbook doctor",
    "No problems found.": "Alles ist gut.",
    "ok": "gut",
}
# Each in a process of its own, in which the package is the one with a catalogue.
SPEAK_GERMAN = """
from transformer_workbook.shared.language import speak
speak("de")
"""
CHECK_AND_SHOW = """
import transformer_workbook as wb
print(wb.check("scaled_dot_product_attention"))

def scaled_dot_product_attention(*given, **named):
    return 0

print(wb.check("scaled_dot_product_attention"))
print(wb.show.positions(8, 8).figure.axes[0].get_title("left"))
"""
GRADE = """
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
faults = ["broken"] * int(left) + [""] * terminal.MOST_ROWS
graded = [SubmissionResult(f"{n}", "01-attention", 1.0, fault=f) for n, f in enumerate(faults)]
terminal.show(graded, read_course(), Path(out), Console(file=shown, width=200))
page = feedback.page(new_notebook(), "Amina", "01-attention", None, feedback.PageTexts("Attention"))
print(json.dumps([page, shown.getvalue()]), flush=True)
main(["grade", out, "--out", out])
"""


@pytest.fixture(scope="module")
def translated(tmp_path_factory) -> Path:
    """A folder with a copy of the students' package; its German catalogue is the grader's, too."""
    folder = tmp_path_factory.mktemp("translated")
    package = folder / "transformer_workbook"
    pycache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGES["transformer_workbook"].folder, package, ignore=pycache)
    catalogue = Catalog("de")
    for english, german in GERMAN.items():
        catalogue.add(english, german)
    messages = package / "locale/de/LC_MESSAGES"
    messages.mkdir(parents=True)
    for domain in ("transformer_workbook", "autograder"):
        with (messages / f"{domain}.mo").open("wb") as file:
            write_mo(file, catalogue)
    return folder


def speak(folder: Path, *arguments, language: str = "de") -> subprocess.CompletedProcess:
    """What Python says with the package in `folder`."""
    more = {"PYTHONPATH": str(folder), "LANGUAGE": language, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, **more}, cwd=folder, capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize(("chosen", "by"), [("", "de"), (SPEAK_GERMAN, "C")])
def test_a_catalogue_translates_checks_and_pictures(translated, chosen, by):
    said = speak(translated, "-c", chosen + CHECK_AND_SHOW, language=by)
    assert re.search(r"scaled_dot_product_attention: 0 von \d+ bestanden\.", said.stdout), said
    assert "Es gibt kein scaled_dot_product_attention." in said.stdout and not said.stderr
    assert said.stdout.splitlines()[-1] == "Sinuskodierung"


def test_a_catalogue_translates_the_doctor(translated):
    said = speak(translated, "-m", "transformer_workbook", "doctor")
    assert said.stdout.splitlines()[-1] == "Alles ist gut." and not said.stderr
    assert re.search("^gut +numpy", said.stdout, re.MULTILINE)


@pytest.mark.parametrize(("language", "begins"), [("de", "Aufruf:"), ("C", "usage:")])
def test_the_entrance_speaks_where_no_library_is_installed(translated, language, begins):
    said = speak(translated, "-S", "-m", "transformer_workbook", language=language)
    assert said.stdout.startswith(begins) and not said.stderr


@of_the_grader
def test_a_catalogue_translates_pages_terminal_and_errors(translated, tmp_path):
    locale = translated / "transformer_workbook/locale"
    ran = speak(translated, "-c", GRADE, locale, tmp_path, 3)
    error = "autograder: OUT darf nicht in SUBMITTED liegen\n"
    assert (ran.returncode, ran.stderr) == (2, error)
    page, terminal = json.loads(ran.stdout)
    assert '<html lang="de">' in page and "<h2>Überblick</h2>" in page
    assert "Noch 3 in" in terminal


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


@of_the_grader
def test_every_remark_is_given_its_details():
    from autograder.results.remarks import REMARKS

    said = list(remarks_said())
    assert len(said) > 30
    for section, key, details in said:
        fields = {field for _, field, *_ in Formatter().parse(REMARKS[section][key])}
        assert fields - {None} <= details, (section, key)


# No text goes round the catalogue.

MARKS = {"_": 1, "N_": 1, "ngettext": 2}  # the number of texts that each takes
# Words that follow each other, also across what is filled in, as in "{} belongs to {}".
PHRASE = re.compile(r"[A-Za-z]{2,}[,;:.!?]?\s+[a-z]{2,}|[A-Z][a-z]+ [A-Za-z]+")
WORD = re.compile(r"[A-Za-z]{2,}")
TAG = re.compile(r"(?<!\?P)<[^<>]*>")
# Whatever these are given is for people, also a single word.
SPEAKING_CALLS = """
    print say annotate text suptitle set_title set_xlabel set_ylabel supxlabel supylabel
    add_column add_row add_task ask echo rule _fail _fault
"""
SPEAKING_ARGUMENTS = "title label xlabel ylabel x_label y_label description help alt note caption"


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS


def literal(node: ast.AST) -> str | None:
    """The text of a string literal, with {} for what an f-string fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "{}" for part in node.values)
    return None


def literals(node: ast.AST, spoken: bool = False) -> Iterator[tuple[ast.AST, str, bool]]:
    """All string literals that no mark holds, and whether each is given to something that speaks.

    Docstrings are left out, and the keys of a table of marked texts.
    """
    text = literal(node)
    if text is not None:
        yield node, text, spoken
    children = list(ast.iter_child_nodes(node))
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    table = isinstance(node, ast.Dict) and all(map(marked, node.values))
    if marked(node) or docstring or table:
        children = []
    elif isinstance(node, ast.JoinedStr):
        children = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(node, ast.Subscript):
        children, spoken = [node.value, node.slice], False
    elif isinstance(node, ast.Call):
        if ast.unparse(node.func).startswith("LOG."):  # for whoever maintains the program
            return
        speaks = name_of(node) in SPEAKING_CALLS.split() or spoken and name_of(node) == "format"
        yield from literals(node.func, speaks)
        for argument in node.args:
            yield from literals(argument, speaks)
        for keyword in node.keywords:
            yield from literals(keyword.value, keyword.arg in SPEAKING_ARGUMENTS.split())
        return
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        children, spoken = node.exc.args, True
    elif isinstance(node, ast.Compare):
        spoken = False
    for child in children:
        yield from literals(child, spoken)


def unmarked(tree: ast.AST, no_language: tuple[str, ...] = ()) -> list[str]:
    """The literals for people that no catalogue can translate, each with its line."""
    return [
        f"{node.lineno}: {text!r}"
        for node, text, spoken in literals(tree)
        if text not in no_language
        and (
            PHRASE.search(TAG.sub("", text))
            or (spoken or TAG.search(text))
            and WORD.search(TAG.sub("", text))
        )
    ]


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_every_text_for_people_can_be_translated(package):
    texts = {path: unmarked(tree, package.no_language) for path, tree in package.sources.items()}
    assert not any(texts.values()), {path: lines for path, lines in texts.items() if lines}
    there = {text for tree in package.sources.values() for _node, text, _ in literals(tree)}
    assert set(package.no_language) <= there  # the list holds nothing else


# What is marked can be extracted and filled in.


@of_the_grader
@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_translators_get_every_marked_text(package):
    from autograder.authoring.catalogues import extracted_from

    extracted = {message for _path, _line, message, *_more in extracted_from(package.folder)}
    for tree in package.sources.values():
        for node in filter(marked, ast.walk(tree)):
            texts = texts_of(node)
            assert not texts or (texts if len(texts) > 1 else texts[0]) in extracted


def texts_of(mark: ast.Call) -> tuple[str, ...]:
    """What is marked there; nothing where it is translated that `N_` marked elsewhere."""
    given = mark.args[: MARKS[mark.func.id]]
    return tuple(text.value for text in given if isinstance(text, ast.Constant))


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_what_a_marked_text_is_filled_with_has_all_its_fields(package):
    for path, tree in package.sources.items():
        for node in ast.walk(tree):
            match node:
                case ast.Call(ast.Attribute(mark, "format"), _, given) if marked(mark):
                    names = {keyword.arg for keyword in given}
                    fields = {
                        field for text in texts_of(mark) for _, field, *_ in Formatter().parse(text)
                    }
                    fields = {re.split(r"[.\[]", field)[0] for field in fields - {None}}
                    assert None in names or fields <= names, f"{path}:{node.lineno}"


# No text of a template goes round it.

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


def unmarked_in_template(template: str) -> list[str]:
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


@pytest.mark.parametrize(
    "path", sorted((ROOT / "autograder/reports").rglob("*.j2")), ids=lambda path: path.name
)
def test_every_text_of_a_template_can_be_translated(path):
    assert not unmarked_in_template(path.read_text(encoding="utf-8"))
