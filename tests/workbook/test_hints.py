"""When a hint is given, and when it is worth a try first."""

import transformer_workbook as wb
from transformer_workbook.checks import hints
from transformer_workbook.diagnosis import recorded_lessons

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
    assert "Hint 1 of 3" in repr(wb.hint("cut"))
    assert "Hint 2 of 3" in repr(wb.hint("cut"))


def test_whoever_has_filled_another_blank_gets_a_hint_at_once(notebook):
    wb.start("00-warm-up")
    notebook.run(RELEASED.replace("d_k = ____", "d_k = d_model // num_heads"))
    assert "Hint 1 of 3" in repr(wb.hint("cut"))


def test_whoever_has_run_two_versions_of_a_bug_hunt_gets_a_hint_at_once(notebook):
    wb.start("00-warm-up")
    entry = recorded_lessons.lesson_texts("00-warm-up")["components"]["bug_hunt_1"]
    cell = f"def {entry['defines']}(x): pass"
    notebook.names["In"] = ["", cell, cell]
    assert "There are 3 hints" in repr(wb.hint("bug_hunt_1"))
    notebook.names["In"] = ["", cell, cell.replace("pass", "return x")]
    hints._invited.clear()
    assert "Hint 1 of 3" in repr(wb.hint("bug_hunt_1"))


def test_each_blank_has_its_own_invitation(notebook):
    wb.start("00-warm-up")
    notebook.run(RELEASED)
    assert "There are 3 hints for cut" in repr(wb.hint("cut"))
    assert "There are 3 hints for heads" in repr(wb.hint("heads"))


def test_whoever_has_ended_a_bug_hunt_is_not_told_to_try(notebook, monkeypatch):
    wb.start("00-warm-up")
    entry = recorded_lessons.lesson_texts("00-warm-up")["components"]["bug_hunt_1"]
    notebook.run(f"def {entry['defines']}(x): return x")
    assert "Try something" in repr(wb.hint("bug_hunt_1"))
    monkeypatch.setattr(hints, "examine", lambda name: name == "bug_hunt_1")
    hints._invited.clear()
    assert "Hint 1 of 3" in repr(wb.hint("bug_hunt_1"))
