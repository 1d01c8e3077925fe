"""What a build records beside explanations is compared with the reference as it is."""

import gzip
import json

import pytest

from autograder.authoring.explanations.record import is_sound
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


@pytest.mark.parametrize("change", [other_value, other_mark, lambda tree: None])
def test_a_value_or_a_mark_of_another_reference_is_not_sound(change):
    tree = read_explanations(PRESENT)
    change(tree)
    content = gzip.compress(json.dumps(tree).encode())
    with Runner(sandbox="none") as runner:
        assert is_sound(LESSON, runner, content) is (change not in (other_value, other_mark))
