"""Which of several causes is told."""

import pytest
import torch

from transformer_workbook.checks.cause import cause_of
from transformer_workbook.diagnosis.case_results import CaseResult
from transformer_workbook.diagnosis.recorded_lessons import recorded
from transformer_workbook.edits.edit import Edit
from transformer_workbook.repair.choice import Repair
from transformer_workbook.traces.divergence import FirstDivergence

LINE = 'divergence = F.kl_div(log_probs, expected, reduction="none")'


@pytest.mark.parametrize(
    ("shape", "value", "mechanism"),
    [((3, 5), "", "value"), ((3, 5), "divergence", "repair"), ((3,), "", "repair")],
)
def test_a_wrong_shape_is_told_before_a_change_that_leaves_it(shape, value, mechanism, monkeypatch):
    monkeypatch.setattr("transformer_workbook.checks.cause.is_like_the_template", lambda *_: True)
    case = next(iter(recorded("09-training", "LabelSmoothing").inputs))
    wrong = FirstDivergence(
        case, "forward divergence", 0, LINE, torch.ones(shape), torch.zeros(3), is_aligned=True
    )
    swapped = Repair(Edit("transposed", LINE, LINE, ""), 9, 9, value=value)
    results = {case: CaseResult([])}
    cause = cause_of("09-training", "LabelSmoothing", results, LINE, wrong, swapped)
    assert cause.mechanism == mechanism
    assert mechanism != "value" or "has the shape (3, 5); expected (3,)" in cause.says
