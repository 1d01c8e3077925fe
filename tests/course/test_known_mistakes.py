"""The real mistakes of the texts that this course descends from: each is named in the check.

That each loses points in the hidden tests, as every misconception does, is proof 3 of `prove`.
"""

import pytest
from the_course import COURSE

from autograder.judging.case_runner import CaseRunner, call_id
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.case_results import assess
from transformer_workbook.diagnosis.misconception_text import quoted
from transformer_workbook.diagnosis.recorded_lessons import recorded

from .known_names import known_names, unknown

MISTAKES = [
    ("01-attention", "scaled_dot_product_attention", "masked_fill-misspelt"),
    ("01-attention", "scaled_dot_product_attention", "mask-ignored"),
    ("02-multi-head-attention", "MultiHeadAttention", "view-alone"),
    ("02-multi-head-attention", "MultiHeadAttention", "compared-not-assigned"),
    ("02-multi-head-attention", "MultiHeadAttention", "one-projection-for-all"),
    ("02-multi-head-attention", "MultiHeadAttention", "attribute-never-set"),
    ("02-multi-head-attention", "MultiHeadAttention", "super-without-brackets"),
    ("03-add-and-norm", "LayerNorm", "annotated-variant"),
    ("03-add-and-norm", "SublayerConnection", "dropout-after-norm"),
    ("05-embeddings-and-positions", "TokenEmbedding", "embedding-not-scaled"),
    ("05-embeddings-and-positions", "PositionalEncoding", "positions-by-sentence"),
    ("06-masks", "causal_mask", "wrong-way-round"),
    ("06-masks", "target_mask", "padding-forgotten"),
    ("07-encoder-and-decoder", "Encoder", "layers-in-a-list"),
    ("07-encoder-and-decoder", "Encoder", "one-layer-repeated"),
    ("08-full-model", "Transformer", "target-embedding-bare"),
    ("09-training", "LabelSmoothing", "squeezed-index"),
    ("09-training", "shift_right", "labels-not-shifted"),
    ("09-training", "train_step", "position-compared-with-itself"),
    ("09-training", "evaluate", "averaged-over-batches"),
]
LISTED = {lesson.id for lesson in COURSE.lessons}


@pytest.fixture(scope="module")
def runner():
    with Runner() as runner:
        yield runner


@pytest.mark.parametrize(
    ("lesson", "component", "name"), [mistake for mistake in MISTAKES if mistake[0] in LISTED]
)
def test_the_check_names_it(runner, lesson, component, name):
    of = COURSE.lesson(lesson)
    answer = next(one for one in of.components[component].wrong if one.name == name)
    visible = CaseRunner(of, of.visible(), runner)
    (evidence,) = visible.evidence_of_many(component, [answer.source])
    known = recorded(lesson, component)
    results = assess(
        known.expected,
        known.known,
        {case: evidence[call_id(component, case)] for case in known.expected},
    )
    named = {result.misconception for result in results.values() if result.findings}
    assert named == {name}


def test_wrong_attention_takes_no_points_from_any_other_lesson(runner):
    """All lessons of one student: attention is wrong everywhere, all else is right."""
    from autograder.judging.judge import Judge

    wrong = COURSE.lesson("01-attention").components["scaled_dot_product_attention"]
    source = next(one.source for one in wrong.wrong if one.name == "mask-ignored")
    scores = {}
    for lesson in COURSE.lessons:
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
