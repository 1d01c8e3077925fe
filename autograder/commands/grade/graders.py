"""What judges one lesson's submissions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from nbformat import NotebookNode

from autograder.grading.grade_translator import TranslatorGrader
from autograder.grading.run.grader import Grader
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook

from .run_context import Run


@dataclass(frozen=True)
class Graders:
    """What judges one lesson's submissions: their cells, and the files that are handed in.

    `released` makes the notebook that students received.
    """

    lesson: Lesson
    released: Callable[[], NotebookNode]
    grader: Grader
    translator: TranslatorGrader | None

    @classmethod
    def of(cls, run: Run, lesson: Lesson) -> "Graders":
        work, limit = run.out / "work", run.request.time_limit or 0.0
        return cls(
            lesson,
            cache(partial(student_notebook, run.course, lesson)),
            Grader(lesson, run.secret, None, work, limit),
            TranslatorGrader(lesson, "", None, work, limit) if lesson.translator else None,
        )
