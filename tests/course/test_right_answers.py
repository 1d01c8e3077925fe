"""What is recorded of right answers is true of them, and of no misconception."""

import pytest
from the_course import COURSE

from transformer_workbook.diagnosis.recorded_lessons import (
    LESSONS,
    contradicted,
    share_written_right,
    unused_by_right,
)
from transformer_workbook.diagnosis.unused import unused

COMPONENTS = [
    pytest.param(lesson, component, id=f"{lesson.id[:2]} {name}")
    for lesson in COURSE.lessons
    for name, component in lesson.components.items()
]
MOST_BYTES = 2 << 20  # bytes of recorded evidence, all lessons together


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_a_misconception_is_contradicted_by_the_reference_and_not_by_its_own_source(
    lesson, component
):
    of_reference = contradicted(lesson.id, component.name, component.source)
    assert of_reference
    for answer in component.wrong:
        assert answer.name not in contradicted(lesson.id, component.name, answer.source)


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_right_answers_are_written_right_and_use_what_they_have(lesson, component):
    for source in (component.source, *(answer.source for answer in component.right)):
        assert share_written_right(lesson.id, component.name, source) == 1.0
        assert unused(source) <= {*unused_by_right(lesson.id, component.name)}


def test_what_is_recorded_is_small():
    assert sum(path.stat().st_size for path in LESSONS.glob("*/recorded.*")) < MOST_BYTES
