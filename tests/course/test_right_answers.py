"""What is recorded of right answers is true of them, and all that is recorded is small."""

import pytest
from the_course import COURSE

from transformer_workbook.diagnosis.recorded_lessons import LESSONS, share_written_right

COMPONENTS = [
    pytest.param(lesson, component, id=f"{lesson.id[:2]} {name}")
    for lesson in COURSE.lessons
    for name, component in lesson.components.items()
]
MOST_BYTES = 3 << 20  # bytes of evidence and English texts, all lessons together


@pytest.mark.parametrize(("lesson", "component"), COMPONENTS)
def test_right_answers_are_written_right(lesson, component):
    for source in (component.source, *(answer.source for answer in component.right)):
        assert share_written_right(lesson.id, component.name, source) == 1.0


def test_what_is_recorded_is_small():
    assert sum(path.stat().st_size for path in LESSONS.glob("*/recorded.[js]*")) < MOST_BYTES
