"""What ships with the course of right answers: values on the way, and hashes of their statements.

With these, a check finds the first value that is not as expected, and blames no line that a right
answer has as well. The hashes give no solution away.
"""

import ast
import dataclasses
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from autograder.judging.batches import LIMITS
from autograder.judging.case_runner import CaseRunner, call_id
from autograder.language import _
from autograder.lesson.blanks import Span
from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.sandbox.job import Plan, ProbeCall, RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.recorded_lessons import read_right_answers
from transformer_workbook.diagnosis.statement_hashes import hash_of, statements
from transformer_workbook.diagnosis.unused import unused
from transformer_workbook.shared.packing import BadData
from transformer_workbook.shared.syntax import parse
from transformer_workbook.traces.divergence import ReferenceTraces, reference_traces
from transformer_workbook.traces.reference_traces import read, write
from transformer_workbook.traces.trace import variables
from transformer_workbook.traces.values import TracedValue, are_alike, from_tree

from .misconceptions import STEP, STOPPED

UNKNOWN = STOPPED | {"died"}  # failures that say nothing of the answer


def record(lesson: Lesson, runner: Runner) -> bytes:
    """What is recorded of all right answers of a lesson, as JSON with gzip. Raises RunnerFault."""
    visible = CaseRunner(lesson, lesson.visible(), runner, double=True)
    own = lesson.components.items()
    tree = {
        "values": {
            name: {
                case: write(of_case)
                for case, of_case in _ways(lesson, component, visible, runner).items()
            }
            for name, component in own
        },
        "right": {name: right_hashes(component) for name, component in own},
        "statements": {name: right_statements(component) for name, component in own},
        "unused": {name: unused_by_right(component) for name, component in own},
        "changed": {name: changed_statements(component) for name, component in own},
    }
    return gzip.compress(json.dumps(tree, separators=(",", ":")).encode(), mtime=0)


def says_the_same(one: bytes, other: bytes) -> bool:
    """Whether two files that `record` wrote are equal but for the rounding of values.

    False if either is not readable.
    """
    try:
        ours, theirs = read_right_answers(one), read_right_answers(other)
        values, others = ours.pop("values"), theirs.pop("values")
        return ours == theirs and _have_the_same_values(values, others)
    except (BadData, KeyError):
        return False


def _have_the_same_values(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if {name: {*cases} for name, cases in ours.items()} != {
        name: {*cases} for name, cases in theirs.items()
    }:
        return False
    pairs = (
        (read(tree), read(theirs[name][case]))
        for name, cases in ours.items()
        for case, tree in cases.items()
    )
    return all(
        one.keys() == other.keys()
        and all(are_alike(list(one[variable]), list(other[variable])) for variable in one)
        for one, other in pairs
    )


def _ways(
    lesson: Lesson, component: Component, visible: CaseRunner, runner: Runner
) -> dict[str, ReferenceTraces]:
    """The ways of the reference and of the listed right answers, by case. Raises RunnerFault."""
    sources = [component.source, *(answer.source for answer in component.right)]
    watched = variables(component.released)
    of_sources = values_of(lesson, component, sources, visible, runner)
    return {
        case.name: reference_traces([of_source[case.name] for of_source in of_sources], watched)
        for case in visible.cases[component.name]
    }


def values_of(
    lesson: Lesson,
    component: Component,
    sources: Sequence[str],
    visible: CaseRunner,
    runner: Runner,
) -> list[dict[str, dict[str, list[TracedValue]]]]:
    """The values of the variables of each source, by case and variable. Raises RunnerFault."""
    job = visible.job(visible.reference_cells(), [component.name])
    (plan,) = job.plans
    cases = {call_id(component.name, case.name): case for case in visible.cases[component.name]}
    calls = [
        ProbeCall(f"{number}/{call.id}", "values", _inputs(lesson, plan, source, call))
        for number, source in enumerate(sources)
        for call in plan.calls
    ]
    job = dataclasses.replace(
        job, plans=[dataclasses.replace(plan, calls=calls)], probes="repair.search_probe"
    )
    evidence = visible.run(job, runner, dataclasses.replace(LIMITS, step=STEP))
    for call, of_call in evidence.items():
        if of_call.failure and of_call.failure.kind in UNKNOWN:
            message = _("{lesson}, {component}: right answer {call} was stopped: {kind}")
            raise RunnerFault(message, lesson=lesson.id, component=component.name,
                              call=call, kind=of_call.failure.kind)  # fmt: skip
    return [
        {
            case.name: _grouped(evidence[f"{number}/{call}"].values.get("values", []))
            for call, case in cases.items()
        }
        for number in range(len(sources))
    ]


def _inputs(lesson: Lesson, plan: Plan, source: str, call: ProbeCall) -> dict[str, Any]:
    return {
        "lesson": lesson.id,
        "defines": plan.defines,
        "source": source,
        "probe": call.probe,
        "inputs": call.inputs,
    }


def _grouped(trace: Any) -> dict[str, list[TracedValue]]:
    values: dict[str, list[TracedValue]] = {}
    for variable, value in trace:
        values.setdefault(variable, []).append(from_tree(value))
    return values


def right_hashes(component: Component) -> dict[str, list[str]]:
    """The hashes of the statements that right answers have, by the blank in them."""
    found = {blank.name: {_hash_at(component.source, blank.span)} for blank in component.blanks}
    for answer in component.right:
        if answer.blank:
            place, _text = replacement(component.source, answer.source)
            found[answer.blank].add(_hash_at(answer.source, place))
    return {blank: sorted(hashes - {""}) for blank, hashes in found.items()}


def right_statements(component: Component) -> list[str]:
    """The hashes of all statements of right answers, each as often as an answer has it at most."""
    most = Counter[str]()
    for source in (component.source, *(answer.source for answer in component.right)):
        most |= Counter(statements(source).values())
    return sorted(most.elements())


def changed_statements(component: Component) -> dict[str, list[list[str]]]:
    """By misconception, for each of its variants, the reference's statements that it does not have.

    They are given by their hashes, each as often as the reference has it.
    """
    of_reference = Counter(statements(component.source).values())
    found: dict[str, list[list[str]]] = {}
    for answer in component.wrong:
        changed = of_reference - Counter(statements(answer.source).values())
        hashes = [one for one in of_reference.elements() if one in changed]
        found.setdefault(answer.name, []).append(sorted(hashes))
    return found


def unused_by_right(component: Component) -> list[str]:
    """The names of what some right answer does not use."""
    sources = (component.source, *(answer.source for answer in component.right))
    return sorted({name for source in sources for name in unused(source)})


def replacement(source: str, changed: str) -> tuple[Span, str]:
    """The shortest piece of a source that was replaced, and by what."""
    start, most = 0, min(len(source), len(changed))
    while start < most and source[start] == changed[start]:
        start += 1
    end = 0
    while end < most - start and source[-1 - end] == changed[-1 - end]:
        end += 1
    return Span(start, len(source) - end), changed[start : len(changed) - end]


def _hash_at(source: str, span: Span) -> str:
    """The hash of the innermost statement that begins before a place and ends after it."""
    line = source.count("\n", 0, span.start) + 1
    around = [
        node
        for node in ast.walk(parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    is_simple = around and not isinstance(around[-1], ast.FunctionDef | ast.ClassDef)
    return hash_of(around[-1]) if is_simple else ""
