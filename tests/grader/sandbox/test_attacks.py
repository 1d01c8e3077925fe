"""Submissions that really try: none gains a point, gets out, or harms the next one.

Each section of `attacks.py` is a submission to lesson 01, in the form that `sections.py` tells.
What follows `# --- call` is done when the attacked exercise is called; what has neither that nor an
answer fails there, and says what was found in `loot`. `honest: all` stands where it is answered
rightly all the same, `honest: spoiled` where the attack may spoil the right answer of the other
exercise, `step: N` gives each step N seconds. The attackers know more than any student could: what
lies where, and who listens.
"""

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent

import nbformat
import pytest
from the_course import COURSE

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.judging.judge import Judge, TestResult
from autograder.results.submission import STATUSES
from autograder.sandbox.choose_sandbox import SandboxUnavailable, refusal_of
from autograder.sandbox.job import Cell, Outcome
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from autograder.sandbox.student.confinement.linux import (
    CLONE_NEWNS,
    LIBC,
    LINUX,
    MS_BIND,
    MS_PRIVATE,
    MS_REC,
    check,
)
from autograder.sandbox.student.confinement.processes import tree_of
from autograder.sandbox.student.confinement.root import mount

from .sections import ANSWER, sections

# One worker: the machine's listeners and the runner are made once.
pytestmark = pytest.mark.xdist_group("attacks")

SECTIONS = sections(Path(__file__).with_name("attacks.py"))
ATTACKS = {title.partition(" ")[0]: title for title in SECTIONS if title}
LESSON = COURSE.lesson("01-attention")
ATTACKED = "scaled_dot_product_attention"
LIMITS = Limits(30, step=6, step_share=0.6, memory=300 << 20, processes=40, evidence=8 << 20)
SECRET = "canary-5b1d6c2e-of-the-tests"
PLANTED = f"planted-by-tests-{os.getpid()}"
NAME = f"escaped-{os.getpid() % 100_000}"
CALL = "# --- call\n"
DEFINITION = f"def {ATTACKED}(query, key, value, mask=None, dropout=None):\n"
CONFESSION = """print(loot)
raise RuntimeError(" ".join(map(str, loot)))
"""


@dataclass
class Machine:
    """What an attacker would like to reach: files with a secret in them, and open doors."""

    folder: Path

    def __post_init__(self):
        self.canaries = [
            self.folder / "out" / "gradebook.db", self.folder / "out" / "work" / "canary",
            self.folder / "submitted" / "amina" / "01-attention" / "attention.ipynb",
            Path.home() / f".{PLANTED}", Path("/tmp") / PLANTED, Path("/var/tmp") / PLANTED,
        ]  # fmt: skip
        for path in self.canaries:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SECRET)
        self.before = self.state()
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.abstract, self.path = f"\0{PLANTED}", str(self.folder / "socket")
        self.doors = [self.tcp, self.udp]
        for address in (self.abstract, self.path):
            door = socket.socket(socket.AF_UNIX)
            door.bind(address)
            door.listen()
            self.doors.append(door)
        for door in self.doors:
            door.setblocking(False)

    def state(self) -> list:
        """The secret files, and the names beside them in the folders that are the tests' own."""
        found = []
        for path in self.canaries:
            status = path.stat()
            found.append((path.read_text(), status.st_mode, status.st_mtime_ns, status.st_uid))
        own = [p for p in self.canaries if p.is_relative_to(self.folder)]
        return [*found, *(sorted(os.listdir(path.parent)) for path in own)]

    def callers(self) -> list[str]:
        """Who came to a door."""
        actual = []
        for door in self.doors:
            try:
                if door is self.udp:
                    actual.append(str(door.recvfrom(100)))
                else:
                    door.accept()[0].close()
                    actual.append(str(door.getsockname()))
            except BlockingIOError:
                pass
        return actual

    def close(self) -> None:
        for door in self.doors:
            door.close()
        for path in self.canaries:
            path.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("machine"))
    os.environ["CANARY"] = SECRET
    yield machine
    del os.environ["CANARY"]
    machine.close()


