"""What only several lessons tell together: numbers of each, who falls behind, what recurs."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean

from autograder.lesson.lesson import Lesson
from autograder.results.submission import SubmissionResult

from .class_statistics import Rows, is_absent, percent

HALF = 0.5  # of a lesson's points: who has fewer is behind, as who handed in nothing
BEHIND = 2  # of the newest lessons in a row, from which a student is named

ByStudent = Mapping[str, Mapping[str, SubmissionResult]]  # by lesson, too


def lesson_by_lesson(lessons: Sequence[Lesson], by_student: ByStudent) -> Rows:
    """How many handed in each lesson, how many of them late, and the mean of their totals."""
    rows = []
    for lesson in lessons:
        results = [of[lesson.id] for of in by_student.values() if _handed_in(of.get(lesson.id))]
        shares = [share for result in results if (share := result.share) is not None]
        rows.append(
            {
                "lesson": lesson.id,
                "count": len(results),
                "of": len(by_student),
                "late": sum(result.is_late for result in results),
                "share": 100 * mean(shares) if shares else 0.0,
                "mean": percent(mean(shares)) if shares else "",
                "half": sum(share < HALF for share in shares),
            }
        )
    return rows


def behind(lessons: Sequence[Lesson], by_student: ByStudent) -> Rows:
    """Who has handed in nothing, or has less than half of the points, in the newest lessons.

    Each with the first lesson of that row, and which lessons of the whole term are missing or weak.
    """
    rows, ids = [], [lesson.id for lesson in lessons]
    for of in by_student.values():
        missing = [id for id in ids if not _handed_in(of.get(id))]
        weak = [id for id in ids if id not in missing and _is_weak(of[id])]
        row = 0
        while row < len(lessons) and lessons[-1 - row].id in (*missing, *weak):
            row += 1
        if row >= BEHIND:
            rows.append(
                {"result": next(iter(of.values())), "since": lessons[-row].id, "row": row,
                 "missing": [id[:2] for id in missing], "weak": [id[:2] for id in weak]}
            )  # fmt: skip
    return sorted(rows, key=lambda row: (-row["row"], -len(row["missing"])))


def shared(mistakes: Rows) -> Rows:
    """Each misconception over all lessons, by whom; what most students had comes first.

    `mistakes` are those of each lesson, which give the same one the same name; `again` are the
    students who had it in several.
    """
    by_mistake: dict[str, Rows] = defaultdict(list)
    for row in mistakes:
        by_mistake[row["mistake"]].append(row)
    merged: Rows = []
    for rows in by_mistake.values():
        of: dict[str, Rows] = defaultdict(list)  # what each student had
        for maker in itertools.chain.from_iterable(row["students"] for row in rows):
            of[maker["student"]].append(maker)
        again = [made[-1] for made in of.values() if len({row["lesson"] for row in made}) > 1]
        lessons = sorted({row["lesson"] for row in rows})
        students = [made[-1] for made in of.values()]
        merged.append(rows[0] | {"lessons": lessons, "students": students, "again": again})
    return sorted(merged, key=lambda row: -len(row["students"]))


def _handed_in(result: SubmissionResult | None) -> bool:
    return result is not None and not is_absent(result)


def _is_weak(result: SubmissionResult) -> bool:
    return result.share is not None and result.share < HALF
