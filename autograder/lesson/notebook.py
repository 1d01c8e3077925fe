"""Derives a lesson's two notebooks: the student's, and nbgrader's instructor notebook."""

import hashlib
import json
import tomllib
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from packaging.requirements import Requirement

from autograder.errors import AuthoringError
from autograder.language import N_, _
from transformer_workbook import __version__

from .course import Course
from .lesson import ROOT, Lesson
from .narrative import NarrativeCell
from .points import cell_of_tests
from .translation import ENGLISH, Catalogue, code, prose

SCHEMA_VERSION = 3

# What is in every notebook, in the notebook's language, no matter who runs this: a submission is
# compared with the notebook that students received.
HEADING = N_("""\
# {number} · {title}{beyond}

{badges}\
Run the cells from the top (Shift+Enter), and the first one again whenever you restart the kernel,
since without it Python knows neither `wb` nor `torch`.
""")
BEYOND = N_(" (beyond the paper)")
LONGEST_SHOWN = 40  # lines of given code; what is longer is folded
START_CELL = N_("""\
# Run this cell first. It finds the course's package{installs}.
import sys

made = dict(tag="{tag}", version="{version}")  # the release that this notebook is from
sys.path.append("{course}")  # in a copy of the course, the package lies beside the lessons
try:
    import transformer_workbook as wb
except ModuleNotFoundError:
{install}
{extra}
import math

import torch
from torch import nn
from torch.nn import functional as F

wb.start("{lesson}", version=made["version"]{language})
""")
INSTALLS = N_(", or installs it (on Colab)")
INSTALL = """\
    package = "git+{repository}@{{tag}}#subdirectory=course".format(**made)
    !{{sys.executable}} -m pip install -q --no-deps "{{package}}"
    import transformer_workbook as wb
"""
# A course that is not published has no address to install the package from.
NOT_PUBLISHED = N_("""\
    print("Open this notebook in a copy of the whole course: its package lies beside the lessons.")
    raise
""")
START_EXTRA = N_("""\
from importlib.util import find_spec

for name in [{packages}]:  # what this lesson also needs
    if find_spec(name) is None:
        !{{sys.executable}} -m pip install -q "{{name}}"
""")
ENDING = N_("""\
## Before you hand in

This checks everything once more, and says what is still open.
""")
ANSWER_HERE = N_("*Write your answer here.*")
RUBRIC = N_("**Rubric** (for the instructor)\n\n{rubric}")
MODEL = N_("\n\n**A model answer**\n\n{model}")
COMPARE = N_("""\
# When you have written your answer and saved the notebook: a model answer, and what earns points.
wb.answer("{name}")
""")


def student_notebook(
    course: Course, lesson: Lesson, quick: bool = False, language: str = ENGLISH
) -> NotebookNode:
    """The notebook as students receive it: blanks, checks, no test and no solution.

    With `quick`, it has the cells that make it quick, which nobody receives.
    """
    notebook = instructor_notebook(course, lesson, quick, lesson.catalogue(language))
    for cell in notebook.cells:
        release(cell)
    return notebook


def reference_notebook(
    course: Course, lesson: Lesson, quick: bool = False, language: str = ENGLISH
) -> NotebookNode:
    """The student's notebook with all answers filled in from the reference."""
    notebook = instructor_notebook(course, lesson, quick, lesson.catalogue(language))
    for cell in notebook.cells:
        if cell.cell_type == "code" and "released" in cell.metadata.get("workbook", {}):
            del cell.metadata["workbook"]
        else:
            release(cell)
    return notebook


def release(cell: NotebookNode) -> bool:
    """Turn an instructor's cell into the student's, in place; return whether it changed."""
    released = cell.metadata.get("workbook", {}).pop("released", None)
    if released is not None:
        cell.source = released
        if not cell.metadata.workbook:
            del cell.metadata["workbook"]
        return True
    before, marked, _tests = cell.source.partition(f"\n{HIDDEN_BEGIN}")
    if marked:
        cell.source = before
    return bool(marked)


