"""A made-up class of any size, with hostile and damaged submissions among the others."""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from autograder.demo.made_up_class import (
    STUDENTS,
    DemoSubmission,
    Expectation,
    as_submission,
    filled,
    make_class,
    reference,
    with_body,
)
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson

from .damaged import DAMAGES


@dataclass(frozen=True)
class Attack:
    """An entry of attacks.toml, which explains the fields."""

    name: str
    says: str
    place: str
    code: str
    harms: bool = False
    spoils: bool = False


ATTACKS = [
    Attack(**entry)
    for entry in tomllib.loads(
        (Path(__file__).parent / "attacks.toml").read_text(encoding="utf-8")
    )["attack"]
]


def large_class(
    course: Course,
    students: int,
    hostile: int,
    broken: int,
    confined: bool = True,
    of: int = 3,
) -> Iterator[DemoSubmission]:
    """One submission of each student, over the first `of` lessons; ordinary ones are the demo's.

    Who is hostile or broken is drawn, always in the same way. Attacks that only a sandbox keeps
    from doing harm are left out unless it is `confined`.
    """
    kinds = ["hostile"] * hostile + ["broken"] * broken
    kinds += ["ordinary"] * (students - len(kinds))
    drawn = random.Random(students)
    drawn.shuffle(kinds)
    first = cycle(STUDENTS)
    width = len(str(students))
    names = [f"{next(first)}-{number + 1:0{width}}" for number in range(students)]
    lessons = course.lessons[:of]
    ids = {lesson.id for lesson in lessons}
    ordinary = [one for one in make_class(course) if one.expected.lesson in ids]
    attacks = [attack for attack in ATTACKS if confined or not attack.harms]
    sources = {
        "hostile": cycle(_attacker(course, lessons[0], attack) for attack in attacks),
        "broken": cycle(
            _damaged(course, lesson, kind)
            for kind, lesson in zip(DAMAGES, cycle(lessons), strict=False)
        ),
        "ordinary": cycle(drawn.sample(ordinary, len(ordinary))),
    }
    for name, kind in zip(names, kinds, strict=True):
        yield _of(name, next(sources[kind]))


def _of(student: str, one: DemoSubmission) -> DemoSubmission:
    """The same, handed in by this student."""

    def moved(path: str) -> str:
        return f"{student}/{path.partition('/')[2]}"

    return DemoSubmission(
        moved(one.path),
        one.content,
        replace(one.expected, student=student),
        {moved(path): content for path, content in one.attachments.items()},
    )


def _attacker(course: Course, lesson: Lesson, attack: Attack) -> DemoSubmission:
    victim = next(one for one in lesson.components.values() if one.blanks)
    in_answer = attack.place == "answer"
    answers = reference(lesson)
    if in_answer:
        answers[victim.name] = with_body(victim, attack.code)
    notebook = filled(course, lesson, answers)
    if not in_answer:
        notebook.cells.insert(0, new_code_cell(attack.code, id="attack"))
    lost = tuple(lesson.components) if attack.spoils else (victim.name,) if in_answer else ()
    expected = Expectation("", lesson.id, "attack", {"says": f"hostile: {attack.says}"}, lost)
    return as_submission(notebook, expected, lesson, f"{lesson.name}.ipynb")


def _damaged(course: Course, lesson: Lesson, kind: str) -> DemoSubmission:
    name = f"{lesson.name}.ipynb"
    whole = nbformat.writes(filled(course, lesson, reference(lesson)), nbformat.NO_CONVERT)
    files = DAMAGES[kind](whole.encode())
    expected = Expectation(
        "", lesson.id, kind, {"says": kind.replace("_", " ")},
        score=0.0, status="missing" if files is None else "error",
    )  # fmt: skip
    if files is None:
        return DemoSubmission(f"/{lesson.id}", None, expected)
    if isinstance(files, bytes):
        files = {name: files}
    (path, content), *others = ((f"/{lesson.id}/{name}", data) for name, data in files.items())
    return DemoSubmission(path, content, expected, dict(others))
