"""Everything that CI checks, step by step, with the time that each step takes.

A step that fails does not keep the later ones from running; the exit code is 0 only if all passed.
The tests come last, so that the last line is pytest's own.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]

STEPS = {
    "lint": [*PYTHON, "ruff", "check", "--quiet", "."],
    "format": [*PYTHON, "ruff", "format", "--check", "--quiet", "."],
    "build --check": [*PYTHON, "autograder", "build", "--check"],
    "prove": [*PYTHON, "autograder", "prove"],
}
TESTS = [*PYTHON, "pytest", "-q", "-n", "2", "--dist", "loadgroup"]


def main() -> int:
    # Two workers on two cores: threads inside each would only get into each other's way.
    env = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

    failed = []
    for name, command in STEPS.items():
        print(f"== {name}", flush=True)
        start = time.perf_counter()
        code = subprocess.run(command, cwd=ROOT, env=env).returncode
        outcome = "passed" if code == 0 else f"FAILED with exit code {code}"
        print(f"== {name}: {outcome} in {time.perf_counter() - start:.1f} s\n", flush=True)
        if code != 0:
            failed.append(name)

    if failed:
        print(f"== failed so far: {', '.join(failed)}", flush=True)
    print("== tests", flush=True)
    tests = subprocess.run([*TESTS, *sys.argv[1:]], cwd=ROOT, env=env).returncode
    return 1 if failed or tests != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
