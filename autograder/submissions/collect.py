"""Says of each file in a source whose it is, of which lesson, and whether it counts: a row each.

A source is a class's folders, or what an LMS gives. The project's own form is
SUBMITTED/<student>/<NN-name>/<name>.ipynb; those of an LMS are told by
`autograder/lms/file_names.py`. What is broken gets a row with a problem, never an exception: it
must not stop the others. No link is followed, nothing is written here, and sizes are bounded.
"""

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.errors import WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.blanks import MARK
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import ParsedName, named
from autograder.lms.roster import Roster
from autograder.results.handed_in import COLLECTED, HandedIn, a_row_of_each, read_handed_in
from autograder.results.remarks import Problem
from autograder.results.safe_names import encodable, is_hidden, is_of_systems, safe_name, shown
from autograder.results.submission import Submission, SubmissionId
from autograder.results.times import utc

from .collected_folder import submissions_of
from .match_lessons import LessonMatcher, handed_in_at
from .match_students import StudentMatcher
from .notebook_as_submitted import LARGEST_FILE
from .sources.entries import Entry, ReadEntry, open_source, reader, visible
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
    time_in,
)

EXPECTED = _(
    "expected are files <student>/<NN-name>/<name>.ipynb, or what an LMS gives: the zip of Canvas "
    "or Moodle, the inbound folder of nbgrader's exchange, a folder of notebooks"
)

Placed = tuple[str, Entry]  # an entry with its path in the source


@dataclass
class Collected:
    """The whole table of what maps where.

    `layout` is students, files, canvas, moodle or exchange. `misread` are the paths of timestamps
    that tell no time.
    """

    layout: str
    matcher: StudentMatcher
    rows: list[HandedIn] = field(default_factory=list)
    misread: set[str] = field(default_factory=set)

    @property
    def unknown(self) -> dict[str, str]:
        """Students who are not in the roster, each with the reason."""
        return self.matcher.unknown

    @property
    def submissions(self) -> list[Submission]:
        return submissions_of(self.rows)

    @property
    def students(self) -> set[str]:
        """All who handed something in, as they are called in the results."""
        return set(self.matcher.names)

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
        students = self.matcher.called(student) if student else self.students
        if not students and student:
            raise WrongUsage(_("there is no student {student!r} in {path}"), student=student,
                             path=path)  # fmt: skip
        rows = [row for row in self.rows
                if row.student in students and lesson in ("", row.lesson)]  # fmt: skip
        return replace(self, rows=rows) if student or lesson else self


def collect(submitted: Path, lessons: Sequence[Lesson], roster: Roster | None = None) -> Collected:
    """Find what was handed in. Raises WrongUsage for a wrong path."""
    entries, read = open_source(submitted)
    known = Lessons(lessons)
    table = _table_in(entries, read, submitted)
    if not table:
        require_class(entries, known, submitted, EXPECTED)
    if submitted.is_dir() and Path.cwd().is_relative_to(submitted.resolve()):
        # There, Python would take a student's file for a module of its own.
        raise WrongUsage(_("run this from a folder that is not inside {path}"), path=submitted)
    source = Source(entries, known, submitted, is_collected=bool(table))
    collected = _Collection(source, known, read, roster, table).collected()
    if not collected.rows:
        raise WrongUsage(_("{path} holds no submission; {expected}"), path=submitted,
                         expected=EXPECTED)  # fmt: skip
    if not table:
        folders = {path: collected.matcher.of_folder(entry.name) for path, entry in source.folders}
        told = {row.path for row in collected.rows}
        collected.rows += _passed_over(entries, told, folders)
    return collected


def require_lessons(collected: Collected, lessons: Sequence[Lesson], path: Path) -> None:
    """Raise WrongUsage where nothing that was collected belongs to a lesson."""
    known = {lesson.id for lesson in lessons}
    if any(row.lesson in known and (row.counts or row.problem) for row in collected.rows):
        return
    paths = ", ".join(shown(row.path) for row in collected.rows[:3])
    raise WrongUsage(
        _("nothing in {path} belongs to a lesson of this course; found are {found}; {expected}"),
        path=path, found=paths or _("no files"), expected=EXPECTED,
    )  # fmt: skip


