"""A result is written and read back."""

from autograder.judging.judge import TestResult
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
