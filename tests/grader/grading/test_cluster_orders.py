"""What goes to the workers of a cluster and what comes back, with one that grades nothing."""

from concurrent.futures import CancelledError
from itertools import chain, repeat
from types import SimpleNamespace

import pytest
from distributed import LocalCluster

from autograder.errors import WrongUsage
from autograder.grading.run import cluster as cluster_module
from autograder.grading.run import worker as worker_module
from autograder.grading.run.cluster import Cluster
from autograder.judging.judge import TestResult
from autograder.sandbox.choose_sandbox import SandboxUnavailable
from autograder.sandbox.job import Cell, RunnerFault
from autograder.sandbox.limits import Limits


class FakeGrader:
    """Gives each submission one test result, named by its cell; fails where that says so."""

    limits, language = Limits(), ""
    limits_of_reference = limits
    content = staticmethod(lambda cells: cells)
    save_result = staticmethod(
        lambda cells, result: [TestResult(**test_result) for test_result in result["test_results"]]
    )

    def __init__(self, lesson, secret: str, limit: float, kept: bytes | None = None):
        self.lesson, self.secret, self.limit, self.kept = lesson, secret, limit, kept

    def saved_answer_key(self) -> bytes | None:
        return self.kept

    def store_answer_key(self, content: bytes) -> None:
        self.kept = content

    def prepare(self, runner, kept=None) -> None:
        self.kept = kept or b"evidence"

    def answer_key(self) -> bytes:
        return self.kept

    def result(self, cells, runner) -> dict:
        if cells[0].source == "fault":
            raise RuntimeError("twice")
        test_result = vars(TestResult("scale", cells[0].source, 1.0, 1.0, "passed", "", ""))
        return {"test_results": [test_result]}


@pytest.fixture
def cluster(monkeypatch):
    """A worker that is a thread of this process."""
    runner = SimpleNamespace(sandbox="none", memory_limit="process")
    monkeypatch.setattr(worker_module, "Runner", lambda *_: runner)
    monkeypatch.setattr(worker_module, "_idle", {})
    worker_module._prepared_grader.cache_clear()
    for module in (cluster_module, worker_module):
        monkeypatch.setattr(module, "about", lambda lesson: {"lesson": "1"})
    hand_in = SimpleNamespace(grader=lambda lesson, limit: FakeGrader(lesson, "seed", limit))
    course = SimpleNamespace(lesson=lambda name: SimpleNamespace(id=name, hand_in=hand_in))
    monkeypatch.setattr(worker_module, "read_course", lambda: course)
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=False,
            dashboard_address=None,
            silence_logs=50,
        ) as local,
        Cluster(local.scheduler_address, "none") as workers,
    ):
        yield workers


LESSON = SimpleNamespace(id="02-sums")


def test_each_submission_comes_back_and_evidence_is_kept(cluster):
    grader = FakeGrader(LESSON, "seed", 1.0)
    names = [f"submission {number}" for number in range(20)]
    names[7] = "fault"
    submissions = [[Cell("scale", "answer", name)] for name in names]
    actual = dict(cluster.judge(grader, submissions))
    assert actual.keys() == set(range(20))
    assert isinstance(actual.pop(7), RuntimeError)
    assert all(test_result.test == names[place] for place, (test_result,) in actual.items())
    assert grader.kept == b"evidence"


def test_what_cannot_be_read_any_more_is_that_submissions_fault(cluster, monkeypatch):
    def content(cells):
        if cells[0].source == "changed":
            raise RunnerFault("changed")
        return cells

    grader = FakeGrader(LESSON, "seed", 1.0, b"evidence")
    monkeypatch.setattr(grader, "content", content)
    names = ["one", "changed", "two"]
    actual = dict(cluster.judge(grader, [[Cell("scale", "answer", name)] for name in names]))
    assert isinstance(actual.pop(1), RunnerFault)
    assert [actual[place][0].test for place in sorted(actual)] == ["one", "two"]


def one_order(cluster):
    grader = FakeGrader(LESSON, "seed", 1.0, b"evidence")
    return list(cluster.judge(grader, [[Cell("scale", "answer", "1")]]))


def test_a_worker_that_joined_later_is_held_to_the_same_lessons(cluster, monkeypatch):
    monkeypatch.setattr(cluster.client, "run", lambda *_, **__: {})
    versions = chain("1", repeat("2"))
    monkeypatch.setattr(worker_module, "about", lambda lesson: {"lesson": next(versions)})
    with pytest.raises(WrongUsage, match="its lesson is 2, and here it is 1"):
        one_order(cluster)


def test_a_scheduler_that_goes_away_is_said(cluster, monkeypatch):
    def cancelled(*_, **__):
        raise CancelledError

    monkeypatch.setattr(cluster, "wait", cancelled)
    with pytest.raises(WrongUsage, match="has no workers"):
        one_order(cluster)


def test_a_worker_without_this_package_is_named(cluster, monkeypatch):
    answers = {"one": ModuleNotFoundError("No module named 'autograder'"), "gone": OSError("gone")}
    monkeypatch.setattr(cluster.client, "run", lambda *_, **__: answers)
    with pytest.raises(WrongUsage, match="one.*No module named 'autograder'"):
        one_order(cluster)
    del answers["one"]
    one_order(cluster)


def test_a_worker_without_the_sandbox_says_so(cluster, monkeypatch):
    def refuse(*_):
        raise SandboxUnavailable("no namespaces")

    monkeypatch.setattr(worker_module, "Runner", refuse)
    with pytest.raises(WrongUsage, match="a worker has no sandbox: no namespaces"):
        one_order(cluster)
