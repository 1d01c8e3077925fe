"""A change of what takes part in test results gives a lesson another version; others do not."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading.run.grader import CellGrader
from autograder.judging.answer_key import read_answer_key, save_answer_key
from autograder.judging.version import code, files_of, hash_of, surroundings, version_of
from autograder.lesson.course import read_course

ROOT = Path(__file__).resolve().parents[3]
CONTENT = hashlib.sha256(b"evidence").digest() + b"evidence"


@pytest.mark.parametrize(
    "path",
    [
        "autograder/language.py",
        "autograder/grading/run/grader.py",
        "autograder/judging/diagnostician.py",
        "autograder/results/safe_names.py",
        "autograder/sandbox/student/submission_run.py",
        "autograder/lesson/cell_code.py",
        "autograder/lessons/02-multi-head-attention/blanks.toml",
        "autograder/lessons/02-multi-head-attention/hidden.py",
        "course/transformer_workbook/lessons/multi_head_attention/probes.py",
        "course/transformer_workbook/lessons/attention/recorded.json",
        "course/transformer_workbook/lessons/multi_head_attention/recorded.safetensors.gz",
        "course/transformer_workbook/lessons/index.json",
        "course/transformer_workbook/diagnosis/compare.py",
        "course/transformer_workbook/lessons/attention/standins.py",
        "solutions/transformer/multi_head_attention.py",
    ],
)
def test_what_takes_part_in_a_test_result_is_covered(lesson, path):
    assert ROOT / path in {*code(), *files_of(lesson)}


@pytest.mark.parametrize(
    "path",
    [
        "autograder/authoring/build.py",
        "autograder/demo/made_up_class.py",
        "autograder/lessons/02-multi-head-attention/equivalent.toml",
        "autograder/lessons/03-add-and-norm/hidden.py",
        "autograder/lms/export_canvas.py",
        "autograder/nbgrader/recorder.py",
        "autograder/reports/report.py",
        "course/transformer_workbook/lessons/add_and_norm/recorded.json",
    ],
)
def test_what_makes_no_test_result_has_no_class_graded_again(lesson, path):
    assert (ROOT / path).is_file()
    assert ROOT / path not in {*code(), *files_of(lesson)}


def test_a_file_that_is_changed_or_moved_is_another_version(tmp_path):
    def version(name: str, content: str) -> str:
        (tmp_path / name).write_text(content)
        return hash_of([tmp_path / name])

    assert version("a.py", "1") == version("a.py", "1")
    assert len({version("a.py", "1"), version("a.py", "2"), version("b.py", "1")}) == 3


def test_results_are_found_under_the_hash_of_the_code(lesson, monkeypatch):
    translation = read_course().lesson("11-translation")
    translators = translation.hand_in.grader(translation)
    translators._pairs = [("Hund", "dog")], ""
    before = version_of(lesson), CellGrader(lesson, "a secret", None).key([]), translators._version
    monkeypatch.setattr("autograder.judging.version.version_of_code", lambda: "another")
    monkeypatch.setitem(type(translators).run.__globals__, "version_of_code", lambda: "another")
    del translators._version
    after = version_of(lesson), CellGrader(lesson, "a secret", None).key([]), translators._version
    assert all(one != other for one, other in zip(before, after, strict=True))


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
    before = CellGrader(lesson, "a secret", None).key([])
    save_answer_key(tmp_path, lesson, "a secret", CONTENT)
    around = surroundings()
    assert around[library]
    for module in ("autograder.grading.run.grader", "autograder.judging.answer_key"):
        monkeypatch.setattr(f"{module}.surroundings", lambda: around | {library: "another"})
    assert CellGrader(lesson, "a secret", None).key([]) != before
    assert read_answer_key(tmp_path, lesson, "a secret") is None


def test_what_is_compared_with_is_kept_for_one_version_and_one_secret(lesson, tmp_path):
    save_answer_key(tmp_path, lesson, "a secret", CONTENT)
    assert read_answer_key(tmp_path, lesson, "a secret") == CONTENT
    assert read_answer_key(tmp_path, lesson, "another") is None
    assert read_answer_key(tmp_path, replace(lesson, earlier=()), "a secret") is None
