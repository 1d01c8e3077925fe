"""The version of a lesson: a hash of what its test results depend on besides submission and secret.

Test results and answer keys are cached under names that hold this version, so a class is graded
again when the course or the grader has changed. Judging again takes a fraction of a second a
submission, so the version covers all code that may take part, and no list of it has to be kept:
only what comes after a test result is left out, and what writes the course.

It does not cover the time limit, which is saved with the result.
"""

import gettext
import hashlib
import json
import platform
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from autograder.lesson.components import SOLUTIONS
from autograder.lesson.lesson import EQUIVALENT, ROOT, Lesson

_WORKBOOK = ROOT / "course" / "transformer_workbook"
# Folders of autograder/ that make no test result; of lessons/, a version covers its own lesson.
_WITHOUT_TEST_RESULTS = {"authoring", "commands", "demo", "lessons", "lms", "nbgrader", "reports"}


def version_of(lesson: Lesson) -> str:
    """A hash of all that a test result of `lesson` depends on; see above."""
    kept = {name: points for name, points in lesson.new_points.items() if name in lesson.components}
    return hash_of(files_of(lesson), version_of_code(), lesson.id, lesson.stand_ins, repr(kept))


def files_of(lesson: Lesson) -> list[Path]:
    """The lesson's own files: its source, and what is recorded of it and of those before it."""
    source = [path for path in lesson.folder.iterdir() if path.is_file()]
    lessons = _WORKBOOK / "lessons"
    return [
        *(path for path in source if path.name != EQUIVALENT),
        *(lessons / earlier.module / "recorded.json" for earlier in lesson.earlier),
        *(lessons / lesson.module).glob("recorded.*"),
        lessons / "index.json",
    ]


def code() -> list[Path]:
    """All code that may take part in a test result, whatever the lesson."""
    autograder = ROOT / "autograder"
    return [
        *(
            path
            for path in [*autograder.rglob("*.py"), *autograder.glob("sandbox/**/*.json")]
            if path.relative_to(autograder).parts[0] not in _WITHOUT_TEST_RESULTS
        ),
        *_WORKBOOK.rglob("*.py"),
        *_WORKBOOK.glob("shared/*.json"),
        *SOLUTIONS.rglob("*.py"),
    ]


@cache
def version_of_code() -> str:
    """A hash of all code that may take part in a test result."""
    return hash_of(code())


@cache
def surroundings() -> dict[str, str]:
    """The versions of libraries, Python and translations, which can change test results too."""
    # On a CPU, torch's builds for CPUs and for GPUs compute the same.
    versions = {name: metadata.version(name).partition("+")[0] for name in ("torch", "ipython")}
    versions["python"] = ".".join(platform.python_version_tuple()[:2])
    packages = (ROOT / "autograder", _WORKBOOK)
    catalogues = [gettext.find(folder.name, folder / "locale", all=True) for folder in packages]
    versions["messages"] = hash_of(Path(path) for paths in catalogues for path in paths)
    return versions


def hash_of(files: Iterable[Path], *values: object) -> str:
    """A short hash of the files, with their names, and of plain values."""
    digest = hashlib.sha256(json.dumps(values).encode())
    for path in sorted(set(files)):
        name = f"{path.parent.name}/{path.name}"
        digest.update(b"\0".join([b"", name.encode(), path.read_bytes()]))
    return digest.hexdigest()[:16]
