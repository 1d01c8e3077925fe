"""What a build records of right and of wrong answers."""

import pytest
from the_course import COURSE

from autograder.authoring.record_lesson import record as record_evidence
from autograder.authoring.right_answers import changed_blanks, replacement
from autograder.judging.case_runner import CaseRunner
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
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
