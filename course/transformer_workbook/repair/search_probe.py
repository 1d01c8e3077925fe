"""The search as a probe, which the grader runs in the sandbox, beside the student's code.

Its result cannot be trusted more than that code, so the grader compares it with the source.
"""

import contextlib
import importlib
import pkgutil
import sys
from functools import partial
from types import ModuleType
from typing import Any

from ..diagnosis.recorded_lessons import lines_written_right, recorded
from ..shared.probing import module_name
from ..traces.reference_traces import recorded_traces
from ..traces.trace import grouped
from ..traces.values import are_alike, to_tree
from .search import look_for_cause
from .workbench import Workbench, trace_of

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
    """The first wrong value and the repair of the `failing` cases of a component's check.

    Empty if there is neither. The globals of `__main__` are those of the cells, with stand-ins for
    all other components.
    """
    recorded_cases, references = recorded(lesson, name), recorded_traces(lesson, name)
    module = _PROBES[module_name(lesson)]
    probes = {case: getattr(module, probe) for case, probe in recorded_cases.probes.items()}
    written_right = partial(lines_written_right, lesson, name)
    namespace = vars(sys.modules["__main__"])
    bench = Workbench(probes, recorded_cases, references, written_right, namespace, defines, {}, ())
    passing = [case for case in recorded_cases.expected if case not in failing]
    sent: list[dict[str, object]] = []
    look_for_cause(bench, source, failing, passing, first, True, seconds, sent.append)
    return sent[0] | sent[-1]


def values(
    component: object, lesson: str, defines: str, source: str, probe: str, inputs: dict[str, Any]
) -> dict[str, object]:
    """The values that the variables of a source take in one case, as [variable, value].

    Those that depend on random numbers are left out.
    """
    call, namespace = getattr(_PROBES[module_name(lesson)], probe), vars(sys.modules["__main__"])
    traces = [trace_of(call, namespace, defines, source, inputs, seed) for seed in (0, 1)]
    first, second = (grouped(trace) for trace in traces)
    stable = {name for name in first if are_alike(first[name], second.get(name, []))}
    return {
        "values": [
            [bound.variable, to_tree(bound.value)]
            for bound in traces[0]
            if bound.variable in stable
        ]
    }
