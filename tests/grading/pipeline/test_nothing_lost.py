"""A grader that is killed, and started again, ends with what an undisturbed one ends with."""

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.grading.sandbox import SandboxUnavailable, choose

from .conftest import SEED
from .grader_process import Ended, GraderProcesses

pytestmark = [
    pytest.mark.xdist_group("nothing lost"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="starts graders by fork"),
]


@pytest.fixture(scope="module")
def processes():
    with GraderProcesses() as processes:
        yield processes


@pytest.fixture(scope="module")
def submitted(hand, tmp_path_factory) -> Path:
    """Two alike, a wrong one, one that crashes, one that cannot be read."""
    folder = tmp_path_factory.mktemp("submitted")
    hand.put(folder, "Amina", hand.filled())
    hand.put(folder, "Bao", hand.filled())
    hand.put(folder, "Diego", hand.wrong(hand.components[0]))
    hand.put(folder, "Nia", hand.filled({hand.components[0]: "raise RuntimeError('no')"}))
    hand.put(folder, "Cut", b"{")
    return folder


def arguments(submitted: Path, out: Path, sandbox: str = "none") -> list[str]:
    return ["grade", str(submitted), "--out", str(out), "--sandbox", sandbox, "--seed", SEED,
            "--jobs", "2"]  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(processes, submitted, tmp_path_factory) -> tuple[Path, Ended]:
    """The results of a run that nothing happened to, and its steps."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ended = processes.run(arguments(submitted, folder / "out"), folder / "out", folder / "log")
    assert ended.code == 0, ended.said
    return folder / "out", ended


def results(out: Path) -> dict:
    """All that a run is to end with: the tables byte for byte, the gradebook, who has feedback."""
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        grades = {
            (assignment.name, one.student.id, grade.name): (
                grade.auto_score, grade.needs_manual_grade, grade.max_score,
            )
            for assignment in gradebook.assignments
            for one in assignment.submissions
            for grade in one.notebooks[0].grades
        }  # fmt: skip
    return {
        "tables": [(out / name).read_bytes() for name in ("grades.csv", "summary.csv")],
        "report": (out / "report.html").read_bytes(),
        "gradebook": grades,
        "feedback": sorted(path.parts[-3] for path in (out / "feedback").rglob("*.html")),
        "autograded": sorted(
            path.parts[-3] for path in (out / "nbgrader" / "autograded").rglob("*.ipynb")
        ),
    }


# A step in each phase of a run, and which of these steps. Each comes after those before it.
MOMENTS = [
    ("gradebook", 1),
    ("other", 3),
    ("rebuilt", 4),
    ("standards", 1),
    ("results", 3),
    ("assignments", 3),
    ("sql", 70),
    ("submitted", 3),
    ("autograded", 6),
    ("sql", 160),
    ("feedback", 5),
    ("remembered", 3),
    ("recorded", 4),
    ("tables", 3),
]


def test_killed_in_each_phase_and_started_again_the_results_are_the_same(
    processes, submitted, undisturbed, tmp_path
):
    expected, log = results(undisturbed[0]), tmp_path / "log"
    out = tmp_path / "out"
    for moment in MOMENTS:
        ended = processes.run(arguments(submitted, out), out, log, kill=moment)
        assert ended.code == -signal.SIGKILL, f"it was not killed at {moment}: {ended.said}"
        assert processes.left() == 0, f"killed at {moment} it left processes behind"
    ended = processes.run(arguments(submitted, out), out, log)
    assert ended.code == 0, ended.said
    assert results(out) == expected


def test_a_second_grader_says_that_one_is_at_work_and_the_first_goes_on(
    processes, submitted, undisturbed, tmp_path
):
    out = tmp_path / "out"
    shutil.copytree(undisturbed[0], out)
    with GraderProcesses() as others:
        first = others.start(arguments(submitted, out), out, tmp_path / "first")
        _wait_until_locked(out)
        os.kill(first, signal.SIGSTOP)
        try:
            second = processes.run(arguments(submitted, out), out, tmp_path / "second")
        finally:
            os.kill(first, signal.SIGCONT)
        assert second.code == 2
        assert "another run is grading into" in second.said.splitlines()[-1]
        assert "Traceback" not in second.said
        assert others.wait(tmp_path / "first").code == 0
    assert results(out) == results(undisturbed[0])


def _wait_until_locked(out: Path) -> None:
    import fcntl

    until = time.monotonic() + 60
    while time.monotonic() < until:
        with open(out / "work" / "lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
    raise AssertionError("the first grader never took the lock")


KILLS = 120


@pytest.mark.soak
def test_killed_at_random_the_results_are_the_same(
    processes, submitted, undisturbed, tmp_path, capsys
):
    """Half of the kills come after a random number of steps, half after a random time.

    What is left is started again until it ends, is compared, and begun anew.
    """
    expected, steps = results(undisturbed[0]), undisturbed[1].steps["all"]
    chance = random.Random(7)
    try:
        sandbox = choose("auto")
    except SandboxUnavailable:
        sandbox = "none"
    out, log = tmp_path / "out", tmp_path / "log"
    started = time.monotonic()
    assert processes.run(arguments(submitted, out, sandbox), out, log).code == 0
    seconds = time.monotonic() - started
    assert results(out) == expected
    shutil.rmtree(out)

    kills = ends = 0
    while kills < KILLS:
        command = arguments(submitted, out, sandbox)
        if kills % 2:
            ended = processes.run(command, out, log, kill=("all", chance.randint(1, steps)))
        else:
            pid = processes.start(command, out, log)
            time.sleep(chance.uniform(0, seconds))
            # Until it is waited for, the number is its own, and killing the dead does nothing.
            os.killpg(pid, signal.SIGKILL)
            ended = processes.wait(log)
        assert processes.left() == 0
        if ended.code == -signal.SIGKILL:
            kills += 1
            continue
        assert ended.code == 0, ended.said
        assert results(out) == expected
        ends += 1
        shutil.rmtree(out)
    ended = processes.run(arguments(submitted, out, sandbox), out, log)
    assert ended.code == 0, ended.said
    assert results(out) == expected
    with capsys.disabled():
        print(f"\n{kills} kills (sandbox {sandbox}), {ends + 1} runs brought to their end", end=" ")
