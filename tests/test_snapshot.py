"""A snapshot has what check and grader say of answers, and the same each time."""

import pytest

from autograder.errors import WrongUsage
from benchmarks import snapshot as module
from benchmarks.corpus import corpus
from benchmarks.snapshot import said_of, snapshot

ROUND = "fourteenth"
ANSWERS = corpus()[ROUND, "padding_mask"][:2]


def test_it_has_the_report_and_each_test_of_an_answer():
    text = "".join(said_of("padding_mask", {ROUND: ANSWERS}))
    for answer in ANSWERS:
        assert f"## {ROUND}/{answer.name}\n✗ padding_mask: " in text
    assert text.count("Look at this first: ") == len(ANSWERS)
    assert text.count("\npadding elsewhere: 0 of 1, failed. Tested: ") == len(ANSWERS)


def test_two_snapshots_are_alike(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "corpus", lambda: {(ROUND, "padding_mask"): ANSWERS[:1]})
    for name in ("before", "after"):
        snapshot(tmp_path / name, ["padding_mask"])
    before, after = ((tmp_path / name / "padding_mask.txt") for name in ("before", "after"))
    assert before.read_text() == after.read_text() != ""


def test_nothing_is_overwritten_and_no_component_is_made_up(tmp_path):
    with pytest.raises(WrongUsage, match="no answers to nobody"):
        snapshot(tmp_path / "new", ["nobody"])
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch()
    with pytest.raises(WrongUsage, match="is not empty"):
        snapshot(tmp_path)
