"""One graded notebook in the gradebook, written and read as nbgrader's own steps do.

nbgrader's converters take a query for each cell and read the notebook again for each step. Here all
submissions of a lesson are read at once, and written in one transaction.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from autograder.judging.judge import TestResult
from autograder.language import _, speaking
from autograder.lesson.lesson import Lesson
from autograder.lesson.points import component_of
from autograder.reports.pages import with_code
from autograder.results.outdir import digest
from autograder.results.remarks import Remark, lost_cells
from autograder.results.safe_names import plain
from autograder.results.submission import NO_RESPONSE, STATUSES
from autograder.results.tables import points_of

from .state import PROSE, State

# The test results in the notebook, where nbgrader looks for points.


def about(
    lesson: Lesson, repairs: Iterable[Remark], version: str, late: bool, language: str
) -> dict[str, Any]:
    """What a graded notebook says of its submission, in its metadata."""
    repairs = list(repairs)
    with speaking(language):
        texts = [repair.text for repair in repairs]
    return {
        "lesson": lesson.id,
        "repairs": texts,
        "lost": lost_cells(repairs),
        "version": version,
        "late": late,
        "language": language,
    }


def put_results_in_notebook(
    notebook: NotebookNode, lesson: Lesson, test_results: list[TestResult]
) -> None:
    """Put the test results of a submission into its notebook, and the rubrics for instructors."""
    for cell in notebook.cells:
        metadata = cell.metadata.get("nbgrader", {})
        component = component_of(metadata.get("grade_id", ""))
        own_results = [result for result in test_results if result.component == component]
        if metadata.get("grade") and not metadata.get("solution"):
            put_results_in_cell(cell, own_results)
        elif metadata.get("solution") and not metadata.get("grade"):
            cell.metadata["workbook"] = {"comment": comment_on(own_results)}
    _put_rubrics(notebook, lesson)


def put_results_in_cell(cell: NotebookNode, test_results: list[TestResult]) -> None:
    """Put the score where nbgrader looks for it: into the test cell's outputs.

    nbgrader gives full marks where the output is missing, NaN or negative, and raises for too many
    points. So there is always a number from 0 to the cell's points.
    """
    fault = not test_results or any(
        test_result.status == "grader_fault" for test_result in test_results
    )
    cell.metadata["workbook"] = {
        "test_results": [asdict(test_result) for test_result in test_results],
        "fault": fault,
    }
    points = float(cell.metadata.nbgrader.points)
    score = 0.0 if fault else sum(test_result.score for test_result in test_results)
    score = min(max(score, 0.0), points) if score == score else 0.0
    lines = [line(test_result) for test_result in test_results]
    items = "".join(f"<li>{with_code(line)}</li>" for line in lines)
    cell.outputs = [
        new_output(
            "display_data", {"text/plain": "\n".join(lines), "text/html": f"<ul>{items}</ul>"}
        ),
        new_output("execute_result", {"text/plain": repr(score)}, execution_count=1),
    ]
    cell.execution_count = 1


RUBRIC = _("**Rubric of question {name}, for you alone.** Students do not see it.\n\n{rubric}")


def _put_rubrics(notebook: NotebookNode, lesson: Lesson) -> None:
    """Put each question's rubric above its answer, where formgrader shows both."""
    rubrics = {question.name: question.rubric for question in lesson.questions}
    cells = []
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in rubrics:
            text = RUBRIC.format(name=name.removeprefix("question_"), rubric=rubrics[name])
            cells.append(new_markdown_cell(text, id=f"rubric-{name}"))
        cells.append(cell)
    notebook.cells = cells


def comment_on(test_results: list[TestResult]) -> str:
    """The comment beside an answer: the cause, and each message of a test that did not pass."""
    failing = [test_result for test_result in test_results if test_result.status != "passed"]
    causes = [test_result.cause for test_result in failing]
    messages = dict.fromkeys(
        map(plain, [*causes, *(test_result.message for test_result in failing)])
    )
    # nbgrader renders comments as markdown, and messages may quote the student.
    return "\n\n".join(_unmarked(message) for message in messages if message)


def _unmarked(line: str) -> str:
    return line.replace("<", "‹").replace(">", "›")


def line(test_result: TestResult) -> str:
    """A test result in one line."""
    status = STATUSES[test_result.status].words
    points = points_of(test_result.score, test_result.max_score)
    mistake = f" [{test_result.misconception}]" if test_result.misconception else ""
    return f"{test_result.test}: {status}, {points}{mistake} {test_result.text}".strip()


# The gradebook.


def submitted_notebooks(
    gradebook: Gradebook, lesson: str, students: Collection[str] | None = None
) -> dict[str, SubmittedNotebook]:
    """Submitted notebooks of a lesson, or those of `students`, by student, with all their parts."""
    wanted = (
        select(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == lesson)
        .options(
            selectinload(SubmittedNotebook.grades).selectinload(Grade.cell),
            selectinload(SubmittedNotebook.comments).selectinload(Comment.cell),
            selectinload(SubmittedNotebook.assignment).selectinload(SubmittedAssignment.assignment),
            selectinload(SubmittedNotebook.assignment).selectinload(SubmittedAssignment.student),
        )
    )
    if students is not None:
        wanted = wanted.where(SubmittedAssignment.student_id.in_(students))
    notebooks = gradebook.db.execute(wanted).scalars()
    return {notebook.assignment.student_id: notebook for notebook in notebooks}


