"""Everything that CI checks, two steps at a time, with the time that each step takes.

A step that fails does not keep the others from running, nor does one that never ends; the exit
code is 0 only if all passed. The tests come last, beside the end of the longest step. If nothing
failed, the last line is pytest's own.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]
SCRIPTS = Path(sys.executable).parent
# The longest come first: beside them the others run, and no core is idle at the end.
STEPS = {
    "prove": [*PYTHON, "autograder", "prove"],
    "build --check": [*PYTHON, "autograder", "build", "--check"],
    "types": [*PYTHON, "mypy"],
    "imports": [SCRIPTS / "lint-imports", "--no-cache"],
    "dependencies": [*PYTHON, "deptry", "--no-ansi", "."],
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
}
# Seconds, far more than each takes: what reaches it hangs, and is to be named.
MOST_OF_A_STEP = 30 * 60
MOST_OF_A_TEST = 10 * 60
MOST_OF_ALL_TESTS = 45 * 60
TESTS = [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "loadgroup"]
TESTS += ["--timeout", str(MOST_OF_A_TEST)]


def main() -> int:
    with ThreadPoolExecutor(2) as pool:
        steps = {name: pool.submit(step, name) for name in STEPS}
        running = set(steps.values())
        while len(running) > 1:  # the longest one alone would leave a core idle
            running = wait(running, return_when=FIRST_COMPLETED).not_done
        print("== tests", flush=True)
        outcome = run([*TESTS, *sys.argv[1:]], MOST_OF_ALL_TESTS)
    if outcome == NEVER_ENDED:  # pytest itself could not say so
        print(f"== tests: {outcome} in {MOST_OF_ALL_TESTS} s", flush=True)
    failed = {name: said for name, ending in steps.items() if (said := ending.result())}
    if failed:  # what they said comes once more, where the reader of a long log looks first
        print(*(said[-4000:] for said in failed.values()), sep="", flush=True)
        print(f"== failed before the tests or beside them: {', '.join(failed)}", flush=True)
    return 0 if outcome == PASSED and not failed else 1


PASSED, NEVER_ENDED = "passed", "FAILED, for it did not end"


def step(name: str) -> str:
    """Take one step, and print in one piece what it said: given back, if the step failed."""
    print(f"== {name} ...", flush=True)
    start = time.perf_counter()
    # A file and not a pipe, which what a step has started may keep open after it was stopped.
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        outcome = run(STEPS[name], MOST_OF_A_STEP, output)
        output.seek(0)
        said = f"{output.read()}== {name}: {outcome} in {time.perf_counter() - start:.1f} s\n"
    print(f"\n{said}", flush=True)
    return "" if outcome == PASSED else said


def run(command: list[str], seconds: float, output: IO[str] | None = None) -> str:
    """How a command ended, in words."""
    # Two workers on two cores: threads inside each would only get into each other's way.
    env = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    to = {"stdout": output, "stderr": subprocess.STDOUT} if output else {}
    try:
        code = subprocess.run(command, cwd=ROOT, env=env, timeout=seconds, **to).returncode
    except subprocess.TimeoutExpired:
        return NEVER_ENDED
    return PASSED if code == 0 else f"FAILED with exit code {code}"


if __name__ == "__main__":
    sys.exit(main())
