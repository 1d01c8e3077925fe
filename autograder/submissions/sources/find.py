"""Recognises how what an instructor has is laid out, and finds each student's files in it.

A folder that holds no class is refused by the names in it, before any file is read.
Which students and lessons are meant, `match_students.py` and `match_lessons.py` say.
"""

import codecs
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import (
    LAYOUTS,
    SUBMISSIONS,
    SUBMITTED,
    WORKING,
    Layout,
    ParsedName,
    classroom,
    github,
    is_of_lms,
    named_by,
    teams,
)
from autograder.results.remarks import Problem
from autograder.results.safe_names import COURSES, is_hidden, normal, short_list, shown
from autograder.results.times import utc

from .. import archives
from ..salvage.unpack import ENDINGS, NOTEBOOK
from .entries import DEEPEST, Entry, reader, without_leftovers

# What an answer can be found in, if there is no notebook.
EXPORTED = (*(ending for ending in ENDINGS if ending != NOTEBOOK), *archives.ENDINGS)
TIMESTAMP = "timestamp.txt"
SECRET = "submission_secret.txt"  # by it nbgrader gives feedback back through its exchange
EARLIER = "earlier"  # the folder of attempts that do not count any more
LESSON = re.compile(r"\d\d-[a-z0-9-]+")
SUBMISSION = re.compile(r"submission_\d+")  # a student's folder as Gradescope calls it
LONGEST_TIMESTAMP = 200  # bytes
_BETWEEN = "-_ "  # words of a file's name
_WORD = re.compile(rf"[^{re.escape(_BETWEEN)}]+")
_ENDING = "|".join({part for ending in (NOTEBOOK, *EXPORTED) for part in ending[1:].split(".")})
_ENDINGS = re.compile(rf"(?:\.(?:{_ENDING}))*\Z", re.IGNORECASE)
MOST_LOOKED_AT = 5000  # names: a disk without a class must not be searched for minutes
PACKED = (*archives.ENDINGS, ".ipynb.txt")  # what a notebook can be in


@dataclass(frozen=True)
class SubmittedFile:
    """A file of a student, wherever it lies. `hint` is what its path calls the lesson.

    `student` and `lesson` are known later: what the student is called in the results, and the id.
    """

    path: str
    entry: Entry
    named: ParsedName
    student: str = ""
    hint: str = ""
    lesson: str = ""


