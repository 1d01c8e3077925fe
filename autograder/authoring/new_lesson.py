"""The command `new-lesson`: the files of a lesson, with comments that lead."""

import ast
import contextlib
import re
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from rich.console import Console

from autograder import files
from autograder.errors import AuthoringError, WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.blanks import locate
from autograder.lesson.components import SOLUTIONS, definitions, reference_source
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.lesson import IN_NOTEBOOK, LESSONS, PROBES, read_lesson
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
            _("a lesson is called like 13-decoder-only, with two digits in front, not {name!r}"),
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
    listed = _with_line(course_file, name)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    contents = {}
    for template in sorted(TEMPLATES.glob("*.j2")):
        path = (of_notebook if template.name in OF_NOTEBOOK else folder) / template.stem
        rendered = environment.get_template(template.name).render(
            components=described, number=name[:2]
        )
        contents[path] = rendered.encode()
    _try_to_read(name, contents)
    for path, content in contents.items():
        files.replace(path, content)
    files.replace(course_file, listed.encode())
    return [*contents, course_file]


def _try_to_read(name: str, contents: dict[Path, bytes]) -> None:
    """Raise WrongUsage if a lesson of these files could not be read: no command would run then."""
    with tempfile.TemporaryDirectory() as temporary:
        lessons, in_notebook = Path(temporary, "lessons"), Path(temporary, "in_notebook")
        for path, content in contents.items():
            folder = lessons if path.parent.name == name else in_notebook
            files.replace(folder / path.parent.name / path.name, content)
        try:
            lesson = read_lesson({"folder": name, "title": name}, lessons, in_notebook=in_notebook)
            assert lesson.components and lesson.narrative and lesson.visible()
        except AuthoringError as error:
            message = _("a lesson of these components could not be read: {error}")
            raise WrongUsage(message, error=str(error).replace(temporary, "")) from error


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
    found = tree = parse(source).body[0]
    made_of, owner = [], component
    if isinstance(tree, ast.ClassDef):
        named = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        if not named:
            message = _("{component!r} has no method: there is nothing of it to write")
            raise WrongUsage(message, component=component)
        made_of = _parameters(named["__init__"]) if "__init__" in named else []
        tree = named.get("forward", [*named.values()][-1])
        owner = f"{component}.{tree.name}"
    assert isinstance(tree, ast.FunctionDef)
    assigned = [
        ast.unparse(node.targets[0]).strip("()")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
    ]
    target = assigned[0] if assigned else "return"
    return {
        "name": component,
        "probe": re.sub(r"(?<=[a-z])(?=[A-Z])", "_", component).lower(),
        "made_of": made_of,
        "takes": _parameters(tree),
        "is_module": isinstance(found, ast.ClassDef),
        "blank": re.sub(r"\W+", "_", target.removeprefix("self.")).strip("_"),
        "address": _address(component, source, f"{owner}:{target}"),
    }


def _address(component: str, source: str, of_any: str) -> str:
    """The address of what a function defines first. Raises WrongUsage if it defines nothing."""
    for address in (of_any, f"{of_any}#1"):
        with contextlib.suppress(AuthoringError):
            locate(source, address)
            return address
    message = _("{component!r} assigns and returns nothing that could be its first blank")
    raise WrongUsage(message, component=component)


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [arg.arg for arg in function.args.args if arg.arg != "self"]


def _with_line(course_file: Path, name: str) -> str:
    """course.toml with a line for the lesson, in the order of the numbers.

    Raises WrongUsage if its lessons are not on a line each.
    """
    text = course_file.read_text(encoding="utf-8")
    title = name[3:].replace("-", " ").capitalize()
    line = f'    {{ folder = "{name}", title = "{title}" }},'
    lines = text.splitlines()
    places = [
        number + 1
        for number, other in enumerate(lines)
        if (found := re.match(r'\s*\{ folder = "(\d\d)', other)) and found[1] < name[:2]
    ]
    starts = [number + 1 for number, other in enumerate(lines) if other.startswith("lessons")]
    place = max(places or starts, default=0)
    if places:
        lines[place - 1] = re.sub(r"\}\s*$", "},", lines[place - 1])  # the last may lack its comma
    lines.insert(place, line)
    changed = "\n".join(lines) + "\n"
    try:
        listed = [entry["folder"] for entry in tomllib.loads(changed)["lessons"]]
    except tomllib.TOMLDecodeError:
        listed = []
    if name not in listed:
        raise WrongUsage(
            _("{file} takes no line for {name!r}: write each lesson on a line of its own, with a "
              "comma behind it, below `lessons = [`"),
            file=course_file, name=name,
        )  # fmt: skip
    return changed


def run(name: str, components: Sequence[str], console: Console) -> int:
    """The command: the files that were written, and what comes next; the exit code."""
    for path in new_lesson(name, components):
        console.print(_("written: {path}").format(path=path), markup=False, soft_wrap=True)
    message = _(
        "Write the lesson; meanwhile `python -m autograder watch {name}` builds and proves it on "
        "each save. docs/authors.md is the guide."
    )
    console.print(message.format(name=name), markup=False, soft_wrap=True)
    return 0
