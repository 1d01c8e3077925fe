"""What failed is named and explained from the visible cases, as the check does it."""

import importlib

import pytest
from the_course import COURSE

from autograder.grading.run.grader import CellGrader
from autograder.judging.case_runner import VISIBLE, call_id
from autograder.judging.diagnostician import Diagnostician
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from autograder.sandbox.job import Cell, RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.shared.packing import BadData

LESSON = COURSE.lesson("03-add-and-norm")


class Counting:
    """A runner that counts, and says how long each run took.

    It may fail in its n-th run, once that has carried out the plans it began with.
    """

    def __init__(self, runner, fails_in=None, took=None):
        self._runner, self._fails_in, self._took = runner, fails_in, took
        self.size, self.jobs, self.limits, self.outcomes, self.further = 1, [], [], [], []

    def run(self, job, limits=None, further_plans=None):
        self.jobs.append(job)
        self.limits.append(limits)

        def further(outcome, seconds_left):
            plans = further_plans(outcome, 40 - self._took if self._took else seconds_left)
            self.further += plans
            return plans

        outcome = self._runner.run(job, limits, further_plans and further)
        if len(self.jobs) == self._fails_in:
            raise RunnerFault("a fault")
        outcome.seconds = self._took or outcome.seconds
        self.outcomes.append(outcome)
        return outcome


@pytest.fixture(scope="module")
def runner():
    with Runner("none") as runner:
        yield runner


@pytest.fixture(scope="module")
def grader(runner):
    grader = CellGrader(LESSON, "the seed of the tests")
    grader.prepare(runner)
    return grader


def cells(**changed):
    """The reference's cells, with texts in one of them exchanged."""
    found = {name: component.source for name, component in LESSON.components.items()}
    for name, (old, new) in changed.items():
        assert old in found[name]
        found[name] = found[name].replace(old, new)
    return [Cell(name, "answer", source) for name, source in found.items()]


def replaced(name, source):
    """The reference's cells, with one of them replaced."""
    return [Cell(one.name, "answer", source if one.name == name else one.source) for one in cells()]


HUNT = next(name for name, one in LESSON.components.items() if one.is_bug_hunt)
(VARIANT,) = (
    one for one in LESSON.components["LayerNorm"].wrong if one.name == "annotated-variant"
)
NAMED = replaced("LayerNorm", VARIANT.source)
UNLISTED = cells(LayerNorm=("self.eps = eps", "self.eps = 0.1"))


@pytest.fixture
def diagnoses(grader, runner):
    """By component, why it fails."""

    def of(cells):
        outcome, test_results = grader._outcome(cells, runner)
        diagnostician = Diagnostician(LESSON, grader.judge.tests)
        return diagnostician.diagnoses(cells, test_results, outcome.evidence)

    return of


def test_the_cause_is_told_once(grader, runner):
    test_results, _left_out, _remarks = grader.run(NAMED, runner)
    failed = [test_result for test_result in test_results if test_result.status != "passed"]
    assert {test_result.component for test_result in failed} == {"LayerNorm"}
    assert len(failed) > 1 and failed[0].cause and not any(one.cause for one in failed[1:])
    assert not any(failed[0].cause in test_result.message for test_result in failed)
    assert all(test_result.message.startswith("Tested: ") for test_result in failed)


def test_a_misconception_is_named_in_each_failing_test_and_explained(grader, runner, diagnoses):
    assert diagnoses(NAMED)["LayerNorm"].misconception == VARIANT.name
    test_results, *_ = grader.run(NAMED, runner)
    for test_result in test_results:
        assert test_result.misconception == ("" if test_result.status == "passed" else VARIANT.name)
    assert VARIANT.says in next(
        test_result.cause for test_result in test_results if test_result.cause
    )


def test_an_exception_is_diagnosed_too(grader, runner):
    raising = cells(LayerNorm=("self.eps = eps", "self.epsilon = eps"))
    counting = Counting(runner)
    test_results, *_ = grader.run(raising, counting)
    assert {test_result.status for test_result in test_results} == {"passed", "error"}
    assert [plan.component for plan in counting.further] == ["LayerNorm"]


def test_what_passes_every_visible_case_is_told_so_with_the_hidden_one(grader, runner):
    sizes = {
        case.inputs["x"].shape[-1] for case in LESSON.visible()["LayerNorm"] if "x" in case.inputs
    }
    assert 7 not in sizes  # as one hidden case has it
    line = "mean = x.mean(dim=-1, keepdim=True)"
    only_seen = cells(LayerNorm=(line, f"{line} if x.size(-1) != 7 else 0 * x"))
    test_results, *_ = grader.run(only_seen, runner)
    failed = [test_result for test_result in test_results if test_result.status != "passed"]
    (test,) = (one for one in grader.judge.tests["LayerNorm"] if one.name == failed[0].test)
    assert failed[0].cause == (
        "Your code passes every case that the check in the notebook tries, and fails this one: "
        f"{test.says}."
    )
    assert {test_result.misconception for test_result in failed} == {""}


