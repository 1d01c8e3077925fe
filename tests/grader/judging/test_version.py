"""A file whose change could change a verdict gives a lesson another version, and no other does."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading.run.grader import Grader
from autograder.judging.answer_key import load_answer_key, save_answer_key
from autograder.judging.version import surroundings, version_of
from autograder.lesson.course import read_course

ROOT = Path(__file__).resolve().parents[3]
CONTENT = hashlib.sha256(b"evidence").digest() + b"evidence"

# Run in a copy of the repository: the lessons that are graded again when a file has changed. What
# is not even opened to find out whether it changed needs no trial.
REGRADED = r"""
import json, sys
from pathlib import Path
from autograder.lesson.course import read_course
from autograder.grading.handed_in_translator import Files, TranslatorGrader
from autograder.grading.run.grader import Grader

def keys(lesson):
    # What results are found under.
    yield Grader(lesson, "a secret", None).key([])
    if lesson.hand_in:
        grader = TranslatorGrader(lesson)
        grader._pairs = [("Hund", "dog")], ""
        yield grader.key(Files({}, {"weights": "0"}))

def changed(content):
    # The last byte, so that an end of a line becomes a space, and TOML stays TOML.
    last = b" " if content.endswith(b"\n") else bytes([content[-1] ^ 1]) if content else b"\n"
    return content[:-1] + last

opened = set()
sys.addaudithook(lambda event, of: opened.add(str(of[0])) if event == "open" else None)
regraded = {}
for lesson in read_course().lessons:
    assert Path.cwd() in lesson.folder.parents
    opened.clear()
    usual = list(keys(lesson))
    there = {path for path in map(Path, opened) if Path.cwd() in path.parents}
    regraded[lesson.id] = []
    for path in sorted(there):
        content = path.read_bytes()
        path.write_bytes(changed(content))
        if list(keys(lesson)) != usual:
            regraded[lesson.id].append(path.relative_to(Path.cwd()).as_posix())
        path.write_bytes(content)
print(json.dumps(regraded))
"""


def run(arguments: list, folder: Path) -> dict[str, set[str]]:
    """What Python tells, started in this folder with the packages that lie there."""
    places = os.pathsep.join(str(folder / name) for name in (".", "course", "solutions"))
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": places, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return {key: set(found) for key, found in json.loads(ran.stdout.splitlines()[-1]).items()}


@pytest.fixture(scope="module")
def could_change() -> dict[str, set[str]]:
    """What takes part in the verdicts of each lesson, as seen from outside."""
    return run([ROOT / "tests/grader/judging/files_touched.py"], ROOT)


@pytest.fixture(scope="module")
def regraded(tmp_path_factory) -> dict[str, set[str]]:
    """The files by a change of which each lesson is graded again, of all in the repository."""
    copy = tmp_path_factory.mktemp("copy").resolve()
    left_out = shutil.ignore_patterns(".*", "__pycache__", "*.ipynb")
    for folder in ("autograder", "course", "solutions"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=left_out)
    return run(["-c", REGRADED], copy)


def test_what_could_change_a_verdict_has_it_graded_again(could_change, regraded):
    missed = {lesson: could_change[lesson] - regraded[lesson] for lesson in regraded}
    assert not any(missed.values()), missed


def test_nothing_else_has_a_class_graded_again(could_change, regraded):
    in_vain = {lesson: regraded[lesson] - could_change[lesson] for lesson in regraded}
    assert not any(in_vain.values()), in_vain


@pytest.fixture
def lesson():
    return read_course().lesson("02-multi-head-attention")


def test_an_earlier_component_of_another_name_is_another_version(lesson):
    usual = version_of(lesson)
    *others, last = lesson.earlier
    renamed = last.data | {"component": [{"name": "attend"}]}
    assert version_of(replace(lesson, earlier=(*others, replace(last, data=renamed)))) != usual
    reworded = last.data | {"component": [one | {"wrong": []} for one in last.data["component"]]}
    assert version_of(replace(lesson, earlier=(*others, replace(last, data=reworded)))) == usual


@pytest.mark.parametrize("library", ["torch", "ipython", "python", "messages"])
def test_another_library_has_all_graded_again(lesson, library, monkeypatch, tmp_path):
    before = Grader(lesson, "a secret", None).key([])
    save_answer_key(tmp_path, lesson, "a secret", CONTENT)
    around = surroundings()
    assert around[library]
    for module in ("autograder.grading.run.grader", "autograder.judging.answer_key"):
        monkeypatch.setattr(f"{module}.surroundings", lambda: around | {library: "another"})
    assert Grader(lesson, "a secret", None).key([]) != before
    assert load_answer_key(tmp_path, lesson, "a secret") is None


def test_what_is_compared_with_is_kept_for_one_version_and_one_secret(lesson, tmp_path):
    save_answer_key(tmp_path, lesson, "a secret", CONTENT)
    assert load_answer_key(tmp_path, lesson, "a secret") == CONTENT
    assert load_answer_key(tmp_path, lesson, "another") is None
    assert load_answer_key(tmp_path, replace(lesson, earlier=()), "a secret") is None
