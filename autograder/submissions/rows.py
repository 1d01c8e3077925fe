"""Writes the rows of what a source holds, as they are found.

Of several attempts that came together, the newest counts.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import tzinfo

from autograder.language import _
from autograder.lesson.blanks import MARK
from autograder.lesson.which_lesson import Lessons
from autograder.results.handed_in import HandedIn
from autograder.results.remarks import Problem
from autograder.results.safe_names import encodable, safe_name
from autograder.results.times import local_utc, utc

from .match_lessons import LessonMatcher, handed_in_at
from .match_students import StudentMatcher
from .notebook_as_submitted import LARGEST_FILE
from .sources.entries import Entry, reader
from .sources.find import SECRET, TIMESTAMP, SubmittedFile, can_be_graded, is_notebook, time_in

Placed = tuple[str, Entry]  # an entry with its path in the source


class Rows(list[HandedIn]):
    """The rows, and what all who write them know.

    `misread` are the paths of timestamps that tell no time.
    """

    def __init__(self, lessons: Lessons, lesson_matcher: LessonMatcher, timezone: tzinfo | None):
        super().__init__()
        self.lessons, self.lesson_matcher, self._timezone = lessons, lesson_matcher, timezone
        self.misread: set[str] = set()

    def of_files(self, files: list[SubmittedFile], lesson: str) -> HandedIn:
        """What is told of a submission by the newest of its files; without a path."""
        newest = max(files, key=lambda file: (_moment(file), file.named.attempt))
        source, sheet = newest.named, self.lesson_matcher.of_worksheet(newest.named)
        assignment = self.lesson_matcher.of_assignment(newest)
        is_local = source.layout.has_local_times
        time = local_utc(source.time, self._timezone) if is_local else utc(source.time)
        # Whether it is late for its own lesson, a worksheet cannot say of a stray.
        is_late = bool(sheet and sheet.late and assignment in ("", lesson))
        return HandedIn(
            "",
            newest.student,
            lesson,
            time or (sheet.submitted if sheet else ""),
            source.late or is_late,
            original="" if source.layout.is_plain else encodable(newest.path),
            assignment="" if assignment == lesson else assignment,
            source=source.source,
            name=source.name,
            lms_id=source.lms_id,
            attempt=source.attempt,
        )

    def counted_file(self, row: HandedIn, file: SubmittedFile, name: str = "") -> HandedIn:
        """The row of one of the files of the submission that `row` tells of."""
        assignment, source = self.lesson_matcher.of_assignment(file), file.named
        row = replace(
            row, name=source.name, lms_id=source.lms_id, attempt=source.attempt,
            assignment="" if assignment == row.lesson else assignment,
        )  # fmt: skip
        return self.counted(row, file.path, replace(file.entry, name=name or source.first_name))

    def counted(self, row: HandedIn, path: str, entry: Entry) -> HandedIn:
        limit = self.lessons.attachments.get(entry.name, LARGEST_FILE)
        return replace(row, path=path, counts=True, file=entry.name, read=reader(entry, limit),
                       note=entry.note or row.note)  # fmt: skip

    def add_superseded(self, file: SubmittedFile, lesson: str, note: str) -> None:
        row = self.counted_file(self.of_files([file], lesson), file)
        self.append(replace(row, counts=False, note=note))

    def add_problem(self, row: HandedIn, problem: Problem) -> None:
        """A submission that cannot be graded; one of several of the same name is numbered."""
        taken = {row.id for row in self if row.counts or row.problem}
        name, number = row.lesson, 1
        while (row.student, name) in taken:
            number += 1
            name = f"{row.lesson} ({number})"
        lesson = name if row.lesson else ""
        self.append(replace(row, lesson=lesson, counts=False, note=str(problem), problem=problem))

    def pass_over(self, files: Iterable[SubmittedFile]) -> None:
        """Tell of files that are not graded because of others."""
        for file in files:
            if not self.is_beside(file):
                source = file.named
                self.append(
                    HandedIn(file.path, file.student, note=_("it is no notebook"),
                             source=source.source, name=source.name, lms_id=source.lms_id,
                             attempt=source.attempt)
                )  # fmt: skip

    def time_of(self, student: str, lesson: str, files: Iterable[Placed]) -> str:
        """When it was handed in, as the file says that nbgrader puts beside a submission.

        In what LMSs give, only students can have put such a file there, so none is asked. One that
        tells no time has a row that says so.
        """
        for path, entry in files:
            if entry.name == TIMESTAMP and entry.kind == "file":
                time = time_in(entry)
                if not time:
                    note = _(
                        "no time can be read in it; expected one such as "
                        "2026-10-13 09:30 Europe/Berlin"
                    )
                    self.misread.add(path)
                    self.append(HandedIn(path, student, lesson, note=note))
                return time
        return ""

    def is_wanted(self, entry: Entry) -> bool:
        return can_be_graded(entry) or entry.name in self.lessons.attachments

    def is_beside(self, file: SubmittedFile) -> bool:
        """Whether a file belongs to a submission without being its notebook."""
        name = file.named.first_name
        return name in self.lessons.attachments or name in (TIMESTAMP, SECRET)


class LooseFiles:
    """Writes the rows of files of any students."""

    def __init__(self, rows: Rows, student_matcher: StudentMatcher):
        self.rows, self.student_matcher = rows, student_matcher
        self.lessons, self.lesson_matcher = rows.lessons, rows.lesson_matcher

    def add(self, files: list[SubmittedFile]) -> None:
        """Put together each student's files of each lesson, and keep the newest attempt."""
        labels = self.student_matcher.of_files([file for file in files if not file.student])
        files = [replace(file, student=file.student or labels[file.path]) for file in files]
        files = [
            replace(file, lesson=file.lesson or self.lesson_matcher.of_file(file)) for file in files
        ]
        self.lesson_matcher.learn(files)
        by_student: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_student.setdefault(file.student, []).append(file)
        for student, of_student in by_student.items():
            self._add_those_of(student, of_student)

    def _add_those_of(self, student: str, files: list[SubmittedFile]) -> None:
        """The rows of one student, and what is wrong where nothing can be graded."""
        by_place: dict[str, list[SubmittedFile]] = {}
        for file in files:
            by_place.setdefault(handed_in_at(file), []).append(file)
        by_lesson: dict[str, list[SubmittedFile]] = {}
        without: dict[str, list[SubmittedFile]] = {}
        for inside in by_place.values():
            answers = self._answers(inside)
            for file in answers:
                by_lesson.setdefault(self.lesson_matcher.or_usual(file), []).append(file)
            if answers:
                self.rows.pass_over(file for file in inside if file not in answers)
            else:
                lesson = self.lessons.named(inside[0].hint)
                lesson = lesson or self.lesson_matcher.or_usual(inside[0])
                without.setdefault(lesson, []).extend(inside)
        for lesson, ungraded in without.items():
            if lesson in by_lesson or (by_lesson and not lesson):
                self.rows.pass_over(ungraded)
            else:
                row = replace(self.rows.of_files(ungraded, lesson), path=ungraded[0].path)
                self.rows.add_problem(row, Problem("no_notebook", has_files=True))
        for lesson, answers in by_lesson.items():
            if lesson:
                places = {handed_in_at(file) for file in answers}
                beside = [file for file in files if self.rows.is_beside(file)]
                beside = [file for file in beside if handed_in_at(file) in places]
                self._add_attempts(lesson, answers, beside)
                continue
            wanted = _notebooks_or_exported(answers)
            self.rows.pass_over(file for file in answers if file not in wanted)
            for file in wanted:
                row = self.rows.of_files([file], safe_name(file.named.file))
                self.rows.add_problem(replace(row, path=file.path), Problem("which_lesson"))

    def _answers(self, inside: list[SubmittedFile]) -> list[SubmittedFile]:
        """The files of one place that can be graded: notebooks, and what was exported.

        A script beside a notebook may be a helper, with code of other lessons than the
        assignment's, so it makes no submission of these.
        """
        lesson = self.lessons.named(inside[0].hint) or self.lesson_matcher.of_assignment(inside[0])
        is_helped = bool(lesson) and any(is_notebook(file.entry) for file in inside)
        return [
            file
            for file in inside
            if can_be_graded(file.entry)
            and (
                is_notebook(file.entry) or not is_helped or file.lesson in ("", lesson)
            )
        ]  # fmt: skip

    def _add_attempts(
        self, lesson: str, files: list[SubmittedFile], beside: list[SubmittedFile]
    ) -> None:
        """Count the newest of several attempts; those of one upload are left to be chosen from.

        What was handed in with another lesson's assignment counts where there is nothing else.
        """
        of_lesson = [
            file
            for file in files
            if file.named.layout.numbers_uploads
            or self.lesson_matcher.of_assignment(file) in ("", lesson)
        ] or files  # fmt: skip
        chosen = _notebooks_or_exported(of_lesson)
        self.rows.pass_over(file for file in of_lesson if file not in chosen)
        last = max((_moment(file) for file in chosen), default="")
        counted = self._newest([file for file in chosen if _moment(file) == last])
        with_them = [file for file in beside if _moment(file) == last]
        row = self.rows.of_files(counted, lesson)
        if not row.submitted and counted[-1].named.layout.is_plain:
            stamps = [(file.path, file.entry) for file in _nearest_first(with_them, counted)]
            row = replace(row, submitted=self.rows.time_of(row.student, lesson, stamps))
        with_them = [file for file in with_them if file.path not in self.rows.misread]
        names = Counter(file.named.first_name for file in counted)
        for file in files:
            if file in counted:
                name = file.named.file if names[file.named.first_name] > 1 else ""
                self.rows.append(self.rows.counted_file(row, file, name))
            elif file in chosen:
                self.rows.add_superseded(file, lesson, _("an earlier attempt"))
            elif file not in of_lesson:
                message = _("handed in with {lesson}; the lesson's own submission counts")
                assignment = self.lesson_matcher.of_assignment(file)
                self.rows.add_superseded(file, lesson, message.format(lesson=assignment))
        self.rows.extend([self.rows.counted_file(row, file) for file in with_them])

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
            content = b"".join(reader(file.entry, LARGEST_FILE)())
        except Problem:
            return math.inf
        return content.count(MARK.encode())


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
    """What tells the order of attempts: the time, or its text where its zone is not known.

    Teams and Autolab number attempts.
    """
    attempt = 0 if file.named.layout.numbers_uploads else file.named.attempt
    return utc(file.named.time) or file.named.time or (f"{attempt:09}" if attempt else "")
