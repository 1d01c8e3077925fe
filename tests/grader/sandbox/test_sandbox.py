"""What students' code can see and do inside the sandbox, and that it ends when it has to."""

import errno
import mmap
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.sandbox import cgroup
from autograder.sandbox import choose_sandbox as choosing
from autograder.sandbox import view as views
from autograder.sandbox.choose_sandbox import SandboxUnavailable, choose, refusal_of
from autograder.sandbox.job import Cell
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from autograder.sandbox.server_process import PROCESSOR_VARIABLES
from autograder.sandbox.student.confinement.confine import Confinement
from autograder.sandbox.student.confinement.linux import LINUX
from autograder.sandbox.student.confinement.processes import memory_of, tree_of
from autograder.sandbox.student.confinement.seccomp import LAST_KNOWN, SYSTEM_CALLS
from autograder.sandbox.student_process import OutOfTime
from autograder.sandbox.view import plan_view

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def confined(_each_sandbox) -> Runner:
    """A runner with each sandbox in turn; skipped where the machine forbids it."""
    if isinstance(_each_sandbox, str):
        pytest.skip(_each_sandbox)
    return _each_sandbox


@pytest.fixture
def tell(confined, small_course):
    """Runs the body of a function in the sandbox, and returns what it returns."""

    def tell(body: str, before: str = ""):
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        cell = Cell("scale", "answer", f"{before}\ndef scale():\n{lines}")
        job = small_course.job([cell], [small_course.plan("scale", "tell")])
        evidence = confined.run(job).evidence["scale"]
        assert evidence.failure is None, evidence.failure
        return evidence.values["told"]

    return tell


# What can be seen.


def test_nothing_can_be_read_of_any_file_of_the_grader(tell, small_course, tmp_path):
    gradebook = tmp_path / "gradebook.db"
    gradebook.write_text("marks")
    secrets = [
        gradebook, Path(__file__), ROOT / "pyproject.toml",
        ROOT / "solutions" / "transformer" / "attention.py",
        ROOT / "autograder" / "sandbox" / "runner.py", ROOT / "autograder" / "course.toml",
        small_course.folder / "transformer_workbook" / "lessons" / "sums" / "standins.py",
        small_course.compiled_stand_ins,
    ]  # fmt: skip
    assert all(path.read_bytes() for path in secrets)
    read = tell(f"""
found = []
for path in {list(map(str, secrets))}:
    for way in (path, "/proc/1/root" + path, "/proc/self/root" + path, "/old" + path):
        try:
            if open(way, "rb").read():  # a file that is hidden alone is there, and empty
                found.append(way)
        except OSError:
            pass
return found
""")
    assert read == []


def test_folders_show_what_python_needs_and_no_more(tell):
    names = tell("import os\nreturn os.listdir('/')")
    assert not set(names) & {"home", "var", "run", "boot", "mnt", "media", "srv", "sys", "old"}
    home = str(Path.home())
    assert tell(f"import os\nreturn os.path.isdir({home!r}) and os.listdir({home!r})") in (
        [], False,
    )  # fmt: skip
    assert tell("return open('/etc/passwd').read().count('\\n')") == 1
    assert tell("import os\nreturn sorted(os.listdir('/dev'))") == [
        "full", "null", "random", "shm", "urandom", "zero",
    ]  # fmt: skip


def test_no_other_process_can_be_seen(tell):
    pids = tell("import os\nreturn [int(name) for name in os.listdir('/proc') if name.isdigit()]")
    assert 0 < len(pids) <= 4 and max(pids) < 20
    assert (
        tell("""
import os
found = []
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) != os.getpid():
        for part in ("environ", "mem", "fd/3"):
            try:
                open(f"/proc/{name}/{part}", "rb").read(1)
                found.append((name, part)) if name == "1" else None
            except OSError:
                pass
return found
""")
        == []
    )


def test_the_environment_holds_nothing(confined, tell, monkeypatch):
    names = tell("import os\nreturn list(os.environ)")
    assert set(names) <= {
        "HOME", "TMPDIR", "MPLCONFIGDIR", "MPLBACKEND", "USER", "PATH", "LANG",
        "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", *PROCESSOR_VARIABLES,
    }  # fmt: skip
    started_with = tell("return open('/proc/self/environ').read()")
    assert str(Path.home()) not in started_with


def test_only_the_channel_is_open(tell):
    assert tell("""
import os
found = []
for number in range(3, 256):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
return found
""") == [3]


