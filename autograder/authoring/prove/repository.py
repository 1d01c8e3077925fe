"""What the repository asks of each lesson, as CI does: its tests that name the lesson, and ruff."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.language import _
from autograder.lesson.lesson import Lesson

TESTS = ("test_style.py", "course", "authoring", "workbook", "grader/sandbox/test_excerpt.py",
         "grader/sandbox/test_builtin_bypasses.py")  # fmt: skip


def faults_of_tests(lesson: Lesson, root: Path) -> Iterator[str]:
    """What ruff says of the lesson's files, and each test that fails; none without a `tests/`."""
    tests = [root / "tests" / name for name in TESTS]
    if not all(path.exists() for path in tests):
        return
    names = [lesson.id, f"/{lesson.module}/", *lesson.components, "every_lesson_that_refuses"]
    ruff = ["ruff", "check", "--output-format=concise", "-q", lesson.folder, lesson.probes.parent]
    asked = ["pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-k", " or ".join(names)]
    asked += map(str, tests)
    for command, marks in ((ruff, ("autograder", "course")), (asked, ("FAILED ", "ERROR "))):
        done = subprocess.run(
            [sys.executable, "-m", *map(str, command)],
            cwd=root, env={**os.environ, "CI": "1"}, capture_output=True, text=True,
        )  # fmt: skip
        said = [line for line in done.stdout.splitlines() if line.startswith(marks)]
        if done.returncode and not said:
            said = [_("{tool}: {error}").format(tool=command[0], error=done.stderr[-500:])]
        yield from said
