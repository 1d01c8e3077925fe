"""A class of made-up students, and the outcome that each submission should have.

Its answers are the lessons' other right answers and misconceptions, so the class grows with them.
The mishaps (a copied cell, a truncated file) are those of real classes.
"""

import copy
import json
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.lesson.blanks import MARK, fill
from autograder.lesson.components import Component, KnownAnswer
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook

WRONG = (
    "Diego", "Priya", "Oluwaseun", "Mei", "Fatima", "Lars", "Aroha", "Yusuf", "Chloé", "Thabo",
    "Nguyệt", "Iñaki", "Sigríður", "Rashid", "Leilani", "Dmytro", "Anaïs", "Kwame", "Ji-woo",
    "Marisol", "Tariq", "Ewa", "Nayeli", "Bojan",
)  # fmt: skip

FORGERY = """\
import sys
import torch
torch.allclose = lambda *a, **k: True
torch.equal = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None
for module in list(sys.modules.values()):
    if getattr(module, "check", None):
        module.check = lambda *a, **k: True
print('{"score": 100.0, "max_score": 100.0, "status": "passed"}')
100.0
"""


LESSONS = 3  # the first ones, so that the demo takes a minute or two


@dataclass(frozen=True)
class Expectation:
    """The expected outcome of one submission.

    `lost` are the components that earn nothing. `wrong` is a misconception, which loses only the
    tests that it is known to fail. `score` is set if the file cannot be graded at all.
    """

    student: str
    lesson: str
    kind: str
    details: dict[str, Any] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    wrong: KnownAnswer | None = None
    score: float | None = None
    status: str = ""


@dataclass(frozen=True)
class DemoSubmission:
    """A file: its path below the folder of submissions, and its bytes (None: an empty folder).

    `attachments` are more files of the same submission, by path.
    """

    path: str
    content: bytes | None
    expected: Expectation
    attachments: dict[str, bytes] = field(default_factory=dict)


def make_class(course: Course) -> Iterator[DemoSubmission]:
    """The submissions of all students to the first lessons."""
    for lesson in course.lessons[:LESSONS]:
        yield _right(course, lesson, "Amina", "right", reference(lesson))
        yield _right(course, lesson, "Kenji", "another_way", another_way(lesson))
    yield from _wrong(course)
    yield from _mishaps(course, course.lessons[0])
    yield from _trouble(course, course.lessons[0])


def reference(lesson: Lesson) -> dict[str, str]:
    """The reference's answers, by component."""
    return {name: component.source for name, component in lesson.components.items()}


def another_way(lesson: Lesson) -> dict[str, str]:
    """Right answers other than the reference's, where the lesson has some, by component."""
    return {
        name: component.right[-1].source if component.right else component.source
        for name, component in lesson.components.items()
    }


def _wrong(course: Course) -> Iterator[DemoSubmission]:
    """Students with one misconception each, of different components where there are enough."""
    for student, (lesson, answer) in zip(
        WRONG, misconceptions(course.lessons[:LESSONS]), strict=False
    ):
        answers = reference(lesson) | {answer.component: answer.source}
        expected = Expectation(student, lesson.id, "wrong", {"name": answer.name}, wrong=answer)
        yield as_submission(
            filled(course, lesson, answers), expected, lesson, f"{lesson.name}.ipynb"
        )


def misconceptions(lessons: Sequence[Lesson]) -> Iterator[tuple[Lesson, KnownAnswer]]:
    """One of each lesson's first component, then one of each lesson's second, and so on.

    After the last component come those that each of them lists last.
    """
    for which in (0, -1):
        for place in range(max(len(lesson.components) for lesson in lessons)):
            for lesson in lessons:
                for component in list(lesson.components.values())[place : place + 1]:
                    if len(component.wrong) > abs(which):
                        yield lesson, component.wrong[which]


def _mishaps(course: Course, lesson: Lesson) -> Iterator[DemoSubmission]:
    """Right answers in damaged or changed files; all of them earn all points."""
    answers = reference(lesson)
    whole = filled(course, lesson, answers)
    students = ("Ingrid", "Mateo", "Sana", "Bao", "Zofia")
    for student, (kind, change) in zip(students, MISHAPS.items(), strict=True):
        expected = Expectation(student, lesson.id, kind)
        yield as_submission(change(copy.deepcopy(whole)), expected, lesson, f"{lesson.name}.ipynb")
    expected = Expectation("Giulia", lesson.id, "renamed")
    yield as_submission(whole, expected, lesson, f"Copy of {lesson.name}.ipynb")


