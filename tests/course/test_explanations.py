"""What is recorded of wrong answers made by rule can be said, and gives no solution away."""

import ast
import re

import pytest

from autograder.authoring.explanations import edit, edited_lines, made_by_rule
from autograder.lesson.course import read_course
from transformer_workbook.verdicts.as_if import sentence
from transformer_workbook.verdicts.lesson_index import (
    RECORDED,
    contradicted,
    explained,
    lines_written_right,
    recorded,
    unused_by_right,
)
from transformer_workbook.verdicts.signatures import SENTENCES
from transformer_workbook.verdicts.unused import remark

COURSE = read_course()
COMPONENTS = [
    pytest.param(lesson, component, id=f"{lesson.id[:2]} {name}")
    for lesson in COURSE.lessons
    for name, component in lesson.components.items()
]
MOST = 3 << 20  # bytes of recorded evidence, all lessons together
TELLING = 8  # characters: a shorter expression, such as `x`, gives nothing away


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def solutions(component) -> list[str]:
    """What fills the blanks of a component, and what mends the bugs of a hunt."""
    if component.is_bug_hunt:
        before, after = component.released, component.source
        changed = set(after.splitlines()) - set(before.splitlines())
        return [line.split("#")[0].strip() for line in changed]
    # A name that the released cell has in other places gives nothing away.
    given = set(re.findall(r"\w+", component.released))
    return [blank.text for blank in component.blanks if blank.text not in given]


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_each_explanation_is_a_sentence_that_holds_no_solution(lesson, component):
    hidden = [squeezed(text) for text in solutions(component)]
    hidden = [text for text in hidden if len(text) >= TELLING]
    explanations = explained(lesson.id, component.name)
    assert explanations
    for explanation in explanations:
        for change in explanation.changes:
            said = sentence(change, component.name, lesson.id)
            assert re.fullmatch(r"(Your code behaves|As in the|Two things).*\S", said, re.DOTALL)
            assert not re.search(r"\{\w*\}", said)
            quoted = squeezed(" ".join(re.findall("`([^`]*)`", said)))
            assert not [text for text in hidden if text in quoted], said


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_a_misconception_is_contradicted_by_the_reference_and_not_by_its_own_source(
    lesson, component
):
    of_reference = contradicted(lesson.id, component.name, component.source)
    assert of_reference
    for variant in component.wrong:
        assert variant.name not in contradicted(lesson.id, component.name, variant.source)


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_right_answers_are_written_right_and_use_what_they_have(lesson, component):
    for source in (component.source, *(variant.source for variant in component.right)):
        assert lines_written_right(lesson.id, component.name, source)
        assert not remark(source, unused_by_right(lesson.id, component.name))


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_each_explanation_fails_cases_of_the_check(lesson, component):
    cases = recorded(lesson.id, component.name).expected.keys()
    for explanation in explained(lesson.id, component.name):
        assert explanation.evidence and explanation.evidence.keys() <= cases


def test_the_recorded_evidence_is_small():
    assert sum(path.stat().st_size for path in RECORDED.iterdir()) < MOST


def test_no_signature_quotes_code():
    quoted = {text for says in SENTENCES.values() for text in re.findall("`([^`]*)`", says)}
    assert quoted == {"{name}"}


def test_what_is_made_by_rule_is_python_and_each_source_is_made_once():
    lesson = COURSE.lesson("03-add-and-norm")
    component = lesson.components["SublayerConnection"]
    made = list(made_by_rule(lesson, component))
    assert len({one.source for one in made}) == len(made) > 100
    for one in made:
        ast.parse(one.source)
    kinds = {one.change.kind for one in made}
    assert {"always", "exchanged", "instead", "cut off", "both", "inner", "doubled"} <= kinds
    assert {"twice", "does nothing", "through", "dropped twice"} <= kinds


def test_the_shortest_edit_is_found():
    span, text = edit("a = b + c\n", "a = b - c\n")
    assert (span.start, span.end, text) == (6, 7, "-")
    span, text = edit("abab", "ababab")
    assert "abab"[: span.start] + text + "abab"[span.end :] == "ababab"


def test_changed_lines_are_whole():
    source, changed = "a = 1\nreturn total\nb = 2", "a = 1\npass\nb = 2"
    span, text = edited_lines(source, changed)
    assert (source[span.start : span.end], text) == ("return total", "pass")
    assert edited_lines("a = 1", "a = 2") == (type(span)(0, 5), "a = 2")
