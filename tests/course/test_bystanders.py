"""A misconception is named whatever stands in the lines that its mistake is not in."""

import ast

import pytest
from the_course import COURSE

from autograder.authoring.mutants.mistakes_in_statements import _are_apart
from transformer_workbook.diagnosis.component_results import _impossible

SAMPLE = 12  # of so many misconceptions one is tried in CI


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def with_an_assert(tree):
    """An assertion of the first argument before all else in each function."""
    for function in functions(tree):
        names = [argument.arg for argument in function.args.args if argument.arg != "self"]
        if names:
            docstring = ast.get_docstring(function) is not None
            function.body.insert(docstring, ast.parse(f"assert {names[0]} is not None").body[0])
    return tree


def with_other_names(tree):
    """Each local variable of each function under another name."""
    for function in functions(tree):
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        local = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        local -= {argument.arg for argument in function.args.args}
        for name in names:
            name.id = f"my_{name.id}" if name.id in local else name.id
    return tree


def with_statements_moved(tree):
    """Each statement in front of the one before it, where neither uses anything of the other."""
    for function in functions(tree):
        body = function.body
        for place in range(len(body) - 1):
            pair = body[place : place + 2]
            if _are_apart(*pair) and not any("super()" in ast.unparse(node) for node in pair):
                body[place : place + 2] = reversed(pair)
    return tree


def misconceptions():
    for lesson in COURSE.lessons:
        for component in lesson.components.values():
            for answer in component.wrong:
                yield lesson.id, component.name, answer


ALL = [*misconceptions()]


@pytest.mark.parametrize("edit", [with_an_assert, with_other_names, with_statements_moved])
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, SAMPLE))]
)
def test_harmless_edits_of_other_lines_rule_no_misconception_out(edit, part):
    ruled_out = []
    for lesson, component, answer in ALL[part::SAMPLE]:
        edited = ast.unparse(edit(ast.parse(answer.source)))
        if answer.name in _impossible(lesson, component, edited):
            ruled_out.append((component, answer.name))
    assert not ruled_out
