"""Saves the student's own components and loads them in later lessons.

A component that passes its check is saved as a module of the package `my_transformer` (see
`paths.home`). Later lessons `use` it from there; a missing one is replaced by a stand-in.
"""

import ast
import builtins
import contextlib
import dis
import importlib
import inspect
import io
import linecache
import sys
import types
from pathlib import Path
from typing import Any

import torch

from ..diagnosis.recorded_lessons import Unknown, index, lesson_of
from ..shared.files import whole
from ..shared.language import _, say
from ..shared.notebook import NOTEBOOK_IMPORTS, notebook_namespace
from ..shared.probing import module_name
from ..shared.syntax import parse
from . import colab
from .cells import bound, defining, has_failed, runs
from .paths import PACKAGE, home, local_home


class NoStandIn(Unknown):
    """A component of the course that has no stand-in."""


PACKAGE_IMPORT = "\nimport transformer_workbook as wb\n"
IMPORTS = NOTEBOOK_IMPORTS + PACKAGE_IMPORT
_LESSONS, _STAND_INS = "transformer_workbook.lessons.", ".standins"
_IMPORTED = {"math", "sys", "torch", "nn", "F", "wb"}


def move_to_drive() -> None:
    """Copy the files that were saved before Google Drive was mounted; overwrites none."""
    source, target = local_home(), home()
    if colab.drive_folder() is None or source == target or not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True)
    for file in source.glob("*.py"):
        if not (target / file.name).exists():
            (target / file.name).write_bytes(file.read_bytes())


def forget(*names: str) -> None:
    """Drop components from the cache, so that the next `use` reads their files.

    Those that use them are dropped, too: they hold what stood there when they were loaded.
    """
    pending = list(names)
    while pending:
        name = pending.pop()
        _loaded.pop(name, None)
        pending += [user for user in _loaded if name in _used_by(user)]


def saved() -> set[str]:
    """The names of all saved components."""
    move_to_drive()
    return {path.stem for path in home().glob("*.py") if path.stem != "__init__"}


def save(component: str, source: str, uses: list[str]) -> Path:
    """Write a component as a module that imports the components it `uses`; returns its path.

    Raises OSError.
    """
    path = home() / f"{component}.py"
    with whole(path) as part:
        part.write_text(_module_text(source, uses), encoding="utf-8")
    forget(component)
    return path


def _module_text(source: str, uses: list[str]) -> str:
    lines = [IMPORTS, *(f'{name} = wb.use("{name}", quiet=True)\n' for name in uses)]
    return "\n".join([*lines, "", source.strip(), ""])


_loaded: dict[str, object] = {}


def use(*names: str, quiet: bool = False) -> Any:
    """The student's own components of these names; a stand-in for each that is not saved.

    Returns one object for one name and a tuple for several, and prints which are which.
    Raises Unknown for a name that is no component, and where there is no name.
    """
    if not names:
        raise Unknown(_('Name what you want to use: wb.use("LayerNorm"), or several names.'))
    objects, yours, standing_in = [], [], []
    move_to_drive()
    for name in names:
        lesson = lesson_of(name)
        saved_object = _own(name)
        (standing_in if saved_object is None else yours).append(name)
        objects.append(stand_in(name, lesson) if saved_object is None else saved_object)
    if not quiet:
        if yours:
            say(_("yours: {names}").format(names=", ".join(yours)))
        if standing_in:
            say(
                _(
                    "stand-ins from the course's package, until your own pass their checks: {names}"
                ).format(names=", ".join(standing_in))
            )
        for name in filter(_is_edited, yours):
            say(
                _(
                    "Your cell that defines {name} has changed since it was saved; this is the "
                    'saved version. wb.check("{name}") saves the new one, if it passes.'
                ).format(name=name)
            )
    return objects[0] if len(objects) == 1 else tuple(objects)


def inside(*names: str) -> dict[str, object]:
    """The components that saved ones use, at any depth: their own, and stand-ins for the others."""
    components: dict[str, object] = {}
    pending = [name for name in names if _own(name) is not None]
    while pending:
        used = _used_by(pending.pop())
        pending += [name for name in used.keys() - components if not is_stand_in(used[name])]
        components |= used
    return components


def _used_by(name: str) -> dict[str, object]:
    """The components that a loaded one uses itself."""
    components = {part for lesson in index()["lessons"].values() for part in lesson["components"]}
    module = sys.modules.get(f"{PACKAGE}.{name}")
    names = vars(module) if module else {}
    return {part: names[part] for part in components & names.keys() - {name}}


