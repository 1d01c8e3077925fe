"""Predictions: compared, shown as typed, and wrong ones with what they are."""

import pytest
import torch

import transformer_workbook as wb


def test_guesses_are_compared(capsys):
    wb.reveal((2, 3), torch.zeros(2, 3).shape)
    wb.reveal(0.33, 1 / 3)
    wb.reveal(None, 4)
    wb.reveal(3, 4)
    said = capsys.readouterr().out
    assert said.count("Right!") == 2
    assert "write down your guess" in said and "one too few" in said


def test_guesses_are_shown_as_typed_and_results_to_four_digits(capsys):
    wb.reveal(2e-8, 1e-7)
    wb.reveal([[1, 3]], torch.tensor([[1.0, 1 / 3]]))
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Your guess: 2e-8" and said[1] == "It is:      1e-7"
    assert said[3] == "Your guess: [[1, 3]]" and said[4] == "It is:      [[1.0, 0.3333]]"


def test_guesses_are_labelled_with_their_variables(notebook, capsys):
    notebook.run("rows, columns = 3, None\nwb.reveal(rows, 3); wb.reveal(columns, 4)")
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["rows:", "Your guess: 3"] and said[-1].startswith("columns: First write")


def test_a_right_guess_beside_a_mistake_is_right(capsys):
    wb.reveal(1050624, 1050624, {"The biases are left out.": 1048576})
    assert "Right!" in capsys.readouterr().out
    wb.reveal(1048576, 1050624, {"The biases are left out.": 1048576})
    assert "biases" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("guess", "truth", "says"),
    [
        ([3, 5, 7], torch.tensor([3, 12]), "the other letter"),
        (torch.tensor([3, 5, 7]), torch.tensor([3, 12]), "the other letter"),
        (2e-8, 0.0, "too small"),
        (0.0, 1e-9, "Right!"),
        ((4, 3, 2), (2, 3, 4), "reverse order"),
        ((3, 2, 4), (2, 3, 4), "different places"),
        ((2, 4), (2, 3, 4), "One number is missing"),
        ((2, 3, 3, 4), (2, 3, 4), "one number too many"),
        ("a dog", "the cat", "greedy"),
        ((5, 6), (2, 3, 4), "2 numbers instead of 3"),
        ((2, 3, 9), (2, 3, 4), "Only number 3 of 3 is wrong. Find"),
        (24, (2, 3, 4), "how many elements there are"),
        (5, (2, 3, 4), "Expected 3 numbers"),
        ([[1, 2], [1, 4]], torch.tensor([[1, 2], [3, 4]]), "Only number 3 of 4 is wrong. Find"),
        ([1, 1], [1, 5], "Only number 2 of 2 is wrong. Find"),
        ([5], torch.tensor([1, 5]), "One number is missing"),
        ([2, 12], [2, 3, 4], "Your guess has 2 numbers instead of 3"),
        (5, torch.tensor([1, 5]), "Expected 2 numbers, as (1, 2, 3); your guess is one value"),
        (6, [1, 2, 3], "Expected 3 numbers, as (1, 2, 3); your guess is one value"),
        ((2, 3), 6, "multiplied are right"),
        ((2, 3), 7, "Expected one number; your guess has 2"),
        ("(2, 3, 4)", (2, 3, 4), "That is right, but it is a text"),
        ("six", 6, "without quotation marks"),
        (6, "a dog", "Expected a text"),
        ("A dog ", "a dog", "Right!"),
        (7, True, "True or False"),
        (True, 6, "Expected a number"),
        ((2, None), (2, 3), "type NoneType"),
        ([[1, 3], [2, 4]], torch.tensor([[1, 2], [3, 4]]), "rows and columns are swapped"),
        ([1, 2, 3, 4], torch.tensor([[1, 2], [3, 4]]), "expected 2 x 2"),
        ((0, 0, 0), torch.tensor([0.0, 1.0, 0.0]), "Only number 2 of 3"),
        ((0, 0, 3, 5), torch.tensor([0.0, 1.0, 3.0, 2.0]), "2 of 4 numbers are right"),
        (6e-8, 3e-8, "a factor of 2 is too much"),
        (0.0, 0.5, "Your guess is 0"),
        (1e-3, 0.0, "exactly 0"),
        (10, 80, "A factor of 8 is missing"),
        (81, 80, "one too many. Find out why"),
        (2.9, 1.0, "about 2.9 times as large."),
        (1.99, 1.0, "99 % too high"),
        (-1.0, 1.0, "its sign is not"),
        (144, 12.0, "12 times as large"),
        (1.6, 3.4012, "53 % too low"),
        (1, 1_234_567, "about 1,234,567 times"),
        (float("nan"), 2.0, "Not the same"),
        (1.3, 4 / 3, "Right!"),
        (1.4, 4 / 3, "5 % too high"),
        (2.0, 1.98, "1 % too high"),
        (torch.tensor([1.33]), 4 / 3, "Right!"),
        (torch.tensor([2.0]), 4.0, "A factor of 2 is missing"),
    ],
)
def test_a_wrong_guess_hears_its_cause(guess, truth, says, capsys):
    mistakes = {
        "the other letter": torch.tensor([3, 5, 7]),
        "too small": 2e-8,
        "greedy": "a dog",
    }
    wb.reveal(guess, truth, mistakes)
    assert says in capsys.readouterr().out.splitlines()[-1]


def test_a_number_may_be_off_by_a_share(capsys):
    wb.reveal(3.5, 3.5264, within=0.02)
    wb.reveal(3.4, 3.5264, within=0.02)
    assert [line for line in capsys.readouterr().out.splitlines() if "It" not in line][1::2] == [
        "Right!",
        "Your guess is 3.6 % too low. Find out why before you continue.",
    ]
