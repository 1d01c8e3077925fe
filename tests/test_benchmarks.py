"""Each benchmark runs, on a small scale, and tells what is missed; a snapshot says what is told."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console
from the_course import COURSE

import benchmarks
from autograder.errors import WrongUsage
from benchmarks import faster, grading, number_words
from benchmarks.answers import Answer, answers_in
from benchmarks.snapshot import snapshot
from transformer_workbook.lessons.number_words.words import Config

TINY = {"d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 16, "norm_first": True}


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


def test_number_words(monkeypatch):
    small = Config(train=60, validation=10, test=80, epochs=1, d_model=16, num_heads=2, d_ff=16)
    monkeypatch.setattr(number_words, "LESSON", small)
    monkeypatch.setattr(number_words, "SEEDS", (0,))
    learn = number_words.learn
    monkeypatch.setattr(number_words, "learn", lambda *rest: learn(*rest, setting=small))
    measured = number_words.exact_match(lambda now: None)
    assert [len(row) for row in measured.rows] == [len(measured.columns)] * 2
    assert measured.missed == ["seed 0 has 0.00% of unseen numbers right, not 99%"]


def test_training_and_decoding(monkeypatch):
    monkeypatch.setattr(faster, "ROUNDS", 1)
    seconds, tokens = faster.training_seconds("cpu", lambda now: None, TINY, rows=2)
    assert len(seconds) == 3 and all(spent > 0 for spent in seconds.values())
    assert 16 <= tokens <= 28
    seconds, lengths = faster.decoding_seconds(lambda now: None, sizes=TINY, count=16, size=8)
    assert len(seconds) == 4 and all(spent > 0 for spent in seconds.values())
    assert len(lengths) == 16 and min(lengths) > 0
    sources = (faster.sources_by_length(1000) != faster.PAD).sum(dim=1)
    assert sources.equal(sources.sort(descending=True).values)
    assert 13 <= sources.median() <= 15  # as in Multi30k


def test_stock_nbgrader_has_the_lessons_answers_and_tests_of_as_many_calls():
    lesson = COURSE.lesson(grading.LESSON)
    stock = grading._stock_notebook(COURSE, lesson)
    marks = [cell.metadata["nbgrader"] for cell in stock.cells if "nbgrader" in cell.metadata]
    assert [mark.grade_id for mark in marks if mark.solution] == list(lesson.components)
    points = {mark.grade_id: mark.points for mark in marks if mark.grade}
    assert points == {f"test_{name}": value for name, value in lesson.points().items()}
    for name, tests in lesson.hidden("calls").items():
        calls = sum(len(test.cases) for test in tests)
        assert f"for case in range({calls}):" in grading.STOCK_TESTS[name]
    assert failures_of(stock, {}) == []
    for name, component in lesson.components.items():
        assert failures_of(stock, {name: component.wrong[0].source}) == [f"test_{name}"]


def failures_of(notebook, answers: dict[str, str]) -> list[str]:
    """The test cells that raise when all cells are run, as stock nbgrader runs them."""
    namespace, failed = {}, []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            try:
                exec(answers.get(cell.id, cell.source), namespace)
            except AssertionError:
                failed.append(cell.id)
    return failed


@pytest.mark.parametrize(
    ("each", "start", "missed"),
    [
        (0.1, 0, []),
        (0.4, 4, ["one submission: 4.4 s, not 4", "32 at first: 16.8 s, not 7",
                  "each further one: 10.0 times faster, not 15"]),
    ],
)  # fmt: skip
def test_grading_is_measured_against_it(monkeypatch, each, start, missed):
    def ours(folder, count, kept=None):
        slow = 10 if folder.parent.name == "round-1" else 1  # of five: the median stays
        return slow * (start + each * count), count

    monkeypatch.setattr(grading, "_stock", lambda folder, count: (3 + 4.0 * count, count))
    monkeypatch.setattr(grading, "_ours", ours)
    monkeypatch.setattr(grading, "_help", lambda folder: (0.2, 0.2))
    measured = grading.against_stock_nbgrader(lambda now: None)
    (row,) = (row for row in measured.rows if row[0] == "each further one")
    assert row[1] == "4.00 (4.00 to 4.00)" and row[2].startswith(f"{each:.2f}")
    assert measured.missed == missed


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