HIDDEN_BEGIN = "### BEGIN HIDDEN TESTS"
HIDDEN_END = "### END HIDDEN TESTS"
# No kernel runs this: `JudgeSubmission` stands in for it. Without that, nothing may earn points.
HIDDEN_TESTS = 'raise RuntimeError("Hidden tests need the autograder\'s nbgrader_config.py.")'


def instructor_notebook(
    course: Course, lesson: Lesson, quick: bool = False, catalogue: Catalogue | None = None
) -> NotebookNode:
    """The notebook with solutions, hidden tests and rubrics, as nbgrader's `source/` needs it."""
    points, catalogue = lesson.points(), catalogue or lesson.catalogue(ENGLISH)
    cells = opening(course, lesson, catalogue)
    for cell in lesson.narrative:
        if cell.kind == "quick" and quick:
            cells.append(new_code_cell(cell.source, id=_id(lesson, cell.name)))
        cells += _derive(course, lesson, cell, points, catalogue)
    cells += _ending(lesson, catalogue)
    for cell in cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook: NotebookNode = new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "workbook": {"lesson": lesson.id} | _unless_english(catalogue),
        },
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _unless_english(catalogue: Catalogue) -> dict[str, str]:
    return {} if catalogue.language == ENGLISH else {"language": catalogue.language}


def opening(course: Course, lesson: Lesson, catalogue: Catalogue | None = None) -> list[Any]:
    """The first cells, with the title, the badges and the installation of the students' package."""
    catalogue = catalogue or lesson.catalogue(ENGLISH)
    return [_heading(course, lesson, catalogue), _start(course, lesson, catalogue)]


def _derive(
    course: Course,
    lesson: Lesson,
    cell: NarrativeCell,
    points: dict[str, float],
    catalogue: Catalogue,
) -> list[Any]:
    match cell.kind:
        case "markdown":
            text = prose(cell.source, catalogue.say)
            return [new_markdown_cell(text, id=_id(lesson, cell.name))]
        case "code":
            made = new_code_cell(code(cell.source, catalogue.say), id=_id(lesson, cell.name))
            if len(cell.source.splitlines()) > LONGEST_SHOWN:
                made.metadata["jupyter"] = {"source_hidden": True}  # folded, in JupyterLab
            return [made]
        case "answer":
            return [_answer(lesson, cell.name, catalogue)]
        case "check":
            return [_graded(lesson, cell.name, points[cell.name], f'wb.check("{cell.name}")')]
        case "hand_in":
            source = code(cell.source, catalogue.say)
            return [_graded(lesson, cell.name, points[cell.name], source)]
        case "question":
            return _question(course, lesson, cell, catalogue)
    return []  # rubric and model stand in their question's answer cell; quick cells are for tests


def _heading(course: Course, lesson: Lesson, catalogue: Catalogue) -> NotebookNode:
    badges = "\n".join(course.opened_by(lesson, catalogue.language).values())
    text = catalogue.fixed(HEADING).format(
        title=catalogue.say(lesson.title),
        number=int(lesson.id[:2]),
        beyond=catalogue.fixed(BEYOND) if lesson.beyond else "",
        badges=f"{badges}\n\n" if badges else "",
    )
    heading: NotebookNode = new_markdown_cell(text.strip(), id=_id(lesson, "heading"))
    return heading


def _start(course: Course, lesson: Lesson, catalogue: Catalogue) -> NotebookNode:
    # One line names tag and version, so that a new release changes one line of a notebook, and
    # those who have worked in it can merge.
    install = (
        INSTALL.format(repository=course.repository)
        if course.repository
        else catalogue.fixed(NOT_PUBLISHED)
    )
    extra = ""
    if lesson.extra:
        names = ", ".join(json.dumps(name) for name in _extra(lesson))
        extra = catalogue.fixed(START_EXTRA).format(packages=names)
    text = catalogue.fixed(START_CELL).format(
        tag=course.tag,
        version=__version__,
        installs=catalogue.fixed(INSTALLS) if course.repository else "",
        install=install.rstrip(),
        extra=extra,
        lesson=lesson.id,
        course=".." if catalogue.language == ENGLISH else "../..",
        language="".join(f', {key}="{tag}"' for key, tag in _unless_english(catalogue).items()),
    )
    start: NotebookNode = new_code_cell(text.strip(), id=_id(lesson, "start"))
    return start


