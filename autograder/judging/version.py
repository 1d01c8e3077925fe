"""What a verdict rests on besides a submission and a secret: what keeps a kept grade true.

Verdicts are remembered, and so is what answers are compared with. Both are found again under a
name that holds the version of the lesson. So the version covers each file of this repository that
can change a verdict: what draws the inputs, runs a submission, probes it, judges what comes back
and words it. It covers no other, for then a class would be graded again for nothing. A test runs
submissions of every lesson, sees what they touch, and holds the lists below to it.

Not here: what makes a submission into the cells that run (they are part of a result's name), and
the time limit (it is remembered with the result).
"""

import ast
import hashlib
import json
import platform
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from autograder.lesson.lesson import EQUIVALENT, ROOT, Lesson

_WORKBOOK = ROOT / "course" / "transformer_workbook"
_CODE = {  # whatever the lesson
    ROOT / "autograder" / "lesson": (
        "blanks.py", "cases.py", "components.py", "lesson.py", "narrative.py",
    ),
    ROOT / "autograder" / "sandbox": (
        "cgroup.py", "channel.py", "choose.py", "fork_server.py", "progress.py", "runner.py",
        "view.py", "work.py",
        *(f"student/{name}.py" for name in (
            "bubblewrap", "confine", "frames", "huge_pages", "imports", "linux", "namespaces",
            "privileges", "processes", "root", "seccomp", "server", "start", "submission",
        )),
    ),
    ROOT / "autograder" / "judging": ("answer_key.py", "judge.py"),
    ROOT / "autograder" / "grading": ("escape.py", "grader.py"),
    _WORKBOOK: (
        "shared/__init__.py", "shared/evidence.py", "shared/explain.py", "shared/fence.py",
        "shared/obligations.py",
        "shared/packing.py", "shared/probing.py", "shared/texts.py", "shared/texts.toml",
        "shared/verdicts.py", "probes/__init__.py", "standins/__init__.py",
    ),
}  # fmt: skip
# Where a lesson forbids torch's own version: remarks on the ways past that are remembered, too.
_REMARKS = [ROOT / "autograder" / "grading" / name for name in ("cell_code.py", "roundabout.py")]
# Where imports are looked for.
_PLACES = (ROOT, ROOT / "course", ROOT / "solutions")


def version_of(lesson: Lesson) -> str:
    """A hash of all that a verdict of `lesson` rests on; see above."""
    code = [folder / name for folder, names in _CODE.items() for name in names]
    if any(component.forbidden for component in lesson.components.values()):
        code += _REMARKS
    own = [path for path in lesson.folder.iterdir() if path.is_file() and path.name != EQUIVALENT]
    ran = [_WORKBOOK / "probes" / f"{lesson.module}.py"]
    ran += [_WORKBOOK / "standins" / f"{one.module}.py" for one in (*lesson.earlier, lesson)]
    imported = with_imports([lesson.folder / "hidden.py", *ran])
    return hash_of([*code, *own, *lesson.reference_files, *imported], lesson.id, lesson.stand_ins)


@cache
def surroundings() -> dict[str, str]:
    """The versions of what is not in this repository, and changes verdicts all the same."""
    # Torch's builds for a processor and for a GPU calculate alike on a processor.
    found = {name: metadata.version(name).partition("+")[0] for name in ("torch", "ipython")}
    return found | {"python": ".".join(platform.python_version_tuple()[:2])}


def hash_of(files: Iterable[Path], *values: object) -> str:
    """A short hash of the files, with their names, and of plain values."""
    digest = hashlib.sha256(json.dumps(values).encode())
    for path in sorted(set(files)):
        name = f"{path.parent.name}/{path.name}"
        digest.update(b"\0".join([b"", name.encode(), path.read_bytes()]))
    return digest.hexdigest()[:16]


def with_imports(files: Iterable[Path]) -> set[Path]:
    """The files that are there, with all of this repository that they import, however deeply."""
    found, waiting = set(), list(files)
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        if path.suffix == ".py":
            for level, name in _imports_in(path.read_text(encoding="utf-8")):
                places = (path.parents[level - 1],) if level else _PLACES
                module = name.replace(".", "/")
                waiting += [place / f"{module}.py" for place in places if module]
                waiting += [place / module / "__init__.py" for place in places]
    return found


@cache
def _imports_in(source: str) -> frozenset[tuple[int, str]]:
    """The modules, and what may be modules, that a source imports, with the dots before them."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found.add((node.level, module))
            found |= {(node.level, f"{module}.{one.name}".lstrip(".")) for one in node.names}
    return frozenset(found)
