"""The command `new-lesson`: the files of a lesson, with comments that lead, built and proven."""

import ast
import re
import tomllib
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
from autograder.lesson.lesson import IN_NOTEBOOK, LESSONS
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.shared.probing import module_name
from transformer_workbook.shared.syntax import parse

from .build import build
from .prove.proofs import Proof, Scope

TEMPLATES = Path(__file__).parent / "templates"
# What arguments get, by annotations and by names that most code uses; {name} is the argument's.
GUESSES = tomllib.loads((TEMPLATES / "inputs.toml").read_text(encoding="utf-8"))


def new_lesson(
    name: str,
    components: Sequence[str],
    course_file: Path = COURSE_FILE,
    lessons: Path = LESSONS,
    in_notebook: Path = IN_NOTEBOOK,
    bug_hunt: bool = False,
    question: bool = False,
) -> list[Path]:
    """Make a lesson's folder and its line in course.toml; the files that were written.

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
        written.append(folder / template.stem)
        text = environment.get_template(template.name).render(
            components=described, bug_hunt=bug_hunt, question=question
        )
        files.replace(written[-1], text.encode())
    files.replace(course_file, _with_line(course_file, name, components).encode())
    return [*written, course_file]


def _described(component: str) -> dict[str, Any]:
    """What the templates say of a component: its cases' inputs, and a first blank."""
    try:
        source = reference_source(component)
    except AuthoringError as error:
        raise WrongUsage(
            _("write the reference of {component!r} first, in a file of {folder}: {error}.{meant}"),
            component=component, folder=SOLUTIONS, error=error,
            meant=was_meant(component, definitions()),
        ) from error  # fmt: skip
    tree = parse(source).body[0]
    needed, owner = [], component
    if isinstance(tree, ast.ClassDef):
        named = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        needed = _needed(named["__init__"]) if "__init__" in named else []
        tree = named.get("forward", [*named.values()][-1])
        owner = f"{component}.{tree.name}"
    assert isinstance(tree, ast.FunctionDef)
    target = _first_defined(tree)
    needed += _needed(tree)
    return {
        "name": component,
        "probe": re.sub(r"(?<=[a-z])(?=[A-Z])", "_", component).lower(),
        "inputs": _inputs(needed),
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


def _needed(function: ast.FunctionDef) -> list[ast.arg]:
    """The parameters that have no default."""
    needed = function.args.args[: len(function.args.args) - len(function.args.defaults)]
    return [parameter for parameter in needed if parameter.arg != "self"]


def _inputs(parameters: list[ast.arg]) -> list[str]:
    """What each parameter gets in a family of cases, as an entry of its table."""
    has_heads = any(parameter.arg == "num_heads" for parameter in parameters)
    width = "num_heads * d_k" if has_heads else "d_model"
    made = {}
    for parameter in parameters:
        annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
        kind, given = ("annotation", annotation) if annotation else ("name", parameter.arg)
        texts = [text for pattern, text in GUESSES[kind].items() if re.fullmatch(pattern, given)]
        text = width if parameter.arg == "d_model" else "".join(texts[:1])
        shape = f'["batch", "length", "{width}"]'
        made[parameter.arg] = f'"{text.format(name=parameter.arg)}"' if text else shape
    return [f"{name} = {value}" for name, value in made.items()]


def _with_line(course_file: Path, name: str, components: Sequence[str]) -> str:
    """course.toml with a line for the lesson, in the order of the numbers."""
    lines = course_file.read_text(encoding="utf-8").splitlines()
    before = [
        number
        for number, line in enumerate(lines)
        if line.startswith("lessons = [")
        or ((found := re.match(r'\s*\{ folder = "(\d\d)', line)) and found[1] < name[:2])
    ]
    title, builds = name[3:].replace("-", " ").capitalize(), ", ".join(components)
    beyond = "beyond = true, " if "beyond = true" in lines[max(before)] else ""
    line = f'    {{ folder = "{name}", title = "{title}", {beyond}builds = "{builds}" }},'
    lines.insert(max(before) + 1, line)
    return "\n".join(lines) + "\n"


def new_lesson_command(
    name: str, components: Sequence[str], bug_hunt: bool, question: bool, console: Console
) -> int:
    """The command: what was written, built and proven, and what comes next; the exit code."""
    for path in new_lesson(name, components, bug_hunt=bug_hunt, question=question):
        console.print(_("written: {path}").format(path=path), markup=False, soft_wrap=True)
    course = read_course()
    lesson, faults = course.lesson(name), list[str]()
    with Runner() as runner:
        try:
            build(course, [lesson], [runner])
            report = Proof(lesson, runner, scope=Scope(mutants=0), course=course).run()
            faults = [fault for of_proof in report.faults.values() for fault in of_proof]
        except (AuthoringError, RunnerFault) as error:
            guessed = _("{error}\nWhat its arguments are was guessed by their names: see {file}.")
            faults = [guessed.format(error=error, file=lesson.folder / "blanks.toml")]
    message = _(
        "It is built, and proofs 1 to 7 hold. Write the lesson; meanwhile `autograder watch "
        "{name}` builds and proves it on each save. docs/authors.md is the guide."
    )
    for line in faults or [message.format(name=name)]:
        console.print(line, markup=False, soft_wrap=True)
    return 1 if faults else 0
