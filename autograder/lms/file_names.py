"""How LMSs name what students handed in: the student, the LMS's id, the attempt, the file.

Each but the last is a row of `LAYOUTS`, with what else tells it from others.

**Canvas**, "Download Submissions" (lib/content_zipper.rb of instructure/canvas-lms: `get_filename`,
`add_upload_submission`). One folder of files, `<name>[_LATE]_<user>_<attachment>_<file>`: the name
is the student's "Last, First" in lower case with all but letters, digits and underscores removed.
Where students are anonymous it is `[LATE_]anon_<id>_<attachment>_<file>`. Text and links that were
handed in end in `_text.html` and `_link.html`, without an attachment. Attachments are numbered in
the order of their upload; one with the name of an earlier one becomes `attention-1.ipynb`. Of
several attempts, the zip has the files of the last.

**Moodle**, "Download all submissions" (mod/assign/classes/downloader.php of moodle/moodle). One
folder for each student, `<Full name>_<participant>_assignsubmission_file` with what was handed in,
until version 4.0 with another underscore at its end; or, as each teacher can set, no folders, and
that before the file's name. A participant has another number in each assignment.

**nbgrader's exchange**, `<course>/inbound` (exchange/default/submit.py of nbgrader). One folder for
each attempt, `<student>+<assignment>+<time>`, perhaps with `+<random>` behind.

**Blackboard**, "Assignment File Download". One folder of files,
`<assignment>_<username>_attempt_<time>_<file>`, with `<assignment>_<username>_attempt_<time>.txt`
for what was written; the time has seconds and no zone. All attempts are there.

**D2L Brightspace**, "Download" of an assignment. `<user>-<folder> - <Full name> - <time>` is a
folder for each attempt, or comes before ` - <file>`; the time is such as `Oct 5, 2026 1123 PM`.

**Teams** keeps `Submitted files/<Full name>/<assignment>/Version <n>/<file>` in SharePoint, and
what nobody handed in beside it in `Working files`.

**Autolab**, "Download all". One folder of files, `<address>_<version>_<file>`.

**GitHub Classroom** clones repositories `<assignment>-<login>` into `<assignment>-submissions`.

**Google Classroom** keeps files as `<Full name> - <file>` in the assignment's folder of Drive. A
plain file may be called so, too: `classroom` reads it where no layout does.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autograder.results.handed_in import HandedIn
from autograder.results.safe_names import normal

_CANVAS = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_"
    r"(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<entry>(?:text|link)\.html))",
    re.DOTALL,
)
_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?anon_(?P<user>[A-Za-z0-9]+)_"
    r"(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<entry>(?:text|link)\.html))",
    re.DOTALL,
)
_BLACKBOARD = re.compile(
    r"(?P<lesson>.+)_(?P<name>[^_]+)_attempt_(?P<day>\d{4}-\d\d-\d\d)-"
    r"(?P<hour>\d\d)-(?P<minute>\d\d)-(?P<second>\d\d)(?:_(?P<file>.+)|(?P<text>\.txt))",
    re.DOTALL,
)
_D2L = re.compile(
    r"(?P<user>\d+)-\d+ - (?P<name>.+?) ?- (?P<day>(?:[^\W\d]+\.? \d\d?|\d\d? [^\W\d]+),? \d{4}) "
    r"(?P<hour>\d\d?):?(?P<minute>\d\d) ?(?P<half>[AP]M)?(?: - (?P<file>.+))?",
    re.DOTALL,
)
_TEAMS = re.compile(
    r"(?P<name>[^/]+)/(?P<lesson>[^/]+)/Version (?P<attempt>\d+)/(?:.+/)?(?P<file>[^/]+)", re.DOTALL
)
_AUTOLAB = re.compile(r"(?P<name>[^@]+@[^@_]+)_(?P<attempt>\d+)_(?P<file>.+)", re.DOTALL)
SUBMITTED, WORKING = "Submitted files", "Working files"  # of Teams
SUBMISSIONS = "submissions"  # what GitHub Classroom writes behind an assignment
_AGAIN = re.compile(r"-[1-7](?=\.[A-Za-z0-9.]+$)")  # make_unique_filename counts no further
_MOODLE = re.compile(
    r"(?P<name>[^_]+)_(?P<user>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)", re.DOTALL
)
_EXCHANGE = re.compile(
    r"(?P<name>.+)\+(?P<lesson>[^+]+)\+"
    r"(?P<time>\d{4}-\d\d-\d\d \d\d[:_]\d\d[:_]\d\d(?:\.\d+)?(?: (?:[+-]\d[\d:]*|[^+]+))?)"
    r"(?:\+[^+]*)?",
    re.DOTALL,
)


@dataclass(frozen=True)
class ParsedName:
    """What the name of a file or of a folder tells.

    `attempt` counts upwards with the time of handing in. `file` is the name that the student gave,
    empty for a folder. `raw` is all that the source says to tell the student from others; where it
    is empty, the label is.
    """

    source: str
    name: str
    lms_id: str = ""
    attempt: int = 0
    file: str = ""
    late: bool = False
    lesson: str = ""
    time: str = ""
    raw: str = ""

    @property
    def layout(self) -> "Layout":
        return LAYOUTS[self.source]

    @property
    def label(self) -> str:
        """What the student is called where no roster says more: the same in each assignment."""
        return f"{self.name}_{self.lms_id}" if self.layout.numbers_uploads else self.name

    @property
    def first_name(self) -> str:
        """The file's name without the number that Canvas gives to one that was handed in again.

        Elsewhere such a number is the student's own, of a copy beside the first.
        """
        return _AGAIN.sub("", self.file) if self.layout.numbers_uploads else self.file


def canvas(name: str) -> ParsedName | None:
    """What the name of a file in Canvas's zip tells; None where it is none."""
    match = _ANONYMOUS.fullmatch(name) or _CANVAS.fullmatch(name)
    if not match:
        return None
    part = match.groupdict()
    return ParsedName(
        "canvas",
        normal(part.get("name") or "anon"),
        part["user"],
        int(part["attachment"] or 0),
        part["file"] or part["entry"],
        bool(part["late"]),
    )


