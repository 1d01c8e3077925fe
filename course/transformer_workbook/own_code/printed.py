"""The student's whole model as one page to print: their own code beside the paper's sentences."""

import ast
import html
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..diagnosis.recorded_lessons import index
from ..shared.files import whole
from ..shared.language import _, say
from ..shared.syntax import parse
from . import colab
from .paper import FRAME, PAPER, QUOTES
from .paths import PACKAGE, home
from .store import IMPORTS, saved

LAST = "08-full-model"  # with it, the model is finished


@dataclass(frozen=True)
class Printed:
    """A page that was written to `path`; a notebook shows it in a frame."""

    path: Path
    page: str

    def __repr__(self) -> str:
        return _("{path}: open it in a browser and print it.").format(path=self.path)

    def _repr_html_(self) -> str:
        title = html.escape(_("Your model, as a page to print"), quote=True)
        return (
            f'<iframe title="{title}" srcdoc="{html.escape(self.page, quote=True)}" width="100%" '
            'height="720" style="border:1px solid #888;background:#fff"></iframe>'
            f"<p>{html.escape(repr(self))}</p>"
        )


def print_model(path: str | os.PathLike | None = None, *, download: bool = False) -> Printed:
    """Write your whole model as a page to print, by default next to the folder of your code.

    It has the code of your components up to lesson 08 in their order, without docstrings, with the
    sentences of the paper that they are. A part that has not passed its check is named as missing.
    On Colab, `download=True` has the browser download the file. Raises OSError.
    """
    target = Path(path) if path else home().with_name(f"{PACKAGE}.html")
    page = _page(dict(_components()))
    with whole(target) as part:
        part.write_text(page, encoding="utf-8")
    if download and colab.on_colab():
        colab.download(target)
    return Printed(target, page)


def _components() -> Iterator[tuple[str, str]]:
    """The components of the model in their order, each with its lesson."""
    for lesson, entry in index()["lessons"].items():
        if lesson <= LAST:
            yield from ((name, lesson) for name in entry["components"] if name in QUOTES)


def _page(components: dict[str, str]) -> str:
    code_by_name = {name: _code_of(name) for name in components if name in saved()}
    missing = [name for name in components if not code_by_name.get(name)]
    lines = sum(code.count("\n") + 4 for code in code_by_name.values())
    parts = "\n".join(
        _part(name, code_by_name.get(name, ""), components[name]) for name in components
    )
    about = _(
        "{count} lines of my own code, beside the sentences of {paper} that they are."
    ).format(count=sum(len(code.splitlines()) for code in code_by_name.values()), paper=PAPER)
    if missing:
        about += " " + _("Still missing: {names}.").format(names=", ".join(missing))
        say(_("Not written yet, or not passed: {names}.").format(names=", ".join(missing)))
    title = html.escape(_("The Transformer, as I wrote it"))
    return FRAME.format(title=title, about=about, parts=parts, size=_points(lines))


def _points(lines: int) -> float:
    """The size of letters, in points, with which so many lines take about one page."""
    return max(4.6, min(8.0, round(1665 / max(lines, 1), 1)))


def _part(name: str, code: str, lesson: str) -> str:
    quote = QUOTES[name]
    heading = ""
    if quote:
        section = html.escape(_("section {number}").format(number=quote[1]))
        heading = f"<q>{html.escape(quote[0])}</q> <cite>{section}</cite>"
    if not code:
        heading += "<strong>{}</strong>".format(
            html.escape(
                _("{name} is missing: write it in lesson {lesson}.").format(
                    name=name, lesson=lesson[:2]
                )
            )
        )
    return f"<section><p>{heading}</p><pre>{_in_lines(code)}</pre></section>"


def _code_of(name: str) -> str:
    """The code of a saved component, without the imports of all of them and without docstrings."""
    try:
        text = (home() / f"{name}.py").read_text(encoding="utf-8")
        tree = parse(text)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    dropped: set[int] = set()
    for node in tree.body:
        line = ast.unparse(node)
        if line in IMPORTS or line == _use(node):
            dropped.update(range(node.lineno, node.end_lineno + 1))
    for node in ast.walk(tree):
        documented = isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
        if documented and len(node.body) > 1:
            dropped.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = [
        line.rstrip() for number, line in enumerate(text.splitlines(), 1) if number not in dropped
    ]
    return "\n".join(line for line in lines if line)


def _use(node: ast.stmt) -> str:
    """The line with which `store.save` has a component use another one; empty for other code."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return f"{name} = wb.use({name!r}, quiet=True)"
    return ""


def _in_lines(code: str) -> str:
    """Code as HTML, each line an element of its own.

    The rest of a long line hangs below its first words.
    """
    lines = []
    for line in html.escape(code).splitlines():
        text = line.lstrip(" ")
        # Half as wide as in the file, for the columns are narrow.
        indent = 0.5 * (len(line) - len(text)) + 2
        lines.append(f'<div style="padding-left:{indent:g}ch">{text}</div>')
    return "".join(lines)
