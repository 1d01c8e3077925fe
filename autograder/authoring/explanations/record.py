"""The explanations that ship with the course: recorded once, and checked by examples.

Finding them takes minutes, so they are found anew only for components of which something changed
that they are made of, and a check tries a few of each component.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.judging.answer_key import AnswerKey
from autograder.judging.version import hash_of, with_imports
from autograder.lesson.components import Component
from autograder.lesson.lesson import ROOT, Lesson
from autograder.sandbox.runner import Runner
from transformer_workbook.shared.packing import BadData
from transformer_workbook.traces.first_wrong import Ways
from transformer_workbook.traces.recorded import read
from transformer_workbook.traces.recorded import write as write_ways
from transformer_workbook.traces.values import are_alike
from transformer_workbook.verdicts.diagnosis import Change, Explanation, failed_evidence
from transformer_workbook.verdicts.lesson_index import read_explanations
from transformer_workbook.verdicts.sketches import Sketch

from ..recorded import sketches_are_close
from . import (
    changed_statements,
    explanations,
    inner_mistakes,
    made_by_rule,
    right_marks,
    right_statements,
    unused_by_right,
)
from .values import values_of, ways

EXAMPLES = 3  # of a component, that a check tries
SHARE = 0.5  # of the tolerance, by which sketches may differ between processors

_AUTHORING = Path(__file__).parents[1]
_WORKBOOK = ROOT / "course" / "transformer_workbook"
_CODE = [
    *(_AUTHORING / "explanations" / name for name in ("__init__.py", "as_if.py", "values.py")),
    *_WORKBOOK.glob("mutants/*.py"),
    _WORKBOOK / "shared" / "syntax.py",
    ROOT / "autograder" / "judging" / "batches.py",
    *(
        _WORKBOOK / "traces" / f"{name}.py"
        for name in ("first_wrong", "recorded", "trace", "values")
    ),
    _WORKBOOK / "repair" / "bench.py",
    _WORKBOOK / "repair" / "probe.py",
    *(
        _WORKBOOK / "verdicts" / f"{name}.py"
        for name in ("diagnosis", "judge", "marks", "sketches")
    ),
    *(_WORKBOOK / "shared" / f"{name}.py" for name in ("evidence", "obligations", "probing")),
]


def record(lesson: Lesson, runner: Runner, present: bytes = b"") -> bytes:
    """All explanations of a lesson, with gzip; `present` where it was made of the same."""
    tree, versions = _read(present), _versions(lesson)
    before = tree.get("of", {})
    if before == versions:
        return present
    answer_key = AnswerKey(lesson, lesson.visible(), runner, double=True)
    components, values = {}, {}
    for name, component in lesson.components.items():
        if before.get(name) == versions[name]:
            components[name], values[name] = tree["components"][name], tree["values"][name]
        else:
            found = explanations(lesson, component, answer_key, runner)
            components[name] = [_to_tree(explanation) for explanation in found]
            values[name] = _values_to_tree(ways(lesson, component, answer_key, runner))
    return write(lesson, components, values)


def write(lesson: Lesson, components: dict[str, Any], values: dict[str, Any]) -> bytes:
    """The file of a lesson's explanations, with gzip."""
    own = lesson.components.items()
    tree = {
        "of": _versions(lesson),
        "components": components,
        "values": values,
        "right": {name: right_marks(component) for name, component in own},
        "statements": {name: right_statements(component) for name, component in own},
        "unused": {name: unused_by_right(component) for name, component in own},
        "changed": {name: changed_statements(component) for name, component in own},
    }
    return gzip.compress(json.dumps(tree, separators=(",", ":")).encode(), mtime=0)


