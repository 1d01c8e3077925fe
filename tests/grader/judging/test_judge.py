"""What submissions are compared with: computed once, kept, and found out when it is damaged."""

import copy
from dataclasses import replace
from types import SimpleNamespace

import pytest
from the_course import COURSE

from autograder.grading.run.grader import CellGrader
from autograder.judging.answer_key import read_answer_key
from autograder.judging.case_runner import CaseRunner
from autograder.judging.judge import Judge, first_failing
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner, RunnerPool
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.packing import BadData

SEED = "the seed of the tests"


@pytest.fixture(scope="module")
def lesson():
    return COURSE.lesson("00-warm-up")


class Rerun:
    """A runner that runs the same job only once, and counts how often it is asked."""

    size = 1

    def __init__(self, runner: Runner):
        self._runner, self._known = runner, {}
        self.count, self.faults = 0, 0

    def run(self, job, limits=None, further_plans=None):
        self.count += 1
        self.limits = limits
        if self.faults:
            self.faults -= 1
            raise RunnerFault("a fault")
        key = str([*map(vars, job.cells), [plan.component for plan in job.plans]])
        if key not in self._known:
            self._known[key] = self._runner.run(job, further_plans=further_plans)
        return copy.deepcopy(self._known[key])


@pytest.fixture(scope="module")
def _rerun():
    with Runner("none") as runner:
        yield Rerun(runner)


@pytest.fixture
def runner(_rerun):
    _rerun.count = _rerun.faults = 0
    return _rerun


@pytest.fixture
def cache(lesson, runner, tmp_path):
    """The folder in which a grader has kept the answer key."""
    answer_key_saved_in(lesson, runner, tmp_path)
    runner.count = 0
    return tmp_path / "answer_keys"


def answer_key_saved_in(lesson, runner, work) -> bytes:
    """The answer key, which a grader has kept in its folder `work` as well."""
    grader = CellGrader(lesson, SEED, work=work)
    grader.prepare(runner)
    return grader.answer_key()


def outcome_of(judge: Judge, runner, wrong: bool):
    """The outcome of the reference, or of a component's first misconception."""
    answers = judge.case_runner.reference_cells()
    if wrong:
        answer = next(iter(judge.lesson.components.values())).wrong[0]
        answers = [
            replace(cell, source=answer.source) if cell.name == answer.component else cell
            for cell in answers
        ]
    return runner.run(judge.job(answers))


def test_the_reference_is_computed_once(lesson, runner, tmp_path):
    first = answer_key_saved_in(lesson, runner, tmp_path)
    assert runner.count == 1
    assert answer_key_saved_in(lesson, runner, tmp_path) == first
    assert runner.count == 1


def test_a_secret_asks_for_nothing_but_the_reference(lesson, runner, cache):
    judge = Judge(lesson, SEED, None, read_answer_key(cache, lesson, SEED))  # it can run nothing
    for wrong in (False, True):
        outcome = outcome_of(judge, runner, wrong)
        test_results = judge.test_results(outcome)
        assert any(test_result.status != "passed" for test_result in test_results) is wrong
    assert runner.count == 2  # the submissions


def test_the_cause_stands_with_a_failing_test_that_has_points(lesson, runner, cache):
    judge = Judge(lesson, SEED, None, read_answer_key(cache, lesson, SEED))
    one = next(v for v in judge.test_results(outcome_of(judge, runner, wrong=True)) if not v.score)
    free, missing = replace(one, max_score=0.0), replace(one, status="missing")
    passed = replace(one, status="passed")
    assert first_failing([passed, missing, free, one]) is one
    assert first_failing([passed, missing, free]) is free
    assert first_failing([passed, missing]) is None


def test_what_was_written_under_another_name_failed_and_is_not_untried(lesson, runner, cache):
    grader = CellGrader(lesson, SEED, work=cache.parent)
    grader.prepare(runner)
    answers = grader.judge.case_runner.reference_cells()
    name = answers[0].name
    defines = lesson.components[name].defines
    renamed = answers[0].source.replace(f"def {defines}", f"def my_{defines}")
    answers[0] = replace(answers[0], source=renamed)
    test_results, _left_out, _remarks = grader.run(answers, runner)
    own = [test_result for test_result in test_results if test_result.component == name]
    assert {(one.status, one.score) for one in own} == {("failed", 0.0)}
    assert all(f"Nothing called {defines} is defined." in one.message for one in own)


def test_an_answer_of_comments_alone_is_told_to_be_that(lesson, runner, cache):
    grader = CellGrader(lesson, SEED, work=cache.parent)
    grader.prepare(runner)
    answers = grader.judge.case_runner.reference_cells()
    commented = "".join(f"# {line}\n" for line in answers[0].source.splitlines())
    answers[0] = replace(answers[0], source=commented)
    test_results, _left_out, _remarks = grader.run(answers, runner)
    own = [test_result for test_result in test_results if test_result.component == answers[0].name]
    assert {(one.status, one.message[:43]) for one in own} == {
        ("failed", "All lines of your answer are comments, so n")
    }


