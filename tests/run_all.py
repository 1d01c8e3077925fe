"""Everything that CI checks, step by step, with the time that each step takes.

A step that fails does not keep the later ones from running, nor does one that never ends; the exit
code is 0 only if all passed. The tests come last, so that the last line is pytest's own.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from other_processors import OTHER_PROCESSORS

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]
SCRIPTS = Path(sys.executable).parent
STEPS = {
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
    "imports": [SCRIPTS / "lint-imports", "--no-cache"],
    "types": [*PYTHON, "mypy"],
    "dependencies": [*PYTHON, "deptry", "--no-ansi", "."],
    "build --check": [*PYTHON, "autograder", "build", "--check"],
    "prove": [*PYTHON, "autograder", "prove"],
}
# What is derived was derived on some processor; here it has to mean the same on an unlike one.
ENVIRONMENTS = {"build --check": OTHER_PROCESSORS["no-vectors"]}
# Seconds, far more than each takes: what reaches it hangs, and is to be named.
MOST_OF_A_STEP = 20 * 60
MOST_OF_A_TEST = 10 * 60
MOST_OF_ALL_TESTS = 45 * 60
TESTS = [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "loadgroup"]
TESTS += ["--timeout", str(MOST_OF_A_TEST)]


def main() -> int:
    failed = []
    for name, command in STEPS.items():
        print(f"== {name}", flush=True)
        start = time.perf_counter()
        outcome = run(command, MOST_OF_A_STEP, ENVIRONMENTS.get(name, {}))
        print(f"== {name}: {outcome} in {time.perf_counter() - start:.1f} s\n", flush=True)
        if outcome != PASSED:
            failed.append(name)

    if failed:
        print(f"== failed so far: {', '.join(failed)}", flush=True)
    print("== tests", flush=True)
    outcome = run([*TESTS, *sys.argv[1:]], MOST_OF_ALL_TESTS)
    if outcome == NEVER_ENDED:  # pytest itself could not say so
        print(f"== tests: {outcome} in {MOST_OF_ALL_TESTS} s", flush=True)
    return 0 if outcome == PASSED and not failed else 1


PASSED, NEVER_ENDED = "passed", "FAILED, for it did not end"


def run(command: list[str], seconds: float, more: dict[str, str] | None = None) -> str:
    """How a command ended, in words."""
    # Two workers on two cores: threads inside each would only get into each other's way.
    env = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"} | (more or {})
    try:
        code = subprocess.run(command, cwd=ROOT, env=env, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return NEVER_ENDED
    return PASSED if code == 0 else f"FAILED with exit code {code}"


if __name__ == "__main__":
    sys.exit(main())