def moodle(name: str) -> ParsedName | None:
    """What the name of a folder (or file) in Moodle's zip tells; None where it is none."""
    match = _MOODLE.fullmatch(name)
    if not match:
        return None
    return ParsedName("moodle", normal(match["name"]), match["user"], file=match["file"])


def exchange(name: str) -> ParsedName | None:
    """What the name of a folder in the exchange's inbound tells; None where it is none."""
    match = _EXCHANGE.fullmatch(name)
    if not match:
        return None
    time = re.sub(r"(?<=\d)_(?=\d)", ":", match["time"])
    name = match["name"]
    return ParsedName("exchange", normal(name), lesson=match["lesson"], time=time, raw=name)


def blackboard(name: str) -> ParsedName | None:
    """What the name of a file in Blackboard's zip tells; None where it is none."""
    if not (part := _BLACKBOARD.fullmatch(name)):
        return None
    time = f"{part['day']} {part['hour']}:{part['minute']}:{part['second']}"
    file, user = part["file"] or name, normal(part["name"])
    return ParsedName("blackboard", user, file=file, lesson=part["lesson"], time=time)


def d2l(name: str) -> ParsedName | None:
    """What the name of a folder (or file) in D2L's zip tells; None where it is none."""
    if not (part := _D2L.fullmatch(name)):
        return None
    time = f"{part['day']} {part['hour']}:{part['minute']} {part['half'] or ''}"
    student, user = normal(part["name"]), part["user"]
    return ParsedName("d2l", student, user, file=part["file"] or "", time=time,
                      raw=f"{student} {user}")  # fmt: skip


def autolab(name: str) -> ParsedName | None:
    """What the name of a file in Autolab's zip tells; None where it is none."""
    if not (part := _AUTOLAB.fullmatch(name)):
        return None
    return ParsedName("autolab", normal(part["name"]), attempt=int(part["attempt"]),
                      file=part["file"])  # fmt: skip


