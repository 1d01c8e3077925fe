"""Who is in the class: a CSV of ids, names, addresses, sections and the LMS's ids.

The columns of the project's own form are `id,name,email,section,lms_id`, of which only `id` has to
be there. Two files that LMSs export are understood as they are:

- Canvas's gradebook: `Student,ID,SIS User ID,SIS Login ID,Section`, then the assignments, with a
  row `Points Possible` (lib/gradebook_exporter.rb of instructure/canvas-lms).
- Moodle's grading worksheet: `Identifier,Full name,ID number,Email address,Status,Grade,...`, where
  the identifier is `Participant 12345`, another number in each assignment (get_uniqueid_for_user in
  mod/assign/locallib.php of moodle/moodle). It also tells when and whether late a student handed
  in.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cached_property
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.safe_names import SECTIONS, normal, safe_name, short_list
from autograder.results.tables import read_table
from autograder.results.times import local_utc

ROSTER = "roster.csv"  # in OUT, and in folders that are collected
# What columns are called, in lower case without marks between the words.
COLUMNS = {
    "id": ("id", "studentid", "student", "username", "login", "idnumber", "matriculation"),
    "name": ("name", "fullname", "studentname"),
    "first": ("firstname", "givenname", "vorname"),
    "last": ("lastname", "surname", "familyname", "nachname"),
    "email": ("email", "emailaddress", "mail", "emailadresse"),
    "section": ("section", "group", "groups", "tutorial"),
    "lms_id": ("lmsid", "lmsuserid", "canvasid", "moodleid"),
}
# The columns that tell who a student is, as they are called in messages.
LOOKED_FOR = {
    "plain": "id, name (or first name, last name), email, section, lms_id",
    "canvas": "Student, ID, SIS User ID, SIS Login ID, Section",
    "moodle": "Identifier, Full name, ID number, Email address",
}
ANONYMOUS_IN_MOODLE = "participant"  # whom Moodle does not name
MOST_COLUMNS = 6  # of a gradebook, the assignments follow
ANONYMOUS_IN_CANVAS = "anon_"  # how it begins what it calls those whom it does not name
MOODLE_COLUMNS = 6  # that each worksheet has: Identifier, Status, two of the grade, two of times
TEST_STUDENT = "Student, Test"  # stands in every gradebook of Canvas where a teacher used it


@dataclass(frozen=True)
class Student:
    """One of the class; `last` is the last name, where it is known which part of `name` that is.

    `submitted` (a time), `late` and `was_submitted` are what a worksheet of Moodle tells.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    lms_id: str = ""
    submitted: str = ""
    late: bool = False
    last: str = ""
    was_submitted: bool = False

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
        elif lms_id and self.kind != "moodle" and (found := self._index.get(f"lms:{lms_id}")):
            return found
        for one in filter(None, names):
            for key in (f"id:{one.casefold()}", f"name:{letters(one)}", f"bare:{bare(one)}"):
                if found := self._index.get(key):
                    return found
        return []

    def row(self, name: str, number: str) -> Student | None:
        """The participant of Moodle with this number and name, as the newest worksheet tells it."""
        found = (sheet.participant(name, number) for sheet in self._worksheets)
        return next(filter(None, found), None)

    def assignment(self, name: str, number: str) -> str:
        """The lesson in whose assignment the participant has this number; empty if unknown."""
        found = (sheet.lesson for sheet in self.earlier if sheet.participant(name, number))
        return next(found, "")

    def participant(self, name: str, number: str) -> Student | None:
        """The row of this worksheet with the number, where it can be of that name."""
        rows = self._participants.get(number, ())
        return next((row for row in rows if is_called(name, row.name)), None)

    @cached_property
    def _worksheets(self) -> tuple["Roster", ...]:
        return (self, *self.earlier) if self.kind == "moodle" else self.earlier

    @cached_property
    def _participants(self) -> dict[str, list[Student]]:
        found: dict[str, list[Student]] = {}
        for student in self.students:
            found.setdefault(student.lms_id, []).append(student)
        found.pop("", None)
        return found

    @cached_property
    def _index(self) -> dict[str, list[Student]]:
        found: dict[str, list[Student]] = {}
        for student in self.students:
            keys = {f"id:{student.id.casefold()}", f"lms:{student.lms_id}"}
            if student.email:
                address = student.email.casefold()
                keys |= {f"id:{address}", f"id:{address.partition('@')[0]}"}
            for order in _orders(student.name):
                keys |= {f"name:{letters(order)}", f"bare:{bare(order)}"}
            for key in keys - {"id:", "lms:", "name:", "bare:"}:
                found.setdefault(key, []).append(student)
        return found


