"""A made-up class through a term: each week zips of Moodle are collected, and all is graded."""

import csv
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from autograder.demo.made_up_class import WRONG, another_way, filled, reference
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import to_bytes
from benchmarks import Measured, Say

STUDENTS, WEEKS = 120, 14
SURNAMES = ("Okafor", "Lindqvist", "Haddad", "Nakamura", "Kowalczyk")
WORKSHEET = ("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade",
             "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
             "Feedback comments")  # fmt: skip
FIRST_WEEK = datetime(2026, 10, 12, 18)
COLUMNS = ["week", "in all", "new", "collect, s", "grade, s", "memory, MB", "OUT, MB", "files",
           "report, kB"]  # fmt: skip
# A week in which one lesson is new reads all earlier ones again: no more than this a submission.
MOST_AGAIN = 0.1  # seconds


@dataclass(frozen=True)
class Student:
    """One of the class; what they do each week follows from their number alone."""

    number: int

    @property
    def name(self) -> str:
        around = self.number // len(WRONG)
        again = around // len(SURNAMES)
        last = SURNAMES[around % len(SURNAMES)] + (f" {again + 1}" if again else "")
        return f"{WRONG[self.number % len(WRONG)]} {last}"

    @property
    def email(self) -> str:
        return f"s{self.number:04}@uni.example"

    def hands_in(self, week: int) -> bool:
        """One in twelve stops after some weeks, others leave out a week now and then."""
        if self.number % 12 == 5:
            return week < 2 + self.number % 7
        return (self.number + 3 * week) % 17 != 0

    def hands_in_again(self, week: int) -> bool:
        return self.hands_in(week) and (self.number + week) % 8 == 3

    def days_late(self, week: int) -> int:
        return (self.number + week) % 3 if self.number % 10 == 7 else 0

    def answers(self, lesson: Lesson, week: int, again: bool) -> dict[str, str]:
        """Right ones, or with one misconception, which every other resubmission still has."""
        right = another_way(lesson) if self.number % 4 == 2 else reference(lesson)
        wrong = [it for component in lesson.components.values() for it in component.wrong]
        ways = [it for it in wrong if it.name in HABITS[self.number % len(HABITS)]] or wrong
        if self.number % 2 and not (again and self.number % 4 == 1):
            answer = ways[(7 * self.number + week) % len(ways)]
            right |= {answer.component: answer.source}
        mark = f"# {self.email}, {'second' if again else 'first'} try\n"
        return {name: f"{source}\n{mark}" for name, source in right.items()}


# Mistakes that more than one lesson knows.
HABITS = (
    ("super-without-brackets", "gradients-recorded"),
    ("padding-counted", "pad-id-taken-for-0"),
    ("dropout-in-eval", "left-in-eval-mode"),
    (),
    (),
    (),
)


def through_a_term(say: Say, students: int = STUDENTS, weeks: int = WEEKS,
                   folder: Path | None = None) -> Measured:  # fmt: skip
    """A class through a term: a zip a lesson, with resubmissions, collected and graded each week.

    In each week one lesson is new, and the zip of the week before is taken once more, in which one
    in eight has handed in again. All that was collected so far is graded. Memory is that of the
    largest process. `folder` keeps what comes of it.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as name:
            return through_a_term(say, students, weeks, Path(name))
    course = read_course()
    people = [Student(number) for number in range(students)]
    rows: list[list[str]] = []
    missed = []
    for week, lesson in enumerate(course.lessons[:weeks]):
        say(f"week {week + 1} of {weeks}" + (f"; {', '.join(rows[-1])}" if rows else ""))
        zips = [_zip(folder, course, lesson, people, week, again=False)]
        if week:
            earlier = course.lessons[week - 1]
            zips.append(_zip(folder, course, earlier, people, week - 1, again=True))
        sorted_in = [
            _call(folder, "collect", f"{name}.zip", "handed-in", "--roster", f"{name}.csv")
            for name in zips
        ]
        graded = _call(folder, "grade", "handed-in", "--out", "out", "--seed", "term", "--yes")
        known = sum(one.hands_in(earlier) for one in people for earlier in range(week + 1))
        new = sum(one.hands_in(week) for one in people)
        new += sum(one.hands_in_again(week - 1) for one in people) if week else 0
        files = [path for path in (folder / "out").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
        report = (folder / "out/report.html").stat().st_size / 1e3
        rows.append(
            [lesson.id, str(known), str(new), f"{sum(one.seconds for one in sorted_in):.1f}",
             f"{graded.seconds:.1f}", f"{graded.memory:.0f}", f"{size:.1f}", str(len(files)),
             f"{report:.0f}"]
        )  # fmt: skip
    again = _call(folder, "grade", "handed-in", "--out", "out", "--seed", "term", "--yes")
    rows.append(["once more", str(known), "0", "", f"{again.seconds:.1f}", f"{again.memory:.0f}",
                 "", "", ""])  # fmt: skip
    if again.seconds / known > MOST_AGAIN and known > STUDENTS:
        missed.append(f"{again.seconds / known:.2f} s for each that is graded already")
    return Measured(COLUMNS, rows, missed)


def _zip(
    folder: Path, course: Course, lesson: Lesson, people: Sequence[Student], week: int, again: bool
) -> str:
    """Moodle's zip of one assignment and its worksheet; the name of both without the ending."""
    name = f"{lesson.id}{'-again' if again else ''}"
    table = io.StringIO()
    worksheet = csv.writer(table)
    worksheet.writerow(WORKSHEET)
    with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for one in people:
            participant = 1000 * (week + 1) + one.number
            second = again and one.hands_in_again(week)
            status, when = "No submission", "-"
            if one.hands_in(week):
                notebook = filled(course, lesson, one.answers(lesson, week, second))
                path = f"{one.name}_{participant}_assignsubmission_file_/{lesson.name}.ipynb"
                archive.writestr(path, to_bytes(notebook))
                late = one.days_late(week)
                status = "Submitted for grading" + (f" - {late} days late" if late else "")
                moment = FIRST_WEEK + timedelta(weeks=week, days=late + 5 * second)
                when = moment.strftime("%A, %-d %B %Y, %-I:%M %p")
            worksheet.writerow([f"Participant {participant}", one.name, one.email, status, "",
                                "100.00", "Yes", when, "-", ""])  # fmt: skip
    (folder / f"{name}.csv").write_text(table.getvalue(), encoding="utf-8")
    return name


@dataclass(frozen=True)
class Spent:
    """What one command took: seconds, and megabytes of its largest process."""

    seconds: float
    memory: float


def _call(folder: Path, *arguments: str) -> Spent:
    """Call the command as an instructor does. Raises RuntimeError if it could not do its work."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "autograder", *arguments],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            output = " ".join(said.read().split())[-500:]
            raise RuntimeError(f"autograder {' '.join(arguments)} failed: {output}")
    return Spent(time.perf_counter() - start, _megabytes(used))


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
