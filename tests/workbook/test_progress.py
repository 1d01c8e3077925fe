"""Progress: a bar with or without tqdm, and one sentence on how long it takes here."""

import sys

import pytest

import transformer_workbook as wb
from transformer_workbook.shared import progress_bar
from transformer_workbook.trainer import loop_progress


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a test says so."""
    now = [100.0]
    monkeypatch.setattr(progress_bar.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def shown(monkeypatch):
    """The lines that a notebook without tqdm displays."""
    import IPython.display

    lines = []

    class Handle:
        def update(self, content, raw):
            lines.append(content["text/plain"])

    def display(content, raw, display_id):
        lines.append(content["text/plain"])
        return Handle()

    monkeypatch.setattr(IPython.display, "display", display)
    monkeypatch.setattr(progress_bar, "in_notebook", lambda: True)
    for module in ("tqdm", "tqdm.auto"):
        monkeypatch.setitem(sys.modules, module, None)
    return lines


@pytest.mark.parametrize(
    ("seconds", "total", "says"),
    [
        (0.5, 50, "This takes about 25 seconds here."),
        (0.02, 6000, "This takes about 2 minutes here."),
        (0.02, 100, ""),  # two seconds
    ],
)
def test_the_first_steps_say_once_how_long_all_of_them_take(clock, capsys, seconds, total, says):
    estimate = progress_bar.Estimate()
    for step in range(total):
        clock[0] += seconds if step > 1 else 30  # the first two steps are slower
        estimate.step(total)
    assert capsys.readouterr().out.strip() == says


def test_an_estimate_that_no_longer_holds_is_made_again(clock, capsys):
    estimate = progress_bar.Estimate()
    for step in range(1500):
        clock[0] += 2.0 if step < 100 else 0.1  # the computer was busy at first
        estimate.step(1500)
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "This takes about 50 minutes here."
    assert others == ["By now it looks like about 6 minutes in all."]


def test_a_resumed_run_says_how_long_the_rest_takes(clock, capsys):
    estimate = progress_bar.Estimate(done=80)
    for _step in range(20):
        estimate.step(100)
        clock[0] += 1.0
    assert "about 20 seconds" in capsys.readouterr().out


def test_steps_count_and_show_a_line_of_text_without_tqdm(shown, clock):
    counted = []
    for number in wb.steps(4, "training"):
        counted.append(number)
        clock[0] += 1.0
    assert counted == [0, 1, 2, 3]
    assert shown[0] == "training: █████░░░░░░░░░░░░░░░ 1 of 4"
    assert shown[-1] == f"training: {'█' * 20} 4 of 4"


def test_one_counter_serves_several_loops_and_ends_with_the_last(shown, clock):
    counter = wb.steps(4)
    loops = [len(list(zip(range(2), counter, strict=False))) for _loop in range(2)]
    assert loops == [2, 2] and "4 of 4" in shown[-1]


def test_outside_a_notebook_nothing_but_tqdm_draws_a_bar(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert progress_bar.progress_bar(3) is None and list(loop_progress.steps(3)) == [0, 1, 2]