def _extra(lesson: Lesson) -> list[str]:
    """The packages of the optional part of the students' package that this lesson needs."""
    project = tomllib.loads((ROOT / "course" / "pyproject.toml").read_text(encoding="utf-8"))
    parts = project["project"]["optional-dependencies"]
    if lesson.extra not in parts:
        raise AuthoringError(
            _("course.toml: {lesson} has extra = {extra!r}; course/pyproject.toml knows {parts}"),
            lesson=lesson.id, extra=lesson.extra, parts=", ".join(parts),
        )  # fmt: skip
    return [Requirement(line).name for line in parts[lesson.extra]]


def _ending(lesson: Lesson, catalogue: Catalogue) -> list[Any]:
    return [
        new_markdown_cell(catalogue.fixed(ENDING).strip(), id=_id(lesson, "ending")),
        new_code_cell("wb.finish()", id=_id(lesson, "finish")),
    ]


def _answer(lesson: Lesson, name: str, catalogue: Catalogue) -> NotebookNode:
    component = lesson.components[name]
    source, released = (
        code(text, catalogue.say) for text in (component.source, component.released)
    )
    cell: NotebookNode = new_code_cell(source, id=_id(lesson, name))
    cell.metadata["nbgrader"] = _nbgrader(name, solution=True)
    cell.metadata["workbook"] = {"released": released}
    return cell


def _graded(lesson: Lesson, name: str, points: float, visible: str) -> NotebookNode:
    source = f"{visible}\n{HIDDEN_BEGIN}\n{HIDDEN_TESTS}\n{HIDDEN_END}"
    cell: NotebookNode = new_code_cell(source, id=_id(lesson, cell_of_tests(name)))
    cell.metadata["nbgrader"] = _nbgrader(
        cell_of_tests(name), grade=True, locked=True, points=points
    )
    cell.metadata.update(deletable=False, editable=False)
    return cell


def _question(
    course: Course, lesson: Lesson, cell: NarrativeCell, catalogue: Catalogue
) -> list[Any]:
    question = next(asked for asked in lesson.questions if asked.name == cell.name)
    text, expected, model = (
        prose(part, catalogue.say) for part in (question.text, question.rubric, question.model)
    )
    rubric = catalogue.fixed(RUBRIC).format(rubric=expected).strip()
    if question.model:
        rubric += catalogue.fixed(MODEL).format(model=model)
    answer = new_markdown_cell(rubric, id=_id(lesson, question.name))
    answer.metadata["nbgrader"] = _nbgrader(
        question.name, grade=True, solution=True, points=question.points
    )
    answer.metadata["workbook"] = {"released": catalogue.fixed(ANSWER_HERE)}
    cells = [new_markdown_cell(text, id=_id(lesson, f"{question.name}-text")), answer]
    if course.model_answers:
        compare = catalogue.fixed(COMPARE).format(name=question.name).strip()
        cells.append(new_code_cell(compare, id=_id(lesson, f"{question.name}-model")))
    return cells


def _nbgrader(
    grade_id: str,
    grade: bool = False,
    solution: bool = False,
    locked: bool = False,
    points: float | None = None,
) -> dict[str, Any]:
    marks = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": SCHEMA_VERSION,
        "solution": solution,
        "task": False,
    }
    return marks | ({"points": points} if points is not None else {})


def _id(lesson: Lesson, name: str) -> str:
    return hashlib.sha256(f"{lesson.id}|{name}".encode()).hexdigest()[:12]


def to_bytes(notebook: NotebookNode) -> bytes:
    """The notebook as the bytes of its file, the same each time."""
    nbformat.validate(notebook)
    text: str = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    return text.encode() + b"\n"