def add_submissions(
    gradebook: Gradebook, notebook: Notebook, students: Collection[str]
) -> dict[str, SubmittedNotebook]:
    """The submitted notebooks of all `students`, by student; new ones where there are none yet.

    Nothing is committed.
    """
    assignment, database = notebook.assignment, gradebook.db
    notebooks = submitted_notebooks(gradebook, assignment.name, students)
    present = select(Student).where(Student.id.in_(students))
    people = {student.id: student for student in database.execute(present).scalars()}
    with database.no_autoflush:
        for id in students:
            if id in notebooks:
                continue
            student = people.get(id) or Student(id=id)
            submission = SubmittedAssignment(assignment=assignment, student=student)
            notebooks[id] = SubmittedNotebook(notebook=notebook, assignment=submission)
            for grade_cell in notebook.grade_cells:
                Grade(cell=grade_cell, notebook=notebooks[id])
            for solution_cell in notebook.solution_cells:
                Comment(cell=solution_cell, notebook=notebooks[id])
            database.add(submission)  # with all its parts
    return notebooks


def sanitize(notebook: NotebookNode, source: Notebook) -> None:
    """As nbgrader's sanitizing steps do: the gradebook's cells replace what is marked as theirs."""
    if source.kernelspec is not None:
        notebook.metadata["kernelspec"] = json.loads(source.kernelspec)
    cells = {cell.name: cell for cell in source.source_cells}
    points = {cell.name: cell.max_score for cell in source.grade_cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            for key in ("collapsed", "scrolled"):
                cell.metadata.pop(key, None)
        metadata = cell.metadata.get("nbgrader")
        if metadata:
            name = metadata["grade_id"]
            metadata["checksum"] = cells[name].checksum
            if cells[name].locked:
                cell.source = cells[name].source
            if utils.is_grade(cell) and metadata["points"] != points[name]:
                metadata["points"] = points[name]


class Prose:
    """A submission's answers in prose, as `autograder grade` recorded them last."""

    def __init__(self, state: State, student: str, lesson: str):
        self._state, self._whose = state, (student, lesson)
        self._before = state.get(PROSE, student, lesson)
        self._now: dict[str, Any] = {}

    def has_changed(self, question: str, answer: str) -> bool:
        """Whether this is another answer than the one recorded last; no where there is none.

        `remember` keeps all answers that were asked about.
        """
        self._now[question] = digest(answer)
        return question in self._before and self._before[question] != self._now[question]

    def remember(self, gradebook: Gradebook) -> None:
        """Keep the answers that were asked about."""
        self._state.put(gradebook, PROSE, self._before | self._now, *self._whose)


def save_grades(notebook: NotebookNode, into: SubmittedNotebook, prose: Prose | None) -> None:
    """Enter the points and comments that a notebook with test results has. Nothing is committed.

    Where the grader failed, an instructor has to grade. An answer in prose that was marked has to
    be marked again if `prose` tells that it has changed, and always where that is not known.
    """
    grades = {grade.cell.name: grade for grade in into.grades}
    comments = {comment.cell.name: comment for comment in into.comments}
    for cell in notebook.cells:
        name, workbook = cell.metadata.get("nbgrader", {}).get("grade_id"), _workbook(cell)
        if utils.is_grade(cell):
            grade = grades[name]
            if workbook.get("fault"):
                grade.auto_score, grade.needs_manual_grade = None, True
            else:
                waited = grade.needs_manual_grade
                grade.auto_score, _most = utils.determine_grade(cell)
                by_hand = grade.manual_score is not None
                grade.needs_manual_grade = by_hand or grade.auto_score is None
                if prose and utils.is_solution(cell):
                    changed = prose.has_changed(name, cell.source)
                    if by_hand:
                        grade.needs_manual_grade = waited or changed
        if utils.is_solution(cell) or utils.is_task(cell):
            said = workbook.get("comment")
            if said is None and not utils.is_task(cell):
                untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
                said = NO_RESPONSE if untouched else None
            comments[name].auto_comment = said or None


def put_grades(notebook: NotebookNode, of: SubmittedNotebook) -> None:
    """Put the gradebook's points and comments into a notebook, where feedback looks for them.

    Points that nobody has given yet are marked as waiting: nbgrader reads them as 0. Those of an
    answer that has to be marked again are marked as earlier ones.
    """
    grades = {grade.cell.name: grade for grade in of.grades}
    comments = {comment.cell.name: comment for comment in of.comments}
    for cell in notebook.cells:
        metadata = cell.metadata.get("nbgrader", {})
        if utils.is_solution(cell) or utils.is_task(cell):
            comment = comments[metadata["grade_id"]]
            given = (comment.manual_comment, comment.auto_comment)
            metadata["comment"] = next((text for text in given if text is not None), None)
        if utils.is_grade(cell) or utils.is_task(cell):
            grade = grades[metadata["grade_id"]]
            metadata["score"], metadata["points"] = counted_points(grade), grade.cell.max_score
            metadata["waiting"] = grade.auto_score is None and grade.manual_score is None
            metadata["earlier"] = waits(grade) and not metadata["waiting"]


def waits(grade: Grade) -> bool:
    """Whether an answer in prose has to be marked: nobody did, or it has changed since."""
    if grade.manual_score is None:
        return grade.auto_score is None
    return bool(grade.needs_manual_grade and grade.auto_score is None)


def counted_points(grade: Grade) -> float:
    """The points of one cell: those given by hand or else the test's, with extra credit."""
    given = grade.auto_score if grade.manual_score is None else grade.manual_score
    return float((given or 0.0) + (grade.extra_credit or 0.0))


def _workbook(cell: NotebookNode) -> Mapping[str, Any]:
    marks: Mapping[str, Any] = cell.metadata.get("workbook", {})
    return marks
