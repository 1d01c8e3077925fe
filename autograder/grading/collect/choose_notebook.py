"""Chooses the notebook that is graded where a student's folder holds several.

Students begin a lesson, download it again, and go on in the copy. So the notebook with the most
parts filled in is chosen, and among equals the one with the expected name. Only the content counts:
unpacking and copying change the times of files.
"""

from nbformat import NotebookNode

from autograder.grading.model import Problem, Remark, Submission
from autograder.grading.repair import Repaired, repair
from autograder.lesson.blanks import MARK
from autograder.lesson.lesson import Lesson

from .read_notebook import SubmittedNotebook, read_notebook

Filled = tuple[bool, int, int]  # is of this lesson; parts without open blanks; changed parts


def chosen(
    lesson: Lesson, released: NotebookNode, submission: Submission
) -> tuple[Repaired, tuple[Remark, ...]]:
    """The notebook that is graded, repaired, with a receipt that names all that are not.

    Raises Problem where no notebook can be read, or where it is not clear which one is meant.
    """
    best: tuple[Filled, str, Repaired] | None = None
    others, equals, problems = list[str](), list[tuple[str, bool]](), list[Problem]()
    for name, read in submission.notebooks:
        try:
            submitted = read_notebook(read())
        except Problem as problem:
            problems.append(problem)
            others.append(f"{name} ({problem})")
            continue
        repaired = repair(lesson, released, submitted)
        filled = _filled(lesson, released, submitted, repaired)
        if best is None or filled > best[0]:
            others += [best[1]] if best else []
            best, equals = (filled, name, repaired), []
            continue
        others.append(name)
        if filled == best[0]:
            equals.append((name, repaired.cells == best[2].cells))
    if best is None:
        raise problems[0]
    filled, name, repaired = best
    expected = f"{lesson.name}.ipynb"
    if name != expected and not all(same for _, same in equals):
        names = ", ".join([name, *(name for name, _ in equals)])
        raise Problem("several", names=names, name=expected)
    if not others:
        return repaired, ()
    key = "several_named" if equals else "several_most"
    if equals and all(same for _, same in equals):
        key = "several_alike"
    details = {"name": name, "filled": filled[1], "count": len(_parts(released))}
    return repaired, (Remark("repair", key, details | {"others": ", ".join(others)}),)


def _filled(
    lesson: Lesson, released: NotebookNode, submitted: SubmittedNotebook, repaired: Repaired
) -> Filled:
    before, after = _parts(released), _parts(repaired.notebook)
    changed = [name for name in before if after[name].split() not in ([], before[name].split())]
    complete = [name for name in changed if MARK not in after[name]]
    return submitted.lesson in ("", lesson.id), len(complete), len(changed)


def _parts(notebook: NotebookNode) -> dict[str, str]:
    """The sources of answer cells and of answers to questions, by grade id."""
    marked = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in marked}