@pytest.fixture(scope="module")
def runner(machine):
    hidden = [machine.folder / "out", machine.folder / "submitted"]
    try:
        runner = Runner(os.environ.get("KIND", "auto"), LIMITS, hidden=hidden)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with runner:
        yield runner


@pytest.fixture(scope="module")
def judge(runner) -> Judge:
    return Judge(LESSON, SECRET, runner)


@dataclass
class Attack:
    """One submission: its cells, and the exercises that are honestly answered."""

    cells: list[Cell]
    honest: set[str]
    is_spoiled: bool
    step: float

    def deserves(self, score: float, of: list[TestResult] | tuple[TestResult, ...]) -> bool:
        """Whether a score is what the honest part earns, as far as that was not spoiled."""
        earned = sum(
            test_result.max_score for test_result in of if test_result.component in self.honest
        )
        return score <= earned if self.is_spoiled else score == earned


def read_attack(name: str, machine: Machine, runner: Runner | None = None) -> Attack:
    title = ATTACKS[name]
    known = {
        "CANARIES": list(map(str, machine.canaries)), "PORT": machine.port,
        "ABSTRACT": machine.abstract, "SOCKET": machine.path, "GRADER": os.getpid(),
        "SERVER": runner.fork_server.process.pid if runner else os.getpid() + 1, "NAME": NAME,
        "loot": [],
    }  # fmt: skip
    told = "".join(f"{k} = {v!r}\n" for k, v in known.items())
    own, has_answer, answer = SECTIONS[title].partition(ANSWER)
    own, _, call = own.partition(CALL)
    cells = [Cell("known", "added", told + SECTIONS[""]), Cell("own", "added", own)]
    answers = {name: component.source for name, component in LESSON.components.items()}
    honest = set(answers)
    if "honest: all" not in title:
        called = DEFINITION + indent(call or CONFESSION, "    ")
        answers[ATTACKED] = answer if has_answer else called
        honest.discard(ATTACKED)
    cells += [Cell(name, "answer", text) for name, text in answers.items()]
    step = re.search(r"step: (\d+)", title)
    return Attack(cells, honest, "spoiled" in title, float(step[1]) if step else LIMITS.step)


def honest_cells(student: str) -> list[Cell]:
    return [
        Cell(name, "answer", f"{one.source}\n# {student}\n")
        for name, one in LESSON.components.items()
    ]


@pytest.fixture(scope="module")
def undisturbed(runner, judge) -> list[TestResult]:
    """The rows of an honest submission before any attack."""
    test_results = judge.test_results(runner.run(judge.job(honest_cells("before"))))
    assert all(test_result.status == "passed" for test_result in test_results)
    return test_results


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gains_nothing_and_harms_nobody(
    name, machine, runner, judge, undisturbed, monkeypatch
):
    attack = read_attack(name, machine, runner)
    with monkeypatch.context() as patch:
        patch.setattr(runner, "limits", replace(LIMITS, step=attack.step))
        outcome = runner.run(judge.job(attack.cells))
    test_results = judge.test_results(outcome)

    assert attack.deserves(sum(test_result.score for test_result in test_results), test_results)
    if name in ("memory_given_back", "memory_in_sockets"):
        assert "out_of_memory" in repr((outcome.cells, test_results))
    assert {test_result.status for test_result in test_results} <= set(STATUSES) - {"grader_fault"}
    for test_result in test_results:
        if test_result.status != "passed":
            assert 10 < len(test_result.message) < 3000 and "Traceback" not in test_result.message
    assert SECRET not in everything_told(outcome, test_results)
    assert "found:" not in everything_told(outcome, test_results)
    # An attack on the process's own code has found that code, by the names that it has today.
    assert "no attribute 'f_globals'" not in everything_told(outcome, test_results)
    assert machine.state() == machine.before
    assert machine.callers() == []
    assert_nothing_is_left(runner)

    after = judge.test_results(runner.run(judge.job(honest_cells(f"after {name}"))))
    assert after == undisturbed


ORDINARY = 64_321  # a user that has no account, and no rights


