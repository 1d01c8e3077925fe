"""What a build records beside explanations is compared with the reference as it is."""

import gzip
import json

import pytest

from autograder.authoring.explanations.record import is_sound, record
from autograder.lesson.course import read_course
from autograder.sandbox.runner import Runner
from transformer_workbook.verdicts.lesson_index import RECORDED, read_explanations

LESSON = read_course().lesson("04-feed-forward")
PRESENT = (RECORDED / f"{LESSON.id}.explanations.json.gz").read_bytes()


def other_value(tree):
    of_case = next(iter(tree["values"]["PositionwiseFeedForward"].values()))
    of_case[next(iter(of_case))] = [[2.5]]


def other_mark(tree):
    tree["right"]["PositionwiseFeedForward"]["kept"] = ["00000000"]


def other_statement(tree):
    tree["statements"]["PositionwiseFeedForward"].pop()


def other_unused(tree):
    tree["unused"]["PositionwiseFeedForward"] = ["forward x"]


OTHER = [other_value, other_mark, other_statement, other_unused]


@pytest.mark.parametrize("change", [*OTHER, lambda tree: None])
def test_what_is_recorded_of_another_reference_is_not_sound(change):
    tree = read_explanations(PRESENT)
    change(tree)
    content = gzip.compress(json.dumps(tree).encode())
    with Runner(sandbox="none") as runner:
        assert is_sound(LESSON, runner, content) is (change not in OTHER)


def test_only_the_components_that_changed_are_explained_anew(monkeypatch):
    tree = read_explanations(PRESENT)
    hunt, other = tree["of"]
    tree["of"][hunt] = "another version"
    asked = []
    for name in ("explanations", "ways"):
        monkeypatch.setattr(
            f"autograder.authoring.explanations.record.{name}",
            lambda lesson, component, *_rest: asked.append(component.name) or {},
        )
    content = gzip.compress(json.dumps(tree).encode())
    found = read_explanations(record(LESSON, None, content))
    assert asked == [hunt, hunt]
    assert found["components"][other] == tree["components"][other]
    assert found["values"][hunt] == {} and found["of"] == read_explanations(PRESENT)["of"]
