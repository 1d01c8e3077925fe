"""The grader as preprocessors in nbgrader's own pipeline.

generate_assignment  ReleaseBlanks puts the released text, with its blanks, into each answer cell.
autograde            RebuildSubmission rebuilds what was handed in; JudgeSubmission stands in for
                     nbgrader's Execute; RecordTestResults writes to the gradebook.
                     AssignPenalties and CourseLatePolicy take points off what came late.
generate_feedback    ReadGrades reads the gradebook; FeedbackPage renders the student's page.

Assignments that are not lessons of this course are left to nbgrader.
"""

import atexit
import html
import json
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    ClearSolutions,
    Execute,
    GetGrades,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from nbgrader.utils import is_solution
from traitlets import Float, Unicode

from autograder.grading.handed_in_translator import TranslatorGrader, inspect_files
from autograder.grading.run.grader import Grader
from autograder.judging.judge import TestResult
from autograder.language import _
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import release, student_notebook
from autograder.reports.feedback import Words, page
from autograder.reports.pages import with_code
from autograder.results.model import STATUSES, Remark
from autograder.results.names import plain
from autograder.results.outdir import digest, load_or_create_seed, read_json, sidecar, write_json
from autograder.results.tables import points_of
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Limits
from autograder.submissions.collect import attachments
from autograder.submissions.read_notebook import read_notebook
from autograder.submissions.rebuild import Rebuilt, repair

from .marks import entries


@cache
def course() -> Course:
    """The course, read once."""
    return read_course()


def lesson_of(resources: dict[str, Any]) -> Lesson | None:
    """The lesson that an assignment is; None for an assignment of the instructor's own."""
    wanted = resources["nbgrader"]["assignment"]
    return next((lesson for lesson in course().lessons if lesson.id == wanted), None)


@cache
def released_notebook(lesson_id: str) -> NotebookNode:
    """The notebook of a lesson as students receive it."""
    return student_notebook(course(), course().lesson(lesson_id))


class ReleaseBlanks(ClearSolutions):
    """Puts the released text, with its blanks, in place of the solution."""

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        return "released" in cell.metadata.get("workbook", {}) and release(cell)


class RebuildSubmission(NbGraderPreprocessor):
    """Rebuilds a submission from the release, before nbgrader trusts any of its marks."""

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        lesson = lesson_of(resources)
        if lesson is None:
            return nb, resources
        repaired = _repaired(lesson, nb)
        receipts, version, late = repaired.receipts, repaired.version, False
        if self.work:
            nbgrader = resources["nbgrader"]
            path = sidecar(Path(self.work), "receipts", nbgrader["student"], lesson.id)
            known = read_json(path)
            if known:  # the notebook in OUT has been rebuilt already
                receipts = [Remark(**receipt) for receipt in known["receipts"]]
                version, late = known.get("version", ""), known.get("late", False)
        rebuilt = repaired.notebook
        rebuilt.metadata["workbook"] = {
            "lesson": lesson.id,
            "receipts": [receipt.text for receipt in receipts],
            "version": version,
            "late": late,
        }
        return rebuilt, resources


class JudgeSubmission(Execute):
    """Grades without a kernel: puts the verdicts into the test cells' outputs.

    Verdicts that `autograder grade` has found are read from its folder; any other submission is
    run in the sandbox and judged here.
    """

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)
    seed = Unicode(
        "",
        help=_(
            "The secret that hidden inputs are drawn from; see also the file `seed` beside the "
            "gradebook."
        ),
    ).tag(config=True)
    sandbox = Unicode("auto", help=_("auto, namespaces, bwrap or none")).tag(config=True)
    time_limit = Float(0.0, help=_("Seconds for a submission; 0 for the lesson's.")).tag(
        config=True
    )

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        lesson = lesson_of(resources)
        if lesson is None:
            executed: tuple[NotebookNode, dict[str, Any]] = super().preprocess(nb, resources)
            return executed
        repaired = _repaired(lesson, nb)
        grader = grader_of(
            lesson.id,
            self.seed or load_or_create_seed(_root(resources)),
            self.work,
            self.sandbox,
            self.time_limit,
        )
        test_results = grader.grade(repaired.cells)
        if lesson.hand_in:
            test_results += self.verdicts_on_files(lesson, lesson.hand_in.component, resources)
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader", {})
            component = marks.get("grade_id", "").removeprefix("test_")
            own = [
                test_result for test_result in test_results if test_result.component == component
            ]
            if marks.get("grade") and not marks.get("solution"):
                put_test_results(cell, own)
            elif marks.get("solution") and not marks.get("grade"):
                cell.metadata["workbook"] = {"comment": comment_on(own)}
        put_rubrics(nb, lesson)
        return nb, resources

    def verdicts_on_files(
        self, lesson: Lesson, component: str, resources: dict[str, Any]
    ) -> list[TestResult]:
        """The verdicts on the files that were handed in beside the notebook, as the component."""
        if self.work:
            student = resources["nbgrader"]["student"]
            known = read_json(sidecar(Path(self.work), "receipts", student, lesson.id))
            if known and "test_results" in known:
                test_results = [TestResult(**test_result) for test_result in known["test_results"]]
                return [own for own in test_results if own.component == component]
        work = Path(self.work) if self.work else _root(resources) / "work"
        runner = partial(runner_with, self.sandbox)
        grader = TranslatorGrader(lesson, "", runner, work, self.time_limit)
        return grader.grade(inspect_files(attachments(Path(resources["metadata"]["path"]))))


