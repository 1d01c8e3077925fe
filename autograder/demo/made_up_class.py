"""A class of made-up students, and the outcome that each submission should have.

`class.toml` beside this file says who hands in what. The answers are the lessons' other right
answers and misconceptions. The mishaps (a copied cell, a truncated file) are those of real classes.
"""

import copy
import json
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.lesson.blanks import MARK, fill
from autograder.lesson.components import Component, KnownAnswer
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook

FORGERY = (Path(__file__).parent / "forgery.txt").read_text(encoding="utf-8")
CLASS = tomllib.loads((Path(__file__).parent / "class.toml").read_text(encoding="utf-8"))
STUDENTS: dict[str, list[str]] = CLASS["students"]


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
    for number, lesson in enumerate(course.lessons[: max(map(len, STUDENTS.values()))]):
        prose: dict[str, dict[str, str]] = {student: {} for student in STUDENTS}
        for answer in CLASS["prose"]:
            if answer["lesson"] == number:
                for student in answer["students"]:
                    prose[student] |= answer
        for student, kinds in STUDENTS.items():
            if kinds[number]:
                yield handed_in(course, lesson, student, kinds[number], prose[student])


def reference(lesson: Lesson) -> dict[str, str]:
    """The reference's answers, by component."""
    return {name: component.source for name, component in lesson.components.items()}


def another_way(lesson: Lesson) -> dict[str, str]:
    """Right answers other than the reference's, where the lesson has some, by component."""
    return {
        name: component.right[-1].source if component.right else component.source
        for name, component in lesson.components.items()
    }


def handed_in(
    course: Course, lesson: Lesson, student: str, kind: str, prose: Mapping[str, str] | None = None
) -> DemoSubmission:
    """What a student hands in who is of this kind; `prose` are answers by the names of questions.

    Raises KeyError if `kind` is neither one that the demo knows nor a misconception of the lesson.
    """
    name, answers = f"{lesson.name}.ipynb", reference(lesson)
    lost, status = tuple[str, ...](), ""
    details, score, wrong = dict[str, Any](), None, None
    if trouble := CLASS["trouble"].get(kind):
        components = _in_trouble(lesson, trouble["where"])
        status, lost = trouble.get("status", ""), tuple(part.name for part in components)
        details = {"component": lost[0]}
        answers |= {part.name: _answer(part, trouble.get("body", "")) for part in components}
    elif kind == "another_way":
        answers = another_way(lesson)
    elif kind == "untouched":
        answers, lost = {}, tuple(lesson.components)
    elif kind == "renamed":
        name = f"Copy of {name}"
    elif kind == "nothing":
        score, status = 0.0, "missing"
    elif kind not in ("right", *MISHAPS):
        mistakes = [answer for part in lesson.components.values() for answer in part.wrong[::-1]]
        wrong = {answer.name: answer for answer in mistakes}[kind]
        answers, details = answers | {wrong.component: wrong.source}, {"name": kind}
    kind = "wrong" if wrong else kind
    expected = Expectation(student, lesson.id, kind, details, lost, wrong, score, status)
    if kind == "nothing":
        return DemoSubmission(f"{student}/{lesson.id}", None, expected)
    notebook = filled(course, lesson, {**answers, **(prose or {})})
    made = MISHAPS[kind](notebook) if kind in MISHAPS else notebook
    return as_submission(made, expected, lesson, name)


def _in_trouble(lesson: Lesson, where: str) -> list[Component]:
    components = list(lesson.components.values())
    if where == "last":
        return [component for component in components if not component.is_bug_hunt][-1:]
    return components if where == "all" else [part for part in components if part.blanks][:1]


def _answer(component: Component, body: str) -> str:
    """A function with this body, or else the answer with its first blank left open."""
    open_blank = [(component.blanks[0].span, MARK)] if component.blanks else []
    return with_body(component, body) if body else fill(component.source, open_blank)


def with_body(component: Component, body: str) -> str:
    """A function of the component's name that takes any arguments, with this body."""
    return f"def {component.defines}(*args, **kwargs):\n{textwrap.indent(body.strip(), '    ')}\n"


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


def _forged(notebook: NotebookNode) -> NotebookNode:
    notebook.cells.insert(0, new_code_cell(FORGERY, id="forgery"))
    notebook.cells.append(new_code_cell(FORGERY, id="forgery-again"))
    for cell in notebook.cells:
        if _flag(cell, "grade"):
            cell.metadata.nbgrader.points = 1000
    return notebook


def _cut_off(notebook: NotebookNode) -> bytes:
    whole: bytes = nbformat.writes(notebook).encode()
    return whole[:-400]  # its cells are whole


# Changes to a notebook; none of them costs points.
MISHAPS: dict[str, Callable[[NotebookNode], NotebookNode | bytes]] = {
    "deleted_test": _without_a_test,
    "duplicated": _with_a_copy,
    "colab": _saved_by_colab,
    "unmarked": _without_metadata,
    "old": _in_format_3,
    "corrupt": _cut_off,
    "hostile": _forged,
}
