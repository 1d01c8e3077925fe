"""Servers that a zygote forks: as those that are started, sooner, and gone in time."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from the_course import COURSE

from autograder.sandbox import server_process
from autograder.sandbox.runner import Runner, _imports
from autograder.sandbox.server_process import Forked, started_ahead
from autograder.sandbox.student.confinement.processes import children_of
from transformer_workbook import lessons as lesson_packages
from transformer_workbook.shared.probing import module_name

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
def small_course(small_course, tmp_path):
    """A course of this test alone: no other test's zygote is taken, nor killed."""
    return type(small_course)(tmp_path.resolve())


@pytest.fixture
def own_zygote(small_course):
    with started_ahead(str(small_course.folder)):
        yield server_process._zygotes[-1]


def test_several_are_forked_and_run_side_by_side(own_zygote, small_course):
    job = small_course.job(DOUBLE)
    with (
        Runner("none", course=small_course.folder) as one,
        Runner("none", course=small_course.folder) as other,
    ):
        assert y_of(one.run(job)) == y_of(other.run(job)) == [2, 4, 6]
        processes = [runner.fork_server.process for runner in (one, other)]
        assert all(isinstance(process, Forked) for process in processes)
        pids = {process.pid for process in processes}
        assert len(pids) == 2 and all(map(is_there, pids))
    assert not any(map(is_there, pids))
    assert own_zygote.process.poll() is None


def test_one_that_is_not_ready_yet_ends_when_it_is_closed(own_zygote, small_course):
    runner = Runner("none", course=small_course.folder)
    assert runner.fork_server.process.pid == 0
    runner.close()
    with Runner("none", course=small_course.folder) as another:  # the zygote goes on
        assert y_of(another.run(small_course.job(DOUBLE))) == [2, 4, 6]
        assert isinstance(another.fork_server.process, Forked)
        until = time.monotonic() + 20
        while (there := children_of(own_zygote.process.pid)) != [another.fork_server.process.pid]:
            assert time.monotonic() < until, there
            time.sleep(0.05)


def test_where_the_zygote_has_died_a_process_is_started(own_zygote, small_course):
    with Runner("none", course=small_course.folder) as runner:
        job = small_course.job(DOUBLE)
        assert y_of(runner.run(job)) == [2, 4, 6]
        own_zygote.process.kill()
        own_zygote.process.wait(10)
        runner.fork_server.process.kill()
        assert y_of(runner.run(job)) == [2, 4, 6]
        assert isinstance(runner.fork_server.process, subprocess.Popen)


def test_what_a_zygote_complained_of_is_told(own_zygote, small_course):
    with Runner("none", course=small_course.folder) as runner:
        own_zygote.stderr.write(b"ImportError: no torch\n")
        assert runner.fork_server._server.last_error() == "ImportError: no torch"


def test_another_environment_has_a_process_of_its_own(own_zygote, small_course, monkeypatch):
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    with Runner("none", course=small_course.folder) as runner:
        assert isinstance(runner.fork_server.process, subprocess.Popen)
        assert y_of(runner.run(small_course.job(DOUBLE))) == [2, 4, 6]


def test_a_zygote_ends_with_its_context_and_before_it_what_it_forked(small_course):
    with started_ahead(str(small_course.folder)):
        zygote = server_process._zygotes[-1]
        runner = Runner("none", course=small_course.folder)
        assert y_of(runner.run(small_course.job(DOUBLE))) == [2, 4, 6]
        pid = runner.fork_server.process.pid
    assert not is_there(pid)
    runner.close()
    assert zygote.process.returncode is not None
    assert zygote not in server_process._zygotes


WHAT_PROBES_IMPORT = """
import sys, torch, torch.fx.experimental.symbolic_shapes, transformer, transformer_workbook
from autograder.lesson.course import read_course
from transformer_workbook.shared.forbidden_calls import forbidden
from transformer_workbook.shared.probing import find_probe, gather

course = read_course()
for id in sys.argv[1:]:
    lesson = course.lesson(id)
    for name, cases in lesson.visible().items():
        component = lesson.components[name]
        namespace = dict(vars(transformer), wb=transformer_workbook)
        exec(lesson.setup, namespace)
        exec(component.source, namespace)
        with forbidden(component.forbidden):
            for case in cases:
                probe = find_probe(id, case.probe)
                gather(probe, namespace, component.defines, case.inputs, watched=case.watched)
    assert "torch._dynamo" not in sys.modules, f"{id} imports it"
"""


def test_no_lesson_makes_each_submission_import_the_compiler():
    """It takes most of a second; a server imports it before it forks, for those that need it."""
    probes = Path(lesson_packages.__path__[0])
    without = [
        lesson.id
        for lesson in COURSE.lessons
        if "torch._dynamo"
        not in _imports([(probes / module_name(lesson.id) / "probes.py").read_text()])
    ]
    assert len(without) > 4
    subprocess.run([sys.executable, "-W", "ignore", "-c", WHAT_PROBES_IMPORT, *without], check=True)