def is_sound(lesson: Lesson, runner: Runner, present: bytes) -> bool:
    """Whether `present` was made of the lesson as it is, and its examples hold."""
    tree = _read(present)
    if tree.get("of") != _versions(lesson):
        return False
    answer_key = AnswerKey(lesson, lesson.visible(), runner, double=True)
    return all(
        _examples_hold(lesson, component, tree["components"][name], answer_key, runner)
        and _values_hold(lesson, component, tree["values"][name], answer_key, runner)
        and tree["right"][name] == right_marks(component)
        and tree["statements"][name] == right_statements(component)
        and tree["unused"][name] == unused_by_right(component)
        and tree["changed"][name] == changed_statements(component)
        for name, component in lesson.components.items()
    )


def _values_hold(
    lesson: Lesson,
    component: Component,
    recorded: dict[str, Any],
    answer_key: AnswerKey,
    runner: Runner,
) -> bool:
    """Whether the reference still has the values that are recorded of it."""
    (values,) = values_of(lesson, component, [component.source], answer_key, runner)
    return all(
        are_alike(values[case].get(variable, []), of_reference)
        for case, tree in recorded.items()
        for variable, (of_reference, *_others) in read(tree).items()
    )


def _examples_hold(
    lesson: Lesson,
    component: Component,
    recorded: list[Any],
    answer_key: AnswerKey,
    runner: Runner,
) -> bool:
    # Those that name an argument are made first, and fast, and no two of them say the same.
    named = [entry for entry in recorded if "name" in entry[0][0][1]]
    chosen = {
        json.dumps(changes[0]): cases for changes, cases in sorted(named, key=_hash)[:EXAMPLES]
    }
    sources: dict[str, str] = {}
    made = made_by_rule(lesson, component)
    while not chosen.keys() <= sources.keys():
        one = next(made, None)
        if one is None:
            return False
        sources.setdefault(json.dumps(_of_change(one.change)), one.source)
    evidence = answer_key.evidence_of_many(
        component.name, [sources[change] for change in chosen], runner
    )
    expected = answer_key.of(component.name)
    return all(
        sketches_are_close(_by_case(failed_evidence(expected, its_evidence)), cases, SHARE)
        for cases, its_evidence in zip(chosen.values(), evidence, strict=True)
    )


def _values_to_tree(of_cases: Mapping[str, Ways]) -> dict[str, Any]:
    return {case: write_ways(of_case) for case, of_case in of_cases.items()}


def _to_tree(explanation: Explanation) -> list[Any]:
    return [[_of_change(change) for change in explanation.changes], _by_case(explanation.evidence)]


def _of_change(change: Change) -> list[Any]:
    return [change.kind, change.details, change.mark]


def _by_case(evidence: Mapping[str, Sketch | None]) -> dict[str, Any]:
    """The sketches as trees, by the names of cases, without those of cases that pass."""
    return {call.partition("/")[2]: sketch.to_tree() for call, sketch in evidence.items() if sketch}


def _hash(recorded: list[Any]) -> str:
    return hashlib.sha256(json.dumps(recorded[0]).encode()).hexdigest()


def _read(content: bytes) -> dict[str, Any]:
    try:
        tree: dict[str, Any] = read_explanations(content)
    except BadData:
        return {}
    return tree


def _versions(lesson: Lesson) -> dict[str, str]:
    """A hash, by component, of all that its explanations are made of; of no text for people."""
    ran = [lesson.folder / "visible.py", lesson.folder / "probes.py", *lesson.reference_files]
    standins = [_WORKBOOK / "standins" / f"{one.module}.py" for one in (*lesson.earlier, lesson)]
    files = [*_CODE, *with_imports([*ran, *standins])]
    earlier = [own for before in (*lesson.earlier, lesson) for own in before.components.values()]
    versions = {}
    for name, component in lesson.components.items():
        inner = {used for used, _variant in inner_mistakes(lesson, component)}
        made_of = [component, *(other for other in earlier if other.name in inner)]
        text = json.dumps([_code_of(one) for one in made_of])
        versions[name] = hash_of(files, lesson.id, text)
    return versions


def _code_of(component: Component) -> list[Any]:
    right = [(variant.source, variant.blank) for variant in component.right]
    wrong = [(variant.name, variant.source, variant.blank) for variant in component.wrong]
    return [component.name, component.source, component.released, component.forbidden, right, wrong]