@pytest.mark.parametrize(("limit", "step"), [(30, 7.5), (60, 10), (300, 50)])
def test_each_of_many_answers_has_as_long_as_if_it_ran_alone(lesson, runner, limit, step):
    slow = replace(lesson, limit=limit)
    cases = CaseRunner(slow, slow.visible(), runner)
    name, component = next(iter(lesson.components.items()))
    cases.evidence_of_many(name, [component.source])
    assert runner.limits.step == step


def test_several_runners_find_what_one_finds(lesson, runner):
    name, component = next(iter(lesson.components.items()))
    sources = [answer.source for answer in component.wrong]
    with Runner("none") as another:
        second = Rerun(another)
        several = CaseRunner(lesson, lesson.visible(), RunnerPool([runner, second]))
        evidence = several.evidence_of_many(name, sources)
    assert runner.count > 0 and second.count > 0
    alone = CaseRunner(lesson, lesson.visible(), runner).evidence_of_many(name, sources)
    assert [trees(one) for one in evidence] == [trees(one) for one in alone]


def trees(evidence) -> str:
    return str({call: of_call.to_tree() for call, of_call in evidence.items()})


def damaged(content: bytes) -> dict[str, bytes]:
    """One bit of a tensor, of the header and of the checksum; cut off; empty; something else."""

    def flip(place: int) -> bytes:
        return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]

    return {
        "a tensor": flip(len(content) - 7),
        "the header": flip(100),
        "the checksum": flip(3),
        "cut off": content[: len(content) // 2],
        "empty": b"",
        "something else": b"evidence",
    }


@pytest.mark.parametrize("damage", damaged(bytes(200)))
def test_a_damaged_cache_is_noticed_and_computed_again(lesson, runner, cache, damage):
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damaged(whole)[damage])
    assert read_answer_key(cache, lesson, SEED) is None
    assert answer_key_saved_in(lesson, runner, cache.parent) == whole == path.read_bytes()
    assert runner.count > 0


def test_evidence_from_elsewhere_is_looked_at_as_well(lesson, runner, cache):
    whole = read_answer_key(cache, lesson, SEED)
    assert Judge(lesson, SEED, None, whole).answer_key.to_bytes() == whole
    with pytest.raises(BadData):
        Judge(lesson, SEED, None, damaged(whole)["a tensor"])


def test_a_fault_is_tried_once_more(lesson, runner, tmp_path):
    runner.faults = 1
    answer_key_saved_in(lesson, runner, tmp_path)
    assert read_answer_key(tmp_path / "answer_keys", lesson, SEED) is not None


def test_two_faults_are_the_graders_and_evidence_is_found_later(lesson, runner, tmp_path):
    runner.faults = 2
    with pytest.raises(RunnerFault):
        answer_key_saved_in(lesson, runner, tmp_path)
    assert answer_key_saved_in(lesson, runner, tmp_path) == read_answer_key(
        tmp_path / "answer_keys", lesson, SEED
    )


def test_a_fault_is_no_zero(lesson, runner, cache):
    grader = CellGrader(lesson, SEED, lambda limits: runner, cache.parent)
    grader.prepare(runner)
    cells = grader.judge.case_runner.reference_cells()
    right = grader.grade(cells)
    assert all(test_result.status == "passed" for test_result in right)
    again = CellGrader(lesson, SEED, lambda limits: runner)
    again.prepare(runner)
    runner.faults = 1
    with pytest.raises(RunnerFault):
        again.grade(cells)
    assert again.grade(cells) == right


def test_a_reference_that_fails_is_told_as_an_author_reads_it(lesson):
    class Failing:
        def run(self, job, limits=None):
            failure = Failure(
                "exception", "TypeError", "no argument 'keys'", line="cut = x.view(n)"
            )
            return SimpleNamespace(evidence={"split_heads/small": Evidence(failure=failure)})

    said = (
        r"^the reference failed split_heads/small: TypeError: no argument 'keys' "
        r"\(in the line `cut = x.view\(n\)`\)$"
    )
    with pytest.raises(RunnerFault, match=said):
        _ = Judge(lesson, SEED, Failing()).answer_key.reference


def test_what_came_is_shown_and_what_was_expected_is_not(lesson, runner):
    judge = Judge(lesson, SEED, runner)
    evidence = copy.deepcopy(judge.answer_key.reference)
    for call in evidence:
        for tensor in evidence[call].tensors.values():
            tensor += 1000
    test_results = judge.test_results(SimpleNamespace(evidence=evidence))
    shown = [grid for test_result in test_results for grid in test_result.grids]
    assert shown
    assert all("returned" in grid["caption"] for grid in shown)
    numbers = [cell[0] for grid in shown for _label, cells in grid["rows"] for cell in cells]
    assert all(float(number) > 900 for number in numbers)
    assert all(test_result.score == 0 for test_result in test_results)