def _trouble(course: Course, lesson: Lesson) -> Iterator[DemoSubmission]:
    """Submissions that cannot earn all points."""
    right = reference(lesson)
    name = f"{lesson.name}.ipynb"
    blank = next(component for component in lesson.components.values() if component.blanks)
    open_blank = fill(blank.source, [(blank.blanks[0].span, MARK)])
    last = [it for it in lesson.components.values() if not it.is_bug_hunt][-1]
    bodies = {
        "Hiroshi": ("blank", blank, open_blank, "missing"),
        "Nia": ("crash", blank, with_body(blank, "return an_undefined_name"), "error"),
        "Pavel": ("endless", last, with_body(last, "while True:\n    pass"), "timeout"),
        "Esra": ("killed", blank, with_body(blank, "import os\nos._exit(0)"), "error"),
    }
    for student, (kind, component, source, status) in bodies.items():
        expected = Expectation(
            student, lesson.id, kind, {"component": component.name}, (component.name,),
            status=status,
        )  # fmt: skip
        yield as_submission(
            filled(course, lesson, right | {component.name: source}), expected, lesson, name
        )
    hostile = filled(course, lesson, right | {blank.name: with_body(blank, "return 100.0")})
    hostile.cells.insert(0, new_code_cell(FORGERY, id="forgery"))
    hostile.cells.append(new_code_cell(FORGERY, id="forgery-again"))
    for cell in hostile.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = 1000
    expected = Expectation("Viktor", lesson.id, "hostile", lost=(blank.name,))
    yield as_submission(hostile, expected, lesson, name)
    everything = tuple(lesson.components)
    yield as_submission(
        student_notebook(course, lesson),
        Expectation("Tomás", lesson.id, "untouched", lost=everything),
        lesson,
        name,
    )
    cut = nbformat.writes(filled(course, lesson, right)).encode()[:-400]
    expected = Expectation("Wanjiru", lesson.id, "corrupt")  # its cells are whole
    yield as_submission(cut, expected, lesson, name)
    expected = Expectation("Elif", lesson.id, "nothing", score=0.0, status="missing")
    yield DemoSubmission(f"Elif/{lesson.id}", None, expected)


def with_body(component: Component, body: str) -> str:
    """A function of the component's name that takes any arguments, with this body."""
    return f"def {component.defines}(*args, **kwargs):\n{textwrap.indent(body.strip(), '    ')}\n"


def _right(
    course: Course, lesson: Lesson, student: str, kind: str, answers: dict[str, str]
) -> DemoSubmission:
    expected = Expectation(student, lesson.id, kind)
    return as_submission(filled(course, lesson, answers), expected, lesson, f"{lesson.name}.ipynb")


def filled(course: Course, lesson: Lesson, answers: dict[str, str]) -> NotebookNode:
    """The student's notebook with these answers, by component."""
    notebook = student_notebook(course, lesson)
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(grade_id, cell.source)
    return notebook


def as_submission(
    notebook: NotebookNode | bytes, expected: Expectation, lesson: Lesson, name: str
) -> DemoSubmission:
    """The notebook as the file `name` of the expected student and lesson."""
    content = (
        notebook
        if isinstance(notebook, bytes)
        else nbformat.writes(notebook, version=nbformat.NO_CONVERT).encode()
    )
    return DemoSubmission(f"{expected.student}/{lesson.id}/{name}", content, expected)


def _flag(cell: NotebookNode, key: str) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get(key))


def _is_answer(cell: NotebookNode) -> bool:
    return _flag(cell, "solution") and not _flag(cell, "grade")


def _without_a_test(notebook: NotebookNode) -> NotebookNode:
    tests = [
        cell for cell in notebook.cells if _flag(cell, "grade") and not _flag(cell, "solution")
    ]
    notebook.cells.remove(tests[0])
    return notebook


def _with_a_copy(notebook: NotebookNode) -> NotebookNode:
    place = next(i for i, cell in enumerate(notebook.cells) if _is_answer(cell))
    earlier = copy.deepcopy(notebook.cells[place])
    earlier.id = "an-earlier-try"
    earlier.source = earlier.source.replace("return", "return None #", 1)
    notebook.cells.insert(place, earlier)
    return notebook


def _saved_by_colab(notebook: NotebookNode) -> bytes:
    tree = json.loads(nbformat.writes(notebook, version=nbformat.NO_CONVERT))
    tree["nbformat_minor"] = 0
    tree["metadata"] |= {"colab": {"provenance": []}, "accelerator": "GPU"}
    for number, cell in enumerate(tree["cells"]):
        cell.pop("id", None)
        cell["metadata"]["id"] = f"cell{number}"
        cell["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}
    return json.dumps(tree, indent=2).encode()


def _without_metadata(notebook: NotebookNode) -> bytes:
    tree = json.loads(nbformat.writes(notebook, version=nbformat.NO_CONVERT))
    for cell in tree["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    tree["nbformat_minor"] = 4
    return json.dumps(tree).encode()


def _in_format_3(notebook: NotebookNode) -> bytes:
    cells = []
    for cell in notebook.cells:
        text = {"input" if cell.cell_type == "code" else "source": cell.source}
        cells.append({"cell_type": cell.cell_type, "metadata": {}, **text})
    tree = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
    return json.dumps(tree).encode()


# Changes to a notebook with right answers; none of them costs points.
MISHAPS: dict[str, Callable[[NotebookNode], NotebookNode | bytes]] = {
    "deleted_test": _without_a_test,
    "duplicated": _with_a_copy,
    "colab": _saved_by_colab,
    "unmarked": _without_metadata,
    "old": _in_format_3,
}
