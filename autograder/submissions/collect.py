"""Finds submissions in what an instructor has: a class's folders, or what an LMS gives.

The project's own form is SUBMITTED/<student>/<NN-name>/<name>.ipynb; those of an LMS are
told by `autograder/lms/file_names.py`. A broken submission becomes one with a problem, never an
exception: it must not stop the others. No link is followed, nothing is written here, and sizes
are bounded.
"""

import codecs
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.errors import WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import ParsedName
from autograder.lms.roster import Roster, Student
from autograder.results.handed_in import COLLECTED, HandedIn, read_handed_in, submissions_of
from autograder.results.remarks import Problem, Remark
from autograder.results.safe_names import encodable, safe_name, shown
from autograder.results.submission import Attachments, Read, Submission, SubmissionId
from autograder.results.times import utc
from transformer_workbook.lessons.translation.hand_in import LARGEST as LARGEST_ATTACHMENT

from .match_students import StudentMatcher, place_of
from .notebook_as_submitted import LARGEST
from .salvage.unpack import lesson_texts
from .sources.entries import Entry, ReadEntry, noise, open_source, read_file, scan
from .sources.find import LESSON, Source, SubmittedFile, all_files, is_exported, is_notebook
from .sources.wrong_folder import require_class

MOST_NOTEBOOKS = 20  # of one student in one lesson
TIMESTAMP = "timestamp.txt"
OF_ANOTHER = "of_another"  # the remark that it was handed in with another lesson's assignment
SECRET = "submission_secret.txt"  # by it nbgrader gives feedback back through its exchange
LONGEST_TIMESTAMP = 200  # bytes
EARLIER = "earlier"  # the folder of attempts that do not count any more
EXPECTED = _(
    "expected are files <student>/<NN-name>/<name>.ipynb, or what an LMS gives: the zip of Canvas "
    "or Moodle, the inbound folder of nbgrader's exchange, a folder of notebooks"
)


@dataclass
class Collected:
    """The submissions found, and the whole table of what maps where.

    `layout` is students, files, canvas, moodle or exchange. `unknown` are students who are not in
    the roster, each with the reason. `misread` are the paths of timestamps that tell no time.
    """

    layout: str
    submissions: list[Submission] = field(default_factory=list)
    rows: list[HandedIn] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)
    misread: set[str] = field(default_factory=set)

    @property
    def students(self) -> set[str]:
        """All who handed something in, as they are called in the results."""
        return {row.student for row in self.rows if row.student}

    @property
    def is_told(self) -> bool:
        """Whether there is something to tell of what maps where, for which it is kept in a file.

        Folders that are called as the students are need no table.
        """
        return self.layout != "students" or bool(self.unknown or self.misread)


def collect(
    submitted: Path,
    lessons: Sequence[Lesson],
    only_lesson: str = "",
    only_student: str = "",
    roster: Roster | None = None,
    table: Sequence[HandedIn] = (),
) -> Collected:
    """Find the submissions, sorted by student and lesson. Raises WrongUsage for a wrong path.

    `table` tells what was collected into this folder, if its own table does not lie in it.
    """
    entries, read = open_source(submitted)
    known = Lessons(lessons)
    table = table or _table_in(entries, read, submitted)
    if not table:
        require_class(entries, known, submitted, EXPECTED)
    source = Source(entries, known, submitted, is_collected=bool(table))
    collection = _Collection(known, read, roster, table)
    collection.take(source)
    found = collection.found
    if not found.submissions and not found.rows:
        raise WrongUsage(_("{path} holds no submission; {expected}"), path=submitted,
                         expected=EXPECTED)  # fmt: skip
    if only_student:
        wanted = collection.matcher.called(only_student)
        if not wanted:
            raise WrongUsage(
                _("there is no student {student!r} in {path}"), student=only_student, path=submitted
            )
        found.submissions = [
            submission for submission in found.submissions if submission.student in wanted
        ]
    if only_lesson:
        found.submissions = [
            submission for submission in found.submissions if submission.lesson == only_lesson
        ]
    found.submissions.sort(key=lambda one: one.id)
    return found


