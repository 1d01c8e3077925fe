"""Of several notebooks, the one that was worked on is graded, and the student is told."""

import itertools
import json

import pytest

from autograder.results.remarks import Problem
from autograder.submissions.choose_notebook import chosen
from autograder.submissions.collect import collect


@pytest.fixture
def choose(hand, tmp_path):
    """What is chosen of these notebooks: the answers, the repair's key, and its words."""

    def choose(notebooks: dict, name: str = ""):
        for file, notebook in notebooks.items():
            hand.put(tmp_path, "anna", notebook, file)
        (found,) = collect(tmp_path, [hand.lesson]).submissions
        rebuilt, repairs = chosen(hand.lesson, lambda _tag: hand.released, found)
        answers = {cell.name: cell.source for cell in rebuilt.cells if cell.kind == "answer"}
        return answers, [one.key for one in repairs], " ".join(one.text for one in repairs)

    return choose


@pytest.fixture
def half(hand):
    """The first component right, all others as released."""
    others = hand.components[1:]
    return hand.filled({name: hand.lesson.components[name].released for name in others})


@pytest.mark.parametrize("copy", ["warm-up (1).ipynb", "warm-up-Copy1.ipynb", "Untitled.ipynb"])
def test_an_empty_one_beside_a_filled_one_is_passed_over(hand, choose, copy):
    answers, keys, said = choose({"warm-up.ipynb": hand.released, copy: hand.filled()})
    assert answers == hand.right and keys == ["several_most"]
    assert f"{copy} was graded" in said and "Not graded: warm-up.ipynb." in said


def test_a_filled_one_beside_an_empty_copy_is_graded(hand, choose):
    answers, keys, said = choose({"warm-up.ipynb": hand.filled(), "a.ipynb": hand.released})
    assert answers == hand.right and keys == ["several_most"]
    assert "Not graded: a.ipynb." in said


def test_the_one_with_more_filled_in_is_graded_in_any_order(hand, half, choose):
    for names in itertools.permutations(["warm-up.ipynb", "a.ipynb", "z.ipynb"]):
        given = dict(zip(names, [hand.released, half, hand.filled()], strict=True))
        answers, keys, said = choose(given)
        assert answers == hand.right and keys == ["several_most"]
        assert all(name in said for name in names)


def test_an_open_blank_is_less_than_a_filled_one(hand, choose):
    first = hand.components[0]
    begun = hand.filled({first: hand.lesson.components[first].released + "# to do\n"})
    answers, keys, _ = choose({"warm-up.ipynb": begun, "b.ipynb": hand.filled()})
    assert answers == hand.right and keys == ["several_most"]


def test_where_as_much_is_filled_in_the_expected_name_counts(hand, choose):
    first = hand.components[0]
    answers, keys, said = choose(
        {"warm-up.ipynb": hand.filled(), "warm-up (1).ipynb": hand.wrong(first)}
    )
    assert answers == hand.right and keys == ["several_named"]
    assert "warm-up (1).ipynb" in said


def test_nothing_is_guessed_without_the_expected_name(hand, choose):
    with pytest.raises(Problem) as raised:
        choose({"a.ipynb": hand.filled(), "b.ipynb": hand.wrong(hand.components[0])})
    assert raised.value.remark.key == "several"
    assert "a.ipynb, b.ipynb" in str(raised.value)


def test_copies_of_one_work_are_graded_once_under_any_name(hand, choose):
    answers, keys, said = choose({"a.ipynb": hand.filled(), "b.ipynb": hand.filled()})
    assert answers == hand.right and keys == ["several_alike"]
    assert "b.ipynb" in said


def test_nothing_filled_in_anywhere_is_graded_as_that(hand, choose):
    answers, keys, _ = choose({"warm-up.ipynb": hand.released, "a.ipynb": hand.released})
    released = {name: one.released for name, one in hand.lesson.components.items()}
    assert answers == released and keys == ["several_alike"]


def test_one_that_cannot_be_read_is_passed_over_and_told(hand, choose):
    answers, keys, said = choose({"warm-up.ipynb": b"{", "a.ipynb": hand.filled()})
    assert answers == hand.right and keys == ["several_most"]
    assert "warm-up.ipynb (The file is no notebook" in said


def test_of_two_that_are_alike_the_whole_one_is_graded(hand, choose):
    cut = json.dumps(hand.filled()).encode()[:-50]
    answers, keys, said = choose({"warm-up.ipynb": cut, "a.ipynb": hand.filled()})
    assert answers == hand.right and keys == ["several_most"]
    assert "a.ipynb was graded" in said


def test_where_none_can_be_read_the_expected_one_says_why(choose):
    with pytest.raises(Problem) as raised:
        choose({"warm-up.ipynb": b"[]", "a.ipynb": b""})
    assert raised.value.remark.key == "not_notebook"


def test_a_notebook_of_another_lesson_is_not_taken_for_it(hand, half, choose):
    other = hand.filled()
    other.metadata["workbook"] = {"lesson": "06-masks"}
    answers, _, said = choose({"warm-up.ipynb": half, "masks.ipynb": other})
    assert answers != hand.right and "Not graded: masks.ipynb." in said


def test_only_one_notebook_needs_no_receipt(hand, choose):
    assert choose({"warm-up.ipynb": hand.filled()})[1:] == ([], "")