def is_called(name: str, known: str) -> bool:
    """Whether a name in Moodle's zip can be that of a participant of its worksheet.

    The zip has no names where students are anonymous, and those of groups before names.
    """
    written, full = bare(name), bare(known)
    of_group = "-" in name and written.endswith(full)
    return not full or written in ("", full, ANONYMOUS_IN_MOODLE) or of_group


def letters(name: str) -> str:
    """A name's letters and digits alone, as Canvas writes names into those of files."""
    return re.sub(r"[\W_]", "", normal(name).casefold())


def bare(name: str) -> str:
    """The same without accents."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return letters("".join(sign for sign in split if not unicodedata.combining(sign)))


def _orders(name: str) -> list[str]:
    """A name, and the same begun with each of its words: last names first, and last."""
    words = name.replace(",", " ").split()
    return [" ".join(words[start:] + words[:start]) for start in range(len(words))]


def read_roster(path: Path, timezone: tzinfo | None = None) -> Roster:
    """Read a roster. Raises WrongUsage with what came and what was expected.

    The times of a worksheet of Moodle have no zone; they are in `timezone`, or in the machine's.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise WrongUsage(
            _("the roster {path} cannot be read: {reason}"), path=path, reason=error.strerror
        ) from error
    except UnicodeDecodeError as error:
        raise WrongUsage(
            _("the roster {path} is not in UTF-8; save it as CSV in UTF-8"), path=path
        ) from error
    header, *rows = list(read_table(text)) or [[]]
    require_english(path, header, rows)
    if _is_canvas(header):
        kind, students = "canvas", _of_canvas(header, rows)
    elif is_worksheet(header):
        kind, students = "moodle", participants(header, rows, timezone)
    else:
        kind, students = "plain", _of_columns(path, header, rows)
    students = [student for student in students if student.id]
    twice = {
        student.id for student in students if sum(student.id == other.id for other in students) > 1
    }
    if twice:
        raise WrongUsage(
            _("the roster {path} has several rows for {ids}; each student needs their own id"),
            path=path, ids=", ".join(sorted(twice)),
        )  # fmt: skip
    if not students:
        raise WrongUsage(_("the roster {path} has no row with a student"), path=path)
    return Roster(tuple(students), kind, tuple(header))


def misfit(roster: Roster, path: Path, there: Collection[str]) -> str:
    """What is wrong with a roster that lacks most of those who handed in; empty if nothing is.

    `there` are the students as they are called with this roster.
    """
    strangers = sorted(set(there) - roster.by_id.keys())
    if 2 * len(strangers) <= len(set(there)):
        return ""
    if all(one.startswith(ANONYMOUS_IN_CANVAS) for one in strangers):
        return _(
            "{missing} of {count} students are anonymous ({example}), so no grade of theirs can be "
            "given back to the LMS. Switch anonymous grading off in the assignment's settings, and "
            "download the submissions again"
        ).format(missing=len(strangers), count=len(set(there)), example=strangers[0])
    return _(
        "{missing} of {count} students who handed in are not in the roster {path}, which has "
        "{size}: {names}. Its columns are {found}; looked for were {columns}. Without the right "
        "roster, they are graded under the names that the LMS gives them. Give the roster of this "
        "class"
    ).format(
        missing=len(strangers), count=len(set(there)), path=path, size=len(roster.students),
        found=", ".join(roster.columns[:MOST_COLUMNS]), columns=LOOKED_FOR[roster.kind],
        names=short_list(strangers),
    )  # fmt: skip


def _is_canvas(header: list[str]) -> bool:
    return "Student" in header[:1] and "ID" in header[1:2] and "Section" in header


def is_worksheet(header: list[str]) -> bool:
    """Whether these are the columns of a grading worksheet of Moodle."""
    return {"identifier", "grade"} <= {name.casefold() for name in header}


