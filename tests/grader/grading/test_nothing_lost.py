"""A grader that is killed, and started again, ends with what an undisturbed one ends with."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from ..conftest import SEED
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
            (assignment.name, submission.student.id, grade.name): (
                grade.auto_score, grade.needs_manual_grade, grade.max_score,
            )
            for assignment in gradebook.assignments
            for submission in assignment.submissions
            for grade in submission.notebooks[0].grades
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


def killed_at(moments, processes, submitted, undisturbed, folder) -> None:
    """Kill a run at each moment, one start after the other, and let the last one end."""
    out, log = folder / "out", folder / "log"
    for moment in moments:
        ended = processes.run(arguments(submitted, out), out, log, at=moment)
        assert ended.code == -signal.SIGKILL, f"it was not killed at {moment}: {ended.said}"
        assert processes.left() == 0, f"killed at {moment} it left processes behind"
    ended = processes.run(arguments(submitted, out), out, log)
    assert ended.code == 0, ended.said
    assert results(out) == results(undisturbed[0])


def test_killed_while_it_runs_and_while_it_records_the_results_are_the_same(
    processes, submitted, undisturbed, tmp_path
):
    killed_at([("results", 3), ("sql", 160)], processes, submitted, undisturbed, tmp_path)


def test_a_gradebook_that_is_locked_is_said_before_anything_runs(
    processes, submitted, undisturbed, tmp_path
):
    out, log = tmp_path / "out", tmp_path / "log"
    shutil.copytree(undisturbed[0], out)
    before = results(out)
    with _locked(out):
        ended = processes.run(arguments(submitted, out), out, log)
    _is_refused(ended, "gradebook.db is locked")
    assert results(out) == before
    assert processes.run(arguments(submitted, out), out, log).code == 0
    assert results(out) == before


@pytest.mark.soak
def test_a_gradebook_that_becomes_locked_ends_the_run_and_the_next_one_goes_on(
    processes, submitted, undisturbed, tmp_path
):
    out, log = tmp_path / "out", tmp_path / "log"
    moment = {"at": ("autograded", 6), "send": signal.SIGSTOP}
    pid = processes.start(arguments(submitted, out), out, log, **moment)
    processes.wait_until_stopped()
    with _locked(out):
        os.killpg(pid, signal.SIGCONT)
        ended = processes.wait(log)
    _is_refused(ended, "gradebook.db is locked")
    assert not (out / "grades.csv").exists()
    assert processes.run(arguments(submitted, out), out, log).code == 0
    assert results(out) == results(undisturbed[0])


def test_a_gradebook_that_is_none_is_said_and_stays(processes, submitted, undisturbed, tmp_path):
    out, log = tmp_path / "out", tmp_path / "log"
    shutil.copytree(undisturbed[0], out)
    damaged = b"not a database at all " * 1000
    (out / "gradebook.db").write_bytes(damaged)
    _is_refused(processes.run(arguments(submitted, out), out, log), "gradebook.db cannot be used")
    assert (out / "gradebook.db").read_bytes() == damaged
    # As the guide says: moved away, all is recorded anew.
    (out / "gradebook.db").unlink()
    assert processes.run(arguments(submitted, out), out, log).code == 0
    assert results(out) == results(undisturbed[0])


@contextlib.contextmanager
def _locked(out: Path):
    """Another program writes to the gradebook."""
    with contextlib.closing(sqlite3.connect(out / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def _is_refused(ended: Ended, why: str) -> None:
    """The run ended with one line that says why, and how to go on."""
    assert ended.code == 1, ended.said
    assert "Traceback" not in ended.said, ended.said
    (line,) = [line for line in ended.said.splitlines() if line.startswith("autograder: ")]
    assert why in line and "start again" in line
    assert ended.said.splitlines()[-1] == line


@pytest.fixture(scope="module")
def own_disk(tmp_path_factory):
    """Graders whose OUT is a disk of its own, and the folder as which they see it."""
    out = tmp_path_factory.mktemp("disk")
    mount = f"mount -t tmpfs tmpfs '{out}'"
    try:
        subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount],
                       check=True, capture_output=True)  # fmt: skip
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no mounts of one's own here ({error})")
    with GraderProcesses(mount) as processes:
        yield processes, out


@pytest.fixture
def empty_disk(own_disk):
    processes, out = own_disk
    processes.shell(f"umount '{out}' && mount -t tmpfs -o size=64m tmpfs '{out}'")
    return own_disk


def _seen(processes: GraderProcesses, out: Path, copy: Path) -> dict:
    """What lies on a disk that only the graders see."""
    processes.shell(f"rm -rf '{copy}' && cp -r '{out}' '{copy}'")
    return results(copy)


def filled_up(shares, empty_disk, submitted, undisturbed, folder) -> None:
    """Grade on a disk that holds a share of what the results need, then the next, then all."""
    (processes, out), log = empty_disk, folder / "log"
    whole = sum(path.stat().st_blocks * 512 for path in undisturbed[0].rglob("*"))
    for share in shares:
        processes.shell(f"mount -o remount,size={int(whole * share)} '{out}'")
        ended = processes.run(arguments(submitted, out), out, log)
        _is_refused(ended, "cannot be")
    processes.shell(f"mount -o remount,size={4 * whole} '{out}'")
    ended = processes.run(arguments(submitted, out), out, log)
    assert ended.code == 0, ended.said
    assert _seen(processes, out, folder / "seen") == results(undisturbed[0])


def test_a_full_disk_ends_the_run_and_the_next_one_goes_on(
    empty_disk, submitted, undisturbed, tmp_path
):
    filled_up([0.6], empty_disk, submitted, undisturbed, tmp_path)


@pytest.mark.soak
def test_a_disk_that_is_full_ever_later_ends_each_run(empty_disk, submitted, undisturbed, tmp_path):
    shares = [number / 20 for number in range(1, 15)]
    filled_up(shares, empty_disk, submitted, undisturbed, tmp_path)


def test_a_disk_that_is_full_or_read_only_leaves_what_was_recorded(
    empty_disk, hand, submitted, undisturbed, tmp_path
):
    (processes, out), log, expected = empty_disk, tmp_path / "log", results(undisturbed[0])
    processes.shell(f"cp -r '{undisturbed[0]}/.' '{out}'")
    more = tmp_path / "more"
    shutil.copytree(submitted, more)
    hand.put(more, "Fumiko", hand.filled())

    processes.shell(f"mount -o remount,ro '{out}'")
    _is_refused(processes.run(arguments(more, out), out, log), "Read-only file system")
    assert _seen(processes, out, tmp_path / "seen") == expected

    processes.shell(f"mount -o remount,rw '{out}' && ! cat /dev/zero 2>&- > '{out}/filler'")
    _is_refused(processes.run(arguments(more, out), out, log), "No space left on device")
    assert _seen(processes, out, tmp_path / "seen") == expected

    processes.shell(f"rm '{out}/filler'")
    assert processes.run(arguments(more, out), out, log).code == 0
    seen = _seen(processes, out, tmp_path / "seen")
    assert seen["feedback"] == sorted([*expected["feedback"], "Fumiko"])
    assert seen["gradebook"].items() > expected["gradebook"].items()
    for before, after in zip(expected["tables"], seen["tables"], strict=True):
        lines = after.splitlines()
        assert [line for line in lines if b"Fumiko" not in line] == before.splitlines()


KILLS = 120


@pytest.mark.soak
def test_killed_at_random_the_results_are_the_same(
    processes, submitted, undisturbed, sandbox, tmp_path, capsys
):
    """Half of the kills come after a random number of steps, half after a random time.

    What is left is started again until it ends, is compared, and begun anew.
    """
    steps = undisturbed[1].steps["all"]
    chance = random.Random(7)
    out, log = tmp_path / "out", tmp_path / "log"
    started = time.monotonic()
    assert processes.run(arguments(submitted, out, sandbox), out, log).code == 0
    seconds = time.monotonic() - started
    expected = results(out)  # its report says which sandbox it was
    assert expected["tables"] == results(undisturbed[0])["tables"]
    shutil.rmtree(out)

    kills = ends = 0
    while kills < KILLS:
        command = arguments(submitted, out, sandbox)
        if kills % 2:
            ended = processes.run(command, out, log, at=("all", chance.randint(1, steps)))
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
