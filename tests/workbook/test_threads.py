"""The number of threads: what was measured decides, and is said; no test asks how fast it is."""

import pytest
import torch

import transformer_workbook as wb
from transformer_workbook.shared import threads


@pytest.fixture
def measured(monkeypatch):
    """A kernel in which torch has two threads; holds what is measured, in seconds."""
    times = [0.014, 0.06]
    monkeypatch.setattr(threads, "_chosen", None)
    monkeypatch.setattr(threads, "_of_torch", None)
    monkeypatch.setattr(threads, "seconds_of", lambda step, counts: list(times))
    torch.set_num_threads(2)
    yield times
    torch.set_num_threads(1)


@pytest.mark.parametrize(
    ("one", "two", "number", "says"),
    [
        (
            0.014,
            0.060,
            1,
            "one thread here, which is faster on this computer: a training step of a small model "
            "takes 14 ms with it, 60",
        ),
        (
            0.060,
            0.014,
            2,
            "2 threads here, which is faster on this computer: a training step of a small model "
            "takes 14 ms with them, 60",
        ),
        (0.0060, 0.0055, 1, "takes 6.0 ms with it, 5.5 ms with 2. The gain is small"),
    ],
)
def test_more_threads_are_chosen_where_they_gain_clearly(
    measured, capsys, one, two, number, says
):  # fmt: skip
    measured[:] = one, two
    assert wb.choose_threads() == number == torch.get_num_threads()
    assert says in capsys.readouterr().out.replace("\n", " ")


def test_where_one_operation_says_enough_no_step_is_measured(measured, capsys):
    measured[:] = 0.0005, 0.06
    assert wb.choose_threads() == 1
    said = capsys.readouterr().out.replace("\n", " ")
    assert "a matrix product takes 0.5 ms with it, 60 ms with 2" in said
    assert wb.choose_threads(lambda: None) == 1
    assert "a step takes 0.5 ms with it" in capsys.readouterr().out.replace("\n", " ")


def test_a_kernel_chooses_once_unless_given_a_step(measured, capsys):
    assert wb.choose_threads() == 1
    capsys.readouterr()
    measured.reverse()
    assert wb.choose_threads() == 1 and not capsys.readouterr().out
    assert wb.choose_threads(lambda: None) == 2 and "a step takes" in capsys.readouterr().out


def test_where_torch_has_one_thread_nothing_is_measured(measured, capsys):
    measured.clear()
    torch.set_num_threads(1)
    assert wb.choose_threads() == wb.choose_threads(lambda: None) == 1
    assert not capsys.readouterr().out


def test_a_lesson_starts_by_choosing(measured, notebook, capsys):
    notebook.run('wb.start("00-warm-up")')
    assert "one thread" in capsys.readouterr().out and torch.get_num_threads() == 1


def test_steps_are_timed_in_turns_and_the_number_is_set_back():
    counts = []
    times = threads.seconds_of(lambda: counts.append(torch.get_num_threads()), (1, 2))
    assert counts[:4] == [1, 2, 1, 2] and len(times) == 2 and torch.get_num_threads() == 1


def test_the_small_step_leaves_the_random_numbers_as_they_are():
    before = torch.get_rng_state()
    with torch.no_grad():
        threads.small_step()()
    assert torch.equal(before, torch.get_rng_state())
