"""What a build records of right and of wrong answers."""

import pytest
from the_course import COURSE

from autograder.authoring.misconceptions import pairs
from autograder.authoring.record_lesson import record as record_evidence
from autograder.authoring.right_answers import changed_blanks, replacement
from autograder.judging.case_runner import CaseRunner
from autograder.lesson.components import Component, KnownAnswer
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.case_results import BOTH, misconceptions_in
from transformer_workbook.diagnosis.component_results import component_results
from transformer_workbook.diagnosis.recorded_lessons import recorded
from transformer_workbook.shared.evidence import Evidence, Failure

LESSON = COURSE.lesson("04-feed-forward")
NAME = "PositionwiseFeedForward"


def test_the_shortest_replacement_is_found():
    span, text = replacement("a = b + c\n", "a = b - c\n")
    assert (span.start, span.end, text) == (6, 7, "-")
    span, text = replacement("abab", "ababab")
    assert "abab"[: span.start] + text + "abab"[span.end :] == "ababab"


def test_the_blanks_that_a_misconception_of_the_whole_component_is_about():
    component = COURSE.lesson("11-translation").components["average_weights"]
    assert changed_blanks(component, "divided-by-five") == ["mean"]
    assert changed_blanks(component, "added-in-place") == ["entries", "mean"]
    assert changed_blanks(component, "nothing-comes-back") == []


def test_two_misconceptions_are_put_together_where_they_change_other_places():
    right = "def f(x):\n    y = x + 1\n    return 2 * y\n"
    wrong = {"minus": "x - 1", "plus-two": "x + 2", "plus-three": "x + 3", "thrice": "3 * y"}
    known = [
        KnownAnswer(name, "f", right.replace("2 * y" if name == "thrice" else "x + 1", text))
        for name, text in wrong.items()
    ]
    component = Component("f", "f", right, right, (), (), tuple(known))
    sources = {pair.name: pair.source for pair in pairs(component, known)}
    assert "plus-two+plus-three" not in sources and "plus-three+thrice" in sources
    assert sources["minus+thrice"] == "def f(x):\n    y = x - 1\n    return 3 * y\n"


def test_an_answer_with_two_misconceptions_is_told_both():
    lesson = COURSE.lesson("00-warm-up")
    component = lesson.components["split_heads"]
    known = recorded(lesson.id, component.name).misconceptions
    names = [one.name for one in known if BOTH in one.name]
    both = [pair for pair in pairs(component, component.wrong) if pair.name in names][::8]
    with Runner(sandbox="none") as runner:
        visible = CaseRunner(lesson, lesson.visible(), runner)
        found = visible.evidence_of_many(component.name, [pair.source for pair in both])
    for pair, evidence in zip(both, found, strict=True):
        by_case = {call.partition("/")[2]: of_call for call, of_call in evidence.items()}
        results = component_results(lesson.id, component.name, by_case)
        assert {*misconceptions_in(results)} == {*pair.name.split(BOTH)}
    assert both


def test_a_misconception_that_was_stopped_is_not_recorded(monkeypatch):
    evidence_of_many = CaseRunner.evidence_of_many

    def stopped(self, component, sources, **more):
        found = evidence_of_many(self, component, sources, **more)
        found[-1][next(iter(found[-1]))] = Evidence(failure=Failure("out_of_memory"))
        return found

    monkeypatch.setattr(CaseRunner, "evidence_of_many", stopped)
    last = LESSON.components[NAME].wrong[-1].name
    with Runner(sandbox="none") as runner:
        with pytest.raises(RunnerFault, match=f"{NAME}: the misconception {last} was stopped"):
            record_evidence(LESSON, runner)
