"""Regrades: what students ask to be graded again, and what was decided, in OUT/regrades.csv.

A decision becomes points by hand in the gradebook, once: what somebody gives there later stays.
What a decision replaced is kept beside them, for the student to read.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.errors import WrongUsage, was_meant
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lesson.deadlines import moment_of
from autograder.lesson.lesson import Lesson
from autograder.lesson.points import cell_of_tests, component_of
from autograder.lesson.which_lesson import Lessons
from autograder.results.safe_names import normal
from autograder.results.submission import SAME, ByHand, GradebookEntry, SubmissionResult
from autograder.results.tables import number, read_rows

REGRADES = "regrades.csv"
NEEDED = ("student", "lesson", "part", "request")
RegradeRequest = tuple[int, dict[str, str]]  # the row's number, and what is in it by column
Find = Callable[[str], str]  # the student's id; empty where it is not clear
OPTIONAL = ("asked", "points", "answer")  # of these, an instructor fills the last two


@dataclass(frozen=True)
class Regrade:
    """One request: `cell` is the gradebook's cell of the part, `asked` a time in UTC or empty.

    `points` are those that the part has from now on, None where they stay as they are.
    """

    line: int
    student: str
    lesson: str
    part: str
    cell: str
    request: str
    asked: str = ""
    points: float | None = None
    answer: str = ""

    @property
    def is_decided(self) -> bool:
        return self.points is not None or bool(self.answer)

    def is_before(self, submitted: str) -> bool:
        """Whether the work came after the request; no where one of the times is not known."""
        return "" not in (self.asked, submitted) and self.asked < submitted


@dataclass(frozen=True)
class Regrades:
    """All requests, and what is wrong with the rows that are none, in sentences."""

    rows: tuple[Regrade, ...] = ()
    wrong: tuple[str, ...] = ()

    def of(self, student: str, lesson: str) -> list[Regrade]:
        return [row for row in self.rows if (row.student, row.lesson) == (student, lesson)]


def read_requests(out: Path) -> list[RegradeRequest]:
    """The rows of the table of requests in OUT, by column, each with its number.

    Raises WrongUsage for a file that is no such table.
    """
    path = out / REGRADES
    if not path.is_file():
        return []
    table = read_rows(path)
    header = [name.casefold() for name in table[0][1]] if table else []
    if missing := [name for name in NEEDED if name not in header]:
        raise WrongUsage(
            _("{path}: its first line is {line!r}, without {missing}; expected the columns "
              "{needed}, and as you like {optional}"),
            path=path, line=",".join(header), missing=", ".join(missing),
            needed=", ".join(NEEDED), optional=", ".join(OPTIONAL),
        )  # fmt: skip
    return [(line, dict(zip(header, values, strict=False))) for line, values in table[1:]]


def regrades_in(
    requests: list[RegradeRequest], course: Course, students: Collection[str], find: Find
) -> Regrades:
    """The requests of these students; `find` tells whom a name or an address means.

    A wrong row costs only itself.
    """
    reader, rows, wrong = _Reader(course, students, find), dict[Any, Regrade](), []
    for line, values in requests:
        try:
            row = reader.row(line, values)
            first = rows.setdefault((row.student, row.lesson, row.part), row)
            if first is not row:
                raise WrongUsage(
                    _("{student} asks for {part} of {lesson} in row {first} already; put both into "
                      "one row"),
                    student=row.student, part=row.part, lesson=row.lesson, first=first.line,
                )  # fmt: skip
        except WrongUsage as error:
            wrong.append(_in_row(line, error))
    return Regrades(tuple(rows.values()), tuple(wrong))


def _in_row(row: int, why: object) -> str:
    said = _("{file}, row {row}: {why}").format(file=REGRADES, row=row, why=why)
    return said if said.endswith((".", "?")) else f"{said}."


class _Reader:
    """Reads rows; each method raises WrongUsage for what it cannot take."""

    def __init__(self, course: Course, students: Collection[str], find: Find):
        self.course, self.students, self.find = course, students, find
        self.lessons = Lessons(course.lessons)

    def row(self, line: int, values: Mapping[str, str]) -> Regrade:
        student = self._student(values.get("student", ""))
        lesson = self._lesson(values.get("lesson", ""))
        part, cell, most = self._part(lesson, values.get("part", ""))
        request = values.get("request", "")
        if not request:
            raise WrongUsage(_("{student} asks nothing: the request is empty"), student=student)
        return Regrade(
            line, student, lesson.id, part, cell, request,
            _asked(values.get("asked", ""), self.course.timezone),
            _points(values.get("points", ""), part, most), values.get("answer", ""),
        )  # fmt: skip

    def _student(self, given: str) -> str:
        by_form = {normal(student): student for student in self.students}
        if student := by_form.get(normal(given)):
            return student
        if given and (student := self.find(given)):
            return student
        raise WrongUsage(
            _("no student is called {given!r}.{close}"), given=given,
            close=was_meant(given, self.students),
        )  # fmt: skip

    def _lesson(self, given: str) -> Lesson:
        if id := self.lessons.named(given):
            return self.course.lesson(id)
        raise WrongUsage(
            _("there is no lesson {given!r}.{close}"), given=given,
            close=was_meant(given, self.lessons.ids),
        )  # fmt: skip

    def _part(self, lesson: Lesson, given: str) -> tuple[str, str, float]:
        """The part's name, its cell in the gradebook, and its points."""
        known = {
            name: (name, cell_of_tests(name), points) for name, points in lesson.points().items()
        }
        known |= {one.name: (one.name, one.name, one.points) for one in lesson.questions}
        name = component_of(given)
        if name not in known:
            raise WrongUsage(
                _("{lesson} has no part {given!r}; its parts are {known}.{close}"),
                lesson=lesson.id, given=given, close=was_meant(name, known), known=", ".join(known),
            )  # fmt: skip
        return known[name]


