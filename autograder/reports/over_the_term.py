"""What only several lessons tell together: numbers of each, who falls behind, what recurs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean

from autograder.lesson.lesson import Lesson
from autograder.results.submission import SubmissionResult

from .class_statistics import Rows, is_absent, percent, spoken

HALF = 0.5  # of a lesson's points: who has fewer is behind, as who handed in nothing
BEHIND = 2  # of the newest lessons in a row, from which a student is named

ByStudent = Mapping[str, Mapping[str, SubmissionResult]]  # by lesson, too


def lesson_by_lesson(lessons: Sequence[Lesson], by_student: ByStudent) -> Rows:
    """How many handed in each lesson, how many of them late, and the mean of their totals."""
    rows = []
    for lesson in lessons:
        own = [of[lesson.id] for of in by_student.values() if _handed_in(of.get(lesson.id))]
        shares = [share for result in own if (share := _share(result)) is not None]
        rows.append(
            {
                "lesson": lesson.id,
                "count": len(own),
                "of": len(by_student),
                "late": sum(result.is_late for result in own),
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
    rows = []
    for of in by_student.values():
        missing = [one.id for one in lessons if not _handed_in(of.get(one.id))]
        weak = [one.id for one in lessons if one.id not in missing and _is_weak(of[one.id])]
        row = 0
        while row < len(lessons) and lessons[-1 - row].id in (*missing, *weak):
            row += 1
        if row >= BEHIND:
            rows.append(
                {"result": next(iter(of.values())), "since": lessons[-row].id, "row": row,
                 "missing": [id[:2] for id in missing], "weak": [id[:2] for id in weak]}
            )  # fmt: skip
    return sorted(rows, key=lambda row: (-row["row"], -len(row["missing"])))


def recurring(lessons: Sequence[Lesson], by_student: ByStudent) -> Rows:
    """Misconceptions that a student had in several lessons; what most students had comes first.

    Lessons give the same mistake the same name.
    """
    places: dict[str, list[tuple[str, SubmissionResult]]] = defaultdict(list)
    for of in by_student.values():
        had: dict[str, list[SubmissionResult]] = defaultdict(list)
        for result in (of[lesson.id] for lesson in lessons if lesson.id in of):
            for name in {test_result.misconception for test_result in result.counted} - {""}:
                had[name].append(result)
        for name, results in had.items():
            if len(results) > 1:
                places[name] += [(result.lesson[:2], result) for result in results]
    rows: Rows = []
    for name, found in places.items():
        newest = {result.student: result for _lesson, result in found}
        rows.append({"mistake": spoken(name), "students": list(newest.values()),
                     "lessons": sorted({lesson for lesson, _result in found})})  # fmt: skip
    return sorted(rows, key=lambda row: (-len(row["students"]), row["mistake"]))


def _handed_in(result: SubmissionResult | None) -> bool:
    return result is not None and not is_absent(result)


def _share(result: SubmissionResult) -> float | None:
    """The share of all points, from 0 to 1; None where the grader failed.

    While answers in prose wait to be marked, it is that of the tests, as changed by hand.
    """
    if result.total is None or result.score is None or not result.max_total:
        return None
    if result.marks.waiting and result.max_score:
        return max(0.0, result.score + result.marks.by_hand) / result.max_score
    return result.total / result.max_total


def _is_weak(result: SubmissionResult) -> bool:
    share = _share(result)
    return share is not None and share < HALF
