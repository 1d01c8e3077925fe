"""What the students' package carries of a lesson: texts, and evidence recorded on public inputs.

The evidence says what the reference and each misconception *did*, never how: no solution's code
is in it.
"""

import dataclasses
import json

from autograder.grading.judge import Standards
from autograder.grading.run import Runner
from transformer_workbook import data
from transformer_workbook.evidence import Evidence

from .blanks import MARK
from .course import Course
from .lesson import Component, Lesson


def catalogue(lesson: Lesson) -> bytes:
    """The lesson's texts for check and hint, as JSON."""
    visible = lesson.visible()
    tree = {
        "lesson": lesson.id,
        "title": lesson.title,
        "forbidden": lesson.forbidden,
        "components": {
            name: {
                "defines": component.defines,
                "blanks": {
                    blank.name: {"line": blank_line(component, index), "hints": blank.hints}
                    for index, blank in enumerate(component.blanks)
                },
                "hints": component.hints,
                "cases": {case.name: case.says or case.name for case in visible[name]},
                "misconceptions": {variant.name: variant.says for variant in component.wrong},
            }
            for name, component in lesson.components.items()
        },
    }
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()


def blank_line(component: Component, index: int) -> str:
    """The released line that holds the component's blank number `index`."""
    in_order = sorted(component.blanks, key=lambda blank: blank.span.start)
    place = -1
    for _ in range(in_order.index(component.blanks[index]) + 1):
        place = component.released.index(MARK, place + 1)
    start = component.released.rfind("\n", 0, place) + 1
    end = component.released.find("\n", place)
    return component.released[start : end if end >= 0 else None].strip()


def record(lesson: Lesson, runner: Runner) -> bytes:
    """The evidence of the reference and of each misconception on the visible cases."""
    visible = lesson.visible()
    standards = Standards(lesson, visible, runner, double=True)
    tree = {}
    for component, cases in visible.items():
        of = standards.of(component)
        known = standards.known(component)
        tree[component] = {
            case.name: {
                "probe": case.probe,
                "inputs": case.inputs,
                "masks": case.masks,
                "rules": {name: rule.to_tree() for name, rule in case.rules.items()},
                "reference": _without_code(standard.reference),
                "known": {
                    one.name: one.evidence[call] and _without_code(one.evidence[call])
                    for one in known
                },
            }
            for case, (call, standard) in zip(cases, of.items(), strict=True)
        }
    return data.pack(tree)


def _without_code(evidence: Evidence) -> dict:
    """A failure quotes the line it happened in, which may hold another blank's solution."""
    if evidence.failure:
        failure = dataclasses.replace(evidence.failure, line="", suggestion="")
        evidence = Evidence(failure=failure)
    return evidence.to_tree()


def index(course: Course) -> bytes:
    """The lessons and their components, in order, as JSON."""
    tree = {
        "title": course.title,
        "repository": course.repository,
        "tag": course.tag,
        "lessons": {
            lesson.id: {
                "title": lesson.title,
                "components": [
                    name for name, one in lesson.components.items() if not one.is_bug_hunt
                ],
                "bug_hunts": [name for name, one in lesson.components.items() if one.is_bug_hunt],
            }
            for lesson in course.lessons
        },
    }
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()
