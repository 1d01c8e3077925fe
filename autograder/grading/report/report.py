"""The report on a class: report.html, one page that needs nothing else."""

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.grading.model import Graded
from autograder.grading.outdir import replace_file
from autograder.grading.run import confinement
from autograder.language import ngettext
from autograder.lesson.lesson import Lesson

from .feedback import spoken
from .pages import render
from .tables import in_order, number, points_of

# With these, the verdicts may not reflect what the student wrote.
FOR_A_PERSON = ("grader_fault", "timeout", "out_of_memory")
LEFT_OUT = ("cell_timeout", "cell_died", "cell_out_of_memory")


def needs_a_person(result: Graded) -> bool:
    """Whether an instructor should look at it: it may not have been fully graded."""
    if result.problem and result.problem.key == "not_handed_in":
        return False
    cause = result.problem or result.remarks or _left_out(result)
    return bool(cause) or result.status in FOR_A_PERSON


def what_happened(result: Graded) -> str:
    """The message, and which of the student's own cells were left out."""
    return " ".join([result.message, *_left_out(result)])


def _left_out(result: Graded) -> list[str]:
    return [receipt.text for receipt in result.receipts if receipt.key in LEFT_OUT]


def write_report(out: Path, graded: list[Graded], lessons: list[Lesson], title: str) -> Path:
    """Write OUT/report.html; its path."""
    page = render(
        "report.html.j2",
        **contents(graded, lessons, title, out),
        confined=confinement.sentence(out / "work"),
    )
    replace_file(out / "report.html", page)
    return out / "report.html"


def contents(graded: list[Graded], lessons: list[Lesson], title: str, out: Path) -> dict[str, Any]:
    """What the report shows, as plain data; it links to the feedback in OUT."""
    graded = in_order(graded, lessons)
    present = [lesson for lesson in lessons if any(result.lesson == lesson.id for result in graded)]
    students = list(dict.fromkeys(result.student for result in graded))
    return {
        "title": title,
        "made": _made(len(graded), len(students)),
        "lessons": [
            {"id": lesson.id, "points": number(_points(lesson, graded))}
            for lesson in present
        ],
        "rows": [_row(student, present, graded, out) for student in students],
        "for_a_person": [
            {"student": result.student, "lesson": result.lesson, "status": result.status,
             "message": what_happened(result), "page": _page(result.student, result.lesson, out)}
            for result in graded
            if needs_a_person(result)
        ],
        "components": [part for lesson in present for part in _components(lesson, graded)],
        "misconceptions": [kind for lesson in present for kind in _misconceptions(lesson, graded)],
        "repairs": Counter(
            receipt.text for result in graded for receipt in result.receipts
        ).most_common(),
    }  # fmt: skip


def _made(submissions: int, students: int) -> str:
    """What the report is made of."""
    of_students = ngettext("{count} student", "{count} students", students)
    # Translators: {students} is "3 students".
    made = ngettext(
        "{count} submission of {students}", "{count} submissions of {students}", submissions
    )
    return made.format(count=submissions, students=of_students.format(count=students))


def _points(lesson: Lesson, graded: list[Graded]) -> float:
    return next((result.max_score for result in graded if result.lesson == lesson.id), 0.0)


def _row(student: str, lessons: list[Lesson], graded: list[Graded], out: Path) -> dict[str, Any]:
    own = {result.lesson: result for result in graded if result.student == student}
    scores = [own[lesson.id].score for lesson in lessons if lesson.id in own]
    known = [score for score in scores if score is not None]
    return {
        "student": student,
        "cells": [
            {
                "score": "" if (score := own[lesson.id].score) is None else number(score),
                "status": own[lesson.id].status,
                "page": _page(student, lesson.id, out),
            }
            if lesson.id in own
            else None
            for lesson in lessons
        ],
        "total": number(sum(known)) if len(known) == len(scores) else "",
    }


def _page(student: str, lesson: str, out: Path) -> str:
    """The address of a student's feedback, as seen from the report; empty where there is none."""
    path = Path("feedback", student, lesson, f"{lesson.partition('-')[2]}.html")
    return quote(path.as_posix()) if (out / path).is_file() else ""


def _components(lesson: Lesson, graded: list[Graded]) -> list[dict[str, Any]]:
    found = []
    handed_in = [lesson.hand_in.component] if lesson.hand_in else []
    for component in [*lesson.components, *handed_in]:
        of = [
            [verdict for verdict in result.verdicts if verdict.component == component]
            for result in graded
            if result.lesson == lesson.id and result.verdicts and result.score is not None
        ]
        of = [verdicts for verdicts in of if verdicts]
        if not of:
            continue
        passed = [[verdict.status == "passed" for verdict in verdicts] for verdicts in of]
        counts = {
            "all": sum(all(one) for one in passed),
            "some": sum(any(one) and not all(one) for one in passed),
            "none": sum(not any(one) for one in passed),
        }
        points = sum(verdict.max_score for verdict in of[0])
        mean = sum(verdict.score for verdicts in of for verdict in verdicts) / len(of)
        found.append(
            {
                "lesson": lesson.id,
                "name": component,
                "counts": counts,
                "shares": {key: 100 * count / len(of) for key, count in counts.items()},
                "mean": points_of(round(mean, 2), points),
            }
        )
    return found


def _misconceptions(lesson: Lesson, graded: list[Graded]) -> list[dict[str, Any]]:
    counts: Counter[tuple[str, str]] = Counter()
    for result in graded:
        if result.lesson == lesson.id:
            counts.update(
                {(v.component, v.misconception) for v in result.verdicts if v.misconception}
            )
    says = {
        (name, variant.name): variant.says
        for name, component in lesson.components.items()
        for variant in component.wrong
    }
    # An earlier run may have recorded a component that the lesson no longer has.
    order = {name: place for place, name in enumerate(lesson.components)}

    def place(pair: tuple[tuple[str, str], int]) -> tuple[Any, ...]:
        (component, name), count = pair
        return order.get(component, len(order)), component, -count, name

    found = sorted(counts.items(), key=place)
    return [
        {"lesson": lesson.id, "component": component, "name": spoken(name), "count": count,
         "says": says.get((component, name), "")}
        for (component, name), count in found
    ]  # fmt: skip
