"""What would give a lesson away: its solutions, its hidden cases, and where students read."""

import ast
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.language import _
from autograder.lesson.cell_code import parsed, python_of
from autograder.lesson.components import Component
from autograder.lesson.course import Course
from autograder.lesson.lesson import HIDDEN, VISIBLE, Lesson
from autograder.lesson.notebook import HIDDEN_BEGIN
from transformer_workbook.shared.syntax import parse


def given_away(lesson: Lesson, course: Course | None, root: Path) -> Iterator[str]:
    """For each text that was looked for, what is wrong: "" where nothing is.

    An entry `ordinary` of blanks.toml excuses what the texts of its own lesson have in common with
    a solution of another lesson, and an expression in its own.
    """
    lessons = course.lessons if course else (lesson,)
    own, excused, excusing = secrets(lesson), _excused(lesson), set[str]()
    theirs = [
        (_("{what} of lesson {other}").format(what=what, other=other.id), piece)
        for other in lessons
        if other.id != lesson.id
        for what, piece in dict.fromkeys(solution_texts(other))
    ]
    for path, text in course_texts(root / "course"):
        home = next((one for one in lessons if {one.id, one.module} & {*path.parts}), lesson)
        excuses = _excused(home) if home != lesson else set()
        for what, piece in own:
            is_held = piece in text and piece not in excuses
            yield _held(path.relative_to(root), what, piece) if is_held else ""
        for what, piece in theirs if lesson.id in path.parts else ():
            excusing |= {piece} & excused if piece in text else set()
            is_held = piece in text and piece not in excused
            yield _held(path.relative_to(root), what, piece) if is_held else ""
    for what, shown in _shown(lesson):
        piece = squeeze(shown)
        excusing |= {piece} & excused
        yield _held(lesson.folder / "lesson.py", what, shown) if piece not in excused else ""
    if course:
        for piece in sorted(excused - excusing):
            yield _("{piece!r} of `ordinary` excuses nothing: remove it").format(piece=piece)


def _held(path: Path, what: str, piece: str) -> str:
    message = _(
        "{path} holds {what}: {piece!r}. Write it otherwise there; a line that any code has is "
        'excused in blanks.toml: [[ordinary]], code = "...", reason = "..."'
    )
    return message.format(path=path, what=what, piece=piece)


def _excused(lesson: Lesson) -> set[str]:
    return {squeeze(entry["code"]) for entry in lesson.data.get("ordinary", [])}


def _shown(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Expressions in cells that are only run which solve a blank of the lesson, as written there.

    Keyword arguments but `dim` do not count: `keepdim` makes no other solution.
    """
    solutions = {}
    for component in lesson.components.values():
        for blank in component.blanks:
            match parsed(blank.text):
                case ast.Module([ast.Expr(value)]) if _says_enough(value):
                    what = _("a solution of {component}").format(component=component.name)
                    solutions[_but_keywords(value)] = what
    for cell in lesson.narrative:
        if cell.kind == "code":
            for node in ast.walk(parse(python_of(cell.source))):
                if isinstance(node, ast.expr) and (what := solutions.get(_but_keywords(node), "")):
                    yield what, ast.unparse(node)


def _says_enough(node: ast.expr) -> bool:
    """Whether an expression solves something: no name, and no call without arguments."""
    parts = [one for one in ast.walk(node) if isinstance(one, ast.Call | ast.BinOp | ast.Compare)]
    match parts:
        case [ast.Call(args=args, keywords=keywords)]:
            return bool(args or keywords)
    return len(parts) > 1


def _but_keywords(node: ast.expr) -> str:
    copied = copy.deepcopy(node)
    for call in ast.walk(copied):
        if isinstance(call, ast.Call):
            call.keywords = [keyword for keyword in call.keywords if keyword.arg == "dim"]
    return ast.dump(copied)


def secrets(lesson: Lesson) -> list[tuple[str, str]]:
    """Texts that students must not receive: what each is, and the text, squeezed.

    Solutions, lines of hidden.py and marks of tests, but for lines that the lesson's visible files
    have as well.
    """
    found = [(_("a test's mark"), squeeze(HIDDEN_BEGIN)), *solution_texts(lesson)]
    for line in _lines(lesson.folder / HIDDEN):
        if len(line.strip()) > 30 and not line.lstrip().startswith(("#", '"""', "from ")):
            found.append((_("a line of hidden.py"), squeeze(line)))
    shipped = {
        squeeze(line) for path in (lesson.folder / VISIBLE, lesson.probes) for line in _lines(path)
    }
    return [(what, text) for what, text in dict.fromkeys(found) if text not in shipped]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


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
