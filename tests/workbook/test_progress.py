"""A counter for loops, with a progress bar."""

import transformer_workbook as wb


def test_one_counter_serves_several_loops_and_its_bar_ends_with_the_last(capsys):
    counter = wb.steps(4, "training")
    loops = [len(list(zip(range(2), counter, strict=False))) for _loop in range(2)]
    shown = capsys.readouterr().out
    assert loops == [2, 2] and "training: 100%" in shown and "4/4" in shown
