"""The search as a probe, which the grader runs in the sandbox, beside the student's code.

Its result cannot be trusted more than that code, so the grader compares it with the source.
"""

import contextlib
import importlib
import pkgutil
import sys
from functools import partial
from types import ModuleType

from ..diagnosis.recorded_lessons import lines_written_right, recorded
from ..shared.probing import module_name
from .candidate_runner import CandidateRunner
from .search import search

_PACKAGE = importlib.import_module("transformer_workbook.lessons")


def _importable_probes() -> dict[str, ModuleType]:
    """The modules of probes that do not need stand-ins of later lessons, by name."""
    modules = {}
    for _finder, name, _is_package in pkgutil.iter_modules(_PACKAGE.__path__):
        with contextlib.suppress(Exception):
            modules[name] = importlib.import_module(f"{_PACKAGE.__name__}.{name}.probes")
    return modules


# Beside students' code, the modules of this package can be imported only while this one is.
_PROBES = _importable_probes()


def find_repair(
    component: object,
    lesson: str,
    name: str,
    defines: str,
    source: str,
    failing: list[str],
    first: list[str],
    seconds: float,
) -> dict[str, object]:
    """The repair of the `failing` cases of a component's check; empty if there is none.

    The globals of `__main__` are those of the cells, with stand-ins for
    all other components.
    """
    recorded_cases = recorded(lesson, name)
    module = _PROBES[module_name(lesson)]
    probes = {case: getattr(module, probe) for case, probe in recorded_cases.probes.items()}
    written_right = partial(lines_written_right, lesson, name)
    namespace = vars(sys.modules["__main__"])
    runner = CandidateRunner(probes, recorded_cases, written_right, namespace, defines, {}, ())
    passing = [case for case in recorded_cases.expected if case not in failing]
    repair = search(runner, source, failing, passing, first, seconds)
    return repair.to_tree() if repair else {}
