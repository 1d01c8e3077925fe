"""The version of a lesson: a hash of what its verdicts depend on besides submission and secret.

Verdicts and answer keys are cached under names that hold this version. So it covers each file of
this repository that can change a verdict: those that draw the inputs, run a submission, probe it,
judge its evidence and write the message. It covers no other file: a change there must not regrade a
class. A test runs submissions of every lesson, records which files they touch, and compares
the lists below with them.

It does not cover the code that turns a submission into cells (the cells are part of a result's
name), nor the time limit (it is saved with the result).
"""

import ast
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
from transformer_workbook.shared.syntax import parse

_WORKBOOK = ROOT / "course" / "transformer_workbook"
_CODE = {  # whatever the lesson
    ROOT / "autograder": (
        "__init__.py", "language.py", "results/names.py", "grading/run/grader.py",
    ),
    ROOT / "autograder" / "lesson": (
        "blanks.py", "cases.py", "components.py", "lesson.py", "narrative.py", "points.py",
    ),
    ROOT / "autograder" / "sandbox": (
        "__init__.py", "analysis.py", "bounded.py", "cgroup.py", "channel.py", "choose_sandbox.py",
        "fork_server.py", "progress.py", "runner.py", "server_process.py", "excerpt.py",
        "view.py", "work.py",
        *(f"student/{name}.py" for name in (
            "frames", "huge_pages", "imports", "server", "start", "submission",
        )),
        *(f"student/confinement/{name}.py" for name in (
            "__init__", "bubblewrap", "confine", "linux", "namespaces", "privileges", "processes",
            "root", "seccomp",
        )),
    ),
    ROOT / "autograder" / "judging": (
        "__init__.py", "answer_key.py", "diagnosis.py", "diagnostician.py", "explaining.py",
        "judge.py",
    ),
    _WORKBOOK: (
        *(f"shared/{name}.py" for name in (
            "__init__", "evidence", "failing_line", "fence", "language", "obligations", "packing",
            "probing", "syntax", "words",
        )),
        *(f"diagnosis/{name}.py" for name in (
            "__init__", "crashes", "compare", "explain", "grids",
            "lesson_index", "match", "meaning", "signatures",
            "sketches", "statement_hashes", "unused",
        )),
        *(f"checks/{name}.py" for name in ("__init__", "cause")),
        *(f"edits/{name}.py" for name in (
            "__init__", "candidates", "edit", "inline", "scopes", "source", "torch_facts",
            "rules/__init__", "rules/additions", "rules/expressions", "rules/statements",
            "rules/substitutions",
        )),
        *(f"traces/{name}.py" for name in (
            "__init__", "divergence", "recorded", "trace", "values", "words",
        )),
        *(f"repair/{name}.py" for name in (
            "__init__", "choice", "found", "line", "overfitting", "search", "search_probe",
            "time_limit", "words", "workbench",
        )),
        "__init__.py", "probes/__init__.py", "standins/__init__.py",
    ),
}  # fmt: skip
# These find remarks, which are cached with verdicts.
_REMARKS = [
    ROOT / "autograder" / name
    for name in (
        "grading/__init__.py",
        "grading/bypasses.py",
        "grading/bypass_remarks.py",
        "submissions/__init__.py",
        "submissions/cell_code.py",
    )
]
# The modules of the reference that translate with a submitted model.
TRANSLATING = [SOLUTIONS / f"{name}.py" for name in (
    "add_and_norm", "attention", "cached_attention", "cached_decoding", "embeddings",
    "feed_forward", "layers", "masks", "model", "multi_head_attention", "tensor_moves",
)]  # fmt: skip
_TRANSLATORS = [
    *TRANSLATING,
    *(ROOT / "autograder" / name for name in (
        "grading/handed_in_translator.py", "lesson/hand_in.py",
    )),
    *(_WORKBOOK / name for name in (
        "shared/download.py", "shared/files.py", "training/__init__.py", "training/number_words.py",
        *(f"translation/{name}" for name in (
            "__init__.py", "batches.py", "corpus.py", "hand_in.py", "handed_in.py", "hardware.py",
            "subwords.py", "translator.py",
        )),
    )),
]  # fmt: skip
_PLACES = (ROOT, ROOT / "course", ROOT / "solutions")  # where imports are searched


def version_of(lesson: Lesson) -> str:
    """A hash of all that a verdict of `lesson` depends on; see above."""
    code = [*_code(), *_REMARKS]
    lesson_files = [
        path for path in lesson.folder.iterdir() if path.is_file() and path.name != EQUIVALENT
    ]
    lesson_files += recorded_files(lesson)
    ran = [lesson.probes]
    with_stand_ins = list(lesson.earlier)
    if any(map(lesson.stand_ins_for, lesson.components)):
        with_stand_ins.append(lesson)
    ran += [_WORKBOOK / "standins" / f"{its_lesson.module}.py" for its_lesson in with_stand_ins]
    imported = with_imports([lesson.folder / "hidden.py", *ran])
    files = [*code, *lesson_files, *lesson.reference_files, *imported]
    weights = {name: it for name, it in lesson.new_points.items() if name in lesson.components}
    return hash_of(files, lesson.id, lesson.stand_ins, repr(weights))


def recorded_files(lesson: Lesson) -> list[Path]:
    """The recorded files that explain failures without a misconception."""
    folder = _WORKBOOK / "recorded"
    texts = [folder / f"{earlier.id}.json" for earlier in lesson.earlier]
    return [folder / "index.json", *texts, *sorted(folder.glob(f"{lesson.id}.*"))]


def version_of_translators() -> str:
    """A hash of all that a verdict on any translator depends on, but its lesson's hand_in.toml."""
    return hash_of([*_code(), *_TRANSLATORS])


def _code() -> list[Path]:
    return [folder / name for folder, names in _CODE.items() for name in names]


@cache
def surroundings() -> dict[str, str]:
    """The versions of libraries, Python and translations, which can change verdicts too."""
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


def with_imports(files: Iterable[Path]) -> set[Path]:
    """Those of `files` that exist, with all files of this repository that they import."""
    reached, waiting = set(), list(files)
    while waiting:
        path = waiting.pop()
        if path in reached or not path.is_file():
            continue
        reached.add(path)
        if path.suffix == ".py":
            for level, name in _imports_in(path.read_text(encoding="utf-8")):
                places = (path.parents[level - 1],) if level else _PLACES
                module = name.replace(".", "/")
                waiting += [place / f"{module}.py" for place in places if module]
                waiting += [place / module / "__init__.py" for place in places]
    return reached


@cache
def _imports_in(source: str) -> frozenset[tuple[int, str]]:
    """The imports that may be modules: the number of leading dots, and the name."""
    imports = set()
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Import):
            imports |= {(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            imports.add((node.level, module))
            imports |= {(node.level, f"{module}.{alias.name}".lstrip(".")) for alias in node.names}
    return frozenset(imports)
