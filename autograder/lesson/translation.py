"""A lesson in another language, by the catalogue beside its source: `ko.po` in its folder.

English is the source. A text is known by its paragraph, however that is broken into lines, so a
paragraph that has changed has no translation, and stands in English until it has one again.
"""

import ast
import inspect
import io
import json
import re
import textwrap
import tokenize
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

import autograder
from transformer_workbook.shared.syntax import is_docstring

from .cell_code import parsed, python_of

ENGLISH = "en"
LOCALE = Path(autograder.__file__).parent / "locale"
PAIR = "Two things are wrong. First: {} Second: {}"
_PAIR = re.compile(re.escape(PAIR).replace(r"\{\}", "(.+)"), re.DOTALL)
NAMES = ("without",)  # arguments that are no text: they name what the package knows
LABELS = ("x_label", "y_label", "row_axis", "column_axis")  # are text, in one word too
WIDTH = 60  # of a comment: letters of Korean are as wide as two
# What has words: in a formula, an address or code there are none.
NO_WORDS = re.compile(r"\$+[^$]*\$+|`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+|\W|\d|_")


class Catalogue:
    """The translations of a file, and the texts that were asked for: as a lesson has them now."""

    def __init__(self, file: Path):
        self.file, self.language = file, file.stem
        self.asked: dict[str, str] = {}  # each text by its key

    @cached_property
    def messages(self) -> dict[str, str]:
        """The translations by the key of the English; those of other paragraphs are left out."""
        if not self.file.is_file():  # English has none
            return {}
        with self.file.open("rb") as file:
            entries = [entry for entry in read_po(file) if entry.string and not entry.fuzzy]
        return {key_of(str(entry.id)): str(entry.string) for entry in entries}

    @cached_property
    def _fixed(self) -> dict[str, str]:
        return Catalogue(LOCALE / self.language / "LC_MESSAGES" / "autograder.po").messages

    def fixed(self, text: str) -> str:
        """What is in every notebook, as the grader's own catalogue has it."""
        return self._fixed.get(key_of(text)) or text

    def say(self, text: str) -> str:
        """A text in the catalogue's language; as it is where there are no words, or no entry."""
        if len(NO_WORDS.sub("", text)) < 2:
            return text
        pair = _PAIR.fullmatch(text) if text != PAIR else None
        if pair:  # each of the two has its own translation
            return self.say(PAIR).format(*map(self.say, pair.groups()))
        self.asked[key_of(text)] = text
        return self.messages.get(key_of(text)) or text

    def stale(self) -> list[str]:
        """The texts asked for that have no translation."""
        return [text for key, text in self.asked.items() if not self.messages.get(key)]


def key_of(text: str) -> str:
    """A paragraph, without what line breaks and indentation add."""
    return " ".join(text.split())


def prose(text: str, say: Callable[[str], str]) -> str:
    """Markdown, paragraph by paragraph; what is fenced is one."""
    pieces = re.split(r"(^```.*?^```$|\n[ \t]*\n\s*)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        piece if number % 2 or not piece.strip() else say(piece)
        for number, piece in enumerate(pieces)
    )


def code(source: str, say: Callable[[str], str]) -> str:
    """Python in which comments, docstrings, texts with a space and labels are translated."""
    tree = parsed(source)
    if tree is None:
        return source
    lines = source.encode().splitlines(keepends=True)  # as the columns of `ast` count
    edits = [*_strings(tree, source, say), *_comments(source, say)]
    for (first, start), (last, end), text in sorted(edits, reverse=True):
        lines[first - 1 : last] = [lines[first - 1][:start] + text.encode() + lines[last - 1][end:]]
    return b"".join(lines).decode()


_Edit = tuple[tuple[int, int], tuple[int, int], str]


