"""Submissions of the warm-up lesson, whole and broken, and a class of them graded once."""

import copy
import json
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook
from autograder.results.model import SubmissionResult
from autograder.sandbox.choose import SandboxUnavailable, choose

SEED = "the seed of the tests"


@pytest.fixture(scope="session")
def course() -> Course:
    return read_course()


@pytest.fixture(scope="session")
def sandbox() -> str:
    """The best there is here."""
    try:
        return choose("auto")
    except SandboxUnavailable:
        return "none"


@pytest.fixture(scope="session")
def lesson(course) -> Lesson:
    return course.lesson("00-warm-up")


class Hand:
    """Makes what students hand in, of one lesson."""

    def __init__(self, course: Course, lesson: Lesson):
        self.lesson = lesson
        self._released = student_notebook(course, lesson)
        self.right = {name: one.source for name, one in lesson.components.items()}
        self.components = list(lesson.components)

    @property
    def released(self) -> nbformat.NotebookNode:
        return copy.deepcopy(self._released)

    def filled(self, answers: dict[str, str] | None = None) -> nbformat.NotebookNode:
        """The notebook with answers in it: the right ones, but for those given."""
        notebook = self.released
        answers = self.right | (answers or {})
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(grade_id, cell.source)
        return notebook

    def wrong(self, component: str) -> nbformat.NotebookNode:
        variant = self.lesson.components[component].wrong[0]
        return self.filled({component: variant.source})

    def everyday(self) -> nbformat.NotebookNode:
        """All right, with 30 MB of pictures and a form feed in each answer."""
        notebook = self.filled({name: f"\f\n{code}" for name, code in self.right.items()})
        picture = {"image/png": "A" * 10**7}
        output = {"output_type": "display_data", "metadata": {}, "data": picture}
        notebook.cells[-1] = nbformat.v4.new_code_cell("show()", outputs=[output] * 2)
        notebook.cells[0].attachments = {"pasted.png": picture}
        return notebook

    def put(self, folder: Path, student: str, notebook, name: str = "") -> Path:
        """Write a notebook (or bytes) where a student's submission belongs."""
        path = folder / student / self.lesson.id / (name or f"{self.lesson.name}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(notebook, bytes):
            notebook = json.dumps(notebook).encode()
        path.write_bytes(notebook)
        return path


@pytest.fixture(scope="session")
def hand(course, lesson) -> Hand:
    return Hand(course, lesson)


SCRIPT = "<script>document.title = 'forged'</script>"


@dataclass
class GradedClass:
    submitted: Path
    out: Path
    graded: dict[str, SubmissionResult]


@pytest.fixture(scope="session")
def graded_class(hand, tmp_path_factory) -> GradedClass:
    """A small class, graded once; nothing may write to it afterwards."""
    folder = tmp_path_factory.mktemp("class")
    submitted, out = folder / "submitted", folder / "out"
    first, second = hand.components[:2]
    hand.put(submitted, "Amina", hand.filled())
    hand.put(submitted, "Diego", hand.wrong(first))
    hand.put(submitted, "Empty", hand.released)
    hand.put(submitted, "Cut", json.dumps(hand.filled()).encode()[:1500])
    hostile = hand.filled(
        {second: f"def {second}(x):\n    raise ValueError({SCRIPT!r})  # {SCRIPT}\n"}
    )
    question = next(
        cell for cell in hostile.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader")
    )  # fmt: skip
    question.source = (
        f"{SCRIPT}\n\n<img src=x onerror=alert(1)> [link](javascript:alert(1)) if $a<b$ then"
    )
    hand.put(submitted, "=cmd <b>bold", hostile)
    hand.put(submitted, "[a-z]*", hand.filled(), f"{hand.lesson.name} (1).ipynb")
    hand.put(submitted, "Everyday", hand.everyday(), f"{hand.lesson.name} (1).ipynb")
    hand.put(submitted, "Everyday", hand.released)
    (submitted / "Nobody").mkdir()
    (submitted / "Lost" / "99-nothing").mkdir(parents=True)
    request = Request(submitted, out, sandbox="none", seed=SEED, jobs=2)
    return GradedClass(submitted, out, {one.student: one for one in grade(request)})