class Source:
    """What was found: `files` with a student's name, `folders` of students, and what is neither.

    `folders` are folders (or links) with the path to them; `strays` are paths with the reason.
    What `is_collected` has students' folders alone. Raises WrongUsage for the folder of one
    student.
    """

    def __init__(
        self, entries: list[Entry], lessons: Lessons, path: object, is_collected: bool = False
    ):
        self.lessons, self._path = lessons, path
        self.folders: list[tuple[str, Entry]] = []
        self.strays: list[tuple[str, str]] = []
        self.files: list[SubmittedFile] = []
        if is_collected:
            self._take(without_leftovers(entries), "")
        else:
            self.files = self._files_of(entries, "", 0)

    @property
    def layout(self) -> str:
        """The name of one of LAYOUTS."""
        return self.files[0].named.source if self.files else "students"

    def _files_of(self, entries: list[Entry], path: str, depth: int) -> list[SubmittedFile]:
        """The files below a folder that bear students' names; folders of students are noted."""
        entries = sorted(without_leftovers(entries), key=lambda entry: entry.name)
        folders = [entry for entry in entries if entry.kind == "folder"]
        inbound = [folder for folder in folders if folder.name == "inbound"]
        exchanged = without_leftovers(children(inbound[0])) if inbound else []
        if any(SUBMISSION.fullmatch(entry.name) for entry in folders):
            raise WrongUsage(
                _("{path} is what Gradescope exports, which names students only in {file}; call "
                  "each folder as its student is called"),
                path=self._path, file="submission_metadata.yml",
            )  # fmt: skip
        for layout in LAYOUTS.values():
            if files := self._of_lms(layout, entries, path):
                return files
        if files := self._of_lms(LAYOUTS["exchange"], exchanged, f"{path}inbound/"):
            return files
        if files := self._of_teams(folders, path) or self._of_repositories(folders, path):
            return files
        lessons = [entry for entry in folders if self.lessons.named(entry.name)]
        rest = [entry for entry in folders if entry not in lessons]
        if lessons and self._are_sorted_by_lesson(lessons, rest):
            self.strays += [
                (path + folder.name, _("its name does not tell a lesson")) for folder in rest
            ]
            return self._by_lesson(lessons, path)
        if any(self._holds_lessons(folder) for folder in folders):
            self._take(entries, path)
            return []
        if depth < DEEPEST and (deeper := self._deeper(folders, path, depth)):
            return deeper
        notebooks = [entry for entry in entries if is_notebook(entry)]
        if len(folders) == 1 and not notebooks and self._holds_students(folders[0]):
            (folder,) = folders
            return self._files_of(children(folder), f"{path}{folder.name}/", depth + 1)
        self._take(entries, path)
        return self._flat(entries, path) if notebooks else []

    def _take(self, entries: list[Entry], path: str) -> None:
        self.folders += [
            (f"{path}{entry.name}", entry) for entry in entries if entry.kind in ("folder", "link")
        ]

    # What LMSs give.

    def _of_lms(self, layout: Layout, entries: list[Entry], path: str) -> list[SubmittedFile]:
        """The files that bear the names of a layout; what lies beside them is a stray."""
        files, strays = [], []
        for entry in entries:
            is_folder = entry.kind == "folder"
            named = named_by(layout, entry.name, is_folder)
            if not named:
                strays.append((path + entry.name, _("its name does not tell a student")))
                continue
            where = path + entry.name
            inside = all_files(entry, f"{where}/") if is_folder else []
            files += [
                SubmittedFile(deep, file, replace(named, file=file.name), hint=named.lesson)
                for deep, file in inside
            ] or [SubmittedFile(where, entry, named, hint=named.lesson)]
        if files:
            self.strays += strays
        return files

    def _of_teams(self, folders: list[Entry], path: str) -> list[SubmittedFile]:
        """What students handed in; not what they work on."""
        by_name = {folder.name: folder for folder in folders}
        if SUBMITTED not in by_name:
            return []
        if WORKING in by_name:
            self.strays.append((path + WORKING, _("these files were not handed in")))
        where = f"{path}{SUBMITTED}/"
        inside = [(deep, file, teams(deep)) for deep, file in all_files(by_name[SUBMITTED], "")]
        return [
            SubmittedFile(where + deep, file, named, hint=named.lesson)
            for deep, file, named in inside
            if named
        ]

    def _of_repositories(self, folders: list[Entry], path: str) -> list[SubmittedFile]:
        """What GitHub Classroom cloned, where all folders are called so."""
        files: list[SubmittedFile] = []
        for folder in folders:
            named, where = github(folder.name, self.lessons.ids), f"{path}{folder.name}/"
            if not named:
                return []
            if named.name == SUBMISSIONS:
                files += self._of_repositories(without_leftovers(children(folder)), where)
                continue
            files += [
                SubmittedFile(deep, file, replace(named, file=file.name), hint=named.lesson)
                for deep, file in all_files(folder, where)
            ] or [SubmittedFile(where[:-1], folder, named, hint=named.lesson)]
        return files

    # Folders of lessons, of assignments, of a class.

    def _by_lesson(self, lessons: list[Entry], path: str) -> list[SubmittedFile]:
        """Folders of lessons, with a folder or a notebook of each student in them."""
        files_of_all: list[SubmittedFile] = []
        if not any(self._holds_students(folder) for folder in lessons):
            raise WrongUsage(
                _("{path} seems to be one student's folder; give the folder above it"),
                path=self._path,
            )
        for folder in lessons:
            inside = without_leftovers(children(folder))
            before = len(self.folders)
            files = self._files_of(inside, f"{path}{folder.name}/", 1)
            for where, inner in self.folders[before:]:
                named = ParsedName("students", normal(inner.name), raw=inner.name)
                files += [
                    SubmittedFile(deep, file, replace(named, file=file.name), hint=folder.name)
                    for deep, file in all_files(inner, f"{where}/")
                ]
            del self.folders[before:]
            files_of_all += [replace(file, hint=file.hint or folder.name) for file in files]
        return files_of_all

    def _deeper(self, folders: list[Entry], path: str, depth: int) -> list[SubmittedFile]:
        """What lies in folders that an LMS gave, one for each assignment."""
        files: list[SubmittedFile] = []
        for folder in folders:
            inside = children(folder)
            if any(is_of_lms(entry.name, entry.kind == "folder") for entry in inside):
                below = self._files_of(inside, f"{path}{folder.name}/", depth + 1)
                files += [replace(file, hint=file.hint or folder.name) for file in below]
        return files

    def _holds_lessons(self, folder: Entry) -> bool:
        return any(
            child.kind in ("folder", "link")
            and (self.lessons.named(child.name) or LESSON.fullmatch(child.name))
            for child in children(folder)
        )

    def _are_sorted_by_lesson(self, lessons: list[Entry], rest: list[Entry]) -> bool:
        """Whether folders called like lessons are those of lessons; students may be called so.

        Others may lie beside them if nothing in those can be graded.
        """
        if self._hold_lessons_alone(lessons):
            return False
        return not rest or (
            any(map(self._holds_students, lessons)) and not any(map(_holds_answers, rest))
        )

    def _hold_lessons_alone(self, folders: list[Entry]) -> bool:
        """Whether these are students' folders, even if all students are called like lessons."""
        inside = [entry for folder in folders for entry in without_leftovers(children(folder))]
        return bool(inside) and all(entry.name in self.lessons.ids for entry in inside)

    def _holds_students(self, folder: Entry) -> bool:
        """Whether there is a folder or a notebook of each of several students in it."""
        inside = without_leftovers(children(folder))
        if any(entry.kind == "folder" for entry in inside):
            return True
        names = {self._student_in(entry.name).name for entry in inside if is_notebook(entry)}
        return len(names - {""}) > 1

    # Notebooks side by side, each of another student.

    def _flat(self, entries: list[Entry], path: str) -> list[SubmittedFile]:
        files = []
        for entry in entries:
            if entry.kind in ("folder", "link"):
                continue
            named = self._student_in(entry.name)
            if not can_be_graded(entry):
                self.strays.append((path + entry.name, _("it is no notebook")))
            elif named.name:
                files.append(SubmittedFile(path + entry.name, entry, named))
            else:
                self.strays.append((path + entry.name, _("its name does not tell a student")))
        return files

    def _student_in(self, file: str) -> ParsedName:
        """What a file's name tells: of a student, if `name` is not empty, and the file's own."""
        student, own_name = classroom(file)
        if student:
            return ParsedName("files", normal(student), file=own_name, raw=student)
        if self.lessons.of_file(file):
            return ParsedName("files", "", file=file)
        stem = file.partition(".")[0]
        # What is behind a dot is not the student's name, but may be all that tells two apart.
        rest = _ENDINGS.sub("", file).removeprefix(stem)
        words = [*_WORD.finditer(stem)]
        for start in range(len(words)):
            for end in range(len(words), start, -1):
                part = "-".join(word.group() for word in words[start:end])
                if end - start < len(words) and self.lessons.named(part):
                    around = [word.group() for word in words[:start] + words[end:]]
                    before = stem[: words[start].start()].rstrip(_BETWEEN)
                    after = stem[words[end - 1].end() :].lstrip(_BETWEEN)
                    # No name holds a slash, so parts on both sides are not one that lies on one.
                    raw = "/".join(filter(None, (before, after))) + rest
                    return ParsedName("files", normal(" ".join(around)), file=file, raw=raw)
        return ParsedName("files", normal(stem), file=file, raw=stem + rest)


