"""What students' code does in a child process stays there: crashes, loops, files, words."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from functools import partial

import pytest
import torch

from transformer_workbook.checks.child import can_have_children, child
from transformer_workbook.shared import syntax

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a fork is safe on Linux alone")


def heard(action, seconds=20.0):
    """All that a child tells."""
    told = []
    with child(action, seconds) as made:
        until = time.monotonic() + seconds
        while (tree := made.receive(until)) is not None:
            told.append(tree)
    return told


def children_of_this_process():
    path = f"/proc/self/task/{threading.get_native_id()}/children"
    with open(path) as file:
        return {*file.read().split()}


@pytest.fixture(autouse=True)
def no_child_is_left():
    before = children_of_this_process()
    yield
    assert children_of_this_process() <= before


def test_a_child_tells_trees_in_their_order():
    assert heard(lambda tell: [tell({"a": [1, None]}), tell("x" * 1_000_000)]) == [
        {"a": [1, None]},
        "x" * 1_000_000,
    ]


def test_a_child_has_what_there_is_and_what_it_changes_stays_in_it():
    own = [torch.ones(3)]

    def change(tell):
        own[0] *= 5
        tell(own[0].tolist())

    assert heard(change) == [[5.0, 5.0, 5.0]]
    assert own[0].tolist() == [1.0, 1.0, 1.0]


def lists_that_contain_each_other():
    row = [0.0]
    row.append([row])
    torch.tensor(row)


def memory():
    kept = []
    while True:
        kept.append(torch.ones(1 << 24))


@pytest.mark.parametrize(
    "end",
    [
        lambda: ctypes.string_at(0),
        lists_that_contain_each_other,
        lambda: os._exit(0),
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        lambda: sys.exit("gone"),
        memory,
    ],
    ids=["segmentation fault", "C stack", "exit", "signal", "SystemExit", "memory"],
)
def test_what_was_told_before_the_end_is_heard(end):
    start = time.monotonic()
    assert heard(lambda tell: [tell("before"), end(), tell("after")]) == ["before"]
    assert time.monotonic() - start < 10


def test_a_child_that_hangs_is_killed_in_time():
    start = time.monotonic()
    assert heard(lambda tell: [tell("before"), time.sleep(60)], seconds=0.5) == ["before"]
    assert time.monotonic() - start < 10


def test_a_child_ends_by_itself_where_nobody_ends_it():
    with child(lambda tell: time.sleep(60), seconds=0.2) as made:
        assert made.receive(time.monotonic() + 20) is None
        assert made.receive(time.monotonic() + 20) is None


@pytest.mark.usefixtures("ordinary_interrupts")
def test_an_interrupt_ends_the_child():
    # To this thread, as a keyboard's: one that another thread gets would not end the wait.
    here = threading.get_ident()
    threading.Timer(0.3, signal.pthread_kill, [here, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        heard(lambda tell: time.sleep(60))


def test_what_a_child_has_forked_ends_with_it():
    listening, telling = os.pipe()

    def fork(tell):
        with contextlib.suppress(PermissionError):
            os.fork()
        if not ctypes.CDLL(None).fork():
            time.sleep(60)
            os._exit(0)
        tell("forked")
        time.sleep(60)

    with child(fork, 20) as made:
        os.close(telling)
        assert made.receive(time.monotonic() + 20) == "forked"
    assert os.read(listening, 1) == b""  # nobody is left who could write
    os.close(listening)


@pytest.mark.parametrize("mode", ["w", "a", "x", "r+"])
def test_a_child_writes_and_removes_no_files(tmp_path, mode):
    kept = tmp_path / "kept.txt"
    kept.write_text("kept")
    path = tmp_path / "new.txt" if mode == "x" else kept

    def write(tell):
        for act in (partial(open, path, mode), kept.unlink, (tmp_path / "new").mkdir):
            try:
                act()
                tell("done")
            except OSError as error:
                tell(type(error).__name__)

    assert heard(write) == ["PermissionError"] * 3
    assert [one.name for one in tmp_path.iterdir()] == ["kept.txt"]
    assert kept.read_text() == "kept"


def test_a_child_says_nothing(capfd):
    saved, raw = sys.stdout, sys.__stdout__

    def talk(tell):
        print("loud")
        saved.write("loud")
        raw.write("loud")
        sys.stderr.write("loud")
        os.write(1, b"loud")
        ctypes.CDLL(None).puts(b"loud")
        tell(input("loud"))

    print("before", end="")
    assert heard(talk) == [""]
    print("after", end="")
    assert capfd.readouterr() == ("beforeafter", "")


def test_gradients_work_in_a_child():
    torch.ones(300, 300, requires_grad=True).sin().sum().backward()

    def differentiate(tell):
        x = torch.ones(300, 300, requires_grad=True)
        (x @ x).sum().backward()
        tell(x.grad[0, 0].item())

    assert heard(differentiate) == [600.0]


def test_a_child_can_compute_after_many_threads_have():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        x = torch.rand(700, 700)
        expected = (x @ x).softmax(-1).sum().item()
        (told,) = heard(lambda tell: tell((x @ x).softmax(-1).sum().item()))
        assert told == pytest.approx(expected)
        assert torch.get_num_threads() == 4
    finally:
        torch.set_num_threads(before)


def test_a_child_parses_while_another_thread_is_parsing():
    taken, leave = threading.Event(), threading.Event()

    def hold():
        with syntax._ONE_AT_A_TIME:
            taken.set()
            leave.wait(0.3)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    assert heard(lambda tell: tell(len(syntax.parse("a = 1").body))) == [1]
    thread.join()


def test_what_cannot_be_read_is_nothing(monkeypatch):
    assert heard(lambda tell: tell({"a": object()})) == []
    monkeypatch.setattr("transformer_workbook.checks.child.pack", lambda tree: b"\xff" * 100)
    assert heard(lambda tell: tell(1)) == []


@pytest.mark.parametrize("module", ["cuda", "xpu"])
def test_there_is_no_child_once_a_gpu_is_in_use(monkeypatch, module):
    assert can_have_children()
    monkeypatch.setattr(getattr(torch, module), "is_initialized", lambda: True)
    with child(lambda tell: tell(1), 5) as made:
        assert made is None


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_there_is_no_child_where_a_fork_is_not_safe(monkeypatch, platform):
    monkeypatch.setattr("transformer_workbook.checks.child.sys.platform", platform)
    with child(lambda tell: tell(1), 5) as made:
        assert made is None
