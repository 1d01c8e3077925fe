"""The search as a probe: the grader has it run in the sandbox, beside the student's code.

What it returns is no more to be trusted than that code, so the grader compares it with the source.
"""

import contextlib
import importlib
import pkgutil
import sys
from types import ModuleType

from ..shared.probing import module_name
from ..verdicts.lesson_index import recorded
from .search import Workbench, search

_PACKAGE = importlib.import_module("transformer_workbook.probes")


def _importable_probes() -> dict[str, ModuleType]:
    """The modules of probes that do not need stand-ins of later lessons, by name."""
    modules = {}
    for _finder, name, _is_package in pkgutil.iter_modules(_PACKAGE.__path__):
        with contextlib.suppress(Exception):
            modules[name] = importlib.import_module(f"{_PACKAGE.__name__}.{name}")
    return modules


# Beside students' code, the modules of this package can be imported only while this one is.
_PROBES = _importable_probes()


def place(
    component: object,
    lesson: str,
    name: str,
    defines: str,
    source: str,
    failing: list[str],
    first: list[str],
    seconds: float,
) -> dict[str, object]:
    """Where a change mends most of the `failing` cases of a component's check, and of what kind.

    Empty where none does. The cells have filled the globals of `__main__`, which hold stand-ins of
    all other components.
    """
    known = recorded(lesson, name)
    found_in = _PROBES[module_name(lesson)]
    of_case = {case: getattr(found_in, probe) for case, probe in known.probes.items()}
    bench = Workbench(of_case, known, vars(sys.modules["__main__"]), defines, {}, ())
    passing = [case for case in known.expected if case not in failing]
    repair = search(bench, source, failing, passing, first, seconds)
    if repair is None:
        return {}
    found: dict[str, object] = {"mended": repair.mended}
    for prefix, change in (("", repair.candidate), ("also_", repair.also)):
        if change:
            of_change = {"kind": change.kind, "line": change.line, "old": change.old}
            found |= {prefix + key: value for key, value in of_change.items()}
    return found
