"""A class graded by several processes of a Dask cluster: the results of one machine."""

import os
import signal
import threading
import time

import psutil
import pytest
from distributed import Client, LocalCluster
from the_course import COURSE

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.errors import WrongUsage
from autograder.grading.run import cluster as cluster_module
from autograder.grading.run import confinement_note
from autograder.grading.run import worker as worker_module
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.grader import CellGrader, ExplainedFault
from autograder.sandbox.runner import Runner
from autograder.submissions.sources.entries import attachments_in
from transformer import make_model
from transformer_workbook.lessons.translation.hand_in import LARGEST, hand_in
from transformer_workbook.lessons.translation.subwords import Subwords
from transformer_workbook.lessons.translation.trained_translator import Translator

SEED = "the seed of the tests"
TABLES = ("grades.csv", "summary.csv")


@pytest.fixture(scope="module")
def cluster():
    """Two processes with a nanny each, which starts another when one is killed."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def nobody():
    """A scheduler without workers."""
    with LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def submitted(hand, tmp_path_factory):
    """Six submissions, no two alike: right, wrong, crashing, untouched and unreadable."""
    folder = tmp_path_factory.mktemp("class") / "submitted"
    first, second = hand.components[:2]
    for number in range(4):
        answers = {first: hand.right[first] + f"# by {number}\n"}
        if number == 1:
            answers[second] = hand.lesson.components[second].wrong[0].source
        if number == 2:
            answers[second] = "import os; os._exit(3)"
        if number == 3:
            answers[second] = "1 / 0"
        hand.put(folder, f"student-{number}", hand.filled(answers))
    hand.put(folder, "student-0", hand.everyday())
    hand.put(folder, "untouched", hand.released)
    hand.put(folder, "unreadable", b"{")
    return folder


@pytest.fixture(scope="module")
def local(submitted, sandbox, tmp_path_factory):
    out = tmp_path_factory.mktemp("local")
    grade(Request(submitted, out, sandbox=sandbox, secret=SEED))
    return out


def kill_a_worker_soon(address: str, out) -> tuple[threading.Thread, list]:
    """Kill one of the workers when the first result is there; how many were, and its pid."""
    with Client(address, set_as_default=False) as client:
        pid = next(iter(client.run(os.getpid).values()))
    seen = []

    def kill() -> None:
        results = out / "work" / "results"
        while not (there := list(results.glob("*.json"))):
            time.sleep(0.005)
        os.kill(pid, signal.SIGKILL)
        seen.extend([len(there), pid])

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread, seen


def test_a_worker_is_killed_and_the_tables_are_the_same(
    cluster, submitted, local, sandbox, tmp_path
):
    thread, seen = kill_a_worker_soon(cluster.scheduler_address, tmp_path)
    request = Request(
        submitted, tmp_path, sandbox=sandbox, secret=SEED, scheduler=cluster.scheduler_address
    )
    graded = grade(request)
    thread.join(10)
    count, pid = seen
    assert count < 5  # in the middle
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert len(graded) == 6
    for name in TABLES:
        assert (tmp_path / name).read_bytes() == (local / name).read_bytes()
    assert (tmp_path / "gradebook.db").is_file()
    said = confinement_note.sentence(tmp_path / "work")
    assert said and said == confinement_note.sentence(local / "work")
    assert len(list((tmp_path / "feedback").glob("*/*/*.html"))) == 6


def test_graded_again_nothing_is_sent(nobody, submitted, local, sandbox):
    before = (local / "grades.csv").read_bytes()
    grade(Request(submitted, local, sandbox=sandbox, secret=SEED, scheduler=nobody))
    assert (local / "grades.csv").read_bytes() == before


@pytest.fixture
def translator(tmp_path):
    """The files of one that has learnt nothing."""
    subwords = Subwords.learn(["Ein Hund läuft.", "A dog is running."], 300)
    sizes = {"num_layers": 1, "d_model": 16, "num_heads": 2, "d_ff": 16, "dropout": 0.0}
    model = make_model(len(subwords), len(subwords), tie_weights=True, **sizes)
    hand_in(Translator(model, subwords), tmp_path)
    return attachments_in(tmp_path, LARGEST)


def test_a_translator_is_scored_by_a_worker_as_it_is_here(cluster, translator, sandbox):
    """The worker is given the sentences: it need not have them."""
    lesson = COURSE.lesson("11-translation")
    grader = lesson.hand_in.grader(lesson)
    grader._pairs = [("Ein Hund läuft.", "A dog is running.")], ""
    whole, part = map(grader.submitted, (translator, dict([*translator.items()][1:])))
    with Runner(sandbox, grader.limits) as runner:
        here = grader.grade(whole, runner)
    assert [test_result.status for test_result in here] == ["passed", "failed"]
    assert "Ein Hund läuft." in here[1].message
    with Cluster(cluster.scheduler_address, sandbox) as workers:
        actual = dict(workers.judge(grader, [whole, part]))
    assert actual[0] == here
    assert isinstance(actual[1], ExplainedFault) and "No such file" in str(actual[1])


def test_a_worker_with_other_lessons_is_refused(cluster, lesson, sandbox, monkeypatch):
    mine = worker_module.about(lesson.id) | {"lesson": "0123"}
    monkeypatch.setattr(worker_module, "about", lambda lesson_id: mine)
    with Cluster(cluster.scheduler_address, sandbox) as workers:
        with pytest.raises(WrongUsage, match=r"its lesson is \w+, and here it is 0123"):
            list(workers.judge(CellGrader(lesson, "a third seed", None, None, 60), [[]]))


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "here there is none", "none://here", "tls://127.0.0.1:1"]
)
def test_no_scheduler_is_said(address, monkeypatch):
    # A client that cannot connect stays, and is closed by the garbage collector at any moment: in
    # the same thread, too, while it holds the lock that this takes.
    made = []
    monkeypatch.setattr(Client, "__init__", lambda *given, **_: made.append(given))
    with pytest.raises(WrongUsage, match=f"no Dask scheduler at {address}"):
        Cluster(address, "auto")
    assert not made


def test_no_worker_is_said(nobody, lesson, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    grader = CellGrader(lesson, "a fourth seed", None, tmp_path, 60)
    with Cluster(nobody, "auto") as workers, pytest.raises(WrongUsage, match="has no workers"):
        list(workers.judge(grader, [[]]))
