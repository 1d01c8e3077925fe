"""The summary and the report say how students' code was confined."""

import html

import pytest

from autograder.grading.run import confinement_note
from autograder.grading.run.confinement_note import MEMORY_LIMITS, SANDBOXES


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("memory", MEMORY_LIMITS)
def test_what_was_noted_is_said(tmp_path, sandbox, memory):
    confinement_note.write(tmp_path, [{"sandbox": sandbox, "memory": memory}])
    said = confinement_note.sentence(tmp_path)
    assert SANDBOXES[sandbox] in said
    assert MEMORY_LIMITS[memory] in said


def test_every_sandbox_and_memory_limit_has_its_words(runner):
    way = confinement_note.confinement_of(runner)
    assert way["sandbox"] in SANDBOXES
    assert way["memory"] in MEMORY_LIMITS


def test_where_machines_differ_each_way_is_said(tmp_path):
    ways = [{"sandbox": kind, "memory": "group2"} for kind in ("namespaces", "bwrap")]
    confinement_note.write(tmp_path, ways)
    said = confinement_note.sentence(tmp_path)
    assert "“namespaces”" in said and "“bwrap”" in said


def test_where_nothing_has_run_nothing_is_said(tmp_path):
    assert confinement_note.sentence(tmp_path) == ""
    for damaged in ("{", '{"format": 2, "ways": [3]}', '{"format": 2, "ways": 3}'):
        (tmp_path / "confinement.json").write_text(damaged)
        assert confinement_note.sentence(tmp_path) == ""


@pytest.mark.xdist_group("graded class")
def test_the_report_says_how_it_was(graded_class):
    said = confinement_note.sentence(graded_class.out / "work")
    assert "without a sandbox" in said
    assert said in html.unescape((graded_class.out / "report.html").read_text())