class _Collection:
    """The rows of what a source holds."""

    def __init__(
        self,
        source: Source,
        lessons: Lessons,
        read: ReadEntry,
        roster: Roster | None,
        table: Sequence[HandedIn],
    ):
        self.source, self.lessons, self.read, self.table = source, lessons, read, table
        names: dict[str, list[ParsedName]] = {}
        for row in table:
            if row.source != "students":
                names.setdefault(row.student, []).append(named(row))
        self.folders = {entry.name for _path, entry in source.folders}
        matcher = StudentMatcher(roster, self.folders, source.files, names)
        self.matcher, self.match = matcher, LessonMatcher(lessons, read, roster)
        self.found = Collected(source.layout, matcher)
        self.before: dict[SubmissionId, HandedIn] = {}  # what the table tells of submissions

    def collected(self) -> Collected:
        rows = self.found.rows
        of_folders = [
            replace(row, student=self.matcher.of_folder(row.student))
            for row in self.table
            if row.student in self.folders
        ]
        self.before = a_row_of_each(of_folders)
        rows += [row for row in of_folders if not row.counts]
        rows += [row for row in self.table if not row.student]
        self._of_folders(self.source.folders)
        self._of_files(self.source.files)
        rows += [HandedIn(path, note=reason) for path, reason in self.source.strays]
        return self.found

    # Folders of students, with a folder for each lesson.

    def _of_folders(self, folders: list[Placed]) -> None:
        by_student: dict[str, list[Placed]] = {}
        for path, entry in sorted(folders, key=lambda placed: placed[0]):
            student = self.matcher.of_folder(entry.name)
            try:
                inside = _inside(path, entry)
                by_student.setdefault(student, []).extend(inside)
            except Problem as problem:
                self._problem(HandedIn(path, student, name=student), problem)
        for student, inside in by_student.items():
            self._of_student(student, inside)

    def _of_student(self, student: str, entries: list[Placed]) -> None:
        if not entries:
            self._problem(HandedIn(student, student, name=student), Problem("no_lesson"))
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
                self._problem(HandedIn(path, student, name, name=student), problem)
        self._of_files([file for file in loose if file.lesson not in in_lessons])
        for lesson, inside in in_lessons.items():
            beside = [(file.path, file.entry) for file in loose if file.lesson == lesson]
            self._in_lesson(student, lesson, places[lesson], inside + beside)

    def _with_lessons(self, path: str, entry: Entry, student: str) -> list[SubmittedFile]:
        """The files in what is no lesson's folder that say themselves which lesson they are of."""
        files = all_files(entry, f"{path}/") if entry.kind == "folder" else [(path, entry)]
        by_name = not LESSON.fullmatch(entry.name)  # a misspelled lesson's name needs a person
        source, found = ParsedName("students", student), []
        for where, inside in files:
            if can_be_graded(inside):
                lesson = self.match.of_entry(inside, inside.name if by_name else "")
                if lesson:
                    of_file = replace(source, file=inside.name)
                    found.append(SubmittedFile(where, inside, of_file, student, lesson=lesson))
        return found

    def _no_lesson(self, entry: Entry) -> Problem:
        """Why something is none of the lessons."""
        if entry.kind != "folder":
            return Problem("stray")
        close = was_meant(entry.name.lower(), self.lessons.ids, cutoff=0.7)
        return Problem("unknown_lesson", close=close)

    def _in_lesson(self, student: str, lesson: str, place: str, files: list[Placed]) -> None:
        files = [(path, entry) for path, entry in files if entry.name != EARLIER]
        if not any(is_notebook(entry) for _path, entry in files):
            files += self._deeper(files)
        before = self.before.get((student, lesson)) or HandedIn("", name=student)
        sheet = self.match.of_worksheet(named(before))
        row = replace(
            before,
            student=student,
            lesson=lesson,
            submitted=self._time_of(student, lesson, files)
            or utc(before.submitted)
            or (sheet.submitted if sheet else ""),
            late=bool(before.late or (sheet and sheet.late and not before.assignment)),
            note="",
        )
        wanted = [placed for placed in files if self._is_wanted(placed[1])]
        if any(can_be_graded(entry) for _path, entry in wanted):
            self.found.rows += [self._counted(row, *placed) for placed in wanted]
        else:
            has_files = bool(before.original) or any(entry.kind == "file" for _path, entry in files)
            self._problem(replace(row, path=place), Problem("no_notebook", has_files=has_files))

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

    # Files that lie anywhere, with the student's name in their paths.

    def _of_files(self, files: list[SubmittedFile]) -> None:
        """Put together each student's files of each lesson, and keep the newest attempt."""
        labels = self.matcher.of_files([file for file in files if not file.student])
        files = [replace(file, student=file.student or labels[file.path]) for file in files]
        files = [replace(file, lesson=file.lesson or self.match.of_file(file)) for file in files]
        self.match.learn(files)
        by_student: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_student.setdefault(file.student, []).append(file)
        for student, of_student in by_student.items():
            self._files_of(student, of_student)

    def _files_of(self, student: str, files: list[SubmittedFile]) -> None:
        """The rows of one student, and what is wrong where nothing can be graded."""
        by_place: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_place.setdefault(handed_in_at(file), []).append(file)
        by_lesson: dict[str, list[SubmittedFile]] = {}
        without: dict[str, list[SubmittedFile]] = {}
        for inside in by_place.values():
            answers = self._answers(inside)
            for file in answers:
                by_lesson.setdefault(self.match.or_usual(file), []).append(file)
            if answers:
                self._pass_over(file for file in inside if file not in answers)
            else:
                lesson = self.lessons.named(inside[0].hint) or self.match.or_usual(inside[0])
                without.setdefault(lesson, []).extend(inside)
        for lesson, others in without.items():
            if lesson in by_lesson or (by_lesson and not lesson):
                self._pass_over(others)
            else:
                row = replace(self._row(others, lesson), path=others[0].path)
                self._problem(row, Problem("no_notebook", has_files=True))
        for lesson, answers in by_lesson.items():
            if lesson:
                places = {handed_in_at(file) for file in answers}
                beside = [file for file in files
                          if self._is_beside(file) and handed_in_at(file) in places]  # fmt: skip
                self._attempts(lesson, answers, beside)
                continue
            wanted = _notebooks_or_exported(answers)
            self._pass_over(file for file in answers if file not in wanted)
            for file in wanted:
                row = self._row([file], safe_name(file.named.file))
                self._problem(replace(row, path=file.path), Problem("which_lesson"))

    def _answers(self, inside: list[SubmittedFile]) -> list[SubmittedFile]:
        """The files of one place that can be graded: notebooks, and what was exported.

        A script beside a notebook may be a helper, with code of other lessons than the
        assignment's, so it makes no submission of these.
        """
        lesson = self.lessons.named(inside[0].hint) or self.match.of_assignment(inside[0])
        is_helped = bool(lesson) and any(is_notebook(file.entry) for file in inside)
        return [
            file
            for file in inside
            if can_be_graded(file.entry)
            and (
                is_notebook(file.entry) or not is_helped or file.lesson in ("", lesson)
            )
        ]  # fmt: skip

    def _pass_over(self, files: Iterable[SubmittedFile]) -> None:
        """Tell of files that are not graded because of others."""
        for file in files:
            if not self._is_beside(file):
                source = file.named
                self.found.rows.append(
                    HandedIn(file.path, file.student, note=_("it is no notebook"),
                             source=source.source, name=source.name, lms_id=source.lms_id,
                             attempt=source.attempt)
                )  # fmt: skip

    def _attempts(
        self, lesson: str, files: list[SubmittedFile], beside: list[SubmittedFile]
    ) -> None:
        """Count the newest of several attempts; those of one upload are left to be chosen from.

        What was handed in with another lesson's assignment counts where there is nothing else.
        """
        of_lesson = [
            file
            for file in files
            if file.named.layout.numbers_uploads
            or self.match.of_assignment(file) in ("", lesson)
        ] or files  # fmt: skip
        chosen = _notebooks_or_exported(of_lesson)
        self._pass_over(file for file in of_lesson if file not in chosen)
        last = max((_moment(file) for file in chosen), default="")
        counted = self._newest([file for file in chosen if _moment(file) == last])
        with_them = [file for file in beside if _moment(file) == last]
        row = self._row(counted, lesson)
        if not row.submitted and counted[-1].named.layout.is_plain:
            stamps = [(file.path, file.entry) for file in _nearest_first(with_them, counted)]
            row = replace(row, submitted=self._time_of(row.student, lesson, stamps))
        with_them = [file for file in with_them if file.path not in self.found.misread]
        names = Counter(file.named.first_name for file in counted)
        for file in files:
            if file in counted:
                name = file.named.file if names[file.named.first_name] > 1 else ""
                self.found.rows.append(self._counted_file(row, file, name))
            elif file in chosen:
                self._superseded(file, lesson, _("an earlier attempt"))
            elif file not in of_lesson:
                message = _("handed in with {lesson}; the lesson's own submission counts")
                assignment = self.match.of_assignment(file)
                self._superseded(file, lesson, message.format(lesson=assignment))
        self.found.rows += [self._counted_file(row, file) for file in with_them]

    def _newest(self, files: list[SubmittedFile]) -> list[SubmittedFile]:
        """Of files of one name the newest; beside it one of the same attempt with less left open.

        Canvas numbers the name of the second of two files of one attempt.
        """
        by_name: dict[tuple[str, str], list[SubmittedFile]] = {}
        for file in sorted(files, key=lambda file: (file.named.attempt, file.path)):
            name = file.path.rpartition("/")[0], file.named.first_name
            by_name.setdefault(name, []).append(file)
        newest = []
        for *older, last in by_name.values():
            left = self._left_open(last) if older else 0
            fuller = [
                file
                for file in older
                if file.named.file != last.named.file and self._left_open(file) < left
            ]
            newest += [min(fuller, key=self._left_open)] if fuller else []
            newest.append(last)
        return newest

    def _left_open(self, file: SubmittedFile) -> float:
        """How many marks of blanks a notebook has; more than any where it cannot be read."""
        try:
            content = b"".join(reader(file.entry, self.read, LARGEST_FILE)())
        except Problem:
            return math.inf
        return content.count(MARK.encode())

    # Rows.

    def _row(self, files: list[SubmittedFile], lesson: str) -> HandedIn:
        """What is told of a submission by the newest of its files; without a path."""
        newest = max(files, key=lambda file: (_moment(file), file.named.attempt))
        source, sheet = newest.named, self.match.of_worksheet(newest.named)
        assignment = self.match.of_assignment(newest)
        # Whether it is late for its own lesson, a worksheet cannot say of a stray.
        is_late = bool(sheet and sheet.late and assignment in ("", lesson))
        return HandedIn(
            "",
            newest.student,
            lesson,
            utc(source.time) or (sheet.submitted if sheet else ""),
            source.late or is_late,
            original="" if source.layout.is_plain else encodable(newest.path),
            assignment="" if assignment == lesson else assignment,
            source=source.source,
            name=source.name,
            lms_id=source.lms_id,
            attempt=source.attempt,
        )

    def _counted_file(self, row: HandedIn, file: SubmittedFile, name: str = "") -> HandedIn:
        """The row of one of the files of the submission that `row` tells of."""
        assignment, source = self.match.of_assignment(file), file.named
        row = replace(
            row, name=source.name, lms_id=source.lms_id, attempt=source.attempt,
            assignment="" if assignment == row.lesson else assignment,
        )  # fmt: skip
        return self._counted(row, file.path, replace(file.entry, name=name or source.first_name))

    def _counted(self, row: HandedIn, path: str, entry: Entry) -> HandedIn:
        limit = self.lessons.attachments.get(entry.name, LARGEST_FILE)
        read = reader(entry, self.read, limit)
        return replace(row, path=path, counts=True, file=entry.name, read=read)

    def _superseded(self, file: SubmittedFile, lesson: str, note: str) -> None:
        row = self._counted_file(self._row([file], lesson), file)
        self.found.rows.append(replace(row, counts=False, note=note))

    def _problem(self, row: HandedIn, problem: Problem) -> None:
        """A submission that cannot be graded; one of several of the same name is numbered."""
        taken = {other.id for other in self.found.rows if other.counts or other.problem}
        name, number = row.lesson, 1
        while (row.student, name) in taken:
            number += 1
            name = f"{row.lesson} ({number})"
        lesson = name if row.lesson else ""
        self.found.rows.append(
            replace(row, lesson=lesson, counts=False, note=str(problem), problem=problem)
        )

    def _time_of(self, student: str, lesson: str, files: Iterable[Placed]) -> str:
        """When it was handed in, as the file says that nbgrader puts beside a submission.

        In what LMSs give, only students can have put such a file there, so none is asked. One that
        tells no time has a row that says so.
        """
        for path, entry in files:
            if entry.name == TIMESTAMP and entry.kind == "file":
                time = time_in(entry, self.read)
                if not time:
                    note = _(
                        "no time can be read in it; expected one such as "
                        "2026-10-13 09:30 Europe/Berlin"
                    )
                    self.found.misread.add(path)
                    self.found.rows.append(HandedIn(path, student, lesson, note=note))
                return time
        return ""

    def _is_wanted(self, entry: Entry) -> bool:
        return can_be_graded(entry) or entry.name in self.lessons.attachments

    def _is_beside(self, file: SubmittedFile) -> bool:
        """Whether a file belongs to a submission without being its notebook."""
        name = file.named.first_name
        return name in self.lessons.attachments or name in (TIMESTAMP, SECRET)


