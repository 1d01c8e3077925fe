"""What students read, the guides and the code keep to the words of docs/style.md."""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = ROOT / "autograder/lessons"
WORKBOOK = ROOT / "course/transformer_workbook"
# Terms of nbgrader and of exceptions, which guides and code may use.
TERMS = {"exchange", "misspelt", "spelt"}
# What learners are told in a call: marked for translation, or the words of a probe.
TELLS = {"_", "ngettext", "Wording", "wording", "refused", "phrase"}

Text = tuple[str, str]  # where, and what it says


@cache
def unwanted() -> dict[str, str]:
    """What is not written, with what is written instead, from the table of docs/style.md."""
    table = (ROOT / "docs/style.md").read_text(encoding="utf-8").partition("## Words\n")[2]
    rows = [line.split(" | ") for line in table.splitlines() if "`" in line and " | " in line]
    return {bad: row[0].strip("| ") for row in rows for bad in re.findall(r"`([^`]+)`", row[1])}


def found_in(text: str) -> list[str]:
    """The unwanted words in a text. What stands in backticks is code."""
    plain = " ".join(re.sub(r"`[^`\n]*`", "`", text).split())
    any_of_them = rf"(?<![\w-])(?:{'|'.join(unwanted())})(?![\w-])"
    if not re.search(any_of_them, plain, re.IGNORECASE):  # nearly always, and much the quicker
        return []
    return [
        bad for bad in unwanted() if re.search(rf"(?<![\w-]){bad}(?![\w-])", plain, re.IGNORECASE)
    ]


def comments(source: str) -> Iterator[str]:
    """The comments of a source, those on consecutive lines together."""
    block: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if block and token.start[0] != last + 1:
                yield "\n".join(block)
                block = []
            block.append(token.string.lstrip("# "))
            last = token.start[0]
    yield "\n".join(block)


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def told(source: str) -> Iterator[str]:
    """The texts in calls that tell learners something; keys of dicts are names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TELLS:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                values = argument.values if isinstance(argument, ast.Dict) else [argument]
                yield from (
                    value.value
                    for value in values
                    if isinstance(value, ast.Constant) and isinstance(value.value, str)
                )


def of_blanks(tree: object, key: str = "") -> Iterator[str]:
    """The hints and explanations in the content of a blanks.toml."""
    if isinstance(tree, str) and key in ("hints", "says", "behaves"):
        yield tree
    elif isinstance(tree, dict):
        for inner, value in tree.items():
            yield from of_blanks(value, inner)
    elif isinstance(tree, list):
        for value in tree:
            yield from of_blanks(value, key)


def of_cases(source: str) -> Iterator[str]:
    """What cases and tests say of themselves: the check and the feedback quote it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            says = [keyword.value for keyword in node.keywords if keyword.arg == "says"]
            yield from (text for value in says for text in strings(value))


def texts_of(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield from of_blanks(tomllib.loads(text))
    elif path.name in ("visible.py", "hidden.py"):
        yield from of_cases(text)
    elif path.suffix != ".py":
        yield from text.split("\n\n")
    elif WORKBOOK in path.parents:
        yield from told(text)
    else:
        yield from comments(text)
        yield from strings(ast.parse(text))


READ_BY_STUDENTS = [
    *LESSONS.glob("*/lesson.py"),
    *LESSONS.glob("*/bug_hunt_*.py"),
    *LESSONS.glob("*/blanks.toml"),
    *LESSONS.glob("*/visible.py"),
    *LESSONS.glob("*/hidden.py"),
    *WORKBOOK.rglob("*.py"),
    *(ROOT / "solutions/transformer").glob("*.py"),
    ROOT / "docs/students.md",
    ROOT / "autograder/reports/templates/feedback.html.j2",
]


def assert_in_style(texts: Iterable[str], terms: Iterable[str] = ()) -> None:
    wrong = {
        f"{bad!r}, for {unwanted()[bad]!r}": " ".join(text.split())[:200]
        for text in texts
        for bad in found_in(text)
        if bad not in terms
    }
    assert wrong == {}, "write these as the table of docs/style.md says"


@pytest.mark.parametrize("path", sorted(READ_BY_STUDENTS), ids=lambda p: str(p.relative_to(ROOT)))
def test_words_are_those_of_the_style_sheet(path):
    assert_in_style(texts_of(path))


CODE = [
    *(path for path in (ROOT / "autograder").rglob("*.py") if LESSONS not in path.parents),
    *WORKBOOK.rglob("*.py"),
    *(ROOT / "benchmarks").glob("*.py"),
]
GUIDES = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def explanations(source: str) -> Iterator[str]:
    """The comments, docstrings and messages of a module."""
    yield from comments(source)
    yield from told(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


@pytest.mark.parametrize("path", sorted([*CODE, *GUIDES]), ids=lambda p: str(p.relative_to(ROOT)))
def test_guides_docstrings_and_comments_keep_to_them_too(path):
    text = path.read_text(encoding="utf-8")
    texts = explanations(text) if path.suffix == ".py" else text.split("\n\n")
    if path.name == "style.md":
        texts = [text.partition("## Words\n")[0]]
    assert_in_style(texts, TERMS)


# What a value is called says what it is. Words of gettext, of rules and of probes' inputs may stay,
# and what is in autograder/authoring until it is renamed.
PRONOUNS = """
    one it this that what which who whose other others own found known some each both another
    everything something nothing
"""
NAMED_ALL_THE_SAME = {"language.py: one", "compare.py: other", "probes.py: other"}


def test_no_pronoun_is_a_name():
    named = {
        f"{path.name}: {name}"
        for path in CODE
        if ROOT / "autograder/authoring" not in path.parents
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", None), ast.Store)
        if (name := getattr(node, "arg", None) or getattr(node, "id", None)) in PRONOUNS.split()
    }
    assert named == NAMED_ALL_THE_SAME


def test_the_part_of_the_readme_for_students_does():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    part, heading, _others = readme.partition("## Teach with it")
    assert heading and found_in(part) == []