def test_libraries_can_still_be_imported(tell):
    assert tell("""
import decimal, sqlite3, ssl, xml.dom.minidom, concurrent.futures, multiprocessing
import torch.distributions, torch.utils.data, torch.optim.swa_utils
loader = torch.utils.data.DataLoader(range(4), batch_size=2, num_workers=1)
return [batch.tolist() for batch in loader]
""") == [[0, 1], [2, 3]]


# What can be written.


def test_one_folder_can_be_written_and_is_gone_afterwards(tell):
    write = """
import os, tempfile
open("mine", "w").write("x")
tempfile.NamedTemporaryFile().write(b"x")
return [os.getcwd(), *os.listdir()]
"""
    assert tell(write) == ["/student", "mine"]
    assert tell("import os\nreturn os.listdir()") == []


def test_nothing_else_can_be_written(tell):
    assert (
        tell(f"""
import os
found = []
folders = ["/", "/etc", "/usr", "/usr/lib", "/proc", "/dev", {str(Path(os.__file__).parent)!r}]
for folder in folders:
    try:
        open(os.path.join(folder, "new"), "w").close()
        found.append(folder)
    except OSError:
        pass
return found
""")
        == []
    )


def test_the_disk_is_small(tell):
    written = tell("""
total = 0
try:
    for n in range(100):
        with open(f"file{n}", "wb") as file:
            for _ in range(63):
                total += file.write(bytes(1 << 20))
except OSError:
    pass
return total
""")
    assert 50 << 20 < written <= 128 << 20


def test_a_file_has_a_greatest_size(tell):
    assert (
        tell("""
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    open("large", "wb").write(bytes(80 << 20))
except OSError as error:
    return type(error).__name__
""")
        == "OSError"
    )


# What can be done.


def test_there_is_no_network(tell):
    assert (
        tell("""
import socket
made = []
for family in ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"):
    try:
        socket.socket(getattr(socket, family), socket.SOCK_DGRAM)
        made.append(family)
    except PermissionError:
        pass
return made
""")
        == []
    )


def test_the_network_is_one_of_its_own(tell):
    devices = tell("return open('/proc/net/dev').read()").splitlines()[2:]
    assert all(line.split(":")[0].strip() in ("lo", "sit0", "tunl0") for line in devices)


DANGEROUS = """
    chroot io_setup io_uring_setup inotify_init1 memfd_create mlockall mount mq_open msgget
    personality pidfd_getfd ptrace semget setns setpriority setxattr shmget syncfs umount2 unshare
"""


def test_the_list_has_what_is_dangerous():
    assert set(DANGEROUS.split()) <= SYSTEM_CALLS.keys()


def test_each_system_call_of_the_list_is_refused(tell):
    column = ("x86_64", "aarch64").index(platform.machine())
    numbers = [pair[column] for pair in SYSTEM_CALLS.values() if pair[column] is not None]
    # 0 and -1 mean little to any of them, should the filter let one through.
    assert (
        tell(f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 7
answers = {{}}
for number in {numbers}:
    if libc.syscall(number, 0, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != 1:
        answers[number] = ctypes.get_errno()
return str(answers)
""")
        == "{}"
    )


def test_calls_of_newer_kernels_are_not_there(tell):
    assert (
        tell(f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 7
def answer(number):
    return [libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno()]
return [answer(number) for number in ({LAST_KNOWN} + 1, 462, 469, 1000, 0x3FFFFFFF)]
""")
        == [[-1, errno.ENOSYS]] * 5
    )


def test_what_a_notebook_needs_of_the_kernel_is_there(tell):
    assert tell("""
import asyncio, multiprocessing, os, pathlib, shutil, signal, subprocess, threading
pathlib.Path("one").write_text("x")
shutil.copy2("one", "two")
os.sched_setaffinity(0, os.sched_getaffinity(0))
signal.setitimer(signal.ITIMER_REAL, 100)
signal.setitimer(signal.ITIMER_REAL, 0)
lock = multiprocessing.get_context("fork").Lock()
thread = threading.Thread(target=lock.acquire)
thread.start()
thread.join()
done = asyncio.run(asyncio.to_thread(os.getpid)) == os.getpid()
said = subprocess.run(["/bin/sh", "-c", "echo 1"], capture_output=True).stdout
return [done, said.decode().strip(), pathlib.Path("two").read_text()]
""") == [True, "1", "x"]


def test_clone_makes_no_namespaces(tell):
    assert tell("""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
number = ctypes.c_long(56 if __import__("platform").machine() == "x86_64" else 220)
done = libc.syscall(number, ctypes.c_long(0x10000000 | 17), 0, 0, 0, 0)
if done == 0:
    __import__("os")._exit(0)
return [done, ctypes.get_errno()]
""") == [-1, 1]


def test_there_are_no_privileges(tell):
    status = dict(
        line.split(":\t", 1)
        for line in tell("return open('/proc/self/status').read()").splitlines()
        if ":\t" in line
    )
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert status["Uid"].split()[0] != "0" or os.getuid() != 0


# What ends it.


def living(name: str) -> list[int]:
    """The processes of this machine with this name."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == name:
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


CALL_ITSELF = """
import ctypes, os, time
def call_myself(name):
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
"""


def test_children_that_outlive_are_ended(confined, small_course):
    ends_what_outlives(confined, small_course)


@pytest.mark.skipif(not LINUX, reason="only Linux lets orphans be adopted")
def test_children_that_outlive_are_ended_without_a_sandbox_too(unconfined, small_course):
    ends_what_outlives(unconfined, small_course)


def ends_what_outlives(runner, small_course):
    name = f"orphan-{os.getpid() % 10_000}"
    source = f"""{CALL_ITSELF}
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 100)
        call_myself({name!r})
        while True: time.sleep(1)
    os._exit(0)