def become_ordinary() -> None:
    """Become that user, who then sees this Python and these tests, wherever they lie."""
    check(LIBC.unshare(CLONE_NEWNS), "unshare")
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    for folder in (Path(sys.base_prefix), Path(__file__).parents[3]):
        closed = [path for path in folder.parents if not path.stat().st_mode & 1]
        if closed:
            opened = os.open(folder, os.O_PATH)
            mount("tmpfs", str(closed[-1]), "tmpfs")
            folder.mkdir(parents=True)
            mount(f"/proc/self/fd/{opened}", str(folder), flags=MS_BIND | MS_REC)
    os.setgroups([])
    os.setresgid(ORDINARY, ORDINARY, ORDINARY)
    os.setresuid(ORDINARY, ORDINARY, ORDINARY)


@pytest.mark.skipif(not LINUX or os.getuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("kind", ["namespaces", pytest.param("bwrap", marks=pytest.mark.soak)])
def test_what_one_user_shares_is_safe_where_the_grader_is_not_root(kind):
    """The same attacks, graded by an ordinary user, for whom no control group counts memory."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k",
               "gains and (leases or memory_ or descriptors or bomb or handle)"]  # fmt: skip
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, ORDINARY, ORDINARY)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "KIND": kind}
        done = subprocess.run(
            command, cwd=Path(__file__).parents[3], env=environment, capture_output=True, text=True,
            preexec_fn=become_ordinary,
        )  # fmt: skip
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout[-5000:]


def everything_told(outcome: Outcome, test_results: list[TestResult]) -> str:
    parts = [outcome.output, repr(outcome.cells), repr(test_results), repr(outcome.evidence)]
    for evidence in outcome.evidence.values():
        parts += [t.numpy().tobytes().decode("latin-1") for t in evidence.tensors.values()
                  if t.numel() and t.element_size() == 1]  # fmt: skip
    return "\n".join(parts)


def assert_nothing_is_left(runner: Runner) -> None:
    server = runner.fork_server.process.pid
    until = time.monotonic() + 5
    while tree_of(server) != [server] and time.monotonic() < until:
        time.sleep(0.01)
    assert tree_of(server) == [server]
    names = []
    for entry in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            names.append(entry.read_text().strip())
    assert NAME not in names


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["namespaces", "bwrap"])
def test_a_class_of_attackers_gets_nothing_into_the_results(kind, machine, hand, tmp_path):
    """From files to grades, feedback and report: beside each attacker, an honest student."""
    if refusal_of(kind):
        pytest.skip(f"{kind} does not work here")
    submitted, out = tmp_path / "submitted", tmp_path / "out"
    hand = type(hand)(COURSE, LESSON)
    for name in ATTACKS:
        attack = read_attack(name, machine)
        hand_in(submitted, f"{name} attacks", hand, attack.cells)
        hand_in(submitted, f"{name} suffers", hand, honest_cells(f"beside {name}"))
    machine.before = machine.state()
    graded = grade(Request(submitted, out, sandbox=kind, secret=SECRET, jobs=2, time_limit=60))
    assert len(graded) == 2 * len(ATTACKS)
    for one in graded:
        if one.student.endswith("suffers"):
            assert (one.student, one.status, one.score) == (one.student, "passed", one.max_score)
        else:
            attack = read_attack(one.student.split()[0], machine)
            assert attack.deserves(one.score, one.test_results), one
    assert machine.state() == machine.before
    assert machine.callers() == []
    written = [path for path in out.rglob("*") if path.is_file()]
    assert len(written) > 4 * len(ATTACKS)
    for path in written:
        content = path.read_bytes()
        assert path.name == "seed" or SECRET.encode() not in content, path
        assert path.suffix != ".html" or b"<script>alert" not in content, path


def hand_in(submitted: Path, student: str, hand, cells: list[Cell]) -> None:
    notebook = hand.filled({cell.name: cell.source for cell in cells if cell.kind == "answer"})
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    first = min(map(ids.index, hand.components))
    notebook.cells[first:first] = [
        nbformat.v4.new_code_cell(cell.source) for cell in cells if cell.kind == "added"
    ]
    hand.put(submitted, student, notebook)
