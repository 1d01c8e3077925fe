"""Servers that a zygote forks: as those that are started, sooner, and gone in time."""

import os
import subprocess

import pytest

from autograder.sandbox import server_process
from autograder.sandbox.runner import Runner
from autograder.sandbox.server_process import Forked, started_ahead

DOUBLE = {"scale": "def scale(x):\n    return 2 * x\n"}


def y_of(outcome) -> list[float]:
    return outcome.evidence["scale"].tensors["y"].tolist()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def zygotes(small_course):
    """The zygotes, of which the last one is the small course's and this test's alone."""
    with started_ahead(str(small_course.folder.resolve())):
        known = server_process._zygotes
        # What is alike is looked for from the first one on.
        known.insert(0, known.pop())
        yield known


def test_several_are_forked_and_run_side_by_side(zygotes, small_course):
    work = small_course.work(DOUBLE)
    with (
        Runner("none", course=small_course.folder) as one,
        Runner("none", course=small_course.folder) as other,
    ):
        assert y_of(one.run(work)) == y_of(other.run(work)) == [2, 4, 6]
        processes = [runner.fork_server.process for runner in (one, other)]
        assert all(isinstance(process, Forked) for process in processes)
        pids = {process.pid for process in processes}
        assert len(pids) == 2 and all(map(is_there, pids))
    assert not any(map(is_there, pids))
    assert zygotes[0].process.poll() is None


def test_one_that_is_not_ready_yet_ends_when_it_is_closed(zygotes, small_course):
    runner = Runner("none", course=small_course.folder)
    assert runner.fork_server.process.pid == 0
    runner.close()
    with Runner("none", course=small_course.folder) as another:  # the zygote goes on
        assert y_of(another.run(small_course.work(DOUBLE))) == [2, 4, 6]
        assert isinstance(another.fork_server.process, Forked)


def test_where_the_zygote_has_died_a_process_is_started(zygotes, small_course):
    with Runner("none", course=small_course.folder) as runner:
        work = small_course.work(DOUBLE)
        assert y_of(runner.run(work)) == [2, 4, 6]
        for zygote in zygotes:
            zygote.process.kill()
            zygote.process.wait(10)
        runner.fork_server.process.kill()
        assert y_of(runner.run(work)) == [2, 4, 6]
        assert isinstance(runner.fork_server.process, subprocess.Popen)


def test_what_a_zygote_complained_of_is_told(zygotes, small_course):
    with Runner("none", course=small_course.folder) as runner:
        zygotes[0].complaints.write(b"ImportError: no torch\n")
        assert runner.fork_server._server.last_complaint() == "ImportError: no torch"


def test_another_environment_has_a_process_of_its_own(zygotes, small_course, monkeypatch):
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    with Runner("none", course=small_course.folder) as runner:
        assert isinstance(runner.fork_server.process, subprocess.Popen)
        assert y_of(runner.run(small_course.work(DOUBLE))) == [2, 4, 6]


def test_a_zygote_ends_with_its_context(small_course):
    with started_ahead(str(small_course.folder.resolve())):
        zygote = server_process._zygotes[-1]
    assert zygote.process.returncode is not None
    assert zygote not in server_process._zygotes
