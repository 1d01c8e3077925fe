"""Benchmarks are found, and tell what is missed; that of feedback writes what answers are told."""

import io
import json
from types import SimpleNamespace

import nbformat
import pytest
from rich.console import Console

import benchmarks
from autograder.errors import WrongUsage
from benchmarks import language
from benchmarks.answers import Answer, answers_in
from benchmarks.feedback import causes


def test_those_asked_for_run_and_a_missed_target_fails(monkeypatch):
    def good(say):
        """A title. And more."""
        say("half way")
        return benchmarks.Measured(["what", "share"], [["all", "99.0 %"]])

    def slow(say):
        """Another."""
        return benchmarks.Measured([], [], ["too slow"])

    monkeypatch.setattr(benchmarks, "BENCHMARKS", ["m:good", "m:slow"])
    module = SimpleNamespace(good=good, slow=slow)
    monkeypatch.setattr(benchmarks, "import_module", lambda name: module)
    out = io.StringIO()
    console = Console(file=out, width=80)
    assert benchmarks.run(console, "good") == 0
    assert "A title. And more" in out.getvalue() and "99.0 %" in out.getvalue()
    assert "Another" not in out.getvalue()
    assert benchmarks.run(console) == 1
    assert "missed: too slow" in out.getvalue()
    with pytest.raises(WrongUsage, match="no benchmark 'c'; there are m:good, m:slow"):
        benchmarks.run(console, "c")


def test_every_benchmark_is_there():
    for name in benchmarks.BENCHMARKS:
        module, _, function = name.partition(":")
        assert benchmarks.import_module(f"benchmarks.{module}").__dict__[function].__doc__


def figures_of(text, tmp_path, monkeypatch) -> dict[str, str]:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    place = tmp_path / "course/01-x/x.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(notebook, place)
    monkeypatch.setattr(language, "ROOT", tmp_path)
    measured = language.of_the_lessons(lambda now: None)
    return dict(zip(measured.columns, measured.rows[0], strict=True))


def test_no_sentence_ends_after_an_abbreviation(tmp_path, monkeypatch):
    text = "That is all of Eq. 1 ([Dao et al. 2022](x), section 2). We stop."
    assert figures_of(text, tmp_path, monkeypatch)["words"] == "7.0"  # 12 and 2


def test_a_colon_that_ends_a_paragraph_is_not_inside_a_sentence(tmp_path, monkeypatch):
    text = "Two things: this one and that one.\n\nHere they are:\n\nAnd so it goes."
    assert figures_of(text, tmp_path, monkeypatch)["colons"] == "71.4"  # one in 14 words


def test_what_an_answer_is_told_is_written_for_readers(tmp_path, monkeypatch):
    answers = tmp_path / "round" / "padding_mask.py"
    answers.parent.mkdir()
    answers.write_text(
        "# %% wrong: inverted | the mask is that of padding | not of words\n"
        "def padding_mask(ids, pad_id=0):\n    return (ids == pad_id)[:, None, None, :]\n"
    )
    source = answers.read_text().partition("\n")[2].strip()
    cause = "the mask is that of padding | not of words"
    assert answers_in(tmp_path) == {
        ("round", "padding_mask"): [Answer("wrong", "inverted", cause, source)]
    }
    monkeypatch.setenv("CORPUS", str(tmp_path))
    monkeypatch.setenv("TOLD", str(tmp_path / "told.jsonl"))
    causes(lambda now: None)
    (told,) = map(json.loads, (tmp_path / "told.jsonl").read_text().splitlines())
    assert (told["answer"], told["true_cause"]) == ("round/padding_mask/inverted", cause)
    assert told["kind"] == "misconception" and told["report"].startswith("✗ padding_mask: ")
