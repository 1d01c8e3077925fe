"""What would give a lesson away: its solutions, its hidden cases, and where students read."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.language import _
from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import HIDDEN_BEGIN
from transformer_workbook.shared.syntax import parse


def secrets(lesson: Lesson) -> list[tuple[str, str]]:
    """Texts that students must not receive: what each is, and the text, squeezed.

    Solutions, lines of hidden.py and marks of tests, but for lines that the lesson's visible files
    have as well.
    """
    found = [(_("a test's mark"), squeeze(HIDDEN_BEGIN)), *solution_texts(lesson)]
    for line in (lesson.folder / "hidden.py").read_text(encoding="utf-8").splitlines():
        if len(line.strip()) > 30 and not line.lstrip().startswith(("#", '"""', "from ")):
            found.append((_("a line of hidden.py"), squeeze(line)))
    shipped = {
        squeeze(line)
        for path in (lesson.folder / "visible.py", lesson.probes)
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    return [(what, text) for what, text in dict.fromkeys(found) if text not in shipped]


def solution_texts(lesson: Lesson) -> list[tuple[str, str]]:
    """What solves a lesson's blanks and bug hunts: what it is, and its text, squeezed."""
    texts = []
    for component in lesson.components.values():
        if component.is_bug_hunt:
            what = _("the repaired {component}").format(component=component.name)
            texts.append((what, squeeze(component.source)))
        for line in _filled_lines(component):
            what = _("a solution of {component}").format(component=component.name)
            texts.append((what, squeeze(line)))
    return texts


def _filled_lines(component: Component) -> Iterator[str]:
    """The reference's lines that hold a blank, without their comments, whole statements each."""
    tree = parse(component.source)
    for blank in component.blanks:
        line = component.source.count("\n", 0, blank.span.start) + 1
        holding = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        innermost = max(holding, key=lambda node: node.lineno)
        if isinstance(innermost, ast.If | ast.While | ast.For):
            first = component.source.splitlines()[innermost.lineno - 1]
            yield first
        else:
            yield ast.get_source_segment(component.source, innermost) or ""


def squeeze(text: str) -> str:
    """The text without white space and with one kind of quotes, so that layout hides nothing."""
    return re.sub(r"\s+", "", text).replace('"', "'")


def course_texts(course: Path) -> Iterator[tuple[Path, str]]:
    """All texts that students receive, squeezed. Notebooks as their cells' sources."""
    for path in sorted(course.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts or "my_transformer" in path.parts:
            continue
        if path.suffix == ".ipynb":
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            text = "\n".join("".join(cell["source"]) for cell in cells)
        elif path.suffix == ".json":
            text = " ".join(_strings(json.loads(path.read_text(encoding="utf-8"))))
        else:
            text = path.read_bytes().decode("utf-8", "replace")
        yield path, squeeze(text)


def _strings(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from _strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from _strings(value)