def all_files(folder: Entry, path: str, depth: int = 0) -> list[tuple[str, Entry]]:
    """All that is no folder below a folder, with its path."""
    files = []
    for entry in sorted(without_leftovers(children(folder)), key=lambda entry: entry.name):
        if entry.kind != "folder":
            files.append((path + entry.name, entry))
        elif depth < DEEPEST:
            files += all_files(entry, f"{path}{entry.name}/", depth + 1)
    return files


def children(folder: Entry) -> list[Entry]:
    """What is in a folder; nothing where it cannot be read, which is told where it has to be."""
    try:
        return folder.children()
    except Problem:
        return []


def is_called_notebook(name: str) -> bool:
    return name.lower().endswith(NOTEBOOK)


def is_called_exported(name: str) -> bool:
    return name.lower().endswith(EXPORTED)


def is_notebook(entry: Entry) -> bool:
    """Whether it has a notebook's name; it may be a link."""
    return entry.kind != "folder" and is_called_notebook(entry.name)


def can_be_graded(entry: Entry) -> bool:
    """Whether it is a notebook, or answers may be found in it although it is none."""
    return is_notebook(entry) or (entry.kind == "file" and is_called_exported(entry.name))


def _holds_answers(folder: Entry) -> bool:
    return any(can_be_graded(entry) for _path, entry in all_files(folder, ""))


