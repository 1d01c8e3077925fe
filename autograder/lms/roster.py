"""Who is in the class, and whom a name or an LMS's id means. `read_roster.py` reads it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.handed_in import HandedIn, a_row_of_each
from autograder.results.safe_names import letters, normal, safe_name, unaccented
from autograder.results.submission import SubmissionId

from .file_names import named

ROSTER = "roster.csv"  # in OUT, and in folders that are collected
# The columns that tell who a student is, as they are called in messages.
LOOKED_FOR = {
    "plain": "id, name (or first name, last name), email, section, lms_id",
    "canvas": "Student, ID, SIS User ID, SIS Login ID, Section",
    "moodle": "Identifier, Full name, ID number, Email address",
}
ANONYMOUS_IN_MOODLE = "participant"  # whom Moodle does not name
MOST_COLUMNS = 6  # of a gradebook, the assignments follow
ANONYMOUS_IN_CANVAS = "anon_"  # how it begins what it calls those whom it does not name


@dataclass(frozen=True)
class Student:
    """One of the class; `last` is the last name, where it is known which part of `name` that is.

    `submitted` (a time) and `late` are what a worksheet of Moodle tells.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    lms_id: str = ""
    submitted: str = ""
    late: bool = False
    last: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The first and the last name; the last word where it is not known."""
        if self.last and self.name.endswith(self.last):
            return self.name.removesuffix(self.last).strip(), self.last
        first, _space, last = self.name.rpartition(" ")
        return first, last


@dataclass(frozen=True)
class Roster:
    """The class; `kind` is plain, canvas or moodle, after the file that it was read from.

    `columns` are what that file calls its columns. `earlier` are the worksheets of Moodle that were
    given before, the newest first, each with the `lesson` that it is of.
    """

    students: tuple[Student, ...]
    kind: str = "plain"
    columns: tuple[str, ...] = ()
    earlier: tuple["Roster", ...] = ()
    lesson: str = ""

    @cached_property
    def by_id(self) -> dict[str, Student]:
        return {student.id: student for student in self.students}

    def find(self, name: str, lms_id: str = "") -> list[Student]:
        """Those whom a name and the LMS's id can mean: one if it is clear, none or several if not.

        The name is an id, an address, the part of an address before the @, or a person's name in
        any order, with or without accents and marks.
        """
        name = normal(name)
        names = [name]
        if row := self.row(name, lms_id):
            if self.kind == "moodle" or row.id in self.by_id:
                return [row]
            names = [row.email, row.name, name]
        elif lms_id and self.kind != "moodle" and (students := self._index.get(f"lms:{lms_id}")):
            return students
        if name in self.by_id:  # also where another has an address that begins with it
            return [self.by_id[name]]
        for written in filter(None, names):
            keys = f"id:{written.casefold()}", f"name:{letters(written)}"
            for key in (*keys, f"unaccented:{unaccented(written)}"):
                if students := self._index.get(key):
                    return students
        return []

    def id_of(self, name: str) -> str:
        """The id of the one student whom a name means, as `find` reads it; empty if unclear."""
        students = self.find(name)
        return students[0].id if len(students) == 1 else ""

    def row(self, name: str, number: str) -> Student | None:
        """The participant of Moodle with this number and name, as the newest worksheet tells it."""
        participants = (sheet.participant(name, number) for sheet in self._worksheets)
        return next(filter(None, participants), None)

    def assignment(self, name: str, number: str) -> str:
        """The lesson in whose assignment the participant has this number; empty if unknown."""
        lessons = (sheet.lesson for sheet in self.earlier if sheet.participant(name, number))
        return next(lessons, "")

    def participant(self, name: str, number: str) -> Student | None:
        """The row of this worksheet with the number, where it can be of that name."""
        rows = self._participants.get(number, ())
        return next((row for row in rows if is_called(name, row.name)), None)

    @cached_property
    def _worksheets(self) -> tuple["Roster", ...]:
        return (self, *self.earlier) if self.kind == "moodle" else self.earlier

    @cached_property
    def _participants(self) -> dict[str, list[Student]]:
        by_number: dict[str, list[Student]] = {}
        for student in self.students:
            by_number.setdefault(student.lms_id, []).append(student)
        by_number.pop("", None)
        return by_number

    @cached_property
    def _index(self) -> dict[str, list[Student]]:
        by_key: dict[str, list[Student]] = {}
        for student in self.students:
            keys = {f"id:{student.id.casefold()}", f"lms:{student.lms_id}"}
            if student.email:
                address = student.email.casefold()
                keys |= {f"id:{address}", f"id:{address.partition('@')[0]}"}
            for order in _orders(student.name):
                keys |= {f"name:{letters(order)}", f"unaccented:{unaccented(order)}"}
            for key in keys - {"id:", "lms:", "name:", "unaccented:"}:
                by_key.setdefault(key, []).append(student)
        return by_key


def is_called(name: str, full_name: str) -> bool:
    """Whether a name in Moodle's zip can be that of a participant of its worksheet.

    The zip has no names where students are anonymous, and those of groups before names.
    """
    written, full = unaccented(name), unaccented(full_name)
    of_group = "-" in name and written.endswith(full)
    return not full or written in ("", full, ANONYMOUS_IN_MOODLE) or of_group


def _orders(name: str) -> list[str]:
    """A name, and the same begun with each of its words: last names first, and last."""
    words = name.replace(",", " ").split()
    return [" ".join(words[start:] + words[:start]) for start in range(len(words))]


def new_ids(roster: Roster, rows: Iterable[HandedIn]) -> dict[SubmissionId, str]:
    """The roster's ids for submissions under what the LMS calls their students.

    The LMS's number tells whose one is; without one, a name does, but not that of whom the grader
    told from others of the same name. No two of a lesson get one id, nor one that has another.
    """
    submissions, id_of = a_row_of_each(rows), dict[SubmissionId, str]()
    for row in submissions.values():
        if row.student in roster.by_id:
            continue
        source = named(row)
        meant = roster.find(row.name, row.lms_id)
        is_sure = roster.row(row.name, row.lms_id) or (
            source.layout.numbers_uploads and all(student.lms_id == row.lms_id for student in meant)
        )
        if len(meant) == 1 and (is_sure or safe_name(source.label) == row.student):
            id_of[row.id] = meant[0].id
    claims = Counter((lesson, id) for (_student, lesson), id in id_of.items())
    return {
        (student, lesson): id
        for (student, lesson), id in id_of.items()
        if claims[lesson, id] == 1 and (id, lesson) not in submissions
    }


def require_same_class(
    given: Roster, path: Path, kept: Roster, kept_path: Path, rows: Sequence[HandedIn]
) -> None:
    """Refuse a roster of other students than the `kept` one and than collected `rows` are of.

    Raises WrongUsage.
    """
    common = len(kept.by_id.keys() & given.by_id.keys())
    collected = {student for student, _lesson in a_row_of_each(rows)}
    fitting = collected & given.by_id.keys()
    fitting |= {student for student, _lesson in new_ids(given, rows)}
    if 2 * common < len(kept.students) and 2 * len(fitting) < len(collected):
        raise WrongUsage(
            _("{path} has {common} of the {count} students in {kept}, and {fitting} of the "
              "{recorded} whose results are in it. Another class, or another LMS with other ids, "
              "needs an OUT of its own"),
            path=path, common=common, count=len(kept.students), kept=kept_path,
            fitting=len(fitting), recorded=len(collected),
        )  # fmt: skip