class RecordTestResults(SaveAutoGrades):
    """Writes to the gradebook; where the grader failed, an instructor has to grade.

    An answer in prose that was marked has to be marked again only if it has changed.
    """

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        name = cell.metadata.nbgrader.grade_id
        place = (name, self.notebook_id, self.assignment_id, self.student_id)
        if cell.metadata.get("workbook", {}).get("fault"):
            grade = self.gradebook.find_grade(*place)
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()
            return
        waited = self.gradebook.find_grade(*place).needs_manual_grade
        super()._add_score(cell, resources)
        grade = self.gradebook.find_grade(*place)
        if self.work and is_solution(cell) and grade.manual_score is not None:
            grade.needs_manual_grade = waited or self._has_changed(name, cell.source)
            self.gradebook.db.commit()
        if self.work and is_solution(cell):
            self._keep(name, cell.source)

    def _has_changed(self, question: str, answer: str) -> bool:
        known = read_json(self._path()) or {}
        return question in known and known[question] != digest(answer)

    def _keep(self, question: str, answer: str) -> None:
        known = read_json(self._path()) or {}
        if known.get(question) != digest(answer):
            write_json(self._path(), known | {question: digest(answer)})

    def _path(self) -> Path:
        return sidecar(Path(self.work), "prose", self.student_id, self.assignment_id)

    def _add_comment(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._add_comment(cell, resources)
        text = cell.metadata.get("workbook", {}).get("comment")
        if text is not None:
            comment = self.gradebook.find_comment(
                cell.metadata.nbgrader.grade_id,
                self.notebook_id,
                self.assignment_id,
                self.student_id,
            )
            comment.auto_comment = text or None
            self.gradebook.db.commit()


class CourseLatePolicy(LateSubmissionPlugin):
    """nbgrader's plugin for lateness, by the policy that course.toml states."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        return course().late.penalty(score, total_seconds_late)


class AssignPenalties(AssignLatePenalties):
    """Takes off what lateness costs, without erasing what somebody took off by hand.

    `autograder grade` settles the penalties of its own results, when all is known of them: there
    the recorded ones stay.
    """

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if self.work:
            return nb, resources
        nbgrader = resources["nbgrader"]
        place = (nbgrader["notebook"], nbgrader["assignment"], nbgrader["student"])
        with Gradebook(nbgrader["db_url"]) as gradebook:
            before = gradebook.find_submission_notebook(*place).late_submission_penalty
        nb, resources = super().preprocess(nb, resources)
        with Gradebook(nbgrader["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(*place)
            if before and not course().late.text and not notebook.late_submission_penalty:
                notebook.late_submission_penalty = before
                gradebook.db.commit()
        return nb, resources


class ReadGrades(GetGrades):
    """Reads the gradebook; marks grades that nobody has given yet, which nbgrader reads as 0."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        nb, resources = super().preprocess(nb, resources)
        student = resources["nbgrader"]["student"]
        with Gradebook(self.db_url) as gradebook:
            found = entries(gradebook, resources["nbgrader"]["assignment"], [student])
        resources["nbgrader"]["entry"] = found.get(student)
        return nb, resources

    def _get_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._get_score(cell, resources)
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        cell.metadata.nbgrader["waiting"] = grade.auto_score is None and grade.manual_score is None


class FeedbackPage(NbGraderPreprocessor):
    """Renders the student's page, which the template `feedback` passes on."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        lesson = lesson_of(resources)
        title, late = lesson.title if lesson else "", course().late.text
        words = Words(title, late, course().timezone)
        resources["page"] = page(nb, resources["nbgrader"], words)
        return nb, resources


def _repaired(lesson: Lesson, nb: NotebookNode) -> Rebuilt:
    content = json.dumps(nb).encode("utf-8", "surrogatepass")
    return repair(lesson, released_notebook(lesson.id), read_notebook(content))


def put_test_results(cell: NotebookNode, test_results: list[TestResult]) -> None:
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


def put_rubrics(notebook: NotebookNode, lesson: Lesson) -> None:
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
    """A verdict in one line."""
    status = STATUSES[test_result.status].words
    points = points_of(test_result.score, test_result.max_score)
    known = f" [{test_result.misconception}]" if test_result.misconception else ""
    return f"{test_result.test}: {status}, {points}{known} {test_result.text}".strip()


def _root(resources: dict[str, Any]) -> Path:
    url = resources["nbgrader"]["db_url"]
    path = url.removeprefix("sqlite:///")
    return Path(path).parent if path != url else Path.cwd()


class EscapeNames(NbGraderPreprocessor):
    """Escapes what formgrader writes into the head of a page: its templates escape nothing."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        for key in ("student", "first_name", "last_name", "notebook_path"):
            if isinstance(resources.get(key), str):
                resources[key] = html.escape(resources[key])
        return nb, resources


@cache
def grader_of(lesson_id: str, seed: str, work: str, sandbox: str, limit: float) -> Grader:
    """The grader of one lesson, kept while this process lives."""
    lesson = course().lesson(lesson_id)
    folder = Path(work) if work else None
    return Grader(lesson, seed, partial(runner_with, sandbox), folder, limit)


@cache
def runner_with(sandbox: str, limits: Limits) -> Runner:
    """A runner, kept while this process lives."""
    runner = Runner(sandbox, limits).__enter__()
    atexit.register(runner.__exit__, None, None, None)
    return runner
