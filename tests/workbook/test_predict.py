"""Predictions: compared, shown as typed, and wrong ones with what they are."""

import pytest
import torch

import transformer_workbook as wb
from transformer_workbook.checks import predict


@pytest.fixture
def table(monkeypatch):
    """What the lesson knows of each prediction, to be filled."""
    known = {}
    monkeypatch.setattr(predict, "_of_lesson", lambda name: known)
    return known


def test_guesses_are_shown_as_typed_and_results_to_four_digits(capsys):
    wb.reveal(2e-8, 1e-7)
    wb.reveal([[1, 3]], torch.tensor([[1.0, 1 / 3]]))
    wb.reveal(torch.tensor([0.3]), torch.tensor([1 / 3]))
    said = capsys.readouterr().out.splitlines()
    assert said[6] == "Your guess: [0.3]"
    assert said[0] == "Your guess: 2e-8" and said[1] == "It is:      1e-7"
    assert said[3] == "Your guess: [[1, 3]]" and said[4] == "It is:      [[1.0, 0.3333]]"


def test_the_lesson_knows_a_variables_result_and_wrong_guesses(notebook, capsys):
    notebook.run('wb.start("10-decoding")\nencoder_calls, decoder_calls, other = 5, None, 5')
    notebook.run("wb.reveal(encoder_calls); wb.reveal(decoder_calls)\nwb.reveal(other)")
    said = capsys.readouterr().out
    assert "encoder_calls:\nYour guess: 5\nIt is:      1\nThe source does not change" in said
    assert "decoder_calls: First write" in said and "as the notebook came with it." in said


@pytest.mark.parametrize(
    ("guess", "truth", "says"),
    [
        (6, 8, "A likely guess near yours is 4: two sublayers"),
        (16, 8, "is 12: no cross-attention"),
        (7.5, 8, "Your guess is too low"),
        (8, 8, "Right!"),
        (8.01, 8, "rounded"),
        ("postnorm", "pre-norm", "is post-norm: a norm"),
        ("both", "pre-norm", "Not the same. Find out why before you continue."),
    ],
)
def test_of_counts_and_words_the_nearest_likely_guess_is_told(guess, truth, says, table, capsys):
    listed = {12: "no cross-attention", 4: "two sublayers", 8.01: "rounded", "post-norm": "a norm"}
    table["wrong"] = [{"guess": wrong, "says": told} for wrong, told in listed.items()]
    wb.reveal(guess, truth)
    assert says in capsys.readouterr().out.splitlines()[-1]


def test_guess_and_result_count_as_the_nearest_choice(table, capsys):
    table |= {"choices": [0, 0.4, 1.2], "wrong": [{"guess": 0.4, "says": "It sees the word."}]}
    wb.reveal(0, 0.013)
    wb.reveal(0.5, 0.013)
    wb.reveal("none", 0.013)
    said = capsys.readouterr().out.splitlines()
    assert (
        said[1:3] == ["It is:      0.013 (nearest choice: 0)", "Right!"]
        and said[5] == "It sees the word."
    )
    assert "without quotation marks" in said[-1]


@pytest.mark.parametrize(
    ("guess", "truth", "says"),
    [
        ([3, 5, 7], torch.tensor([3, 12]), "the other letter"),
        (2e-8, 0.0, "too small"),
        (0.0, 1e-9, "Right!"),
        ((4, 3, 2), (2, 3, 4), "reverse order"),
        ((3, 2, 4), (2, 3, 4), "different places"),
        ((2, 4), (2, 3, 4), "2 numbers instead of 3"),
        ("a dog", "the cat", "greedy"),
        (24, (2, 3, 4), "how many elements there are"),
        (6, [1, 2, 3], "Expected 3 numbers, as (1, 2, 3); your guess is one value"),
        ((2, 3), 7, "Expected one number; your guess has 2"),
        ("(2, 3, 4)", (2, 3, 4), "That is right, but it is a text"),
        ("six", 6, "without quotation marks"),
        (6, "a dog", "Expected a text"),
        ("A dog ", "a dog", "Right!"),
        (7, True, "True or False"),
        (True, 6, "Expected a number"),
        ((2, None), (2, 3), "type NoneType"),
        ([1, 2, 3, 4], torch.tensor([[1, 2], [3, 4]]), "expected 2 x 2"),
        ((0, 0, 3, 5), torch.tensor([0.0, 1.0, 3.0, 2.0]), "2 of 4 numbers are right"),
        (float("nan"), 2.0, "Not the same"),
        (2.5, 1.0, "too high"),
        (1.3, 4 / 3, "Right!"),
        (torch.tensor([1.33]), 4 / 3, "Right!"),
    ],
)
def test_a_wrong_guess_hears_its_cause(guess, truth, says, table, capsys):
    table["wrong"] = [
        {"guess": [3, 5, 7], "says": "the other letter"},
        {"guess": 2e-8, "says": "too small"},
        {"guess": "a dog", "says": "greedy"},
    ]
    wb.reveal(guess, truth)
    assert says in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(("guess", "says"), [(3.5, "Right!"), (3.4, "Your guess is too low")])
def test_a_number_may_be_off_by_a_share(guess, says, table, capsys):
    table |= {"within": 0.02, "truth": 3.5264}
    wb.reveal(guess)
    assert capsys.readouterr().out.splitlines()[-1].startswith(says)
