"""When each student has to hand in a lesson: the lesson's deadline, or an extension of it.

Extensions stand in OUT/extensions.csv, beside the grades: whom they are for is nobody else's
business, so they are not in course.toml, which may be published.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from autograder.errors import AuthoringError, WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.cases import check_keys
from autograder.lesson.course import Course
from autograder.lesson.deadlines import read_due
from autograder.lesson.which_lesson import Lessons

from .safe_names import normal, respelled
from .tables import read_rows

EXTENSIONS = "extensions.csv"
COLUMNS = ("student", "lesson", "due")


@dataclass(frozen=True)
class Deadlines:
    """The deadlines of a course, with the extensions that students were given."""

    course: Course
    extensions: Mapping[tuple[str, str], datetime] = field(default_factory=dict)

    def due(self, student: str, lesson: str) -> datetime | None:
        """The student's deadline; None where there is none."""
        usual = next((timed.due for timed in self.course.lessons if timed.id == lesson), None)
        return self.extensions.get((normal(student), lesson), usual)

    def strangers(self, students: set[str]) -> list[str]:
        """Who was given an extension and is none of these students."""
        names = {normal(student) for student in students}
        return sorted({student for student, _lesson in self.extensions} - names)


def read_deadlines(out: Path, course: Course, people: Mapping[str, str] | None = None) -> Deadlines:
    """The course's deadlines, and the extensions in OUT.

    Raises WrongUsage that tells all lines that are wrong, and with them the students who are none
    of `people`, who are names by id.
    """
    path = out / EXTENSIONS
    if not path.is_file():
        return Deadlines(course)
    wrong: list[str] = []
    strangers: list[str] = []
    extensions: dict[tuple[str, str], datetime] = {}
    rows: dict[tuple[str, str], int] = {}
    names = {normal(person) for person in people or ()}
    table, lessons = read_rows(path), Lessons(course.lessons)
    header = tuple(name.casefold() for name in table[0][1]) if table else ()
    if header != COLUMNS:
        raise WrongUsage(
            _("{path}: its first line is {line!r}; expected {expected!r}"),
            path=path, line=",".join(header), expected=",".join(COLUMNS),
        )  # fmt: skip
    for number, values in table[1:]:
        where, row = f"{path}, {number}", dict(zip_longest(COLUMNS, values[:3], fillvalue=""))
        row["lesson"] = lessons.named(row["lesson"]) or row["lesson"]
        student, lesson = normal(row["student"]), row["lesson"]
        try:
            due = _due_in(where, row, course)
            first = rows.setdefault((student, lesson), number)
            if first != number:
                raise WrongUsage(
                    _("{where}: {student} is given time for {lesson} in row {first} already; keep "
                      "one of them"),
                    where=where, student=student, lesson=lesson, first=first,
                )  # fmt: skip
            extensions[student, lesson] = due
        except (AuthoringError, WrongUsage) as error:
            wrong.append(str(error))
        if people and student not in names:
            message = _("{where}: nobody is called {student!r}.{close}")
            close = named_like(student, people)
            strangers.append(message.format(where=where, student=student, close=close))
    if wrong:
        raise WrongUsage("\n".join(wrong + strangers))
    return Deadlines(course, extensions)


def _due_in(where: str, row: Mapping[str, str], course: Course) -> datetime:
    """The moment in a row. Raises AuthoringError, or WrongUsage for one that is not later."""
    lessons = {lesson.id: lesson for lesson in course.lessons}
    student, lesson = row["student"], row["lesson"]
    check_keys(where, [lesson], lessons)
    due, usual = read_due(where, row["due"], course.timezone), lessons[lesson].due
    if due is None or usual is None or due < usual or not student:
        raise WrongUsage(
            _("{where}: {student} gets {due} for {lesson}, which is due {usual}; "
              "expected a student and a later moment"),
            where=where, student=student or "?", due=due or "?", lesson=lesson,
            usual=usual or _("at no time"),
        )  # fmt: skip
    return due


def named_like(student: str, people: Mapping[str, str]) -> str:
    """A question for the id of whom a text may mean, by id or name; empty where nobody is near."""
    if same := respelled([student], people):
        return _(" Was {close} meant?").format(close=_(" or ").join(person for _id, person in same))
    if close := was_meant(student, people):
        return close
    by_name = {name.casefold(): f"{id} ({name})" for id, name in people.items() if name}
    near = difflib.get_close_matches(student.casefold(), by_name, n=1, cutoff=0.7)
    return _(" Was {close} meant?").format(close=by_name[near[0]]) if near else ""
