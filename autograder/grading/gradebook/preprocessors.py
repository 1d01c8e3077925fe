"""The grader as parts of nbgrader's own pipeline: what it does between nbgrader's steps.

generate_assignment  ReleaseBlanks puts the released text, with its blanks, into each answer cell.
autograde            RepairSubmission rebuilds what was handed in; JudgeSubmission stands in for
                     nbgrader's Execute; RecordVerdicts writes to the gradebook.
generate_feedback    ReadGrades reads the gradebook; FeedbackPage gathers what the student sees.

Assignments that are no lessons of this course pass through as nbgrader would treat them.
"""

import atexit
import html
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from nbgrader.preprocessors import (
    ClearSolutions,
    Execute,
    GetGrades,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from traitlets import Float, Unicode

from autograder.grading.collect.read_notebook import read_notebook
from autograder.grading.collect.submissions import beside
from autograder.grading.escape import plain
from autograder.grading.grader import Grader
from autograder.grading.model import Remark
from autograder.grading.outdir import digest, kept_seed, read_json
from autograder.grading.repair import Repaired, repair
from autograder.grading.report.feedback import page
from autograder.grading.texts import TEXTS, text
from autograder.grading.translator.scorer import Scorer, look
from autograder.judging.judge import Verdict
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import release, student_notebook
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Limits


@cache
def course() -> Course:
    """The course, read once."""
    return read_course()


def lesson_of(resources: dict) -> Lesson | None:
    """The lesson that an assignment is; None for an assignment of the instructor's own."""
    wanted = resources["nbgrader"]["assignment"]
    return next((lesson for lesson in course().lessons if lesson.id == wanted), None)


@cache
def released_notebook(lesson_id: str) -> nbformat.NotebookNode:
    """The notebook of a lesson as students receive it."""
    return student_notebook(course(), course().lesson(lesson_id))


def sidecar(work: Path, folder: str, student: str, lesson: str) -> Path:
    """A file about one submission, under a name that no student can choose."""
    return work / folder / f"{digest(student, lesson)}.json"


class ReleaseBlanks(ClearSolutions):
    """Puts the released text in place of the solution: blanks within lines, not whole regions."""

    def _replace_solution_region(self, cell, language) -> bool:
        return "released" in cell.metadata.get("workbook", {}) and release(cell)


class RepairSubmission(NbGraderPreprocessor):
    """Rebuilds a submission from the release, before nbgrader trusts any of its marks."""

    work = Unicode("", help="The folder with what `autograder grade` knows.").tag(config=True)

    def preprocess(self, nb, resources):
        lesson = lesson_of(resources)
        if lesson is None:
            return nb, resources
        repaired = _repaired(lesson, nb)
        receipts = repaired.receipts
        if self.work:
            nbgrader = resources["nbgrader"]
            path = sidecar(Path(self.work), "receipts", nbgrader["student"], lesson.id)
            known = read_json(path)
            receipts = [Remark(**one) for one in known["receipts"]] if known else receipts
        rebuilt = repaired.notebook
        rebuilt.metadata["workbook"] = {
            "lesson": lesson.id,
            "receipts": [receipt.text for receipt in receipts],
        }
        return rebuilt, resources


class JudgeSubmission(Execute):
    """Grades without a kernel: what was judged is put into the test cells' outputs.

    A result that `autograder grade` has already is taken from its folder; anything else is run
    in the sandbox and judged here.
    """

    work = Unicode("", help="The folder with what `autograder grade` knows.").tag(config=True)
    seed = Unicode("", help="The secret that hidden inputs are drawn from; see also the file "
                            "`seed` beside the gradebook.").tag(config=True)  # fmt: skip
    sandbox = Unicode("auto", help="auto, namespaces, bwrap or none").tag(config=True)
    time_limit = Float(0.0, help="Seconds for a submission; 0 for the lesson's.").tag(config=True)

    def preprocess(self, nb, resources):
        lesson = lesson_of(resources)
        if lesson is None:
            return super().preprocess(nb, resources)
        repaired = _repaired(lesson, nb)
        grader = grader_of(
            lesson.id,
            self.seed or kept_seed(_root(resources)),
            self.work,
            self.sandbox,
            self.time_limit,
        )
        verdicts = grader.grade(repaired.cells)
        if lesson.hand_in:
            verdicts += self._of_files(lesson, resources)
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader", {})
            if marks.get("grade") and not marks.get("solution"):
                component = marks["grade_id"].removeprefix("test_")
                put_verdicts(cell, [one for one in verdicts if one.component == component])
            elif marks.get("solution") and not marks.get("grade"):
                of = [one for one in verdicts if one.component == marks.get("grade_id")]
                cell.metadata["workbook"] = {"comment": comment_on(of)}
        return nb, resources

    def _of_files(self, lesson: Lesson, resources: dict) -> list[Verdict]:
        """The verdicts on what was handed in beside the notebook."""
        if self.work:
            student = resources["nbgrader"]["student"]
            known = read_json(sidecar(Path(self.work), "receipts", student, lesson.id))
            if known and "verdicts" in known:
                found = [Verdict(**verdict) for verdict in known["verdicts"]]
                return [one for one in found if one.component == lesson.hand_in.component]
        work = Path(self.work) if self.work else _root(resources) / "work"
        scorer = Scorer(lesson, work, self.sandbox, self.time_limit)
        return scorer.grade(look(beside(Path(resources["metadata"]["path"]))))


class RecordVerdicts(SaveAutoGrades):
    """Writes to the gradebook; where the grader failed, a person has to grade."""

    def _add_score(self, cell, resources) -> None:
        if not cell.metadata.get("workbook", {}).get("fault"):
            super()._add_score(cell, resources)
            return
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        grade.auto_score, grade.needs_manual_grade = None, True
        self.gradebook.db.commit()

    def _add_comment(self, cell, resources) -> None:
        super()._add_comment(cell, resources)
        said = cell.metadata.get("workbook", {}).get("comment")
        if said is not None:
            comment = self.gradebook.find_comment(
                cell.metadata.nbgrader.grade_id,
                self.notebook_id,
                self.assignment_id,
                self.student_id,
            )
            comment.auto_comment = said or None
            self.gradebook.db.commit()


class ReadGrades(GetGrades):
    """Reads the gradebook; tells a grade of 0 from one that nobody has given yet."""

    def _get_score(self, cell, resources) -> None:
        super()._get_score(cell, resources)
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        cell.metadata.nbgrader["waiting"] = grade.auto_score is None and grade.manual_score is None


class FeedbackPage(NbGraderPreprocessor):
    """Gathers what the student's page shows; the template only lays it out."""

    def preprocess(self, nb, resources):
        lesson = lesson_of(resources)
        says = {
            (name, variant.name): variant.says
            for name, component in (lesson.components.items() if lesson else ())
            for variant in component.wrong
        }
        resources["page"] = page(nb, resources["nbgrader"], lesson.title if lesson else "", says)
        return nb, resources


def _repaired(lesson: Lesson, nb) -> Repaired:
    content = json.dumps(nb).encode("utf-8", "surrogatepass")
    return repair(lesson, released_notebook(lesson.id), read_notebook(content))


def put_verdicts(cell, verdicts: list[Verdict]) -> None:
    """Put judged results where nbgrader looks for a score: into the test cell's outputs.

    nbgrader takes no output, NaN or a negative number for full marks, and raises for too many
    points. So there is always a number, and it always lies within what the cell is worth.
    """
    fault = not verdicts or any(one.status == "grader_fault" for one in verdicts)
    cell.metadata["workbook"] = {"verdicts": [asdict(one) for one in verdicts], "fault": fault}
    points = float(cell.metadata.nbgrader.points)
    score = 0.0 if fault else sum(one.score for one in verdicts)
    score = min(max(score, 0.0), points) if score == score else 0.0
    lines = [line(one) for one in verdicts]
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    cell.outputs = [
        new_output(
            "display_data", {"text/plain": "\n".join(lines), "text/html": f"<ul>{items}</ul>"}
        ),
        new_output("execute_result", {"text/plain": repr(score)}, execution_count=1),
    ]
    cell.execution_count = 1


def comment_on(verdicts: list[Verdict]) -> str:
    """What the student reads beside the answer: the first thing to mend of each kind."""
    said = dict.fromkeys(plain(one.message) for one in verdicts if one.status != "passed")
    # nbgrader shows comments as markdown; students' own words may be in them.
    return "\n\n".join(_unmarked(one) for one in said if one)


def _unmarked(line: str) -> str:
    return line.replace("<", "‹").replace(">", "›")


def line(one: Verdict) -> str:
    """A verdict in one line."""
    status = TEXTS["status"].get(one.status, one.status)
    points = text("feedback", "points_of", score=f"{one.score:g}", max_score=f"{one.max_score:g}")
    known = f" [{one.misconception}]" if one.misconception else ""
    return f"{one.test}: {status}, {points}{known} {one.message}".strip()


def _root(resources: dict) -> Path:
    url = resources["nbgrader"]["db_url"]
    path = url.removeprefix("sqlite:///")
    return Path(path).parent if path != url else Path.cwd()


@cache
def grader_of(lesson_id: str, seed: str, work: str, sandbox: str, limit: float) -> Grader:
    """The grader of one lesson, kept as long as this process lives."""
    lesson = course().lesson(lesson_id)
    seconds = limit or lesson.limit
    folder = Path(work) if work else None
    return Grader(lesson, seed, lambda: _runner(sandbox, seconds), folder, seconds)


@cache
def _runner(sandbox: str, seconds: float) -> Runner:
    runner = Runner(sandbox, Limits(seconds=seconds)).__enter__()
    atexit.register(runner.__exit__, None, None, None)
    return runner
