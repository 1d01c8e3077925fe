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
from functools import cache, partial
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    ClearSolutions,
    Execute,
    NbGraderPreprocessor,
)
from sqlalchemy import make_url
from traitlets import Float, Unicode

from autograder.grading.run.grader import CellGrader, with_lost
from autograder.judging.judge import TestResult
from autograder.language import _, speaking
from autograder.lesson.course import Course, read_course
from autograder.lesson.deadlines import points_off
from autograder.lesson.hand_in import HandIn
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import release, student_notebook
from autograder.lesson.translation import ENGLISH
from autograder.reports.feedback import PageTexts, page
from autograder.results.outdir import load_or_create_secret, load_result
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from autograder.submissions.read_notebook import read_notebook
from autograder.submissions.rebuild import Rebuilt, rebuild
from autograder.submissions.sources.entries import attachments_in

from .graded_notebook import Prose, about, put_grades, put_results_in_notebook, save_grades
from .marks_and_penalties import entry_of
from .state import State


@cache
def course() -> Course:
    """The course, read once."""
    return read_course()


def lesson_of(resources: dict[str, Any]) -> Lesson | None:
    """The lesson that an assignment is; None for an assignment of the instructor's own."""
    wanted = resources["nbgrader"]["assignment"]
    return next((lesson for lesson in course().lessons if lesson.id == wanted), None)


@cache
def released_notebook(lesson_id: str, language: str) -> NotebookNode:
    """The notebook of a lesson as students receive it."""
    return student_notebook(course(), course().lesson(lesson_id), language=language or ENGLISH)


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
        rebuilt = _rebuilt_from(lesson, nb)
        repairs, version, late = rebuilt.repairs, rebuilt.version, False
        if self.work:
            nbgrader = resources["nbgrader"]
            result = load_result(Path(self.work), nbgrader["student"], lesson.id)
            if result:  # the notebook in OUT has been rebuilt already
                repairs, version, late = list(result.repairs), result.version, result.late
        rebuilt.notebook.metadata["workbook"] = about(
            lesson, repairs, version, late, rebuilt.language
        )
        return rebuilt.notebook, resources


class JudgeSubmission(Execute):
    """Grades without a kernel: puts the test results into the test cells' outputs.

    Test results that `autograder grade` has found are read from its folder; any other submission is
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
        rebuilt = _rebuilt_from(lesson, nb)
        grader = grader_of(
            lesson.id,
            self.seed or load_or_create_secret(_root(resources)),
            self.work,
            self.sandbox,
            self.time_limit,
            rebuilt.language,
        )
        lost = nb.metadata.get("workbook", {}).get("lost", ())
        test_results = with_lost(grader.grade(rebuilt.cells), lost)
        if lesson.hand_in:
            test_results += self.results_of_files(lesson, lesson.hand_in, resources)
        with speaking(rebuilt.language):
            put_results_in_notebook(nb, lesson, test_results)
        return nb, resources

    def results_of_files(
        self, lesson: Lesson, hand_in: HandIn, resources: dict[str, Any]
    ) -> list[TestResult]:
        """The test results of the files handed in beside the notebook."""
        if self.work:
            student = resources["nbgrader"]["student"]
            result = load_result(Path(self.work), student, lesson.id)
            if result and result.test_results:
                return [test for test in result.test_results if test.component == hand_in.component]
        work = Path(self.work) if self.work else _root(resources) / "work"
        folder, runner = Path(resources["metadata"]["path"]), partial(runner_with, self.sandbox)
        return results_of_files(lesson, hand_in, folder, runner, work, self.time_limit)


def results_of_files(
    lesson: Lesson, hand_in: HandIn, folder: Path, *options: Any
) -> list[TestResult]:
    """The test results of what lies in a folder; `options` are those of a `ComponentGrader`."""
    grader = hand_in.grader(lesson, "", *options)
    attachments = attachments_in(folder, hand_in.largest)
    test_results: list[TestResult] = grader.grade(grader.submitted(attachments))
    return test_results


class RecordTestResults(NbGraderPreprocessor):
    """Writes to the gradebook; where the grader failed, an instructor has to grade.

    In a folder that `autograder grade` has written, an answer in prose that was marked has to be
    marked again only if it has changed.
    """

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        nbgrader = resources["nbgrader"]
        student, lesson = nbgrader["student"], nbgrader["assignment"]
        with Gradebook(nbgrader["db_url"]) as gradebook:
            prose = None
            if self.work:
                prose = Prose(State.open(gradebook), student, lesson)
            submitted = gradebook.find_submission_notebook(nbgrader["notebook"], lesson, student)
            save_grades(nb, submitted, prose)
            if prose:
                prose.remember(gradebook)
            gradebook.db.commit()
        return nb, resources


class CourseLatePolicy(LateSubmissionPlugin):
    """nbgrader's plugin for lateness, by the policy that course.toml states."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        return points_off(score, course().late.percent(total_seconds_late))


class AssignPenalties(AssignLatePenalties):
    """Takes off what lateness costs.

    `autograder grade` settles the penalties of its own results, when all is known of them: there
    the recorded ones stay.
    """

    work = Unicode("", help=_("The folder with what `autograder grade` knows.")).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        return (nb, resources) if self.work else super().preprocess(nb, resources)


class ReadGrades(NbGraderPreprocessor):
    """Reads what a page of feedback shows of the gradebook: points, comments, times."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        nbgrader = resources["nbgrader"]
        place = (nbgrader["notebook"], nbgrader["assignment"], nbgrader["student"])
        with Gradebook(nbgrader["db_url"]) as gradebook:
            submitted = gradebook.find_submission_notebook(*place)
            put_grades(nb, submitted)
            nbgrader["entry"] = entry_of(submitted)
        return nb, resources


class FeedbackPage(NbGraderPreprocessor):
    """Renders the student's page, which the template `feedback` passes on."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        lesson = lesson_of(resources)
        nbgrader = resources["nbgrader"]
        tag = nb.metadata.get("workbook", {}).get("language", "")
        words = PageTexts.of(course(), lesson, tag) if lesson else PageTexts(nbgrader["notebook"])
        place = (nbgrader["student"], nbgrader["assignment"])
        resources["page"] = page(nb, *place, nbgrader["entry"], words)
        return nb, resources


def _rebuilt_from(lesson: Lesson, nb: NotebookNode) -> Rebuilt:
    content = json.dumps(nb).encode("utf-8", "surrogatepass")
    submitted = read_notebook(content)
    return rebuild(lesson, released_notebook(lesson.id, submitted.language), submitted)


def _root(resources: dict[str, Any]) -> Path:
    url = make_url(resources["nbgrader"]["db_url"])
    path = url.database if url.get_backend_name() == "sqlite" else ""
    return Path(path).parent if path else Path.cwd()


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
def grader_of(
    lesson_id: str, secret: str, work: str, sandbox: str, limit: float, language: str
) -> CellGrader:
    """The grader of one lesson, kept while this process lives."""
    lesson = course().lesson(lesson_id)
    folder = Path(work) if work else None
    return CellGrader(lesson, secret, partial(runner_with, sandbox), folder, limit, language)


@cache
def runner_with(sandbox: str, limits: Limits) -> Runner:
    """A runner, kept while this process lives."""
    runner = Runner(sandbox, limits).__enter__()
    atexit.register(runner.__exit__, None, None, None)
    return runner