def time_in(timestamp: Entry) -> str:
    """The time that nbgrader wrote beside a submission, in UTC; empty where none can be read.

    It may be as editors save it, with a mark of its encoding in front.
    """
    try:
        content = b"".join(reader(timestamp, LONGEST_TIMESTAMP)())
        is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return utc(content.decode("utf-16" if is_utf16 else "utf-8-sig"))
    except (Problem, UnicodeDecodeError):
        return ""


def require_class(entries: list[Entry], lessons: Lessons, path: object, expected: str) -> None:
    """Raise WrongUsage for the course's own folder, for results, and for what is like no class."""
    names = {entry.name for entry in entries if not is_hidden(entry.name)}
    entries = without_leftovers(entries)
    if "transformer_workbook" in names or any(course <= names for course in COURSES):
        refusal = _("{path} is the folder of the course itself: it has {found}; {expected}")
    elif holds_results(names):
        refusal = _("{path} is a folder of results: it has {found}; {expected}")
    elif entries and not any(
        _is_of_class(entry, lessons) for entry in islice(_all(entries), MOST_LOOKED_AT)
    ):
        refusal = _(
            "nothing in {path} looks like a lesson or a notebook, so nothing in it belongs to a "
            "lesson; it has {found}; {expected}"
        )
    else:
        return
    listed = short_list([shown(name) for name in sorted(names)])
    raise WrongUsage(refusal, path=path, found=listed or _("nothing"), expected=expected)


def holds_results(names: set[str]) -> bool:
    """Whether a folder in which these names are is an OUT."""
    return "gradebook.db" in names or {"summary.csv", "report.html"} <= names


def _all(entries: list[Entry]) -> Iterator[Entry]:
    """All entries below, those of upper folders first."""
    waiting = deque(entries)
    while waiting:
        entry = waiting.popleft()
        yield entry
        if entry.kind == "folder":
            waiting.extend(children(entry))


def _is_of_class(entry: Entry, lessons: Lessons) -> bool:
    name = entry.name
    if is_hidden(name):
        return False
    if entry.kind != "folder" and (is_notebook(entry) or name.lower().endswith(PACKED)):
        return True
    named = lessons.named(name) or lessons.of_file(name) or LESSON.fullmatch(name)
    return bool(named) or is_of_lms(name, entry.kind == "folder")