def require_english(path: Path, header: list[str], rows: list[list[str]]) -> None:
    """Raise WrongUsage for a worksheet whose columns Moodle wrote in another language.

    Its first column has a word for participants with a number, such as `Teilnehmer/in 41000`.
    """
    numbered = [re.fullmatch(r"(\D+) \d+", row[0].strip()) for row in rows if row]
    words = {match and match[1] for match in numbered}
    if is_worksheet(header) or len(header) < MOODLE_COLUMNS or len(words) != 1 or None in words:
        return
    raise WrongUsage(
        _("{path} seems to be a worksheet of Moodle in another language: its columns are {found}. "
          "Choose English in Moodle's menu of languages, and download it again"),
        path=path, found=", ".join(header),
    )  # fmt: skip


def cell(row: Mapping[str, str], column: str) -> str:
    """The cell of a worksheet's column; versions of Moodle write "Maximum grade", too."""
    named = (value for name, value in row.items() if name.casefold() == column.casefold())
    return next(named, "")


def _of_canvas(header: list[str], rows: list[list[str]]) -> list[Student]:
    found: dict[str, Student] = {}
    for values in rows:
        row = dict(zip(header, values, strict=False))
        name, id = row["Student"].strip(), row.get("ID", "").strip()
        if not id or "Points Possible" in name or name == TEST_STUDENT:
            continue
        last, _comma, first = name.rpartition(",")
        login = row.get("SIS Login ID", "").strip() or row.get("SIS User ID", "").strip() or id
        email = login if "@" in login else ""
        name = normal(f"{first.strip()} {last.strip()}")
        section = row["Section"].strip()
        if other := found.get(id):  # a row for each section
            found[id] = replace(other, section=joined_sections(other.section, section))
            continue
        found[id] = Student(_id(login), name, email, section, id, last=normal(last))
    return list(found.values())


def joined_sections(*sections: str) -> str:
    """The sections of one student as Canvas writes them: Group A and Group B."""
    each = [one for several in sections for one in several.split(SECTIONS) if one]
    return SECTIONS.join(dict.fromkeys(each))


def participants(
    header: list[str], rows: list[list[str]], timezone: tzinfo | None = None
) -> list[Student]:
    """The rows of a grading worksheet of Moodle."""
    found = []
    for values in rows:
        row = {key: value.strip() for key, value in zip(header, values, strict=False)}
        number = re.search(r"\d+$", cell(row, "Identifier"))
        name, email = normal(cell(row, "Full name")), cell(row, "Email address")
        status = cell(row, "Status").casefold()
        found.append(
            Student(
                _id(cell(row, "ID number") or email or name or cell(row, "Identifier")),
                name,
                email,
                cell(row, "Group"),
                number.group() if number else "",
                local_utc(cell(row, "Last modified (submission)"), timezone),
                bool(re.search(r"\blate\b", status)),
                was_submitted=status.startswith("submitted"),
            )
        )
    return found


def _of_columns(path: Path, header: list[str], rows: list[list[str]]) -> list[Student]:
    known = {letters(name): place for place, name in enumerate(header)}
    at = {
        meaning: next((known[name] for name in names if name in known), -1)
        for meaning, names in COLUMNS.items()
    }
    if at["id"] < 0:
        at["id"] = at["email"]
    # A table of marks has students, too, and nothing else that a roster has.
    is_other_table = len(header) > 1 and not any(
        place >= 0 for meaning, place in at.items() if meaning != "id"
    )
    if at["id"] < 0 or is_other_table:
        raise WrongUsage(
            _("the roster {path} has the columns {found}; expected a CSV with a column id, and "
              "of name, email, section and lms_id what you have; or the gradebook that Canvas "
              "exports, or the grading worksheet of Moodle"),
            path=path, found=", ".join(header) or _("none"),
        )  # fmt: skip

    def value(row: list[str], meaning: str) -> str:
        return row[at[meaning]].strip() if 0 <= at[meaning] < len(row) else ""

    return [
        Student(
            _id(value(row, "id")),
            normal(value(row, "name") or f"{value(row, 'first')} {value(row, 'last')}"),
            value(row, "email"),
            value(row, "section"),
            value(row, "lms_id"),
            last=normal(value(row, "last")),
        )
        for row in rows
    ]


def _id(text: str) -> str:
    id = normal(text).replace("/", "-").lstrip(".")
    return safe_name(id) if normal(id) else ""
