"""What only several lessons tell together: numbers of each, who falls behind, what stays."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from autograder.lesson.lesson import Lesson
from autograder.results.earlier_mistakes import earlier_mistakes, mistakes_in
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


def lasting(lessons: Sequence[Lesson], by_student: ByStudent, work: Path) -> Rows:
    """Misconceptions that a student had in several lessons, or still has in another attempt.

    What most students keep comes first. Lessons give the same mistake the same name.
    """
    found: dict[str, dict[str, list[SubmissionResult]]] = defaultdict(
        lambda: {"again": [], "kept": []}
    )
    where: dict[str, set[str]] = defaultdict(set)
    for of in by_student.values():
        results = [of[lesson.id] for lesson in lessons if lesson.id in of]
        had: dict[str, list[SubmissionResult]] = defaultdict(list)
        for result in results:
            before, now = earlier_mistakes(work, result), mistakes_in(result)
            for name in {name for _component, name in before | now}:
                had[name].append(result)
            for name in {name for _component, name in before & now}:
                found[name]["kept"].append(result)
                where[name].add(result.lesson)
        for name, own in had.items():
            if len(own) > 1:
                found[name]["again"].append(own[-1])
                where[name] |= {result.lesson for result in own}
    rows = [
        {"mistake": spoken(name), "lessons": sorted(id[:2] for id in where[name]), **of,
         "count": len({result.student for results in of.values() for result in results})}
        for name, of in found.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row["count"], row["mistake"]))


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
