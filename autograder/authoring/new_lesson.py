"""The command `new-lesson`: the files of a lesson, with comments that lead."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import jinja2
from rich.console import Console

from autograder import files
from autograder.errors import AuthoringError, WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.components import SOLUTIONS, definitions, reference_source
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.lesson import LESSONS, PROBES
from transformer_workbook.shared.probing import module_name
from transformer_workbook.shared.syntax import parse

TEMPLATES = Path(__file__).parent / "templates"
OF_PROBES = "probes.py.j2"


def new_lesson(
    name: str,
    components: Sequence[str],
    course_file: Path = COURSE_FILE,
    lessons: Path = LESSONS,
    probes: Path = PROBES,
) -> list[Path]:
    """Make a lesson's folder, its probes and its line in course.toml; the files that were written.

    They are about `components`, which the reference package has already. Raises WrongUsage.
    """
    folder = lessons / name
    if not re.fullmatch(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*", name):
        raise WrongUsage(
            _("a lesson is called like 13-decoder-only, with two digits in front, not {name!r}"),
            name=name,
        )
    taken = [lesson.id for lesson in read_course(course_file, lessons, probes).lessons]
    if folder.exists() or any(id[:2] == name[:2] for id in taken):
        raise WrongUsage(
            _("{name!r} is taken: there is {known}"), name=name, known=", ".join(taken)
        )
    probes_file = probes / f"{module_name(name)}.py"
    if probes_file.exists():
        raise WrongUsage(
            _("{path} is there already: give the lesson another name, or delete the file if it is "
              "left from a lesson that is no more"),
            path=probes_file,
        )  # fmt: skip
    values = {"components": [_described(component) for component in components]}
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    written = []
    for template in sorted(TEMPLATES.glob("*.j2")):
        path = probes_file if template.name == OF_PROBES else folder / template.stem
        files.replace(path, environment.get_template(template.name).render(values).encode())
        written.append(path)
    files.replace(course_file, _with_line(course_file.read_text(encoding="utf-8"), name).encode())
    return [*written, course_file]


def _described(component: str) -> dict[str, object]:
    """What the templates say of a component: its parameters, its probe, and a first blank."""
    try:
        found = tree = parse(reference_source(component)).body[0]
    except AuthoringError as error:
        raise WrongUsage(
            _("write the reference of {component!r} first, in a file of {folder}: {error}.{meant}"),
            component=component, folder=SOLUTIONS, error=error,
            meant=was_meant(component, definitions()),
        ) from error  # fmt: skip
    called, owner = tree, component
    if isinstance(tree, ast.ClassDef):
        methods = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        named = {node.name: node for node in methods}
        called = named.get("__init__", methods[0])
        tree = named.get("forward", methods[-1])
        owner = f"{component}.{tree.name}"
    assert isinstance(tree, ast.FunctionDef) and isinstance(called, ast.FunctionDef)
    assigned = [
        ast.unparse(node.targets[0]).strip("()")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
    ]
    target = assigned[0] if assigned else "return"
    first = f"{target}#1" if assigned.count(target) > 1 else target
    is_module = isinstance(found, ast.ClassDef)
    return {
        "name": component,
        "probe": re.sub(r"(?<=[a-z])(?=[A-Z])", "_", component).lower(),
        "made_of": _parameters(called) if is_module else [],
        "takes": _parameters(tree),
        "is_module": is_module,
        "blank": re.sub(r"\W+", "_", target.removeprefix("self.")).strip("_"),
        "address": f"{owner}:{first}",
    }


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [arg.arg for arg in function.args.args if arg.arg != "self"]


def _with_line(text: str, name: str) -> str:
    """course.toml with a line for the lesson, in the order of the numbers."""
    title = name[3:].replace("-", " ").capitalize()
    line = f'    {{ folder = "{name}", title = "{title}" }},'
    lines = text.splitlines()
    places = [
        number + 1
        for number, other in enumerate(lines)
        if (found := re.match(r'\s*\{ folder = "(\d\d)', other)) and found[1] < name[:2]
    ]
    start = next(number + 1 for number, other in enumerate(lines) if other.startswith("lessons"))
    lines.insert(max(places, default=start), line)
    return "\n".join(lines) + "\n"


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
