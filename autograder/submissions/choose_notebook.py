"""Chooses the notebook that is graded where a student's folder holds several.

Students begin a lesson, download it again, and continue in the copy. So the notebook with the most
parts filled in is chosen, and among equals the one with the expected name. Only the content counts:
unpacking and copying change the times of files.
"""

from collections.abc import Callable
from dataclasses import replace

from nbformat import NotebookNode

from autograder.lesson.blanks import MARK
from autograder.lesson.lesson import Lesson
from autograder.results.remarks import Problem, Remark
from autograder.results.submission import Read, Submission

from .notebook_as_submitted import NotebookAsSubmitted
from .read_notebook import read_damaged, read_notebook
from .rebuild import Rebuilt, rebuild
from .salvage.unpack import bounded

DAMAGED = ("not_json", "not_notebook", "nothing_left")  # problems that may leave cells behind

# Is of this lesson; parts without open blanks; changed parts; is whole, and was not saved.
Filled = tuple[bool, int, int, bool]
# The notebook that students received, by its language.
Released = Callable[[str], NotebookNode]


def chosen(
    lesson: Lesson, released: Released, submission: Submission
) -> tuple[Rebuilt, tuple[Remark, ...]]:
    """The notebook that is graded, rebuilt, with a repair that names all that are not.

    Raises Problem where no notebook can be read, or where it is not clear which one is meant.
    """
    best: tuple[Filled, str, Rebuilt] | None = None
    passed_over, equals, problems = list[str](), list[tuple[str, bool]](), list[Problem]()
    for name, read in submission.notebooks:
        try:
            filled, rebuilt = _read(lesson, released, name, read)
        except Problem as problem:
            problems.append(problem)
            passed_over.append(f"{name} ({problem})")
            continue
        if best is None or filled > best[0]:
            passed_over += [best[1]] if best else []
            best, equals = (filled, name, rebuilt), []
            continue
        passed_over.append(name)
        if filled == best[0]:
            equals.append((name, rebuilt.cells == best[2].cells))
    if best is None:
        raise problems[0]
    filled, name, rebuilt = best
    expected = f"{lesson.name}.ipynb"
    if name != expected and not all(same for _, same in equals):
        names = ", ".join([name, *(name for name, _ in equals)])
        raise Problem("several", names=names, name=expected)
    if not passed_over:
        return rebuilt, ()
    key = "several_named" if equals else "several_most"
    if equals and all(same for _, same in equals):
        key = "several_alike"
    details = {"name": name, "filled": filled[1], "count": len(_parts(released("")))}
    return rebuilt, (Remark("repair", key, details | {"others": ", ".join(passed_over)}),)


def _read(lesson: Lesson, released: Released, name: str, read: Read) -> tuple[Filled, Rebuilt]:
    """A notebook, rebuilt; of a damaged one what can be saved. Raises Problem."""

    def filled_and_rebuilt(submitted: NotebookAsSubmitted) -> tuple[Filled, Rebuilt]:
        given_out = released(submitted.language)
        rebuilt = rebuild(lesson, given_out, submitted)
        return _filled(lesson, given_out, submitted, rebuilt), rebuilt

    content = b"".join(read())
    try:
        return filled_and_rebuilt(read_notebook(content))
    except Problem as problem:
        if problem.remark.key not in DAMAGED:
            raise
        try:
            pieces = [
                (saved, *filled_and_rebuilt(saved.notebook))
                for saved in read_damaged(name, bounded([content]))
            ]
        except Problem as why:
            told = why.remark.key in ("not_json", "not_notebook")
            raise (problem if told or problem.remark.key == "not_notebook" else why) from why
        saved, filled, rebuilt = max(pieces, key=lambda piece: piece[1])
        if not filled[2]:  # nothing in it is the student's own
            raise
        return (*filled[:3], False), replace(rebuilt, repairs=[*saved.repairs, *rebuilt.repairs])


def _filled(
    lesson: Lesson, released: NotebookNode, submitted: NotebookAsSubmitted, rebuilt: Rebuilt
) -> Filled:
    before, after = _parts(released), _parts(rebuilt.notebook)
    changed = [name for name in before if after[name].split() not in ([], before[name].split())]
    complete = [name for name in changed if MARK not in after[name]]
    return submitted.lesson in ("", lesson.id), len(complete), len(changed), True


def _parts(notebook: NotebookNode) -> dict[str, str]:
    """The sources of answer cells and of answers to questions, by grade id."""
    marked = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in marked}