def _is_edited(name: str) -> bool:
    """Whether this notebook defines a component differently from the saved version."""
    namespace = notebook_namespace()
    written = own_text(name, namespace) if _cell_of(namespace.get(name)) else ""
    text = _saved_text(name)
    return text != "" and written.strip() not in text


def is_saved_as(name: str, cell: str) -> bool:
    """Whether a cell, which need not have run, defines a component as it was saved."""
    return (_definition(name, cell) or cell).strip() in _saved_text(name)


def _saved_text(name: str) -> str:
    """The file of a saved component; empty if it cannot be read."""
    try:
        return (home() / f"{name}.py").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def stand_in(name: str, lesson: str):
    """The stand-in of a lesson's component, made from torch.nn. Raises NoStandIn."""
    module = f"{_LESSONS}{module_name(lesson)}{_STAND_INS}"
    try:
        return getattr(importlib.import_module(module), name)
    except (ModuleNotFoundError, AttributeError) as error:
        missing = (module, module.removesuffix(_STAND_INS))
        if isinstance(error, ModuleNotFoundError) and error.name not in missing:
            raise
        raise NoStandIn(
            _(
                "{name} has no stand-in: write it first, in lesson {lesson}; its check saves it."
            ).format(name=name, lesson=lesson)
        ) from None


def _own(name: str):
    """The student's own component; None if it is not saved, or its module raises."""
    if name in _loaded:
        return _loaded[name]
    path = home() / f"{name}.py"
    if not path.is_file():
        return None
    module = types.ModuleType(f"{PACKAGE}.{name}")
    module.__file__ = str(path)
    # inspect and pickle look modules up by name.
    sys.modules[module.__name__] = module
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
        _loaded[name] = getattr(module, name)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        say(
            _(
                "Your saved {name} could not be loaded ({error}); a stand-in takes its place. Run "
                "its check to save it again."
            ).format(name=name, error=problem)
        )
        return None
    return _loaded[name]


# Finding a component's source in the notebook's cells.


def own_source(name: str, namespace: dict) -> tuple[str, list[str]]:
    """The source of a component with all that it needs from the student's other cells.

    Returns it (empty if it is not found) and the names of the course's components that it uses.
    """
    lessons = index()["lessons"].values()
    components = {component for lesson in lessons for component in lesson["components"]}
    sources: dict[str, str] = {}
    uses: list[str] = []
    begun = set[str]()

    def add(current: str) -> None:
        """Append the source of a name, after all that it needs."""
        begun.add(current)
        source = own_text(current, namespace)
        if not source and current != name:
            source = _source_of_a_value(current, namespace)
        for needed in _names_in(source):
            if needed in components and needed != name:
                if needed not in uses:
                    uses.append(needed)
            elif needed in namespace and needed not in begun | _IMPORTED:
                add(needed)
        sources[current] = source

    add(name)
    return (
        "\n\n".join(filter(None, dict.fromkeys(sources.values()))) if sources[name] else ""
    ), uses


def _source_of_a_value(name: str, namespace: dict) -> str:
    """The statement that gave a name its value, or the import that would; empty if unknown."""
    statement = _definition(name, _cell_in_history(name, namespace))
    return statement or ("" if hasattr(builtins, name) else _import(name, namespace[name]))


def problem_without(notebook: dict, component: str, source: str, uses: list[str]) -> str:
    """What goes wrong with saved code where the notebook's names are missing; empty if nothing.

    `source` and `uses` are those of `own_source`. The source is run as `use` would run it.
    """
    module = types.ModuleType(f"{PACKAGE}.{component}")
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module  # where dataclasses, for example, look it up
    try:
        # What students' own statements print, and the random numbers they draw, are not wanted.
        with contextlib.redirect_stdout(io.StringIO()), torch.random.fork_rng(devices=[]):
            exec(compile(_module_text(source, uses), "<saved>", "exec"), module.__dict__)
    except Exception as error:
        if isinstance(error, NameError) and error.name in notebook:
            return _("{names} is missing").format(names=error.name)
        problem = f"{type(error).__name__}: {error}"
        return _("it raises {error}").format(error=problem)
    finally:
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before
    names = [component, *_names_in(source)]
    bound_names = vars(module).keys() | vars(builtins).keys()
    absent = ", ".join(name for name in names if name in notebook and name not in bound_names)
    return _("{names} is missing").format(names=absent) if absent else ""


