"""Files that are put in place in one step."""

import os
import threading
from types import SimpleNamespace

import pytest

from autograder.files import CannotWrite, replace_file
from autograder.grading.run.grader import LONGEST_MESSAGE, CellGrader
from autograder.judging.judge import TestResult
from autograder.results.outdir import read_json, write_json
from autograder.sandbox.job import Cell, Outcome
from transformer_workbook.shared.evidence import Failure


def test_two_threads_may_put_the_same_file_in_place(tmp_path):
    errors = []

    def write():
        try:
            for _ in range(200):
                write_json(tmp_path / "same.json", {"all": "alike" * 1000})
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert read_json(tmp_path / "same.json")["all"].startswith("alike")


def test_what_cannot_be_written_says_so_in_one_line_and_leaves_the_old(tmp_path, monkeypatch):
    path = tmp_path / "grades.csv"
    replace_file(path, "old")

    def full(*args):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(CannotWrite) as raised:
        replace_file(path, "new")
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value) and os.strerror(28) in str(raised.value)
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"]


class ChangedBack:
    """A judge whose test result's message is as long as a student's process can make it."""

    def job(self, cells):
        return cells

    def test_results(self, outcome):
        return [TestResult("scale", "test", 0.0, 1.0, "failed", "", "x" * 1_000_000)]


def test_a_message_has_an_end_and_a_cell_that_was_stopped_gets_more_time(lesson, tmp_path):
    outcome = Outcome(cells={"added-1": Failure("timeout")})
    runner = SimpleNamespace(run=lambda job, further_plans: outcome)
    cells = [Cell("added-1", "added", "slow")]
    graders = [CellGrader(lesson, "seed", None, tmp_path, limit) for limit in (5, 5, 9)]
    for grader in graders:
        grader.judge = ChangedBack()
    (test_result,) = graders[0].grade(cells, runner)
    assert len(test_result.message) == LONGEST_MESSAGE
    assert graders[1].remembered(cells) == [test_result]
    assert graders[2].remembered(cells) is None
