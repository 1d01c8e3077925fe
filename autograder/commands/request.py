"""What `autograder grade` was asked for, and whether that can be done."""

import math
import os
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons
from autograder.sandbox.limits import Limits
from autograder.submissions.collect import EXPECTED
from autograder.submissions.sources.entries import open_source
from autograder.submissions.sources.find import require_class
from transformer_workbook.shared.memory import memory

# Bytes for each submission that runs: its limit, and Python with torch.
MEMORY_PER_SUBMISSION = Limits().memory + (1 << 30)
SANDBOXES = ("auto", "namespaces", "bwrap", "none")


@dataclass(frozen=True)
class Request:
    """What `autograder grade` was asked for; `time_limit` None leaves it to the lessons.

    With `yes`, scores that are recorded already may drop.
    """

    submitted: Path
    out: Path
    lesson: str = ""
    student: str = ""
    jobs: int = 1
    sandbox: str = "auto"
    scheduler: str = ""
    secret: str = ""
    time_limit: float | None = None
    yes: bool = False
    roster: Path | None = None


def checked(request: Request, course: Course) -> tuple[list[Lesson], Path]:
    """The lessons that are asked for, and OUT. Raises WrongUsage for what cannot be done."""
    lessons = list(course.lessons)
    if request.lesson:
        wanted = Lessons(lessons).named(request.lesson)
        lessons = [lesson for lesson in lessons if lesson.id == wanted]
    if not lessons:
        ids = ", ".join(lesson.id for lesson in course.lessons)
        raise WrongUsage(
            _("there is no lesson {lesson!r}; the lessons are {lessons}"),
            lesson=request.lesson,
            lessons=ids,
        )
    if request.time_limit is not None and not math.isfinite(request.time_limit):
        raise WrongUsage(
            _("the time limit is {limit}; expected a number of seconds"),
            limit=request.time_limit,
        )
    out, submitted = request.out.resolve(), request.submitted.resolve()
    if out == submitted or submitted in out.parents:
        # A folder that holds no class is the mistake to name; OUT in it follows from that.
        entries, _lost = open_source(submitted)
        require_class(entries, Lessons(list(course.lessons)), request.submitted, EXPECTED)
        raise WrongUsage(_("OUT must not lie inside SUBMITTED"))
    if out.exists() and not out.is_dir():
        raise WrongUsage(_("{path} is a file; --out takes a folder"), path=request.out)
    return lessons, out


def usual_jobs() -> int:
    """Submissions at a time: one more than processors, as far as there is memory for them.

    While one of them waits for its judge, another one runs.
    """
    try:
        processors = len(os.sched_getaffinity(0))
        room = memory()
    except (AttributeError, OSError, ValueError):  # macOS, for one, has no affinity
        return os.cpu_count() or 1
    return max(1, min(processors + 1, room // MEMORY_PER_SUBMISSION))