def _inside(path: str, folder: Entry) -> list[Placed]:
    """What lies in a folder. Raises Problem for a link, and where it cannot be read."""
    if folder.kind == "link":
        raise Problem("link")
    return [(f"{path}/{entry.name}", entry) for entry in visible(folder.children())]


def _notebooks_or_exported(files: list[SubmittedFile]) -> list[SubmittedFile]:
    return [file for file in files if is_notebook(file.entry)] or files


def _nearest_first(
    beside: list[SubmittedFile], notebooks: list[SubmittedFile]
) -> list[SubmittedFile]:
    """The files beside, or above, a notebook: what lies in other folders is of others."""
    near = [
        file
        for file in beside
        if any(
            notebook.path.startswith(file.path.removesuffix(file.entry.name))
            for notebook in notebooks
        )
    ]
    return sorted(near, key=lambda file: -file.path.count("/"))


def _moment(file: SubmittedFile) -> str:
    """What tells the order of attempts: the time, or its text where its zone is not known."""
    return utc(file.named.time) or file.named.time


def _passed_over(
    entries: list[Entry], told: set[str], students: Mapping[str, str]
) -> Iterator[HandedIn]:
    """A row of whatever is not `told` by its path, but for what systems and nbgrader made.

    `students` are called so whose folders have these paths.
    """
    waiting = deque((entry.name, entry, "") for entry in entries)
    while waiting:
        path, entry, student = waiting.popleft()
        if path in told or is_of_systems(entry.name) or entry.name in (TIMESTAMP, SECRET):
            continue
        student = students.get(path, student)
        if is_hidden(entry.name):
            yield HandedIn(path, student, note=_("its name begins with a dot"))
        elif entry.kind == "folder":
            inside = children(entry)
            waiting.extend((f"{path}/{child.name}", child, student) for child in inside)
        else:
            note = _("it is no notebook") if student else _("its place does not tell a student")
            yield HandedIn(path, student, note=note)


def _table_in(entries: list[Entry], read: ReadEntry, path: Path) -> list[HandedIn]:
    """What `collect` wrote down of what it found. Raises WrongUsage."""
    for entry in entries:
        if entry.name == COLLECTED and entry.kind == "file":
            try:
                content = b"".join(reader(entry, read, LARGEST_FILE)())
            except Problem as problem:
                raise WrongUsage(f"{path / COLLECTED}: {problem}") from problem
            return read_handed_in(content, path / COLLECTED)
    return []