def test_what_is_told_is_what_the_check_tells(diagnoses):
    assert diagnoses(NAMED)["LayerNorm"].says == VARIANT.says
    assert diagnoses(UNLISTED) == {}


def test_the_component_that_fails_is_called_with_the_visible_cases_too(grader, runner):
    counting = Counting(runner)
    grader.run(UNLISTED, counting)
    (plan,) = counting.further
    assert [call.id for call in plan.calls] == [
        call_id("LayerNorm", VISIBLE + case.name) for case in LESSON.visible()["LayerNorm"]
    ]


@pytest.mark.parametrize(
    "submitted",
    [
        cells(),
        replaced("LayerNorm", LESSON.components["LayerNorm"].released),
        replaced(HUNT, LESSON.components[HUNT].released),
        replaced("LayerNorm", "while True:\n    pass"),
    ],
    ids=["right", "a blank", "an untried hunt", "endless"],
)
def test_what_needs_no_diagnosis_is_run_once(runner, submitted):
    grader = CellGrader(LESSON, "the seed of the tests", limit=5.0)
    grader.prepare(runner)
    counting = Counting(runner)
    test_results, *_ = grader.run(submitted, counting)
    assert len(counting.jobs) == 1 and not counting.further
    assert not any(test_result.cause or test_result.misconception for test_result in test_results)


def called_here(module, function, arguments, seconds=0.0):
    """As `bounded_call.call`, in this process, whose functions a test can replace."""
    try:
        return getattr(importlib.import_module(module), function)(**arguments)
    except Exception as error:
        raise NotFinished(str(error)) from error


def failing(problem):
    def fail(*_, **__):
        raise problem

    return fail


RECORDED = "transformer_workbook.diagnosis.component_results.recorded"
BROKEN = {
    "what is recorded is gone": (RECORDED, OSError("gone")),
    "nothing is recorded": (RECORDED, KeyError("LayerNorm")),
    "what is recorded is damaged": (RECORDED, BadData("damaged")),
    "the check's cases": ("autograder.judging.diagnostician.Diagnostician.plans", KeyError("x")),
    "too late": ("autograder.sandbox.bounded_call.call", NotFinished("it took too long")),
}


@pytest.mark.parametrize(("place", "problem"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_explained_leaves_the_test_results_as_they_are(
    grader, runner, monkeypatch, place, problem
):
    monkeypatch.setattr(bounded_call, "call", called_here)
    test_results, *_ = grader.run(NAMED, runner)
    assert any(test_result.cause for test_result in test_results)
    monkeypatch.setattr(place, failing(problem))
    without, *_ = grader.run(NAMED, runner)
    assert [one.score for one in without] == [one.score for one in test_results]
    assert not any(test_result.cause for test_result in without)


def test_without_time_left_nothing_is_run_again(runner):
    grader = CellGrader(LESSON, "the seed of the tests", limit=40.0)
    grader.prepare(runner)
    counting = Counting(runner, took=39.5)
    test_results, *_ = grader.run(NAMED, counting)
    assert len(counting.jobs) == 1 and not counting.further
    assert {test_result.status for test_result in test_results} == {"passed", "failed"}


@pytest.mark.parametrize("broken", ["explain", "grids"])
def test_an_exception_in_an_explanation_costs_no_points(grader, runner, monkeypatch, broken):
    test_results, *_ = grader.run(UNLISTED, runner)
    monkeypatch.setattr(f"autograder.judging.judge.{broken}", failing(RuntimeError("unforeseen")))
    without, *_ = grader.run(UNLISTED, runner)
    assert [(v.score, v.status) for v in without] == [(v.score, v.status) for v in test_results]
    assert all(test_result.message for test_result in without if test_result.status == "failed")


def test_a_fault_on_the_way_leaves_the_test_results_as_they_are(grader, runner):
    test_results, *_ = grader.run(UNLISTED, runner)
    counting = Counting(runner, fails_in=1)
    without, *_ = grader.run(UNLISTED, counting)
    assert counting.jobs == counting.jobs[:1] * 2
    assert [one.score for one in without] == [one.score for one in test_results]
    assert not any(test_result.cause for test_result in without)
