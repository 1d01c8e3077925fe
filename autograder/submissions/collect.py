"""Says of each file in a source whose it is, of which lesson, and whether it counts: a row each.

A source is a class's folders, or what an LMS gives. The project's own form is
SUBMITTED/<student>/<NN-name>/<name>.ipynb; those of an LMS are told by
`autograder/lms/file_names.py`. What is broken gets a row with a problem, never an exception: it
must not stop the others. No link is followed, nothing is written here, and sizes are bounded.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from autograder.errors import WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import ParsedName, named
from autograder.lms.roster import ANONYMOUS_IN_CANVAS, LOOKED_FOR, MOST_COLUMNS, Roster
from autograder.results.handed_in import COLLECTED, HandedIn, a_row_of_each, read_handed_in
from autograder.results.remarks import Problem
from autograder.results.safe_names import (
    is_hidden,
    is_of_systems,
    of_the_course,
    respelled,
    safe_name,
    short_list,
    shown,
)
from autograder.results.submission import Submission, SubmissionId
from autograder.results.times import utc

from .collected_folder import submissions_of
from .match_lessons import LessonMatcher
from .match_students import StudentMatcher
from .notebook_as_submitted import LARGEST_FILE
from .rows import LooseFiles, Placed, Rows
from .sources.entries import DEEPEST, Entry, open_source, reader, without_leftovers
from .sources.find import (
    EARLIER,
    LESSON,
    SECRET,
    TIMESTAMP,
    Source,
    SubmittedFile,
    all_files,
    can_be_graded,
    children,
    is_notebook,
    require_class,
)

EXPECTED = _(
    "expected are files <student>/<NN-name>/<name>.ipynb, or what an LMS gives: the zip of Canvas, "
    "Moodle, Blackboard, D2L or Autolab, the files of Teams or GitHub Classroom, the inbound "
    "folder of nbgrader's exchange, a folder of notebooks"
)


@dataclass
class Collected:
    """The whole table of what maps where.

    `layout` is the name of one of LAYOUTS. `misread` are the paths of timestamps
    that tell no time.
    """

    layout: str
    student_matcher: StudentMatcher
    rows: list[HandedIn]
    misread: set[str]

    @property
    def unknown(self) -> dict[str, str]:
        """Students who are not in the roster, each with the reason."""
        return self.student_matcher.unknown

    @property
    def submissions(self) -> list[Submission]:
        return submissions_of(self.rows)

    @property
    def students(self) -> set[str]:
        """All who handed something in, as they are called in the results."""
        return set(self.student_matcher.names)

    @property
    def is_told(self) -> bool:
        """Whether there is something to tell of what maps where, for which it is kept in a file.

        Folders that are called as the students are need no table.
        """
        return self.layout != "students" or bool(self.unknown or self.misread)

    def only(self, student: str, lesson: str, path: Path) -> "Collected":
        """What is of one student, or of one lesson; of all where a name is empty.

        Raises WrongUsage where there is no such student.
        """
        students = self.student_matcher.called(student) if student else self.students
        if not students and student:
            raise WrongUsage(_("there is no student {student!r} in {path}"), student=student,
                             path=path)  # fmt: skip
        rows = [row for row in self.rows
                if row.student in students and lesson in ("", row.lesson)]  # fmt: skip
        return replace(self, rows=rows) if student or lesson else self


def collect(
    submitted: Path,
    lessons: Sequence[Lesson],
    roster: Roster | None = None,
    timezone: tzinfo | None = None,
) -> Collected:
    """Find what was handed in. Raises WrongUsage for a wrong path.

    Times without a zone are in `timezone`, or in the machine's.
    """
    entries, lost = open_source(submitted)
    lesson_names = Lessons(lessons)
    table = _table_in(entries, submitted)
    if not table:
        require_class(entries, lesson_names, submitted, EXPECTED)
    if submitted.is_dir() and Path.cwd().is_relative_to(submitted.resolve()):
        # There, Python would take a student's file for a module of its own.
        raise WrongUsage(_("run this from a folder that is not inside {path}"), path=submitted)
    source = Source(entries, lesson_names, submitted, is_collected=bool(table))
    collected = _collected(source, lesson_names, roster, table, timezone)
    if not collected.rows:
        raise WrongUsage(_("{path} holds no submission; {expected}"), path=submitted,
                         expected=EXPECTED)  # fmt: skip
    if not table:
        folders = {
            path: collected.student_matcher.of_folder(entry.name) for path, entry in source.folders
        }
        told = {row.path for row in collected.rows}
        collected.rows += _passed_over(entries, told, folders)
    collected.rows += lost
    return collected


def require_lessons(collected: Collected, lessons: Sequence[Lesson], path: Path) -> None:
    """Raise WrongUsage where nothing that was collected belongs to a lesson."""
    ids = {lesson.id for lesson in lessons}
    if any(row.lesson in ids and (row.counts or row.problem) for row in collected.rows):
        return
    paths = ", ".join(shown(row.path) for row in collected.rows[:3])
    raise WrongUsage(
        _("nothing in {path} belongs to a lesson of this course; found are {found}; {expected}"),
        path=path, found=paths or _("no files"), expected=EXPECTED,
    )  # fmt: skip


def require_known_students(
    roster: Roster, path: Path, collected: Collected, may_miss: Callable[[str], bool]
) -> None:
    """Refuse a roster that lacks most of those who handed in, or has ids in another form.

    Not where `may_miss` agrees. Raises WrongUsage.
    """
    message = _misfit(roster, path, collected.students)
    if message and not may_miss(message):
        raise WrongUsage(_("{message}, or add --yes to continue all the same"), message=message)


def _misfit(roster: Roster, path: Path, students: set[str]) -> str:
    """What is wrong with a roster; empty if nothing is."""
    strangers = sorted(students - roster.by_id.keys())
    if copied := [f"{student} ({id})" for student, id in respelled(strangers, roster.by_id)]:
        return _(
            "the roster {path} has ids of those who handed in in another form, as a spreadsheet "
            "writes numbers: {names}. Put the ids right in the roster"
        ).format(path=path, names=short_list(copied))
    if 2 * len(strangers) <= len(students):
        return ""
    if all(student.startswith(ANONYMOUS_IN_CANVAS) for student in strangers):
        return _(
            "{missing} of {count} students are anonymous ({example}), so no grade of theirs can be "
            "given back to the LMS. Switch anonymous grading off in the assignment's settings, and "
            "download the submissions again"
        ).format(missing=len(strangers), count=len(students), example=strangers[0])
    return _(
        "{missing} of {count} students who handed in are not in the roster {path}: {names}. It has "
        "{size} students. Its columns are {found}; looked for were {columns}. Without the right "
        "roster, they are graded under the names that the LMS gives them. Give the roster of this "
        "class"
    ).format(
        missing=len(strangers), count=len(students), path=path, size=len(roster.students),
        found=", ".join(roster.columns[:MOST_COLUMNS]), columns=LOOKED_FOR[roster.kind],
        names=short_list(strangers),
    )  # fmt: skip


def _collected(
    source: Source,
    lessons: Lessons,
    roster: Roster | None,
    table: Sequence[HandedIn],
    timezone: tzinfo | None,
) -> Collected:
    """The rows of what a source holds, and of what the `table` in it tells."""
    names: dict[str, list[ParsedName]] = {}
    for row in table:
        if row.source != "students":
            names.setdefault(row.student, []).append(named(row))
    folders = {entry.name for _path, entry in source.folders}
    student_matcher = StudentMatcher(roster, folders, source.files, names)
    rows = Rows(lessons, LessonMatcher(lessons, roster), timezone)
    of_folders = [
        replace(row, student=student_matcher.of_folder(row.student))
        for row in table
        if row.student in folders
    ]
    rows += [row for row in of_folders if not row.counts]
    rows += [row for row in table if not row.student]
    _StudentFolders(rows, student_matcher, a_row_of_each(of_folders)).add(source.folders)
    LooseFiles(rows, student_matcher).add(source.files)
    rows += [HandedIn(path, note=reason) for path, reason in source.strays]
    return Collected(source.layout, student_matcher, rows, rows.misread)


def _passed_over(
    entries: list[Entry], told: set[str], students: Mapping[str, str]
) -> Iterator[HandedIn]:
    """A row of whatever is not `told` by its path, but for what systems and nbgrader made.

    `students` are called so whose folders have these paths.
    """
    waiting = deque((entry.name, entry, "") for entry in entries)
    of_course = of_the_course({entry.name for entry in entries})
    while waiting:
        path, entry, student = waiting.popleft()
        if path in told or is_of_systems(entry.name) or entry.name in (TIMESTAMP, SECRET):
            continue
        student = students.get(path, student)
        if is_hidden(entry.name):
            yield HandedIn(path, student, note=_("its name begins with a dot"))
        elif path in of_course:
            yield HandedIn(path, student, note=_("it belongs to the course"))
        elif entry.kind == "folder":
            inside = children(entry)
            names = of_the_course({child.name for child in inside})
            of_course |= {f"{path}/{name}" for name in names}
            waiting.extend((f"{path}/{child.name}", child, student) for child in inside)
        else:
            note = _("it is no notebook") if student else _("its place does not tell a student")
            if path.count("/") > DEEPEST:
                note = _("it lies more than {count} folders deep").format(count=DEEPEST)
            yield HandedIn(path, student, note=note)


class _StudentFolders:
    """Writes the rows of students' folders; `before` is what a table in them tells."""

    def __init__(
        self, rows: Rows, student_matcher: StudentMatcher, before: dict[SubmissionId, HandedIn]
    ):
        self.rows, self.student_matcher, self.before = rows, student_matcher, before
        self.lessons, self.lesson_matcher = rows.lessons, rows.lesson_matcher

    def add(self, folders: list[Placed]) -> None:
        by_student: dict[str, list[Placed]] = {}
        for path, entry in sorted(folders, key=lambda placed: placed[0]):
            student = self.student_matcher.of_folder(entry.name)
            try:
                inside = _inside(path, entry)
                by_student.setdefault(student, []).extend(inside)
            except Problem as problem:
                self.rows.add_problem(HandedIn(path, student, name=student), problem)
        for student, inside in by_student.items():
            self._add_student(student, inside)

    def _add_student(self, student: str, entries: list[Placed]) -> None:
        if not entries:
            self.rows.add_problem(HandedIn(student, student, name=student), Problem("no_lesson"))
        odd: list[tuple[HandedIn, Problem, Entry]] = []
        in_lessons: dict[str, list[Placed]] = {}
        places: dict[str, str] = {}
        loose: list[SubmittedFile] = []
        for path, entry in sorted(entries, key=lambda placed: placed[0]):
            lesson = self.lessons.named(entry.name)
            try:
                if lesson and entry.kind in ("folder", "link"):
                    inside = _inside(path, entry)
                    in_lessons.setdefault(lesson, []).extend(inside)
                    places[lesson] = path
                elif entry.kind == "link":
                    raise Problem("link")
                elif files := self._with_lessons(path, entry, student):
                    loose += files
                else:
                    raise self._no_lesson(entry)
            except Problem as problem:
                name = lesson or safe_name(entry.name)
                odd.append((HandedIn(path, student, name, name=student), problem, entry))
        for row, why, entry in odd:
            if not (in_lessons or loose) or self._is_for_a_person(entry):
                self.rows.add_problem(row, why)
        LooseFiles(self.rows, self.student_matcher).add(
            [file for file in loose if file.lesson not in in_lessons]
        )
        for lesson, inside in in_lessons.items():
            beside = [(file.path, file.entry) for file in loose if file.lesson == lesson]
            self._add_lesson(student, lesson, places[lesson], inside + beside)

    def _with_lessons(self, path: str, entry: Entry, student: str) -> list[SubmittedFile]:
        """The files in what is no lesson's folder that say themselves which lesson they are of."""
        files = all_files(entry, f"{path}/") if entry.kind == "folder" else [(path, entry)]
        by_name = not LESSON.fullmatch(entry.name)  # a misspelled lesson's name needs a person
        source, submitted = ParsedName("students", student), []
        for where, inside in files:
            if can_be_graded(inside):
                lesson = self.lesson_matcher.of_entry(inside, inside.name if by_name else "")
                if lesson:
                    of_file = replace(source, file=inside.name)
                    submitted.append(SubmittedFile(where, inside, of_file, student, lesson=lesson))
        return submitted

    def _is_for_a_person(self, entry: Entry) -> bool:
        """Whether what is no lesson may have been meant as one, although there are others."""
        if entry.kind == "folder" and (LESSON.fullmatch(entry.name) or self._close(entry)):
            return True
        inside = all_files(entry, "") if entry.kind == "folder" else [("", entry)]
        return entry.kind == "link" or any(is_notebook(file) for _path, file in inside)

    def _close(self, entry: Entry) -> str:
        return was_meant(entry.name.lower(), self.lessons.ids, cutoff=0.7)

    def _no_lesson(self, entry: Entry) -> Problem:
        """Why something is none of the lessons."""
        if entry.kind != "folder":
            return Problem("stray")
        return Problem("unknown_lesson", close=self._close(entry))

    def _add_lesson(self, student: str, lesson: str, place: str, files: list[Placed]) -> None:
        files = [(path, entry) for path, entry in files if entry.name != EARLIER]
        if not any(is_notebook(entry) for _path, entry in files):
            files += self._deeper(files)
        before = self.before.get((student, lesson)) or HandedIn("", name=student)
        sheet = self.lesson_matcher.of_worksheet(named(before))
        row = replace(
            before,
            student=student,
            lesson=lesson,
            submitted=self.rows.time_of(student, lesson, files)
            or utc(before.submitted)
            or (sheet.submitted if sheet else ""),
            late=bool(before.late or (sheet and sheet.late and not before.assignment)),
            note="",
        )
        wanted = [placed for placed in files if self.rows.is_wanted(placed[1])]
        if any(can_be_graded(entry) for _path, entry in wanted):
            self.rows.extend([self.rows.counted(row, *placed) for placed in wanted])
        else:
            has_files = bool(before.original) or any(entry.kind == "file" for _path, entry in files)
            self.rows.add_problem(
                replace(row, path=place), Problem("no_notebook", has_files=has_files)
            )

    def _deeper(self, files: list[Placed]) -> list[Placed]:
        """Notebooks, and what is beside them, in deeper folders, as zips of folders unpack."""
        deeper = [
            placed
            for path, entry in files
            if entry.kind == "folder"
            for placed in all_files(entry, f"{path}/")
        ]
        places = {path.rpartition("/")[0] for path, entry in deeper if is_notebook(entry)}
        return [
            (path, entry)
            for path, entry in deeper
            if is_notebook(entry)
            or (entry.name in self.lessons.attachments and path.rpartition("/")[0] in places)
        ]


def _inside(path: str, folder: Entry) -> list[Placed]:
    """What lies in a folder. Raises Problem for a link, and where it cannot be read."""
    if folder.kind == "link":
        raise Problem("link")
    return [(f"{path}/{entry.name}", entry) for entry in without_leftovers(folder.children())]


def _table_in(entries: list[Entry], path: Path) -> list[HandedIn]:
    """What `collect` wrote down of what it found. Raises WrongUsage."""
    for entry in entries:
        if entry.name == COLLECTED and entry.kind == "file":
            try:
                content = b"".join(reader(entry, LARGEST_FILE)())
            except Problem as problem:
                raise WrongUsage(f"{path / COLLECTED}: {problem}") from problem
            return read_handed_in(content, path / COLLECTED)
    return []
