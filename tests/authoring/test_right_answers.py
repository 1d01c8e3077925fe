"""What a build records of right answers is compared with what is there, up to rounding."""

import gzip
import json

import pytest
from the_course import COURSE

from autograder.authoring.record_lesson import record as record_evidence
from autograder.authoring.right_answers import record, replacement, says_the_same
from autograder.judging.case_runner import CaseRunner
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.recorded_lessons import (
    RECORDED,
    RIGHT_ANSWERS,
    read_right_answers,
)
from transformer_workbook.shared.evidence import Evidence, Failure

LESSON = COURSE.lesson("04-feed-forward")
PRESENT = (RECORDED / f"{LESSON.id}{RIGHT_ANSWERS}").read_bytes()
NAME = "PositionwiseFeedForward"


def other_value(tree):
    of_case = next(iter(tree["values"][NAME].values()))
    of_case[next(iter(of_case))] = [[2.5]]


def no_case(tree):
    tree["values"][NAME].popitem()


def other_mark(tree):
    tree["right"][NAME]["kept"] = ["00000000"]


def other_statement(tree):
    tree["statements"][NAME].pop()


def other_unused(tree):
    tree["unused"][NAME] = ["forward x"]


def rounded(tree):
    for of_case in tree["values"][NAME].values():
        for variable, of_ways in of_case.items():
            of_case[variable] = json.loads(json.dumps(of_ways), parse_float=nearly)


def nearly(text):
    return float(text) * (1 + 1e-6)


OTHER = [other_value, no_case, other_mark, other_statement, other_unused]


@pytest.fixture(scope="module")
def recorded():
    with Runner(sandbox="none") as runner:
        return record(LESSON, runner)


@pytest.mark.parametrize("change", [*OTHER, rounded, lambda tree: None])
def test_what_is_recorded_of_another_reference_is_not_the_same(recorded, change):
    tree = read_right_answers(PRESENT)
    change(tree)
    content = gzip.compress(json.dumps(tree).encode())
    assert says_the_same(content, recorded) is (change not in OTHER)


def test_what_cannot_be_read_is_not_the_same(recorded):
    assert not says_the_same(b"", recorded) and not says_the_same(recorded[:-40], recorded)


def test_the_shortest_replacement_is_found():
    span, text = replacement("a = b + c\n", "a = b - c\n")
    assert (span.start, span.end, text) == (6, 7, "-")
    span, text = replacement("abab", "ababab")
    assert "abab"[: span.start] + text + "abab"[span.end :] == "ababab"


def test_an_answer_that_was_stopped_is_not_left_out_in_silence(monkeypatch):
    """A busy machine would record less than a calm one."""
    run = CaseRunner.run

    def stopped(self, job, runner=None, limits=None):
        evidence = run(self, job, runner, limits)
        return evidence | {next(iter(evidence)): Evidence(failure=Failure("timeout"))}

    monkeypatch.setattr(CaseRunner, "run", stopped)
    with Runner(sandbox="none") as runner:
        with pytest.raises(RunnerFault, match=f"{NAME}: right answer .* was stopped: timeout"):
            record(LESSON, runner)


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
