"""The last check of a lesson names what is open, and nothing else."""

import json

import pytest
from right_answers import MERGE, SPLIT

import transformer_workbook as wb
from transformer_workbook.checks import display
from transformer_workbook.diagnosis import recorded_lessons

LESSON = "00-warm-up"


def handed_in(folder, answers: dict[str, str], lesson: str = LESSON) -> None:
    """A notebook with questions, as the student has saved it."""
    cells = [
        {"source": source, "metadata": {"nbgrader": {"grade_id": name}}}
        for name, source in answers.items()
    ]
    tree = {"cells": cells, "metadata": {"workbook": {"lesson": lesson}}}
    (folder / "mine.ipynb").write_text(json.dumps(tree), encoding="utf-8")


@pytest.fixture
def said(notebook, tmp_path, monkeypatch, capsys):
    """Runs `finish` in a folder of its own; what it said, line by line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    wb.start(LESSON)

    def finish() -> list[str]:
        capsys.readouterr()
        wb.finish()
        return capsys.readouterr().out.splitlines()

    return finish


def test_each_open_part_is_named_with_what_is_open_in_it(notebook, said):
    notebook.run("def split_heads(x, num_heads):\n    d_k = ____\n    return x")
    notebook.run(MERGE.replace("(1, 2)", "(0, 1)"))
    lines = said()
    assert lines[0] == "Still open in Warm-up: moving tensors around:"
    assert "  split_heads: still empty: d_k" in lines
    assert '  merge_heads: does not pass yet; see wb.check("merge_heads")' in lines
    assert "  bug_hunt_1: its cell has not run in this session" in lines
    assert "You can hand it in all the same: what is done counts." in lines
    assert "safetensors" not in " ".join(lines)


def test_a_notebook_shows_boxes_as_of_checks(said, monkeypatch):
    shown = []
    monkeypatch.setattr(display, "in_notebook", lambda: True)
    monkeypatch.setattr(display, "_publish", lambda box: shown.append(box._repr_html_()))
    wb.start(LESSON), wb.finish(), wb.answer(7)
    assert [box.startswith('<div role="note" style="border-left:4px') for box in shown] == 3 * [
        True
    ]
    assert "Ready: " in shown[0] and "<li>bug_hunt_1: its cell has not run" in shown[1]


def test_what_was_saved_on_another_day_is_named_as_saved(notebook, said):
    notebook.run(SPLIT)
    said()
    del notebook.names["split_heads"]  # a new kernel
    lines = said()
    assert not any(line.startswith("  split_heads") for line in lines)
    assert "Passed and saved earlier: split_heads. Their cells" in " ".join(lines)


@pytest.mark.parametrize(
    ("cell", "state"),
    [
        (SPLIT, ""),
        (f"import math\n{SPLIT}\nprint(math.pi)\n", ""),
        ("def split_heads(x, num_heads):\n    d_k = ____\n    return x", "still empty: d_k"),
        (SPLIT.replace("(1, 2)", "(2, 3)"), "its cell has other code than what was saved; run it"),
    ],
)
def test_what_was_saved_is_open_if_its_cell_has_other_code_now(notebook, said, tmp_path, cell,
                                                               state):  # fmt: skip
    notebook.run(SPLIT)
    said()
    del notebook.names["split_heads"]
    handed_in(tmp_path, {"split_heads": cell, "question_1": "Since view keeps the order."})
    lines = said()
    open_parts = [line for line in lines if line.startswith("  split_heads: ")]
    assert (f"  split_heads: {state}" in " ".join(open_parts)) is bool(state)
    assert ("saved earlier: split_heads" in " ".join(lines)) is not state


def test_what_passes_is_not_named_and_is_saved(notebook, said, tmp_path):
    notebook.run(SPLIT)
    assert not [line for line in said() if line.startswith("  split_heads")]
    assert (tmp_path / "my_transformer" / "split_heads.py").is_file()


def test_questions_are_read_from_the_notebook_as_saved(notebook, said, tmp_path):
    empty = recorded_lessons.index()["answer_here"]
    answers = {"question_1": "Since view keeps the order.", "question_2": empty}
    handed_in(tmp_path, {**answers, "question_3": "no idea"})
    lines = said()
    assert "  question_2: no answer yet" in lines
    assert "  question_3: a few words so far; write a sentence or two" in lines
    assert not [line for line in lines if "question_1" in line]
    assert "Answers to questions were read from the notebook as it was last saved." in lines


def test_another_lessons_notebook_is_not_taken_for_this_one(notebook, said, tmp_path):
    handed_in(tmp_path, {"question_1": ""}, lesson="01-attention")
    (tmp_path / "broken.ipynb").write_text("{")
    lines = said()
    assert not [line for line in lines if "question_1" in line]
    assert [line for line in lines if "have a look yourself" in line]


def test_files_beside_the_notebook_are_read_and_named(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    wb.finish()
    wb.start("11-translation")
    assert capsys.readouterr().out.startswith("Run the first cell of the notebook, then this one")
    wb.finish()
    said = " ".join(capsys.readouterr().out.split())
    assert "translation: no weights.safetensors, vocabulary.json, settings.json in" in said
    assert "in the same folder, hand in weights.safetensors, vocabulary.json, settings.json" in said
