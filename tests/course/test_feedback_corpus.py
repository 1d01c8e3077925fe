"""Wrong answers that were written without sight of the lists are told a cause, or none.

`docs/feedback.md` says how the corpus came about, and how often the true cause is told.
"""

import pytest
from the_course import COURSE

from benchmarks.answers import CORPUS, answers_in, component_of
from benchmarks.feedback import LAST_ROUND, causes, evidences, told_of
from transformer_workbook.diagnosis.misconception_text import identifiers_in, quoted

from .known_names import known_names, unknown

ANSWERS = answers_in(CORPUS / "earlier") | answers_in(LAST_ROUND)
MOST_LINES = 15  # of a report as text
ONE_OF_EACH_KIND = ("PositionwiseFeedForward", "causal_mask", "shift_right", "03_bug_hunt_1")


def test_each_has_a_cause_and_a_name_of_its_own():
    for place, found in ANSWERS.items():
        assert len({answer.name for answer in found}) == len(found)
        assert all(answer.kind == "right" or answer.cause for answer in found), place
    places = [component_of(name) for of_round, name in ANSWERS if of_round == LAST_ROUND.name]
    components = {(lesson.id, name) for lesson in COURSE.lessons for name in lesson.components}
    assert {(lesson.id, name) for lesson, name in places} == components


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("names", [ONE_OF_EACH_KIND, pytest.param("*", marks=pytest.mark.soak)])
def test_most_of_them_are_told_a_cause(names, monkeypatch, tmp_path):
    for path in (path for name in names for path in LAST_ROUND.glob(f"{name}.py")):
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setenv("CORPUS", str(tmp_path))
    (total,) = (row for row in causes(lambda now: None).rows if row[0] == "all")
    of, told, *_, passed = map(int, total[1:])
    assert told >= 0.9 * of and passed <= 0.02 * of


SAMPLE = [(LAST_ROUND.name, name) for name in ("FusedLayerNorm", "shift_right", "evaluate")]
ALL = [
    pytest.param(*place, marks=[] if place in SAMPLE else pytest.mark.soak, id=" ".join(place))
    for place in ANSWERS
]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("of_round", "name"), ALL)
def test_what_is_told_is_so_as_far_as_a_program_can_say(of_round, name):
    """In names that the student knows, and in a few lines."""
    lesson, component = component_of(name)
    chosen = [answer for answer in ANSWERS[of_round, name] if answer.kind == "wrong"]
    for answer, evidence in zip(chosen, evidences(lesson, component, chosen), strict=True):
        one = told_of(lesson, component, answer.source, evidence)
        known = identifiers_in(answer.source) | known_names(lesson, component)
        assert not unknown(quoted(one.cause.says), known), (answer.name, one.cause.says)
        assert len(repr(one.report).splitlines()) <= MOST_LINES, answer.name


@pytest.mark.parametrize(
    ("component", "name", "offered"),
    [
        ("beam_search", "ranked_without_penalty", {"best"}),  # its penalty is right
        ("merge_heads", "own_heads_interleaved", set()),  # a design that has no blanks
        ("merge_heads", "joins_without_swapping_back", {"side_by_side"}),
    ],
)
def test_a_hint_is_offered_for_a_blank_that_may_be_wrong(component, name, offered):
    lesson, component = component_of(component)
    (answer,) = (one for one in ANSWERS["earlier", component] if one.name == name)
    (evidence,) = evidences(lesson, component, [answer])
    told = told_of(lesson, component, answer.source, evidence)
    assert told.kind == "misconception"
    hints = [call.removeprefix('wb.hint("').removesuffix('")') for call in told.report.calls]
    assert {*hints[:1]} == offered