time.sleep(0.2)
def scale():
    return True
"""
    cells = [Cell("scale", "answer", source)]
    outcome = runner.run(small_course.job(cells, [small_course.plan("scale", "tell")]))
    assert outcome.evidence["scale"].values["told"] is True
    assert living(name) == []


def test_a_fork_bomb_is_contained(confined, tell):
    name = f"bomb-{os.getpid() % 10_000}"
    started = tell(
        f"""
call_myself({name!r})
started = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(1000)
        started += 1
except OSError:
    return started
""",
        CALL_ITSELF,
    )
    assert 2 < started <= confined.limits.processes
    assert living(name) == []


def test_where_the_kernel_does_not_count_processes_the_grader_does(
    confined, small_course, monkeypatch
):
    monkeypatch.setattr(confined, "limits", replace(confined.limits, processes=0))
    source = """
import os, time
for _ in range(25):
    if os.fork() == 0:
        time.sleep(100)
time.sleep(100)
"""
    outcome = confined.run(small_course.job({"scale": source}))
    failure = outcome.evidence["scale"].failure
    assert (failure.kind, failure.message) == ("died", "it started too many processes")


MANY_PROCESSES = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        held = b"x" * (250 << 20)
        time.sleep(100)
time.sleep(100)
"""


def test_memory_of_many_processes_is_counted_together(confined, small_course):
    outcome = confined.run(small_course.job({"scale": MANY_PROCESSES}))
    assert outcome.evidence["scale"].failure.kind == "out_of_memory"


def test_without_a_control_group_memory_is_still_limited(small_course, monkeypatch):
    monkeypatch.setattr(cgroup, "_parents", lambda: [])
    with Runner("none", Limits(memory=500 << 20), course=small_course.folder) as runner:
        if runner.memory_limit != "watch":
            pytest.skip("this system does not tell how much memory others have")
        outcome = runner.run(small_course.job({"scale": MANY_PROCESSES}))
    assert outcome.evidence["scale"].failure.kind == "out_of_memory"


@pytest.mark.parametrize("gone", ["the grader", "the server"])
def test_all_ends_when_the_grader_is_gone(confined, small_course, gone):
    name = f"left-{os.getpid() % 10_000}"
    cell = Cell("scale", "answer", f"{CALL_ITSELF}\ncall_myself({name!r})\ntime.sleep(1000)\n")
    server = confined.fork_server
    child = server.fork(confined.limits, "")
    assert child.event(30)["event"] == "ready"
    child.send(confined._job_message(small_course.job([cell]), [(0, cell)]))
    with pytest.raises(OutOfTime):
        child.event(0.1)
    _wait_until(lambda: living(name))
    if gone == "the grader":
        server.control.close()  # as the kernel does for a process that is killed
    else:
        server.process.kill()
    _wait_until(lambda: not living(name))
    # The next submission is graded.
    outcome = confined.run(small_course.job({"scale": "def scale(x):\n    return x\n"}))
    assert outcome.evidence["scale"].tensors["y"].tolist() == [1, 2, 3]