def _asked(text: str, timezone: tzinfo | None) -> str:
    """The time of a request in UTC. A date alone is the end of that day."""
    if not text:
        return ""
    try:
        moment = moment_of(text)
    except ValueError as error:
        raise WrongUsage(
            _("asked is {text!r}; expected a moment such as 2026-10-05 or 2026-10-05 18:30"),
            text=text,
        ) from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone or UTC)
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _points(text: str, part: str, most: float) -> float | None:
    if not text:
        return None
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= most:
        raise WrongUsage(
            _("points is {text!r}; expected those that {part} has from now on, from 0 to {most}"),
            text=text, part=part, most=number(most),
        )  # fmt: skip
    return points


@dataclass(frozen=True)
class Decided:
    """What a decision replaced: the part's points, those of its tests, and the time of the work."""

    points: float
    before: float
    tests: float | None
    submitted: str


@dataclass
class Decisions:
    """The requests of an OUT, and which decisions its gradebook holds.

    `kept` returns, for a student and a lesson, what is kept of those: by cell, each Decided as a
    dict.
    """

    kept: Callable[[str, str], Mapping[str, Any]] = lambda *_: MappingProxyType({})
    regrades: Regrades = field(default_factory=Regrades)

    def entered(self, student: str, lesson: str) -> dict[str, Decided]:
        """What decisions about a submission replaced, by cell."""
        return {cell: Decided(**one) for cell, one in self.kept(student, lesson).items()}

    def waiting(self, result: SubmissionResult) -> list[Regrade]:
        """The decisions that the gradebook does not hold yet."""
        return [row for row in self._of(result) if self.is_waiting(row)]

    def is_waiting(self, row: Regrade) -> bool:
        """Whether this is a decision that the gradebook does not hold yet."""
        if row.points is None:
            return False
        entered = self.entered(row.student, row.lesson).get(row.cell)
        return entered is None or entered.points != row.points

    def foreseen(
        self, result: SubmissionResult, entry: GradebookEntry | None
    ) -> GradebookEntry | None:
        """The gradebook's entry as it will be with the decisions that wait."""
        if entry is None or not result.test_results:
            return entry
        given, prose = dict(entry.given), entry.marks.prose
        for row in self.waiting(result):
            if row.cell in given:
                given[row.cell] = ByHand(row.points)
            elif row.cell in entry.points:
                prose += (row.points or 0.0) - entry.points[row.cell]
        return replace(entry, given=given, marks=replace(entry.marks, prose=prose))

    def shown(self, student: str, lesson: str, entry: GradebookEntry) -> dict[str, dict[str, str]]:
        """What a student's page says of each request, by cell.

        A decision that the gradebook does not hold is not told: its score may never be recorded.
        """
        entered = self.entered(student, lesson)
        return {
            row.cell: _shown(row, entered.get(row.cell), entry, self.is_waiting(row))
            for row in self.regrades.of(student, lesson)
        }

    def concern(self, results: Iterable[SubmissionResult]) -> bool:
        """Whether there are requests, or decisions that the gradebook holds."""
        kept = (self.kept(result.student, result.lesson) for result in results)
        return bool(self.regrades.rows or self.regrades.wrong) or any(kept)

    def remarks(
        self, results: Iterable[SubmissionResult], entries: Mapping[Any, GradebookEntry]
    ) -> tuple[list[str], list[str]]:
        """What is wrong with the rows, and what else an instructor has to know, in sentences."""
        known = {result.id: result for result in results}
        wrong, said = list(self.regrades.wrong), list[str]()
        for row in self.regrades.rows:
            result = known.get((row.student, row.lesson))
            entry = entries.get((row.student, row.lesson))
            if result is None or not result.test_results or entry is None:
                why = _("{student} has no graded work of {lesson}")
                why = why.format(student=row.student, lesson=row.lesson)
                wrong.append(_in_row(row.line, why))
            elif why := self._remark(row, result, entry):
                said.append(_in_row(row.line, why))
        for (student, lesson), entry in entries.items():
            said += self._left(student, lesson, entry)
        return wrong, said

    def _left(self, student: str, lesson: str, entry: GradebookEntry) -> Iterator[str]:
        """Of points that no row gives any more, that they stay.

        They are not taken back: a row may be missing by mistake, or be wrong, and what a test
        earned without a decision is not kept apart from what somebody gave it by hand.
        """
        given = {row.cell for row in self.regrades.of(student, lesson) if row.points is not None}
        for cell, one in self.entered(student, lesson).items():
            if cell not in given and abs(entry.points.get(cell, math.inf) - one.points) <= SAME:
                yield _(
                    "{file} no longer gives {student} the {points} points for {part} of {lesson} "
                    "that were decided; they stay. To take them back, write other points there."
                ).format(
                    file=REGRADES, student=student, points=number(one.points),
                    part=component_of(cell), lesson=lesson,
                )  # fmt: skip

    def _remark(self, row: Regrade, result: SubmissionResult, entry: GradebookEntry) -> str:
        names = {"student": row.student, "lesson": row.lesson, "part": row.part}
        decision = self.entered(row.student, row.lesson).get(row.cell)
        now = entry.points.get(row.cell)
        if row.points is None or decision is None or now is None:
            if row.is_decided or not row.is_before(result.submitted):
                return ""
            return _(
                "{student} handed in {lesson} after asking; the evidence is of that newer work"
            ).format(**names)
        if abs(now - row.points) > SAME:
            return _(
                "{student} was given {points} points for {part}, and then {now} in formgrader; "
                "these stay"
            ).format(points=number(row.points), now=number(now), **names)
        tests = result.points.get(row.cell)
        if decision.submitted != result.submitted or decision.tests != tests:
            return _(
                "{student} was graded again after {part} was decided: the {points} points decided "
                "stay, its tests now earn {tests}"
            ).format(points=number(row.points), tests=number(tests or 0.0), **names)
        return ""

    def _of(self, result: SubmissionResult) -> list[Regrade]:
        return self.regrades.of(result.student, result.lesson)


def decided(
    row: Regrade, before: float, result: SubmissionResult, known: Decided | None
) -> Decided:
    """What a decision replaces; of a second one, the student reads what it was at first."""
    before = known.before if known else before
    return Decided(row.points or 0.0, before, result.points.get(row.cell), result.submitted)


def _shown(
    row: Regrade, decision: Decided | None, entry: GradebookEntry, is_waiting: bool
) -> dict[str, str]:
    now = entry.points.get(row.cell, 0.0)
    said = {"request": row.request, "answer": "" if is_waiting else row.answer, "points": ""}
    if not row.is_decided or (is_waiting and decision is None):
        return said
    before = decision.before if decision and row.points is not None else now
    stays = abs(before - now) <= SAME
    said["points"] = (
        _("Points: {before}, as before.") if stays else _("Points: {before} before, {now} now.")
    ).format(before=number(before), now=number(now))
    return said