def own_text(name: str, namespace: dict) -> str:
    """The source of the definition of `name`; empty if its cell is not found.

    It is also empty for an object that `use` returned, which no cell defines.
    """
    defined = namespace.get(name)
    if is_saved_version(defined) or is_stand_in(defined):
        return ""
    cell = _cell_of(defined) or _cell_in_history(name, namespace)
    # A function that a cell defined may have got another name in a later one.
    renaming = [text for _place, text in defining(name, namespace) if _is_assigned_in(text, name)]
    return _definition(name, cell) or _definition(name, renaming[-1] if renaming else "")


def _definition(name: str, cell: str) -> str:
    """The last statement of a cell that binds a name; empty if none does."""
    for node in reversed(_statements(cell)):
        # A loop may be an experiment: it should not run again in each later lesson.
        if name in bound(node) and not isinstance(node, ast.For | ast.While):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            return "\n".join(cell.splitlines()[first - 1 : node.end_lineno])
    return ""


def _statements(cell: str) -> list[ast.stmt]:
    """The statements of a cell; none where Python cannot read it, as with IPython's magics."""
    try:
        return parse(cell).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _is_assigned_in(cell: str, name: str) -> bool:
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return any(
        name in bound(node) for node in _statements(cell) if not isinstance(node, definitions)
    )


def is_saved_version(defined: object) -> bool:
    """Whether this is the saved version of a student's component, not one that a cell defines."""
    return _module(defined).startswith(f"{PACKAGE}.")


def is_stand_in(defined: object) -> bool:
    """Whether this is a component of the course's package."""
    module = _module(defined)
    return module.startswith(_LESSONS) and module.endswith(_STAND_INS)


def _module(defined: object) -> str:
    module = getattr(defined, "__module__", None)
    is_code = inspect.isclass(defined) or inspect.isroutine(defined)
    return module if is_code and isinstance(module, str) else ""


def _cell_of(defined) -> str:
    """The whole source of the cell that defined a function or class; empty if unknown."""
    if inspect.isclass(defined):
        methods = [part for part in vars(defined).values() if inspect.isroutine(part)]
        texts = [text for text in map(_cell_of_function, methods) if text]
        return next((text for text in texts if _class_in(text, defined.__name__)), "")
    return _cell_of_function(defined)


def _cell_of_function(function) -> str:
    """The source of the cell that a function, below all its decorators, was written in."""
    with contextlib.suppress(ValueError):  # it wraps itself
        function = inspect.unwrap(function)
    # The text around a wrapper is that of a decorator: another cell of the student's, or torch's.
    is_written_here = (
        inspect.isfunction(function)
        and function.__globals__ is notebook_namespace()
        and "<locals>" not in function.__qualname__
    )
    return "".join(linecache.getlines(function.__code__.co_filename)) if is_written_here else ""


def _class_in(cell: str, name: str) -> ast.ClassDef | None:
    trees = (node for statement in _statements(cell) for node in ast.walk(statement))
    classes = [node for node in trees if isinstance(node, ast.ClassDef) and node.name == name]
    return classes[-1] if classes else None


def is_stale(name: str, namespace: dict) -> bool:
    """Whether `name` is outdated: a later cell that defines it was run and failed."""
    versions = defining(name, namespace)
    if not versions or not has_failed(*versions[-1]):
        return False
    return versions[-1][1].strip() != _cell_of(namespace.get(name)).strip()


def _cell_in_history(name: str, namespace: dict) -> str:
    for _place, cell in reversed(runs(namespace)):
        if name in cell and _definition(name, cell):
            return cell
    return ""


def _names_in(source: str) -> list[str]:
    """The global names that code loads, its functions' and classes' code included."""
    pending, names = [compile(source, "<saved>", "exec")], []
    while pending:
        code = pending.pop()
        names += [op.argval for op in dis.get_instructions(code) if op.opname in GLOBAL_LOADS]
        pending += [constant for constant in code.co_consts if inspect.iscode(constant)]
    return list(dict.fromkeys(names))


GLOBAL_LOADS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}


def _import(name: str, value) -> str:
    """The import statement for a name of the notebook; empty if it has none."""
    if inspect.ismodule(value):
        return f"import {value.__name__} as {name}"
    module = getattr(value, "__module__", None) or ""
    if (inspect.isclass(value) or inspect.isroutine(value)) and not module.startswith(
        ("__main__", "builtins", "transformer_workbook", PACKAGE)
    ):
        return f"from {module} import {value.__name__} as {name}" if module else ""
    return ""