def teams(path: str) -> ParsedName | None:
    """What the path of a file below Teams's submitted files tells; None where it is none."""
    if not (part := _TEAMS.fullmatch(path)):
        return None
    name, attempt = part["name"], int(part["attempt"])
    return ParsedName("teams", normal(name), attempt=attempt, file=part["file"],
                      lesson=part["lesson"], raw=name)  # fmt: skip


def github(name: str, lessons: Iterable[str]) -> ParsedName | None:
    """What the name of a folder that GitHub Classroom cloned tells; None where it is none."""
    for lesson in lessons:
        for called in (lesson, lesson[3:]):
            login = name.removeprefix(f"{called}-")
            if login != name:
                return ParsedName("github", normal(login), lesson=lesson, raw=login)
    return None


@dataclass(frozen=True)
class Layout:
    """One way in which what was handed in is laid out.

    `parse` reads the name of a folder or of a file, and is None where any name may be a student's.
    `has_assignments`: it gives each assignment a place of its own. `numbers_uploads`: it numbers
    all that is handed in, so the newest counts wherever it was handed in, and a student has one
    number. `has_worksheet`: a worksheet has the times, by a number that a student has in each
    assignment. `has_local_times`: its times are in the course's zone. `is_plain`: students'
    folders, which nobody but the instructor made.
    """

    parse: Callable[[str], ParsedName | None] | None = None
    of_folders: bool = False
    of_files: bool = False
    has_assignments: bool = False
    numbers_uploads: bool = False
    has_worksheet: bool = False
    has_local_times: bool = False
    is_plain: bool = False


LAYOUTS = {
    "exchange": Layout(exchange, of_folders=True),
    "moodle": Layout(
        moodle, of_folders=True, of_files=True, has_assignments=True, has_worksheet=True
    ),
    "blackboard": Layout(blackboard, of_files=True, has_local_times=True),
    "d2l": Layout(d2l, of_folders=True, of_files=True, has_local_times=True),
    "autolab": Layout(autolab, of_files=True),
    "canvas": Layout(canvas, of_files=True, has_assignments=True, numbers_uploads=True),
    "teams": Layout(),
    "github": Layout(),
    "files": Layout(),
    "students": Layout(is_plain=True),
}


def named_by(layout: Layout, name: str, is_folder: bool) -> ParsedName | None:
    """What the name of a folder or of a file tells in this layout; None where it is none of it."""
    if not layout.parse or not (layout.of_folders if is_folder else layout.of_files):
        return None
    named = layout.parse(name)
    return named if named and (is_folder or named.file) else None


def is_of_lms(name: str, is_folder: bool) -> bool:
    """Whether a folder or a file has a name that an LMS gives."""
    return any(named_by(layout, name, is_folder) for layout in LAYOUTS.values())


def layout_of(row: HandedIn) -> Layout:
    """The layout of what a row is of, as the table names it."""
    return LAYOUTS.get(row.source, LAYOUTS["students"])


def named(row: HandedIn) -> ParsedName:
    """What the source of a file that was collected called its student."""
    source = row.source if row.source in LAYOUTS else "students"
    return ParsedName(source, row.name, row.lms_id, row.attempt)


def came_astray(row: HandedIn) -> bool:
    """Whether it was handed in with the assignment of another lesson, and nothing tells when."""
    return row.assignment not in ("", row.lesson) and not layout_of(row).numbers_uploads


def brief_path(path: str) -> str:
    """A path as people read it: without what the LMS writes behind a name."""
    parts = []
    for part in path.split("/"):
        named = moodle(part) or blackboard(part) or d2l(part) or canvas(part)
        parts += [named.name, *([named.file] if named.file else [])] if named else [part]
    return "/".join(parts)


def classroom(file: str) -> tuple[str, str]:
    """The student and the file's own name in `<Full name> - <file>`; no student where none is.

    The student's name is as it stands there.
    """
    name, dash, rest = file.partition(" - ")
    return (name, rest) if dash and rest and normal(name) else ("", file)
