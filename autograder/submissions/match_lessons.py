"""Says which lesson a file is of, and of which lesson the assignment is that it came with."""

from collections import Counter
from collections.abc import Iterable

from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import ParsedName
from autograder.lms.roster import Roster, Student
from autograder.results.remarks import Problem

from .match_students import place_of
from .notebook_as_submitted import LARGEST_FILE
from .salvage.unpack import lesson_texts
from .sources.entries import Entry, reader
from .sources.find import SubmittedFile, can_be_graded


class LessonMatcher:
    """Lessons of the files of one source.

    A file says itself which lesson it is of; else its place says it, else its name. Where the most
    files of an assignment are of one lesson, so are those that say nothing.
    """

    def __init__(self, lessons: Lessons, roster: Roster | None):
        self.lessons, self._roster = lessons, roster
        self._usual: dict[str, str] = {}  # the lesson of most files of an assignment, by its place
        self._sure: dict[str, str] = {}  # the same where they are more than half

    def of_file(self, file: SubmittedFile) -> str:
        """The lesson of a file that can be graded; empty where nothing tells it."""
        if not can_be_graded(file.entry):
            return ""
        hint = self.lessons.named(file.hint)
        return self.of_entry(file.entry, file.named.first_name, hint)

    def of_entry(self, entry: Entry, name: str, hint: str = "") -> str:
        """The lesson that a file says itself; else what its place, or its name, says."""
        called = hint or (self.lessons.of_file(name) if name else "")
        try:
            texts = lesson_texts(reader(entry, LARGEST_FILE)())
            said = {self.lessons.of_content(text) for text in texts} - {""}
        except Problem:
            said = set()
        if called in said or len(said) > 1:  # an archive of several lessons does not tell
            return called if called in said else ""
        return next(iter(said), called)

    def learn(self, files: Iterable[SubmittedFile]) -> None:
        """Take the lessons of assignments from their files, each with its lesson."""
        by_place: dict[str, Counter[str]] = {}
        for file in files:
            if file.lesson:
                by_place.setdefault(_assignment(file), Counter())[file.lesson] += 1
        for place, counts in by_place.items():
            self._usual[place] = max(counts, key=counts.__getitem__)
            if 2 * counts[self._usual[place]] > counts.total():
                self._sure[place] = self._usual[place]

    def of_assignment(self, file: SubmittedFile) -> str:
        """The lesson of the assignment that a file was handed in with; empty where nothing tells.

        A worksheet that is kept tells it, or most others of the assignment.
        """
        if not file.named.layout.has_assignments:
            return ""
        told = ""
        if self._roster and file.named.layout.has_worksheet:
            told = self._roster.assignment(file.named.name, file.named.lms_id)
        return told or self._sure.get(_assignment(file), "")

    def or_usual(self, file: SubmittedFile) -> str:
        """The file's lesson, or else that of its assignment."""
        usual = self._usual.get(_assignment(file), "")
        return file.lesson or self.of_assignment(file) or usual

    def of_worksheet(self, named: ParsedName) -> Student | None:
        """What a worksheet tells of whom a source names so; None where nothing."""
        if not (self._roster and named.layout.has_worksheet):
            return None
        return self._roster.row(named.name, named.lms_id)


def _assignment(file: SubmittedFile) -> str:
    """The folder of an assignment in what an LMS gave; empty for other layouts."""
    return place_of(file)[0] if file.named.layout.has_assignments else ""


def handed_in_at(file: SubmittedFile) -> str:
    """Where a file was handed in: the assignment's folder, or what its path calls the lesson."""
    if file.named.layout.has_assignments:
        return _assignment(file)
    return file.hint or file.path.rpartition("/")[0]
