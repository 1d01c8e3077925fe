"""Starts `autograder grade` many times, each in a process group of its own that can be killed.

The imports, which take seconds, are done once, in a process that does nothing else; every start is
a fork of it, and from there on all is as in a start from a shell. A start can be told to kill its
own process group (SIGKILL) at its n-th step of some kind, see `_count_steps`.
"""

import contextlib
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)


@dataclass
class Ended:
    """How one start ended: its exit code (negative: the signal), what it said, all its steps."""

    code: int
    said: str
    steps: Counter


class GraderProcesses:
    """The process with the imports. Use it as a context manager.

    With `mount`, a shell command, it has mounts of its own, which that command makes.
    """

    def __init__(self, mount: str = ""):
        self._command = [sys.executable, __file__]
        if mount:
            unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
            self._command = [*unshare, f'{mount} && exec "$0" "$@"', *self._command]

    def __enter__(self) -> "GraderProcesses":
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *exception) -> None:
        self._process.stdin.close()
        self._process.wait(60)

    def start(
        self,
        arguments: list[str],
        out: Path,
        log: Path,
        at: tuple[str, int] | None = None,
        send: signal.Signals = signal.SIGKILL,
    ) -> int:
        """Start `autograder ARGUMENTS`; its process id.

        At the step `at`, a kind and how many of it, it sends itself the signal. Changes of files
        below `out` are steps.
        """
        order = {"arguments": arguments, "out": str(out), "log": str(log), "at": at, "send": send}
        return self._ask(do="start", **order)["pid"]

    def wait_until_stopped(self) -> None:
        """Wait until SIGSTOP has stopped it."""
        assert self._ask(do="stopped")["stopped"], "it ended"

    def shell(self, command: str) -> None:
        """Run a command among the mounts of this process."""
        code = self._ask(do="shell", command=command)["code"]
        assert code == 0, f"{command}: exit code {code}"

    def wait(self, log: Path) -> Ended:
        """Wait for the start to end."""
        code = self._ask(do="wait")["code"]
        with contextlib.suppress(OSError, ValueError):
            return Ended(code, log.read_text(), Counter(json.loads(_steps_of(log).read_text())))
        return Ended(code, log.read_text(), Counter())

    def run(self, arguments: list[str], out: Path, log: Path, **more) -> Ended:
        self.start(arguments, out, log, **more)
        return self.wait(log)

    def left(self) -> int:
        """How many processes the starts that ended have left behind; waits for them to end."""
        return self._ask(do="left")["count"]

    def _ask(self, **order) -> dict:
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def _steps_of(log: Path) -> Path:
    return log.with_suffix(".steps")


def _serve() -> None:
    import autograder.commands.grade  # noqa: F401 (all that takes long to import)

    # What a killed grader leaves becomes a child of this process, and can be counted.
    ctypes.CDLL(None).prctl(SUBREAPER, 1)
    pid = 0
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "start":
            pid = os.fork()
            if pid == 0:
                _become_grader(order)
            answer = {"pid": pid}
        elif order["do"] == "shell":
            answer = {"code": subprocess.run(order["command"], shell=True).returncode}
        elif order["do"] == "stopped":
            answer = {"stopped": os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])}
        elif order["do"] == "wait":
            _, status = os.waitpid(pid, 0)
            answer = {"code": os.waitstatus_to_exitcode(status)}
        else:
            answer = {"count": _wait_for_the_left()}
        print(json.dumps(answer), flush=True)


def _wait_for_the_left() -> int:
    until = time.monotonic() + 60
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return 0
        if time.monotonic() > until:
            import psutil

            return len(psutil.Process().children(recursive=True))
        time.sleep(0.02)


def _become_grader(order: dict) -> None:
    os.setsid()
    log = Path(order["log"])
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (descriptor, 1), (descriptor, 2)):
        os.dup2(source, target)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    code = 1
    try:
        steps = _count_steps(order["out"], order["at"], order["send"])
        from autograder.cli import main

        main(order["arguments"])
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        _steps_of(log).write_text(json.dumps(steps))
        os._exit(code)


# What a file below OUT is, by its path there. The first that fits gives the step its name.
KINDS = {
    "gradebook": r"work/gradebook\.part",
    "answer_keys": r"work/answer_keys/",
    "results": r"work/results/",
    "rebuilt": r"work/rebuilt/",
    "assignments": r"work/assignments/|nbgrader/(source|release)/",
    "submitted": r"nbgrader/submitted/",
    "autograded": r"nbgrader/autograded/",
    "feedback": r"feedback/",
    "remembered": r"work/submissions/",
    "tables": r"\.?(grades|summary)\.csv|\.?report\.html",
}
CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.rmtree", "os.link"}


def _count_steps(out: str, at: tuple[str, int] | None, send: int) -> Counter:
    """Count changes of files below OUT, by kind, statements of SQL, and all of them together."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    steps: Counter = Counter()

    def count(kind: str) -> None:
        for name in (kind, "all"):
            steps[name] += 1
            if at and [name, steps[name]] == list(at):
                os.killpg(0, send)

    def look(name: str, arguments: tuple) -> None:
        if name == "open" and not (isinstance(arguments[2], int) and arguments[2] & 3):
            return
        if name != "open" and name not in CHANGES:
            return
        path = next((a for a in reversed(arguments) if isinstance(a, str | os.PathLike)), "")
        path = os.fspath(path)
        if path.startswith(out):
            inside = path[len(out) :].lstrip("/")
            count(next((k for k, at in KINDS.items() if re.match(at, inside)), "other"))

    sys.addaudithook(look)
    event.listen(Engine, "before_cursor_execute", lambda *_: count("sql"))
    event.listen(Engine, "commit", lambda *_: count("sql"))
    return steps


if __name__ == "__main__":
    _serve()
