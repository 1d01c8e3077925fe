"""Feedback says what failures amount to that no misconception explains."""

import pytest

from autograder.grading.run.grader import Grader
from autograder.judging.diagnostician import Diagnostician
from autograder.lesson.course import read_course
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Cell, RunnerFault
from transformer_workbook.shared.packing import BadData

LESSON = read_course().lesson("03-add-and-norm")
ALWAYS = "Your code behaves exactly as if `eps` were always 0.1."


class Counting:
    """A runner that counts, and may fail from its n-th run on."""

    def __init__(self, runner, fails_from=None):
        self._runner, self._fails_from = runner, fails_from
        self.size, self.works = 1, []

    def run(self, work, limits=None):
        self.works.append(work)
        if self._fails_from is not None and len(self.works) >= self._fails_from:
            raise RunnerFault("a fault")
        return self._runner.run(work, limits)


@pytest.fixture(scope="module")
def runner():
    with Runner("none") as runner:
        yield runner


@pytest.fixture(scope="module")
def grader(runner):
    grader = Grader(LESSON, "the seed of the tests")
    grader.prepare(runner)
    return grader


def cells(**changed):
    """The reference's cells, with texts in one of them exchanged."""
    found = {name: component.source for name, component in LESSON.components.items()}
    for name, (old, new) in changed.items():
        assert old in found[name]
        found[name] = found[name].replace(old, new)
    return [Cell(name, "answer", source) for name, source in found.items()]


UNLISTED = cells(LayerNorm=("self.eps = eps", "self.eps = 0.1"))


def test_a_change_that_no_list_has_is_told_once(grader, runner):
    verdicts, _left_out, _remarks = grader.run(UNLISTED, runner)
    failed = [verdict for verdict in verdicts if verdict.status != "passed"]
    assert {verdict.component for verdict in failed} == {"LayerNorm"}
    assert [ALWAYS in verdict.message for verdict in failed] == [True] + [False] * (len(failed) - 1)


def test_the_check_says_the_same(grader, runner):
    work = Diagnostician(LESSON).work(UNLISTED, grader.run(UNLISTED, runner)[0])
    assert [plan.component for plan in work.plans] == ["LayerNorm"]
    assert Diagnostician(LESSON).meanings(UNLISTED, runner.run(work)) == {"LayerNorm": ALWAYS}


def test_what_passes_or_has_a_name_is_run_once(grader, runner):
    named = cells(LayerNorm=("torch.sqrt(variance + self.eps)", "torch.sqrt(variance)"))
    for submitted in (cells(), named):
        counting = Counting(runner)
        grader.run(submitted, counting)
        assert len(counting.works) == 1
    counting = Counting(runner)
    grader.run(UNLISTED, counting)
    assert len(counting.works) == 2


@pytest.mark.parametrize("problem", [OSError("gone"), KeyError("LayerNorm"), BadData("damaged")])
def test_what_was_not_built_or_is_damaged_leaves_the_verdicts_as_they_are(
    grader, runner, monkeypatch, problem
):
    def fail(*_):
        raise problem

    verdicts, *_ = grader.run(UNLISTED, runner)
    monkeypatch.setattr("transformer_workbook.verdicts.meaning.recorded", fail)
    without, *_ = grader.run(UNLISTED, runner)
    assert [one.score for one in without] == [one.score for one in verdicts]
    assert not any(ALWAYS in verdict.message for verdict in without)


def test_a_fault_on_the_way_leaves_the_verdicts_as_they_are(grader, runner):
    verdicts, *_ = grader.run(UNLISTED, runner)
    without, *_ = grader.run(UNLISTED, Counting(runner, fails_from=2))
    assert [one.score for one in without] == [one.score for one in verdicts]
    assert not any(ALWAYS in verdict.message for verdict in without)
