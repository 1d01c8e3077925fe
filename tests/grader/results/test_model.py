"""Results of an earlier version of the grader can be read."""

from autograder.judging.judge import TestResult
from autograder.results.model import Remark, SubmissionResult

RESULT = SubmissionResult(
    "Amina",
    "00-warm-up",
    4.0,
    (TestResult("split_heads", "shapes", 4.0, 4.0, "passed", "", ""),),
    (Remark("repair", "damaged", {"file": "a.ipynb", "count": 2}),),
)


def test_what_is_written_is_read_back():
    assert SubmissionResult.from_tree(RESULT.to_tree()) == RESULT


def test_test_results_that_were_called_verdicts_are_read():
    tree = RESULT.to_tree()
    tree["verdicts"] = tree.pop("test_results")
    assert SubmissionResult.from_tree(tree) == RESULT
    assert "verdicts" in tree  # the caller's tree stays as it is
