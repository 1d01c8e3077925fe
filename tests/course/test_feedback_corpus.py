"""Wrong answers that were written without sight of the lists are told more than numbers.

`docs/feedback.md` says how the corpus came about, and how often the true cause is told.
"""

import sys
from collections import Counter

import pytest

from autograder.lesson.course import read_course
from benchmarks.feedback import CORPUS, answers, causes

CORPORA = sorted(CORPUS.iterdir())
FILES = sorted(CORPUS.rglob("*.py"))
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="changes are tried on Linux alone")
ONE_OF_EACH_KIND = ("LayerNorm", "causal_mask", "shift_right", "03_bug_hunt_1")


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_there_are_answers_to_every_component_of_a_lesson(corpus):
    """A corpus has the lessons that were there when it was written, at least 00 to 12."""
    present = {path.stem for path in corpus.iterdir()}
    of_lessons = [
        {
            f"{lesson.id[:2]}_{name}" if component.is_bug_hunt else name
            for name, component in lesson.components.items()
        }
        for lesson in read_course().lessons
    ]
    written = [names for names in of_lessons if names & present]
    assert present == set().union(*written) and len(written) >= 13


def test_each_has_a_cause_and_a_name_of_its_own():
    count = 0
    for path in FILES:
        found = answers(path)
        assert len({answer.name for answer in found}) == len(found)
        assert all(answer.kind == "wrong" and answer.cause for answer in found), path
        count += len(found)
    assert count >= 600


def shares(monkeypatch, folder) -> Counter:
    monkeypatch.setenv("CORPUS", str(folder))
    table = causes(lambda now: None)
    (total,) = (row for row in table.rows if row[0] == "all")
    of = int(total[1])
    counts = zip(table.columns[2:], total[2:], strict=True)
    return Counter({name: int(count) / of for name, count in counts})


@on_linux
def test_some_of_them_are_told_more_than_numbers(monkeypatch, tmp_path):
    for name in ONE_OF_EACH_KIND:
        (tmp_path / f"{name}.py").write_bytes((CORPUS / "first" / f"{name}.py").read_bytes())
    share = shares(monkeypatch, tmp_path)
    assert share["named"] >= 0.45
    assert share["named"] + share["both"] + share["change"] + share["repaired"] >= 0.8
    assert share["numbers"] <= 0.2 and share["passed"] <= 0.05


@on_linux
@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_all_of_them_are_told_more_than_numbers(monkeypatch):
    share = shares(monkeypatch, CORPUS)
    assert share["named"] + share["both"] + share["change"] >= 0.6
    assert share["numbers"] <= 0.15 and share["passed"] <= 0.03