def require_lessons(found: Collected, lessons: Sequence[Lesson], path: Path) -> None:
    """Raise WrongUsage where nothing that was found belongs to a lesson."""
    known = {lesson.id for lesson in lessons}
    if any(submission.lesson in known for submission in found.submissions):
        return
    paths = ", ".join(shown(row.path) for row in found.rows[:3])
    raise WrongUsage(
        _("nothing in {path} belongs to a lesson of this course; found are {found}; {expected}"),
        path=path, found=paths or _("no files"), expected=EXPECTED,
    )  # fmt: skip


class _Collection:
    """Puts submissions together of what a source holds."""

    def __init__(
        self,
        lessons: Lessons,
        read: ReadEntry,
        roster: Roster | None,
        table: Sequence[HandedIn],
    ):
        self.lessons, self.read, self.roster, self.table = lessons, read, roster, table
        self.index: dict[SubmissionId, HandedIn] = {}
        self.found = Collected("students")
        self.usual: dict[str, str] = {}  # the lesson of most files of an assignment, by its folder
        self.sure: dict[str, str] = {}  # the same where they are more than half
        self.matcher = StudentMatcher(roster)

    def take(self, source: Source) -> None:
        folders = {entry.name for _path, entry in source.folders}
        of_lms: dict[str, list[ParsedName]] = {}
        for row in self.table:
            if row.source != "students":
                of_lms.setdefault(row.student, []).append(_named(row))
        self.matcher = StudentMatcher(self.roster, folders, source.files, of_lms)
        table = [
            replace(row, student=self.matcher.of_folder(row.student))
            for row in self.table
            if row.student in folders
        ]
        self.index = submissions_of(table)
        self.found.rows += [row for row in table if not row.counts]
        self.found.rows += [row for row in self.table if not row.student]
        self.found.layout = source.layout
        self._students(source.folders)
        self._group(source.files)
        self.found.rows += [HandedIn(path, note=reason) for path, reason in source.strays]
        self.found.unknown = self.matcher.unknown

    # Folders of students, with a folder for each lesson.

    def _students(self, folders: list[tuple[str, Entry]]) -> None:
        by_student: dict[str, list[tuple[str, Entry]]] = {}
        for path, entry in sorted(folders, key=lambda pair: pair[0]):
            student = self.matcher.of_folder(entry.name)
            try:
                if entry.kind == "link":
                    raise Problem("link")
                inside = [(f"{path}/{one.name}", one) for one in entry.children()]
                by_student.setdefault(student, []).extend(inside)
            except Problem as problem:
                self._problem(student, "", problem, path)
        for student, inside in by_student.items():
            self._student(student, [pair for pair in inside if not noise(pair[1].name)])

    def _student(self, student: str, entries: list[tuple[str, Entry]]) -> None:
        if not entries:
            self._problem(student, "", Problem("no_lesson"), student)
        own: dict[str, list[tuple[str, Entry]]] = {}
        loose: list[SubmittedFile] = []
        for path, entry in sorted(entries, key=lambda pair: pair[0]):
            lesson = self.lessons.named(entry.name)
            try:
                if entry.kind == "link":
                    raise Problem("link")
                if entry.kind == "folder" and lesson:
                    inside = [(f"{path}/{one.name}", one) for one in entry.children()]
                    own.setdefault(lesson, []).extend(inside)
                elif files := self._with_lessons(path, entry, student):
                    loose += files
                else:
                    raise self._no_lesson(entry)
            except Problem as problem:
                self._problem(student, lesson or safe_name(entry.name), problem, path)
        self._group([file for file in loose if file.lesson not in own])
        for lesson, files_of in own.items():
            beside = [(file.path, file.entry) for file in loose if file.lesson == lesson]
            self._in_lesson(student, lesson, files_of + beside)

    def _with_lessons(self, path: str, entry: Entry, student: str) -> list[SubmittedFile]:
        """The files in what is no lesson's folder that say themselves which lesson they are of."""
        files = all_files(entry, f"{path}/") if entry.kind == "folder" else [(path, entry)]
        by_name = not LESSON.fullmatch(entry.name)  # a misspelled lesson's name needs a person
        named = self.matcher.folder(student)
        found = []
        for where, one in files:
            if is_notebook(one) or is_exported(one):
                lesson = self._lesson_of(one, one.name if by_name else "")
                if lesson:
                    of_file = replace(named, file=one.name)
                    found.append(SubmittedFile(where, one, of_file, student, lesson=lesson))
        return found

    def _no_lesson(self, entry: Entry) -> Problem:
        """Why something is none of the lessons."""
        if entry.kind != "folder":
            return Problem("stray")
        close = was_meant(entry.name.lower(), self.lessons.ids, cutoff=0.7)
        return Problem("unknown_lesson", close=close)

    def _in_lesson(self, student: str, lesson: str, files: list[tuple[str, Entry]]) -> None:
        files = [(path, one) for path, one in files if not noise(one.name) and one.name != EARLIER]
        if not any(is_notebook(one) for _path, one in files):
            # In folders within the folder, as zips of folders unpack.
            deeper = [
                pair
                for path, one in files
                if one.kind == "folder"
                for pair in all_files(one, f"{path}/")
            ]
            folders = {path.rpartition("/")[0] for path, one in deeper if is_notebook(one)}
            files += [
                (path, one)
                for path, one in deeper
                if is_notebook(one)
                or (one.name in LARGEST_ATTACHMENT and path.rpartition("/")[0] in folders)
            ]
        entries = [entry for _path, entry in files]
        known = self.index.get((student, lesson)) or HandedIn("", name=student)
        row = self._row_of(_named(known))
        assignment = known.assignment
        submission = replace(
            self._submission(student, lesson, entries, known.original),
            submitted=self._time_of(student, lesson, files)
            or utc(known.submitted) or (row.submitted if row else ""),
            late=bool(known.late or (row and row.late and assignment in ("", lesson))),
            original=known.original,
        )  # fmt: skip
        submission = _of_another(submission, assignment)
        self.found.submissions.append(submission)
        for path, entry in files:
            if is_notebook(entry) or is_exported(entry) or entry.name in LARGEST_ATTACHMENT:
                self._row(submission, assignment, path, entry, entry.name, _named(known))

    # Files that lie anywhere, with the student's name in their paths.

    def _group(self, files: list[SubmittedFile]) -> None:
        """Put together each student's files of each lesson, and keep the newest attempt."""
        labels = self.matcher.of_files([file for file in files if not file.student])
        files = [replace(file, student=file.student or labels[file.path]) for file in files]
        files = [replace(file, lesson=file.lesson or self._lesson(file)) for file in files]
        by_place: dict[str, Counter[str]] = {}
        for file in files:
            if file.lesson:
                by_place.setdefault(_assignment(file), Counter())[file.lesson] += 1
        for place, counts in by_place.items():
            self.usual[place] = max(counts, key=counts.__getitem__)
            if 2 * counts[self.usual[place]] > counts.total():
                self.sure[place] = self.usual[place]
        by_student: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_student.setdefault(file.student, []).append(file)
        for student, own in by_student.items():
            self._group_of(student, own)

    def _of_assignment(self, file: SubmittedFile) -> str:
        """The lesson of the assignment that an LMS's file was handed in with; empty if unknown.

        A worksheet that is kept tells it, or most others of the assignment.
        """
        if file.named.layout not in ("canvas", "moodle"):
            return ""
        named = file.named if self.roster and file.named.layout == "moodle" else None
        known = self.roster.assignment(named.name, named.lms_id) if self.roster and named else ""
        return known or self.sure.get(_assignment(file), "")

    def _lesson_or_usual(self, file: SubmittedFile) -> str:
        usual = self.usual.get(_assignment(file), "")
        return file.lesson or self._of_assignment(file) or usual

    def _group_of(self, student: str, files: list[SubmittedFile]) -> None:
        """The submissions of one student, and what is wrong where nothing can be graded."""
        by_place: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_place.setdefault(_place(file), []).append(file)
        by_lesson: dict[str, list[SubmittedFile]] = {}
        without: dict[str, list[SubmittedFile]] = {}
        for inside in by_place.values():
            answers = self._answers(inside)
            for file in answers:
                by_lesson.setdefault(self._lesson_or_usual(file), []).append(file)
            if answers:
                self._pass_over(student, [file for file in inside if file not in answers])
            else:
                lesson = self.lessons.named(inside[0].hint) or self._lesson_or_usual(inside[0])
                without.setdefault(lesson, []).extend(inside)
        for lesson, own in without.items():
            if lesson in by_lesson or (by_lesson and not lesson):
                self._pass_over(student, own)
            else:
                problem = Problem("no_notebook", has_files=True)
                self._problem(student, lesson, problem, own[0].path, own)
        for lesson, own in by_lesson.items():
            if lesson:
                places = {_place(file) for file in own}
                beside = [file for file in files if _is_beside(file) and _place(file) in places]
                self._attempts(student, lesson, own, beside)
                continue
            wanted = _notebooks_or_exported(own)
            self._pass_over(student, [file for file in own if file not in wanted])
            for file in wanted:
                name = safe_name(file.named.file)
                self._problem(student, name, Problem("which_lesson"), file.path, [file])

    def _answers(self, inside: list[SubmittedFile]) -> list[SubmittedFile]:
        """The files of one place that can be graded: notebooks, and what was exported.

        A script beside a notebook may be a helper, with code of other lessons than the
        assignment's, so it makes no submission of these.
        """
        own = self.lessons.named(inside[0].hint) or self._of_assignment(inside[0])
        helped = bool(own) and any(is_notebook(file.entry) for file in inside)
        return [
            file
            for file in inside
            if is_notebook(file.entry)
            or (is_exported(file.entry) and not (helped and file.lesson not in ("", own)))
        ]

    def _pass_over(self, student: str, files: list[SubmittedFile]) -> None:
        """Tell of files that are not graded because of others."""
        for file in files:
            if not _is_beside(file):
                note = _("it is no notebook")
                self.found.rows.append(self._passed_over(file, student, note))

    def _attempts(
        self, student: str, lesson: str, files: list[SubmittedFile], beside: list[SubmittedFile]
    ) -> None:
        """Keep the newest of several attempts; those of one upload are left to be chosen from.

        What was handed in with another lesson's assignment counts where there is nothing else.
        """
        own = [
            file
            for file in files
            if file.named.layout == "canvas" or self._of_assignment(file) in ("", lesson)
        ] or files
        chosen = _notebooks_or_exported(own)
        self._pass_over(student, [file for file in own if file not in chosen])
        given = [file for file in files if file in chosen or file not in own]
        files = chosen
        last = max((_moment(file) for file in files), default="")
        newest = {
            (file.path.rpartition("/")[0], file.named.first_name): file
            for file in sorted(files, key=lambda file: (file.named.attempt, file.path))
            if _moment(file) == last
        }
        kept = list(newest.values())
        with_them = [file for file in beside if _moment(file) == last]
        entries = [replace(file.entry, name=file.named.first_name) for file in [*kept, *with_them]]
        submission = self._marked(self._submission(student, lesson, entries), kept)
        if not submission.submitted and kept[-1].named.layout == "students":
            stamps = [(file.path, file.entry) for file in _nearest_first(with_them, kept)]
            submission = replace(submission, submitted=self._time_of(student, lesson, stamps))
        submission = _of_another(submission, self._of_assignment(kept[-1]))
        self.found.submissions.append(submission)
        for file in [*given, *(file for file in with_them if file.path not in self.found.misread)]:
            of_file, note = submission, ""
            if file in given and file not in files:
                of_file = self._marked(submission, [file])
                note = _("handed in with {lesson}; the lesson's own submission counts").format(
                    lesson=self._of_assignment(file)
                )
            elif file in files and file not in kept:
                of_file, note = self._marked(submission, [file]), _("an earlier attempt")
            name, assignment = file.named.first_name, self._of_assignment(file)
            self._row(of_file, assignment, file.path, file.entry, name, file.named, note)

    def _marked(self, submission: Submission, files: list[SubmittedFile]) -> Submission:
        """The submission with what the LMS says about the newest of its files."""
        newest = max(files, key=lambda one: (_moment(one), one.named.attempt))
        named, row = newest.named, self._row_of(newest.named)
        # Whether it is late for its own lesson, Moodle cannot say of a stray.
        is_own = self._of_assignment(newest) in ("", submission.lesson)
        return replace(
            submission,
            submitted=utc(named.time) or (row.submitted if row else ""),
            late=named.late or bool(row and row.late and is_own),
            original="" if named.layout == "students" else encodable(newest.path),
        )

    def _row_of(self, named: ParsedName | None) -> Student | None:
        """What Moodle's worksheet tells of whom its zip names so; None where nothing."""
        if not (self.roster and named and named.layout == "moodle"):
            return None
        return self.roster.row(named.name, named.lms_id)

    def _lesson(self, one: SubmittedFile) -> str:
        if not (is_notebook(one.entry) or is_exported(one.entry)):
            return ""
        name = one.named.first_name
        return self._lesson_of(one.entry, name, self.lessons.named(one.hint))

    def _lesson_of(self, entry: Entry, name: str, hint: str = "") -> str:
        """The lesson that a file says itself; else what its place, or its name, says."""
        try:
            said = self.lessons.of_content(lesson_texts(_reader(entry, self.read, LARGEST)()))
        except Problem:
            said = ""
        return said or hint or (self.lessons.of_file(name) if name else "")

    # What is common to all of them.

    def _submission(
        self, student: str, lesson: str, entries: list[Entry], original: str = ""
    ) -> Submission:
        """The submission that these files make; `original` is as in Submission."""
        name = lesson.partition("-")[2] + ".ipynb"
        exported = [entry for entry in entries if is_exported(entry)]
        notebooks = [entry for entry in entries if is_notebook(entry)] or exported
        if not notebooks:
            has_files = bool(original) or any(entry.kind == "file" for entry in entries)
            return _with_problem(student, lesson, Problem("no_notebook", has_files=has_files))
        if len(notebooks) > MOST_NOTEBOOKS:
            problem = Problem("too_many_notebooks", limit=MOST_NOTEBOOKS)
            return _with_problem(student, lesson, problem)
        notebooks.sort(key=lambda entry: (entry.name != name, entry.name))
        repairs: tuple[Remark, ...] = ()
        if len(notebooks) == 1 and notebooks[0].name != name:
            details = {"file": shown(notebooks[0].name), "name": name}
            repairs = (Remark("repair", "renamed", details),)
        found = tuple(
            (shown(entry.name), _reader(entry, self.read, LARGEST)) for entry in notebooks
        )
        return Submission(student, lesson, found, repairs, _attachments(entries, self.read))

    def _time_of(self, student: str, lesson: str, files: list[tuple[str, Entry]]) -> str:
        """When it was handed in, as the file says that nbgrader puts beside a submission.

        In what LMSs give, only students can have put such a file there, so none is asked. One that
        tells no time has a row that says so.
        """
        for path, entry in files:
            if entry.name == TIMESTAMP and entry.kind == "file":
                try:
                    content = b"".join(_reader(entry, self.read, LONGEST_TIMESTAMP)())
                    time = utc(_text(content))
                except (Problem, UnicodeDecodeError):
                    time = ""
                if not time:
                    note = _(
                        "no time can be read in it; expected one such as "
                        "2026-10-13 09:30 Europe/Berlin"
                    )
                    self.found.misread.add(path)
                    self.found.rows.append(HandedIn(path, student, lesson, note=note))
                return time
        return ""

    def _row(
        self,
        submission: Submission,
        assignment: str,
        path: str,
        entry: Entry,
        file: str,
        named: ParsedName,
        note: str = "",
    ) -> None:
        limit = LARGEST_ATTACHMENT.get(file, LARGEST)
        self.found.rows.append(
            HandedIn(
                path, submission.student, submission.lesson, submission.submitted, submission.late,
                not note, note, submission.original,
                assignment if assignment != submission.lesson else "",
                named.layout, named.name, named.lms_id, named.attempt,
                file, _reader(entry, self.read, limit),
            )
        )  # fmt: skip

    def _passed_over(self, file: SubmittedFile, student: str, note: str) -> HandedIn:
        named = file.named
        return HandedIn(
            file.path, student, note=note, source=named.layout, name=named.name,
            lms_id=named.lms_id, attempt=named.attempt,
        )  # fmt: skip

    def _problem(
        self,
        student: str,
        lesson: str,
        problem: Problem,
        path: str,
        files: Sequence[SubmittedFile] = (),
    ) -> None:
        """A submission that cannot be graded; one of several of the same name is numbered."""
        taken = {one.id for one in self.found.submissions}
        name, number = lesson, 1
        while (student, name) in taken:
            number += 1
            name = f"{lesson} ({number})"
        submission = _with_problem(student, name, problem)
        if files:
            submission = self._marked(submission, list(files))
        self.found.submissions.append(submission)
        lesson = name if lesson else ""
        assignment = self._of_assignment(files[0]) if files else ""
        named = files[0].named if files else ParsedName("students", student)
        self.found.rows.append(
            HandedIn(
                path, student, lesson, submission.submitted, submission.late, note=str(problem),
                original=submission.original,
                assignment=assignment if assignment != lesson else "",
                source=named.layout, name=named.name, lms_id=named.lms_id, attempt=named.attempt,
            )
        )  # fmt: skip


