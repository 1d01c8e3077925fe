"""What is recorded of right answers is true of them, and of no misconception."""

import ast

import pytest
from the_course import COURSE

from autograder.authoring.mutants.mistakes_in_statements import _are_apart
from transformer_workbook.diagnosis.component_results import impossible_misconceptions
from transformer_workbook.diagnosis.recorded_lessons import (
    LESSONS,
    contradicted,
    share_written_right,
)

COMPONENTS = [
    pytest.param(lesson, component, id=f"{lesson.id[:2]} {name}")
    for lesson in COURSE.lessons
    for name, component in lesson.components.items()
]
MOST_BYTES = 3 << 20  # bytes of evidence and English texts, all lessons together


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_a_misconception_is_contradicted_by_the_reference_and_not_by_its_own_source(
    lesson, component
):
    of_reference = contradicted(lesson.id, component.name, component.source)
    assert of_reference
    for answer in component.wrong:
        assert answer.name not in contradicted(lesson.id, component.name, answer.source)


def assert_something(function):
    if names := [argument.arg for argument in function.args.args if argument.arg != "self"]:
        function.body[:0] = ast.parse(f"assert {names[0]} is not None").body


def rename_variables(function):
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for name in names:
        is_local = name.id in stored - {argument.arg for argument in function.args.args}
        name.id = f"my_{name.id}" if is_local else name.id


def move_statements(function):
    body = function.body
    for place in range(len(body) - 1):
        pair = body[place : place + 2]
        if _are_apart(*pair) and not any("super()" in ast.unparse(node) for node in pair):
            body[place : place + 2] = reversed(pair)


@pytest.mark.parametrize("edit", [assert_something, rename_variables, move_statements])
def test_harmless_edits_of_other_lines_rule_no_misconception_out(edit):
    for lesson, component in (param.values for param in COMPONENTS):
        for answer in component.wrong[::12]:
            tree = ast.parse(answer.source)
            for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
                edit(function)
            edited = ast.unparse(tree)
            assert answer.name not in impossible_misconceptions(lesson.id, component.name, edited)


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_right_answers_are_written_right(lesson, component):
    for source in (component.source, *(answer.source for answer in component.right)):
        assert share_written_right(lesson.id, component.name, source) == 1.0


def test_what_is_recorded_is_small():
    assert sum(path.stat().st_size for path in LESSONS.glob("*/recorded.[js]*")) < MOST_BYTES
