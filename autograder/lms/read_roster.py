"""Reads who is in the class: a CSV of ids, names, addresses, sections and the LMS's ids.

The columns of the project's own form are `id,name,email,section,lms_id`, of which only `id` has to
be there; COLUMNS has the other names that are understood. Two files that LMSs export are understood
as they are:

- Canvas's gradebook: `Student,ID,SIS User ID,SIS Login ID,Section`, then the assignments, with a
  row `Points Possible` (lib/gradebook_exporter.rb of instructure/canvas-lms).
- Moodle's grading worksheet: `Identifier,Full name,ID number,Email address,Status,Grade,...`, where
  the identifier is `Participant 12345`, another number in each assignment (get_uniqueid_for_user in
  mod/assign/locallib.php of moodle/moodle). It also tells when and whether late a student handed
  in.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.safe_names import SECTIONS, letters, normal, safe_name, short_list
from autograder.results.tables import read_table, text_of
from autograder.results.times import is_day_first, local_utc

from .roster import Roster, Student

# What columns are called: their letters and digits in lower case, as `letters` leaves them, accents
# included. Of several that a roster has, the one named first here counts. A key is a field of
# Student, or what one is made of.
COLUMNS = {
    "id": ("id", "studentid", "student", "username", "login", "idnumber", "matriculation",
           "matrikelnummer"),
    "name": ("name", "fullname", "studentname"),
    "first": ("firstname", "givenname", "vorname"),
    "last": ("lastname", "surname", "familyname", "nachname"),
    "email": ("email", "emailaddress", "mail", "emailadresse"),
    "section": ("section", "group", "groups", "tutorial"),
    "lms_id": ("lmsid", "lmsuserid", "canvasid", "moodleid"),
}  # fmt: skip
OF_A_ROSTER = ("name", "first", "last", "email", "section", "lms_id")  # and of no table of marks
LONGEST_CELL = 500  # characters of a name or an id
MOODLE_COLUMNS = 6  # that each worksheet has: Identifier, Status, two of the grade, two of times
HANDED_IN = "Last modified (submission)"  # Moodle's column of times
TEST_STUDENT = "Student, Test"  # stands in every gradebook of Canvas where a teacher used it


def read_roster(path: Path, timezone: tzinfo | None = None) -> Roster:
    """Read a roster. Raises WrongUsage with what came and what was expected.

    The times of a worksheet of Moodle have no zone; they are in `timezone`, or in the machine's.
    """
    header, *rows = list(read_table(text_of(path))) or [[]]
    rows = [[cell[:LONGEST_CELL] for cell in row] for row in rows]
    require_english(path, header, rows)
    if _is_canvas(header):
        kind, students = "canvas", _of_canvas(header, rows)
    elif is_worksheet(header):
        kind, students = "moodle", participants(path, header, rows, timezone)
    else:
        kind, students = "plain", _of_columns(path, header, rows)
    students = [student for student in students if student.id]
    counts = Counter(student.id for student in students)
    twice = [id for id, count in counts.items() if count > 1]
    if twice:
        raise WrongUsage(
            _("the roster {path} has several rows for {ids}; each student needs their own id"),
            path=path, ids=short_list(sorted(twice)),
        )  # fmt: skip
    if not students:
        raise WrongUsage(_("the roster {path} has no row with a student"), path=path)
    return Roster(tuple(students), kind, tuple(header))


def read_worksheet(path: Path, timezone: tzinfo | None = None, lesson: str = "") -> Roster:
    """A worksheet as a roster, also one with several rows of a student. Raises WrongUsage."""
    header, *rows = list(read_table(text_of(path))) or [[]]
    require_english(path, header, rows)
    if not is_worksheet(header):
        raise WrongUsage(
            _("{path} is no grading worksheet of Moodle: its columns are {found}; expected are "
              "Identifier, Full name, Grade, Maximum Grade and others"),
            path=path, found=", ".join(header[:6]),
        )  # fmt: skip
    students = tuple(participants(path, header, rows, timezone))
    return Roster(students, "moodle", tuple(header), lesson=lesson)


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
    students: dict[str, Student] = {}
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
        if earlier := students.get(id):  # a row for each section
            students[id] = replace(earlier, section=joined_sections(earlier.section, section))
            continue
        students[id] = Student(_id(login), name, email, section, id, last=normal(last))
    return list(students.values())


def joined_sections(*sections: str) -> str:
    """The sections of one student as Canvas writes them: Group A and Group B."""
    names = [name for several in sections for name in several.split(SECTIONS) if name]
    return SECTIONS.join(dict.fromkeys(names))


def participants(
    path: Path, header: list[str], rows: list[list[str]], timezone: tzinfo | None = None
) -> list[Student]:
    """The rows of a grading worksheet of Moodle. Raises WrongUsage for days that may be months."""
    students = []
    cells = [{key: value.strip() for key, value in zip(header, row, strict=False)} for row in rows]
    times = [cell(row, HANDED_IN) for row in cells]
    dayfirst = is_day_first(times)
    if dayfirst is None:
        raise WrongUsage(
            _("{path} does not tell day from month: {time} in its column {column}. Download it "
              "again, and do not save it with another program: Moodle names the month"),
            path=path, column=HANDED_IN,
            time=next(time for time in times if is_day_first([time]) is None),
        )  # fmt: skip
    for row in cells:
        number = re.search(r"\d+$", cell(row, "Identifier"))
        name, email = normal(cell(row, "Full name")), cell(row, "Email address")
        status = cell(row, "Status").casefold()
        students.append(
            Student(
                _id(cell(row, "ID number") or email or name or cell(row, "Identifier")),
                name,
                email,
                cell(row, "Group"),
                number.group() if number else "",
                local_utc(cell(row, HANDED_IN), timezone, dayfirst),
                bool(re.search(r"\blate\b", status)),
            )
        )
    return students


def _of_columns(path: Path, header: list[str], rows: list[list[str]]) -> list[Student]:
    places = {letters(name): place for place, name in enumerate(header)}
    at = {
        meaning: next((places[name] for name in names if name in places), -1)
        for meaning, names in COLUMNS.items()
    }
    if at["id"] < 0:
        at["id"] = at["email"]
    # A table of marks has students, too, and nothing else that a roster has.
    is_other_table = len(header) > 1 and all(at[meaning] < 0 for meaning in OF_A_ROSTER)
    if at["id"] < 0 or is_other_table:
        raise WrongUsage(
            _("the roster {path} has the columns {found}; expected a CSV with a column id (or one "
              "of {ids}), and of name, email, section and lms_id what you have; or the gradebook "
              "that Canvas exports, or the grading worksheet of Moodle"),
            path=path, found=", ".join(header) or _("none"), ids=", ".join(COLUMNS["id"][1:]),
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
