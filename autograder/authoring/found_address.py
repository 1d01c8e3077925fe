"""Where the course lies when course.toml does not say: what git, or a workflow on GitHub, knows."""

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

from autograder.lesson.course import Course

ON_GITHUB = re.compile(
    r"(?:https://(?:[^@/]+@)?|(?:ssh://)?git@)github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?"
)


def with_found_address(course: Course, folder: Path) -> Course:
    """The course, at the address of the folder's remote `origin` or of the workflow's repository.

    What course.toml says goes first; without an address on GitHub the course stays unnamed. Derived
    files that git tracks never ask: they would depend on which remote a clone has.
    """
    if course.repository:
        return course
    command = ["git", "-C", str(folder), "remote", "get-url", "origin"]
    try:
        origin = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        origin = ""
    found = ON_GITHUB.fullmatch(origin)
    name = found[1] if found else os.environ.get("GITHUB_REPOSITORY", "")
    return replace(course, repository=f"https://github.com/{name}" if name else "")
