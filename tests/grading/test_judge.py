"""What submissions are compared with: computed once, kept, and found out when it is damaged."""

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest

from autograder.grading.run.grader import Grader
from autograder.judging.answer_key import is_complete, read_kept
from autograder.judging.batches import batches
from autograder.judging.judge import Judge
from autograder.lesson.course import read_course
from autograder.sandbox.runner import Runner, RunnerPool
from autograder.sandbox.work import RunnerFault
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.packing import BadData

SEED = "the seed of the tests"


@pytest.fixture(scope="module")
def lesson():
    return read_course().lesson("00-warm-up")


class Rerun:
    """A runner that runs the same work only once, and counts how often it is asked."""

    size = 1

    def __init__(self, runner: Runner):
        self._runner, self._known = runner, {}
        self.count, self.faults = 0, 0

    def run(self, work, limits=None):
        self.count += 1
        self.limits = limits
        if self.faults:
            self.faults -= 1
            raise RunnerFault("a fault")
        key = str([*map(vars, work.cells), [plan.component for plan in work.plans]])
        if key not in self._known:
            self._known[key] = self._runner.run(work)
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
    """A folder with the lesson's evidence in it."""
    keep_all(lesson, runner, tmp_path)
    runner.count = 0
    return tmp_path


def keep_all(lesson, runner, folder) -> bytes:
    """The whole answer key, which is kept in the folder as well."""
    key = Judge(lesson, SEED, runner, folder).answer_key
    key.complete()
    key.keep(folder, SEED)
    return key.to_bytes()


def outcome_of(judge: Judge, runner, wrong: bool):
    """The outcome of the reference, or of a component's first misconception."""
    answers = judge.answer_key.answers()
    if wrong:
        variant = next(iter(judge.lesson.components.values())).wrong[0]
        answers = [
            replace(cell, source=variant.source) if cell.name == variant.component else cell
            for cell in answers
        ]
    return runner.run(judge.work(answers))


def test_evidence_is_computed_once(lesson, runner, cache):
    first = read_kept(cache, lesson, SEED)
    assert keep_all(lesson, runner, cache) == first
    assert runner.count == 0


def test_evidence_of_misconceptions_is_not_computed_when_nobody_fails(lesson, runner, tmp_path):
    judge = Judge(lesson, SEED, runner, tmp_path)
    right = outcome_of(judge, runner, wrong=False)
    runner.count = 0
    assert all(verdict.status == "passed" for verdict in judge.verdicts(right))
    assert runner.count == 1  # the reference
    judge.answer_key.keep(tmp_path, SEED)
    assert not is_complete(read_kept(tmp_path, lesson, SEED), lesson)
    assert Judge(lesson, SEED, None, tmp_path).verdicts(right)  # which runs nothing


def test_it_is_computed_once_when_several_fail_and_says_the_same(lesson, runner, cache, tmp_path):
    whole = Judge(lesson, SEED, runner, cache)
    judge = Judge(lesson, SEED, RunnerPool([runner]), tmp_path / "new")
    failing = outcome_of(whole, runner, wrong=True)
    expected = whole.verdicts(failing)
    assert any(verdict.misconception for verdict in expected)
    _ = judge.answer_key.reference
    runner.count = 0
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(judge.verdicts, [failing] * 4)) == [expected] * 4
    component = next(iter(lesson.components.values()))
    work = judge.answer_key.work(judge.answer_key.answers(), [component.name])
    assert runner.count == len(list(batches(work, [one.source for one in component.wrong]))) < 4


@pytest.mark.parametrize(("limit", "step"), [(0, 10), (30, 10), (300, 50)])
def test_each_misconception_has_as_long_as_if_it_ran_alone(lesson, runner, limit, step):
    grader = Grader(lesson, SEED, limit=limit)
    grader.prepare(runner)
    grader.judge.answer_key.known(next(iter(lesson.components)))
    assert runner.limits.step == step


def test_an_answer_key_grows_to_the_same_bytes_in_any_order(lesson, runner, cache, tmp_path):
    for component in reversed(lesson.components):
        judge = Judge(lesson, SEED, runner, tmp_path / "grows")
        judge.answer_key.known(component)
        judge.answer_key.keep(tmp_path / "grows", SEED)
    assert read_kept(tmp_path / "grows", lesson, SEED) == read_kept(cache, lesson, SEED)


def test_several_runners_find_what_one_finds(lesson, runner, cache, tmp_path_factory):
    with Runner("none") as another:
        second = Rerun(another)
        several = RunnerPool([runner, second])
        found = keep_all(lesson, several, tmp_path_factory.mktemp("several"))
    assert runner.count > 0 and second.count > 0
    assert found == read_kept(cache, lesson, SEED)


def test_another_secret_has_evidence_of_its_own(lesson, runner, cache):
    assert read_kept(cache, lesson, "another") is None
    assert read_kept(cache, lesson, SEED) is not None


def test_another_version_of_the_lesson_has_evidence_of_its_own(lesson, runner, cache, monkeypatch):
    assert read_kept(cache, lesson, SEED) is not None
    monkeypatch.setattr("autograder.judging.answer_key.version_of", lambda lesson: "0123")
    assert read_kept(cache, lesson, SEED) is None


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
    assert read_kept(cache, lesson, SEED) is None
    assert keep_all(lesson, runner, cache) == whole == path.read_bytes()
    assert runner.count > 0


def test_evidence_from_elsewhere_is_looked_at_as_well(lesson, runner, cache):
    whole = read_kept(cache, lesson, SEED)
    assert Judge(lesson, SEED, None, kept=whole).answer_key.to_bytes() == whole
    with pytest.raises(BadData):
        Judge(lesson, SEED, None, kept=damaged(whole)["a tensor"])


def test_a_fault_is_tried_once_more(lesson, runner, tmp_path):
    runner.faults = 1
    keep_all(lesson, runner, tmp_path)
    assert read_kept(tmp_path, lesson, SEED) is not None


def test_two_faults_are_the_graders_and_evidence_is_found_later(lesson, runner, cache):
    judge = Judge(lesson, SEED, runner)
    _ = judge.answer_key.reference
    runner.faults = 2
    with pytest.raises(RunnerFault):
        judge.answer_key.complete()
    judge.answer_key.complete()
    assert judge.answer_key.to_bytes() == read_kept(cache, lesson, SEED)


def test_a_submission_is_tried_once_more_and_a_fault_is_no_zero(lesson, runner, cache):
    grader = Grader(lesson, SEED, lambda limits: runner, cache.parent)
    grader.prepare(runner)
    cells = grader.judge.answer_key.answers()
    right = grader.grade(cells)
    assert all(verdict.status == "passed" for verdict in right)
    again = Grader(lesson, SEED, lambda limits: runner)
    again.prepare(runner)
    runner.faults = 1
    assert again.grade(cells) == right
    runner.faults = 2
    with pytest.raises(RunnerFault):
        again.grade(cells)


def test_a_reference_that_fails_is_told_as_an_author_reads_it(lesson):
    class Failing:
        def run(self, work, limits=None):
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
    verdicts = judge.verdicts(SimpleNamespace(evidence=evidence))
    shown = [grid for verdict in verdicts for grid in verdict.grids]
    assert shown
    assert all("returned" in grid["caption"] for grid in shown)
    numbers = [cell[0] for grid in shown for _label, cells in grid["rows"] for cell in cells]
    assert all(float(number) > 900 for number in numbers)
    assert all(verdict.score == 0 for verdict in verdicts)