def test_where_memory_runs_out_the_students_process_goes_first(confined):
    def adjusted(pid: int) -> int:
        return int(Path(f"/proc/{pid}/oom_score_adj").read_text())

    child = confined.fork_server.fork(confined.limits, "")
    assert child.event(30)["event"] == "ready"
    try:
        outside, *within = tree_of(child.pid)
        assert adjusted(outside) == adjusted(os.getpid())
        assert 1000 in map(adjusted, within)
    finally:
        child.close()


def test_all_ends_where_the_kernel_ends_the_process_outside(confined, small_course):
    """It does so when a student's processes reach the limit of the cgroup."""
    server = confined.fork_server.process.pid
    child = confined.fork_server.fork(confined.limits, "")
    assert child.event(30)["event"] == "ready"
    os.kill(child.pid, signal.SIGKILL)
    child.close()
    assert tree_of(server) == [server]


def _wait_until(holds) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


# Choosing.


@pytest.fixture
def refused(monkeypatch):
    """A machine that refuses these sandboxes."""

    def refused(*kinds):
        monkeypatch.setattr(
            choosing, "refusal_of", lambda kind: "not permitted" if kind in kinds else ""
        )

    return refused


def test_auto_takes_namespaces_and_then_bwrap(refused, monkeypatch):
    monkeypatch.setattr(choosing.shutil, "which", lambda name: f"/usr/bin/{name}")
    refused()
    assert choose("auto") == "namespaces"
    refused("namespaces")
    assert choose("auto") == "bwrap"


def test_auto_never_means_none(refused, monkeypatch):
    refused("namespaces", "bwrap")
    with pytest.raises(SandboxUnavailable, match="not permitted.*all your rights.*--sandbox none"):
        choose("auto")
    monkeypatch.setattr(choosing, "LINUX", False)
    with pytest.raises(SandboxUnavailable, match="--sandbox none"):
        choose("auto")
    assert choose("none") == "none"


@pytest.mark.parametrize("asked", ["auto", "bwrap"])
def test_where_bubblewrap_is_absent_its_installation_is_named(refused, monkeypatch, asked):
    refused("namespaces", "bwrap")
    monkeypatch.setattr(choosing.shutil, "which", lambda _: None)
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        choose(asked)


def test_an_unknown_sandbox_is_a_wrong_call():
    with pytest.raises(ValueError, match="auto, namespaces, bwrap or none"):
        choose("strong")


IMPORTS = """
import struct
from autograder.sandbox.student.confinement import linux
from autograder.sandbox.student.confinement.namespaces import unshare_as_user
from autograder.sandbox.student.confinement.seccomp import filter_system_calls
"""
# In a new user namespace, so that the setting of the machine does not change.
NONE_LEFT = """
unshare_as_user(0)
open("/proc/sys/user/max_user_namespaces", "w").write("0")
"""
NO_RIGHTS = """
libc = linux.LIBC
for capability in range(64):
    libc.prctl(linux.PR_CAPBSET_DROP, capability, 0, 0, 0)
libc.prctl(linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
libc.capset(struct.pack("=Ii", 0x20080522, 0), bytes(24))
"""
# The filters of containers refuse namespaces in the same way.
FILTER = """
linux.LIBC.prctl(linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
filter_system_calls()
"""
MACHINES = {
    "root, none left": NONE_LEFT, "a user, none left": NONE_LEFT + NO_RIGHTS,
    "root, a filter": FILTER, "a user, a filter": NO_RIGHTS + FILTER,
}  # fmt: skip


@pytest.fixture
def on_a_machine():
    """Runs a script in a process that is limited as on one of MACHINES."""
    if refusal_of("namespaces"):
        pytest.skip("this machine has no namespaces to take away")

    def run(machine: str, script: str, *arguments) -> subprocess.CompletedProcess:
        script = f"{IMPORTS}{MACHINES[machine]}\n{script}"
        return subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True
        )

    return run


