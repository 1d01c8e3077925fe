"""Benchmarks are found, and tell what is missed; a snapshot says what is told of answers."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

import benchmarks
from autograder.errors import WrongUsage
from benchmarks.answers import Answer, answers_in
from benchmarks.snapshot import snapshot


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


def test_a_snapshot_has_the_report_and_each_hidden_test_of_an_answer(tmp_path, monkeypatch):
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
    for name in ("before", "after"):
        snapshot(tmp_path / name, ["padding_mask"])
    before, after = ((tmp_path / name / "padding_mask.txt") for name in ("before", "after"))
    text = before.read_text()
    assert text.startswith("## round/inverted\n✗ padding_mask: ") and text == after.read_text()
    assert "\npadding elsewhere: 0 of 1, failed. Tested: " in text
    with pytest.raises(WrongUsage, match="is not empty"):
        snapshot(tmp_path)
    with pytest.raises(WrongUsage, match="no answers to nobody"):
        snapshot(tmp_path / "new", ["nobody"])
