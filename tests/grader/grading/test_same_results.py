"""The same submission and seed give the same result: again, beside others, in any order."""

import json
import os
import time
from pathlib import Path

import psutil
import pytest
import torch

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.grading.run.grader import CellGrader
from autograder.judging.answer_key import save_answer_key
from autograder.reports.terminal import Terminal
from autograder.sandbox.choose_sandbox import SandboxUnavailable, choose
from autograder.sandbox.runner import Runner
from autograder.submissions.read_notebook import read_notebook
from autograder.submissions.rebuild import rebuild

SEED = "the seed of the tests"
TABLES = ("grades.csv", "summary.csv")
START = "student/start.py"


@pytest.fixture(scope="module")
def answers(hand) -> dict[str, dict[str, str]]:
    """What may come out otherwise a second time, by the name of who hands it in."""
    first, second = hand.components[:2]
    wrong = hand.lesson.components[second].wrong[0].source
    chance = "import random, time\nchance = torch.rand(3), np.random.rand(), random.random()\n"
    return {
        "right": {},
        "wrong": {second: wrong},
        "by chance": {first: f"{chance}def {first}(x, *rest):\n    return x * torch.rand(1)\n"},
        "by order of a set": {
            first: f"def {first}(*_):\n    raise ValueError(str(set('transformer')))\n"
        },
        "ends": {second: f"import os\ndef {second}(*_):\n    os._exit(3)\n"},
        "open": {first: hand.lesson.components[first].released},
    }


@pytest.fixture(scope="module")
def submitted(hand, answers, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("class") / "submitted"
    for student, given in answers.items():
        hand.put(folder, student, hand.filled(given))
    return folder


@pytest.fixture(scope="module")
def kept(lesson, sandbox, tmp_path_factory) -> bytes:
    """What submissions are compared with, computed once for all tests of this module."""
    grader = CellGrader(lesson, SEED, None, tmp_path_factory.mktemp("kept"))
    with Runner(sandbox) as runner:
        grader.prepare(runner)
        return grader.answer_key()


@pytest.fixture(scope="module")
def graded(submitted, lesson, kept, tmp_path_factory):
    """Grades the class, or these students first and then the class; the tables."""

    def graded(*first: str, **wishes) -> dict[str, bytes]:
        out = tmp_path_factory.mktemp("out")
        save_answer_key(out / "work/answer_keys", lesson, SEED, kept)
        for student in (*first, ""):
            grade(Request(submitted, out, student=student, secret=SEED, **wishes))
        return {name: (out / name).read_bytes() for name in TABLES}

    return graded


@pytest.fixture(scope="module")
def tables(graded, sandbox) -> dict[str, bytes]:
    return graded(sandbox=sandbox)


def test_several_at_a_time_are_graded_as_one_after_the_other(graded, tables, sandbox):
    assert graded(sandbox=sandbox, jobs=3) == tables


@pytest.mark.parametrize("other", ["bwrap", "none"])
def test_with_another_sandbox_or_none_it_is_the_same(graded, tables, other):
    try:
        choose(other)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    assert graded(sandbox=other) == tables


def test_the_order_of_the_class_does_not_matter(graded, tables, sandbox):
    assert graded("wrong", sandbox=sandbox) == tables


def repeat(hand, lesson, answers, kept, sandbox, times: int) -> None:
    released = hand.released
    grader = CellGrader(lesson, SEED, None)
    grader.prepare(None, kept)
    threads = torch.get_num_threads()
    with Runner(sandbox) as runner:
        for name, given in answers.items():
            content = json.dumps(hand.filled(given)).encode()
            cells = rebuild(lesson, released, read_notebook(content)).cells
            first = grader.result(cells, runner)
            for number in range(times):
                torch.set_num_threads(1 + number % 3)
                assert grader.result(cells, runner) == first, f"{name}, graded again"
    torch.set_num_threads(threads)


def test_graded_again_it_is_the_same(hand, lesson, answers, kept, sandbox):
    repeat(hand, lesson, answers, kept, sandbox, 2)


@pytest.mark.soak
def test_graded_200_times_it_is_the_same(hand, lesson, answers, kept, sandbox):
    repeat(hand, lesson, answers, kept, sandbox, 200)


class Memory:
    """What the grader, and the processes that it keeps, hold. Bytes."""

    def __init__(self):
        self.own: list[int] = []
        self.servers: list[int] = []
        self.seconds: list[float] = []

    def look(self) -> None:
        this = psutil.Process(os.getpid())
        self.own.append(this.memory_full_info().uss)
        # Those that a server has forked end with their submission, and are not counted.
        servers = [one for one in this.children(recursive=True) if START in " ".join(one.cmdline())]
        # All that they hold: what is their own looks less while a fork shares it.
        self.servers.append(sum(one.memory_info().rss for one in servers))
        self.seconds.append(time.perf_counter())


class Looking:
    """Stands in for the progress bar, and looks at the memory with each step forward."""

    def __init__(self, memory: Memory):
        self._memory = memory

    def add_task(self, *_, **__) -> int:
        return 0

    def update(self, *_, **__) -> None:
        pass

    def advance(self, _) -> None:
        self._memory.look()


@pytest.mark.soak
def test_a_thousand_submissions_take_no_more_memory_than_a_few(hand, sandbox, tmp_path, capsys):
    """Each is read, run, recorded and written about: four steps, in this order for the class."""
    count = 1000
    for number in range(count):
        answers = {hand.components[0]: hand.right[hand.components[0]] + f"# {number}\n"}
        if number % 3 == 1:
            answers[hand.components[1]] = hand.lesson.components[hand.components[1]].wrong[0].source
        hand.put(tmp_path / "in", f"student-{number:04}", hand.filled(answers))
    memory = Memory()
    request = Request(tmp_path / "in", tmp_path / "out", sandbox=sandbox, secret=SEED)
    outcomes = grade(request, Terminal(bar=Looking(memory)))
    assert len(outcomes) == count
    with capsys.disabled():
        print("\nstep  grader MiB  server MiB  seconds")
        for place in [*range(0, len(memory.own), count // 4), len(memory.own) - 1]:
            own, servers = memory.own[place] >> 20, memory.servers[place] >> 20
            print(
                f"{place:5} {own:10} {servers:11} {memory.seconds[place] - memory.seconds[0]:9.1f}"
            )
    for begin, end in ((count + 100, 2 * count), (2 * count + 100, 4 * count)):
        assert memory.own[end - 1] - memory.own[begin] < 64 << 20, (begin, end)
        assert memory.servers[end - 1] - memory.servers[begin] < 8 << 20, (begin, end)
