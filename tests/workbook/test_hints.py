"""When a hint is given, and when it is worth a try first; a cell as it came."""

from types import SimpleNamespace

from the_course import COURSE

import transformer_workbook as wb
from transformer_workbook.checks import hints, reset

RELEASED = """
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = ____
    heads = ____
    return ____
"""


def test_running_all_cells_of_a_new_notebook_spends_no_hint(notebook):
    wb.start("00-warm-up")
    notebook.run(RELEASED)
    first = repr(wb.hint("cut"))
    assert "There are 3 hints for cut" in first and "run this cell again" in first
    rungs = [repr(wb.hint("cut")) for _ in range(4)]
    assert "Hint 1 of 3" in rungs[0] and "another hint" in rungs[0] and "2 of 3" in rungs[1]
    assert "3 of 3" in rungs[2] and "last hint" in rungs[2] and rungs[2] == rungs[3]
    assert "There are 3 hints for heads" in repr(wb.hint("heads"))
    assert "The blanks are: d_k, cut" in repr(wb.hint("cutt"))


def test_whoever_has_filled_another_blank_gets_a_hint_at_once(notebook):
    wb.start("00-warm-up")
    notebook.run(RELEASED.replace("d_k = ____", "d_k = d_model // num_heads"))
    assert "Hint 1 of 3" in repr(wb.hint("cut"))


def test_whoever_has_changed_a_bug_hunt_gets_a_hint_at_once(notebook):
    wb.start("00-warm-up")
    notebook.run(released := COURSE.lesson("00-warm-up").components["bug_hunt_1"].released)
    assert "Try something" in repr(wb.hint("bug_hunt_1"))
    notebook.run(released.replace("reshape", "view"))
    hints._invited.clear()
    assert "Hint 1 of 3" in repr(wb.hint("bug_hunt_1"))


def test_a_cell_as_it_came_is_put_below_or_printed(notebook, monkeypatch, capsys):
    released = COURSE.lesson("03-add-and-norm").components["LayerNorm"].released
    wb.reset("LayerNorm")
    assert capsys.readouterr().out.endswith(f"new one.\n{released}\n") and "____" in released
    put = []
    monkeypatch.setattr(reset, "in_notebook", lambda: True)
    monkeypatch.setattr(reset, "running_shell", lambda: SimpleNamespace(set_next_input=put.append))
    wb.reset("LayerNorm"), wb.reset("LayerNrom")
    said = capsys.readouterr().out
    assert put == [released] and "____" not in said and "Did you mean LayerNorm?" in said