def _of_another(submission: Submission, assignment: str) -> Submission:
    """The submission, with a remark where it was handed in with another lesson's assignment."""
    if assignment in ("", submission.lesson):
        return submission
    details = {"found": submission.lesson, "usual": assignment}
    odd = Remark("repair", OF_ANOTHER, details)
    return replace(submission, repairs=(*submission.repairs, odd))


def _assignment(one: SubmittedFile) -> str:
    """The folder of an assignment in what an LMS gave; empty for other layouts."""
    if one.named.layout == "moodle":
        return place_of(one)[0]
    return one.path.rpartition("/")[0] if one.named.layout == "canvas" else ""


def _place(one: SubmittedFile) -> str:
    """Where a file was handed in: the assignment's folder, or what its path calls the lesson."""
    if one.named.layout in ("canvas", "moodle"):
        return _assignment(one)
    return one.hint or one.path.rpartition("/")[0]


def _notebooks_or_exported(files: list[SubmittedFile]) -> list[SubmittedFile]:
    return [file for file in files if is_notebook(file.entry)] or files


def _nearest_first(
    beside: list[SubmittedFile], notebooks: list[SubmittedFile]
) -> list[SubmittedFile]:
    """The files beside, or above, one of the notebooks: what lies in other folders is of others."""
    own = [
        file
        for file in beside
        if any(one.path.startswith(file.path.removesuffix(file.entry.name)) for one in notebooks)
    ]
    return sorted(own, key=lambda file: -file.path.count("/"))


