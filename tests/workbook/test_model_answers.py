"""A model answer is shown to those who have written their own."""

import json

import pytest

import transformer_workbook as wb
from transformer_workbook.checks import model_answers
from transformer_workbook.diagnosis import recorded_lessons

LESSON = "00-warm-up"
OWN = "Each head gets whole words, and view only compares sizes."


@pytest.fixture
def asked(notebook, tmp_path, monkeypatch, capsys):
    """Calls `wb.answer` with a notebook in which this is written; what it said, in one line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    model_answers._told.clear()
    wb.start(LESSON)

    def ask(question, written: str | None) -> str:
        if written is not None:
            cell = {"source": written, "metadata": {"nbgrader": {"grade_id": "question_1"}}}
            tree = {"cells": [cell], "metadata": {"workbook": {"lesson": LESSON}}}
            (tmp_path / "mine.ipynb").write_text(json.dumps(tree), encoding="utf-8")
        capsys.readouterr()
        wb.answer(question)
        return capsys.readouterr().out.replace("\n", " ")

    return ask


@pytest.mark.parametrize("written", ["", "*Write your answer here.*", "no idea", 12 * "strides "])
def test_who_has_written_nothing_is_told_to_write_first(asked, written):
    assert asked("question_1", written).startswith("Write your own answer first")


@pytest.mark.parametrize("question", ["question_1", "1", 1])
def test_who_has_written_sees_what_earns_the_points(asked, question):
    said = asked(question, f"*Write your answer here.*\n{OWN}")
    assert "What earns the points" in said
    assert "- 1 point: `view` keeps the order" in said and "- 1 point: no error" in said


def test_where_the_notebook_cannot_be_read_the_second_call_shows_it(asked):
    assert asked(1, None).startswith("The notebook cannot be read")
    assert "What earns the points" in asked(1, None)


def test_a_notebook_shows_it_as_markdown_so_that_formulas_are_set(monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(model_answers, "in_notebook", lambda: True)
    monkeypatch.setattr(IPython.display, "display", lambda content, raw: shown.append(content))
    model_answers._show("1 point: $d_k$.", "")
    assert shown[0]["text/markdown"] == "**What earns the points**\n\n- 1 point: $d_k$."


def test_a_question_that_there_is_not_names_those_there_are_or_says_so(asked, monkeypatch):
    assert "There are: question_1, question_2." in asked(7, OWN)
    texts = recorded_lessons.lesson_texts(LESSON) | {"questions": {}}
    monkeypatch.setattr(model_answers, "lesson_texts", lambda lesson: texts)
    assert "your instructor reads" in asked(1, OWN)


def test_a_model_answer_stands_before_its_rubric_and_points_of_one_item_stay_together(capsys):
    rubric = "2 points for three of, 1 point for one: a; b. (Or c.) 1\npoint: d."
    model_answers._show(rubric, "Because of $d_k$.")
    assert capsys.readouterr().out.split("\n") == [
        "**A model answer**", "", "Because of $d_k$.", "", "**What earns the points**", "",
        "- 2 points for three of, 1 point for one: a; b. (Or c.)", "- 1 point: d.", "",
    ]  # fmt: skip