CHOOSE = """
from autograder.sandbox.choose_sandbox import SandboxUnavailable, choose
for asked in ("auto", "bwrap", "namespaces"):
    try:
        print("works:", choose(asked))
    except SandboxUnavailable as error:
        print(" ".join(str(error).split()))
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_where_no_namespaces_are_left_each_sandbox_is_refused(on_a_machine, machine):
    refusals = on_a_machine(machine, CHOOSE).stdout.splitlines()
    assert len(refusals) == 3
    for refusal in refusals:
        assert "--sandbox none" in refusal and "all your rights" in refusal
        assert "user.max_user_namespaces" in refusal or "apt install bubblewrap" in refusal


def test_where_none_works_the_command_says_how_to_go_on(on_a_machine, tmp_path):
    folder = tmp_path / "in" / "amina" / "00-warm-up"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "course" / "00-warm-up" / "warm-up.ipynb", folder)
    script = "import sys\nfrom autograder.cli import main\nmain(sys.argv[1:])\n"
    out = tmp_path / "out"
    done = on_a_machine("a user, none left", script, "grade", tmp_path / "in", "--out", out)
    assert done.returncode == 2
    assert "--sandbox none" in done.stderr and "all your rights" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(out.glob("*.csv"))


@pytest.fixture
def no_system(monkeypatch):
    monkeypatch.setattr(views, "SYSTEM", ())
    monkeypatch.setattr(views, "EXCHANGES", ())


def test_what_lies_below_a_visible_folder_can_be_hidden(no_system, tmp_path):
    site, secret, seen = tmp_path / "site", tmp_path / "site/grader", tmp_path / "site/grader/venv"
    seen.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    view = plan_view([str(seen), str(site)], [str(secret), str(tmp_path / "elsewhere")])
    assert view == [("show", str(site)), ("hide", str(secret)), ("show", str(seen))]


def test_a_path_below_a_visible_one_is_not_shown_twice(no_system, tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert plan_view([str(tmp_path / "a" / "b"), str(tmp_path / "a")], []) == [
        ("show", str(tmp_path / "a"))
    ]


def test_a_link_on_the_way_is_shown_as_a_link(no_system, tmp_path):
    """As where a virtual environment is a link to another one's folder."""
    (tmp_path / "real" / "lib").mkdir(parents=True)
    (tmp_path / "first").symlink_to(tmp_path / "real")
    (tmp_path / "second").symlink_to("first")
    assert plan_view([str(tmp_path / "second" / "lib")], []) == [
        ("show", str(tmp_path / "first")), ("show", str(tmp_path / "second")),
        ("show", str(tmp_path / "real" / "lib")),
    ]  # fmt: skip


CONFINED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from student.confinement import confine

pid = os.fork()
if pid:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
code = 100
try:
    confine.enter(confine.Confinement.from_json(sys.argv[2]))
{body}
finally:
    os._exit(code)
"""


def code_in_confinement(confinement: Confinement, body: str, *arguments) -> int:
    """The `code` that the body leaves in a confined process; 100 if it does not get there."""
    script = CONFINED.format(body=textwrap.indent(body.strip(), "    "))
    folder = Path(choosing.__file__).parent
    command = [sys.executable, "-S", "-B", "-c", script, folder, confinement.to_json(), *arguments]
    return subprocess.run(command).returncode


@pytest.mark.parametrize("kind", ["namespaces", "bwrap"])
def test_what_is_shown_through_a_link_can_be_read(kind, tmp_path):
    if why := refusal_of(kind):
        pytest.skip(why)
    (tmp_path / "real" / "lib").mkdir(parents=True)
    (tmp_path / "real" / "lib" / "seen").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    shown = str(tmp_path / "link" / "lib")
    confinement = Confinement(kind, plan_view([sys.base_prefix, shown], []))
    look = 'code = 0 if os.listdir(sys.argv[3]) == ["seen"] else 99'
    assert code_in_confinement(confinement, look, shown) == 0


def test_what_is_absent_is_not_shown(no_system):
    assert plan_view(["/no/such/folder"], ["/nor/this"]) == []


@pytest.mark.parametrize(
    ("column", "header"),
    [
        (0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        (1, "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_the_numbers_are_those_of_the_kernels_headers(column, header):
    if not Path(header).exists():
        pytest.skip("the kernel's headers are not installed")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$", Path(header).read_text(), re.M)
    known = {name: int(number) for name, number in defined}
    newest = max(number for name, number in known.items() if name != "syscalls")
    for name, pair in SYSTEM_CALLS.items():
        assert known.get(name) == pair[column] or (pair[column] or 0) > newest, name


@pytest.mark.skipif(not LINUX, reason="reads /proc")
def test_memory_that_is_shared_counts_where_a_process_hides_its_maps(monkeypatch):
    usual = Path.read_text

    def read_text(self, *given, **options):
        if self.name == "smaps_rollup":
            raise PermissionError
        return usual(self, *given, **options)

    monkeypatch.setattr(Path, "read_text", read_text)
    before = memory_of([os.getpid()])
    with mmap.mmap(-1, 64 << 20) as held:
        held.write(b"x" * (64 << 20))
        assert memory_of([os.getpid()]) - before > 60 << 20
