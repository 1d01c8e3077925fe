"""The command `new-lesson`: the files of a lesson, with comments that lead."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from rich.console import Console

from autograder import files
from autograder.errors import AuthoringError, WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.components import SOLUTIONS, definitions, reference_source
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.lesson import IN_NOTEBOOK, LESSONS, PROBES
from transformer_workbook.shared.probing import module_name
from transformer_workbook.shared.syntax import parse

TEMPLATES = Path(__file__).parent / "templates"
OF_NOTEBOOK = {"__init__.py.j2", f"{PROBES}.j2"}


def new_lesson(
    name: str,
    components: Sequence[str],
    course_file: Path = COURSE_FILE,
    lessons: Path = LESSONS,
    in_notebook: Path = IN_NOTEBOOK,
) -> list[Path]:
    """Make a lesson's two folders and its line in course.toml; the files that were written.

    They are about `components`, which the reference package has already. Raises WrongUsage, and
    then writes nothing.
    """
    folder = lessons / name
    if not re.fullmatch(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*", name):
        raise WrongUsage(
            _("a lesson is called like 14-decoder-only, with two digits in front, not {name!r}"),
            name=name,
        )
    taken = [lesson.id for lesson in read_course(course_file, lessons, in_notebook).lessons]
    if folder.exists() or any(id[:2] == name[:2] for id in taken):
        raise WrongUsage(
            _("{name!r} is taken: there is {known}"), name=name, known=", ".join(taken)
        )
    of_notebook = in_notebook / module_name(name)
    if of_notebook.exists():
        raise WrongUsage(
            _("{path} is there already: give the lesson another name, or delete the folder if it "
              "is left from a lesson that is no more"),
            path=of_notebook,
        )  # fmt: skip
    described = [_described(component) for component in components]
    blanks = [one["blank"] for one in described]
    for one in described:
        if blanks.count(one["blank"]) > 1:  # a blank's name is that of one in its lesson
            one["blank"] = f"{one['probe']}_{one['blank']}"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    written = []
    for template in sorted(TEMPLATES.glob("*.j2")):
        path = (of_notebook if template.name in OF_NOTEBOOK else folder) / template.stem
        text = environment.get_template(template.name).render(components=described, number=name[:2])
        files.replace(path, text.encode())
        written.append(path)
    files.replace(course_file, _with_line(course_file, name).encode())
    return [*written, course_file]


def _described(component: str) -> dict[str, Any]:
    """What the templates say of a component: its parameters, its probe, and a first blank."""
    try:
        source = reference_source(component)
    except AuthoringError as error:
        raise WrongUsage(
            _("write the reference of {component!r} first, in a file of {folder}: {error}.{meant}"),
            component=component, folder=SOLUTIONS, error=error,
            meant=was_meant(component, definitions()),
        ) from error  # fmt: skip
    tree = parse(source).body[0]
    made_of, owner = [], component
    is_module = isinstance(tree, ast.ClassDef)
    if isinstance(tree, ast.ClassDef):
        named = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        made_of = _parameters(named["__init__"]) if "__init__" in named else []
        tree = named.get("forward", [*named.values()][-1])
        owner = f"{component}.{tree.name}"
    assert isinstance(tree, ast.FunctionDef)
    target = _first_defined(tree)
    return {
        "name": component,
        "probe": re.sub(r"(?<=[a-z])(?=[A-Z])", "_", component).lower(),
        "made_of": made_of,
        "takes": _parameters(tree),
        "is_module": is_module,
        "blank": re.sub(r"\W+", "_", target.partition("#")[0].removeprefix("self.")).strip("_"),
        "address": f"{owner}:{target}",
    }


def _first_defined(function: ast.FunctionDef) -> str:
    """What a function assigns first, or `return`, as an address of a blank names it."""
    nodes = [*ast.walk(function)]
    assigned = [ast.unparse(node.targets[0]).strip("()") for node in nodes
                if isinstance(node, ast.Assign)]  # fmt: skip
    names = assigned or ["return" for node in nodes if isinstance(node, ast.Return)]
    return f"{names[0]}#1" if names.count(names[0]) > 1 else names[0]


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [arg.arg for arg in function.args.args if arg.arg != "self"]


def _with_line(course_file: Path, name: str) -> str:
    """course.toml with a line for the lesson, in the order of the numbers."""
    lines = course_file.read_text(encoding="utf-8").splitlines()
    before = [
        number
        for number, line in enumerate(lines)
        if line.startswith("lessons = [")
        or ((found := re.match(r'\s*\{ folder = "(\d\d)', line)) and found[1] < name[:2])
    ]
    title = name[3:].replace("-", " ").capitalize()
    lines.insert(max(before) + 1, f'    {{ folder = "{name}", title = "{title}" }},')
    return "\n".join(lines) + "\n"


def new_lesson_command(name: str, components: Sequence[str], console: Console) -> int:
    """The command: the files that were written, and what comes next; the exit code."""
    for path in new_lesson(name, components):
        console.print(_("written: {path}").format(path=path), markup=False, soft_wrap=True)
    message = _(
        "Write the lesson; meanwhile `autograder watch {name}` builds and proves it on each save. "
        "docs/authors.md is the guide."
    )
    console.print(message.format(name=name), markup=False, soft_wrap=True)
    return 0
