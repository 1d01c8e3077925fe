"""Results are saved, and read as they were."""

import pytest

from autograder.errors import WrongUsage
from autograder.judging.judge import TestResult
from autograder.results import outdir
from autograder.results.outdir import all_results, load_result, save_result
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionResult

RESULT = SubmissionResult(
    "Amina",
    "00-warm-up",
    4.0,
    (TestResult("split_heads", "shapes", 4.0, 4.0, "passed", "", ""),),
    (Remark("repair", "damaged", {"file": "a.ipynb", "count": 2}),),
)


def test_what_is_written_is_read_back():
    assert SubmissionResult.from_tree(RESULT.to_tree()) == RESULT


def test_an_out_of_another_version_is_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(outdir, "FORMAT", outdir.FORMAT - 1)
    save_result(tmp_path, RESULT)
    monkeypatch.undo()
    with pytest.raises(WrongUsage, match="another version of this grader.*into another folder"):
        list(all_results(tmp_path))
    with pytest.raises(WrongUsage, match="another version"):
        load_result(tmp_path, *RESULT.id)