def _strings(tree: ast.Module, source: str, say: Callable[[str], str]) -> list[_Edit]:
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and is_docstring(node)
    }
    formatted = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node) if part is not node
    }  # fmt: skip
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    names = {id(keyword.value) for keyword in keywords if keyword.arg in NAMES}
    labels = {id(node) for node in _labels(tree)}
    edits = []
    for node in ast.walk(tree):
        if id(node) in formatted | names or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        before = ast.get_source_segment(source, node) or ""
        text = before if isinstance(node, ast.JoinedStr) else node.value
        if not isinstance(text, str) or (" " not in text.strip() and id(node) not in labels):
            continue
        if id(node) in docstrings:
            after = _docstring(text, node.col_offset, say)
        elif isinstance(node, ast.JoinedStr):
            after = say(text)
        else:
            after = before if (said := say(text)) == text else json.dumps(said, ensure_ascii=False)
        if after != before:
            assert node.end_lineno and node.end_col_offset is not None
            place = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
            edits.append((*place, after))
    return edits


def _labels(tree: ast.Module) -> Iterator[ast.AST]:
    """What a picture is labelled with: its axes, and each line of `curves({...})`."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=name, value=label) if name in LABELS:
                yield label
            case ast.Call(func=ast.Attribute(attr="curves"), args=[ast.Dict(keys=lines), *_]):
                yield from filter(None, lines)


def _docstring(text: str, indent: int, say: Callable[[str], str]) -> str:
    said = prose(inspect.cleandoc(text), say)
    if "\n" not in said:
        return f'"""{said}"""'
    margin = " " * indent
    return f'"""{textwrap.indent(said, margin).strip()}\n{margin}"""'


def _comments(source: str, say: Callable[[str], str]) -> list[_Edit]:
    """Comments; those that stand below each other are one paragraph."""
    tokens = tokenize.generate_tokens(io.StringIO(python_of(source)).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    groups: list[list[tokenize.TokenInfo]] = []
    for comment in comments:
        line, column = comment.start
        is_whole = not comment.line[:column].strip()
        above = groups[-1][-1] if groups else None
        if is_whole and above and above.start == (line - 1, column):
            groups[-1].append(comment)
        else:
            groups.append([comment])
    edits = []
    for group in groups:
        text = " ".join(comment.string.lstrip("#").strip() for comment in group)
        if (said := say(text)) != text:
            first, last = group[0], group[-1]
            margin = " " * first.start[1]
            new = textwrap.wrap(said, WIDTH) if len(group) > 1 else [said]
            start = len(first.line[: first.start[1]].encode())
            end = start + len(last.string.encode())
            lines = f"\n{margin}".join(f"# {line}" for line in new)
            edits.append(((first.start[0], start), (last.start[0], end), lines))
    return edits


def of_line(line: str, say: Callable[[str], str]) -> str:
    """A line of code, which need not be whole, with its comment translated."""
    before, mark, comment = line.partition("  # ")
    return before + mark + say(comment)


def texts(tree: Any, say: Callable[[str], str], keys: Container[str]) -> Any:
    """A tree as JSON has it, in which all texts under these keys are translated."""
    if isinstance(tree, list):
        return [texts(entry, say, keys) for entry in tree]
    if not isinstance(tree, dict):
        return tree
    return {
        key: _all(value, say) if key in keys else texts(value, say, keys)
        for key, value in tree.items()
    }


def _all(value: Any, say: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key: _all(entry, say) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_all(entry, say) for entry in value]
    return prose(value, say) if isinstance(value, str) else value


_say: ContextVar[Callable[[str], str]] = ContextVar("say", default=str)


@contextmanager
def saying(say: Callable[[str], str]) -> Iterator[None]:
    """Translate what `said` is given within a `with` block, in this thread."""
    before = _say.set(say)
    try:
        yield
    finally:
        _say.reset(before)


def said(text: str) -> str:
    """A text of a figure, in the language that `saying` chose; a formula is the same in all."""
    return _say.get()(text) if re.search("[a-z]{2}", text) else text