def _moment(one: SubmittedFile) -> str:
    """What tells the order of attempts: the time, or its text where its zone is not known."""
    return utc(one.named.time) or one.named.time


def _text(content: bytes) -> str:
    """A text as editors save it, with or without a mark of its encoding in front."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig")


def _is_beside(one: SubmittedFile) -> bool:
    """Whether a file belongs to a submission without being its notebook."""
    name = one.named.first_name
    return name in LARGEST_ATTACHMENT or name in (TIMESTAMP, SECRET)


def _named(row: HandedIn) -> ParsedName:
    """What the source of a file that was collected called its student."""
    return ParsedName(row.source, row.name, row.lms_id, row.attempt)


def _table_in(entries: list[Entry], read: ReadEntry, path: Path) -> list[HandedIn]:
    """What `collect` wrote down of what it found. Raises WrongUsage."""
    for entry in entries:
        if entry.name == COLLECTED and entry.kind == "file":
            try:
                content = b"".join(_reader(entry, read, LARGEST)())
            except Problem as problem:
                raise WrongUsage(f"{path / COLLECTED}: {problem}") from problem
            return read_handed_in(content, path / COLLECTED)
    return []


def attachments(folder: Path) -> Attachments:
    """The attachments in a folder, as in `Submission`. Raises Problem."""
    return _attachments(scan(folder), read_file)


def _attachments(entries: list[Entry], read: ReadEntry) -> Attachments:
    def whole(entry: Entry) -> Callable[[], bytes]:
        pieces = _reader(entry, read, LARGEST_ATTACHMENT[entry.name])
        return lambda: b"".join(pieces())

    return {entry.name: whole(entry) for entry in entries if entry.name in LARGEST_ATTACHMENT}


def _reader(entry: Entry, read: ReadEntry, limit: int) -> Read:
    def pieces() -> Iterator[bytes]:
        if entry.kind != "file":
            raise Problem("link" if entry.kind == "link" else "no_file")
        length = 0
        for piece in read(entry.path):
            length += len(piece)
            if length > limit:
                raise Problem("too_large", limit=f"{limit / 2**20:.3g}")
            yield piece

    return pieces


def _with_problem(student: str, lesson: str, problem: Problem) -> Submission:
    def read() -> Iterator[bytes]:
        raise problem

    return Submission(student, lesson, (("", read),))
