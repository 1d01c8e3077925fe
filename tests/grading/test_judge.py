"""What submissions are compared with: computed once, kept, and found out when it is damaged."""

import copy
from types import SimpleNamespace

import pytest

from autograder.grading.run.grader import Grader
from autograder.judging.answer_key import read_kept
from autograder.judging.judge import Judge
from autograder.lesson.course import read_course
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import RunnerFault
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.packing import BadData

SEED = "the seed of the tests"


@pytest.fixture(scope="module")
def lesson():
    return read_course().lesson("00-warm-up")


class Rerun:
    """A runner that runs the same work only once, and counts how often it is asked."""

    def __init__(self, runner: Runner):
        self._runner, self._known = runner, {}
        self.count, self.faults = 0, 0

    def run(self, work):
        self.count += 1
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
    Judge(lesson, SEED, runner, tmp_path)
    runner.count = 0
    return tmp_path


def test_evidence_is_computed_once(lesson, runner, cache):
    first = read_kept(cache, lesson, SEED)
    judge = Judge(lesson, SEED, runner, cache)
    assert runner.count == 0
    assert judge.answer_key.to_bytes() == first


def test_several_runners_find_what_one_finds(lesson, runner, cache, tmp_path_factory):
    folder = tmp_path_factory.mktemp("several")
    with Runner("none") as another:
        second = Rerun(another)
        Judge(lesson, SEED, runner, folder, more=[second])
    assert runner.count > 0 and second.count > 0
    assert read_kept(folder, lesson, SEED) == read_kept(cache, lesson, SEED)


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
    judge = Judge(lesson, SEED, runner, cache)
    assert runner.count > 0
    assert judge.answer_key.to_bytes() == whole == path.read_bytes()


def test_evidence_from_elsewhere_is_looked_at_as_well(lesson, runner, cache):
    whole = read_kept(cache, lesson, SEED)
    assert Judge(lesson, SEED, None, kept=whole).answer_key.to_bytes() == whole
    with pytest.raises(BadData):
        Judge(lesson, SEED, None, kept=damaged(whole)["a tensor"])


def test_a_fault_is_tried_once_more(lesson, runner, tmp_path):
    runner.faults = 1
    Judge(lesson, SEED, runner, tmp_path)
    assert read_kept(tmp_path, lesson, SEED) is not None


def test_two_faults_are_the_graders_and_nothing_is_kept(lesson, runner, tmp_path):
    runner.faults = 2
    with pytest.raises(RunnerFault):
        Judge(lesson, SEED, runner, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_submission_is_tried_once_more_and_a_fault_is_no_zero(lesson, runner, cache):
    grader = Grader(lesson, SEED, lambda: runner, cache.parent)
    grader.prepare(runner)
    cells = grader.judge.answer_key.answers()
    right = grader.grade(cells)
    assert all(verdict.status == "passed" for verdict in right)
    again = Grader(lesson, SEED, lambda: runner)
    again.prepare(runner)
    runner.faults = 1
    assert again.grade(cells) == right
    runner.faults = 2
    with pytest.raises(RunnerFault):
        again.grade(cells)


def test_a_reference_that_fails_is_told_as_an_author_reads_it(lesson):
    class Failing:
        def run(self, work):
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
