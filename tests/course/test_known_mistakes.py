"""What listed misconceptions cost, and what their texts may quote.

That each is named in the check and loses points in the hidden tests is proof 3 of `prove`.
"""

import pytest
from the_course import COURSE

from autograder.judging.judge import Judge
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.misconception_text import quoted

from .known_names import known_names, unknown


@pytest.fixture(scope="module")
def runner():
    with Runner() as runner:
        yield runner


# Of the lessons that build on attention: its own, the next, a stack of layers, the last.
SOME = ("01-attention", "02-multi-head-attention", "07-encoder-and-decoder", "14-decoder-only")


@pytest.mark.parametrize(
    "lessons",
    [
        pytest.param([*map(COURSE.lesson, SOME)], id="some"),
        pytest.param(COURSE.lessons, id="all", marks=pytest.mark.soak),
    ],
)
def test_wrong_attention_takes_no_points_from_any_other_lesson(runner, lessons):
    """Lessons of one student: attention is wrong everywhere, all else is right."""
    wrong = COURSE.lesson("01-attention").components["scaled_dot_product_attention"]
    source = next(answer.source for answer in wrong.wrong if answer.name == "mask-ignored")
    scores = {}
    for lesson in lessons:
        judge = Judge(lesson, "independence", runner)
        answers = [
            cell if cell.name != wrong.name else type(cell)(cell.name, cell.kind, source)
            for cell in judge.case_runner.reference_cells()
        ]
        # A student may also redefine it in a cell of their own, in any later lesson.
        own = type(answers[0])("own", "added", source)
        test_results = judge.test_results(runner.run(judge.job([own, *answers])))
        scores[lesson.id] = sum(v.score for v in test_results) / sum(
            v.max_score for v in test_results
        )
    assert 0 < scores.pop("01-attention") < 1
    assert set(scores.values()) == {1.0}, scores


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_what_is_told_of_any_design_quotes_only_names_that_its_author_knows(lesson):
    """What is misspelt is named by the very message of the exception, so that name is there."""
    for component in lesson.components.values():
        known = known_names(lesson, component.name)
        for wrong in component.wrong:
            if not wrong.name.endswith("misspelt"):
                assert not unknown(quoted(wrong.behaves or wrong.says), known), wrong.name
