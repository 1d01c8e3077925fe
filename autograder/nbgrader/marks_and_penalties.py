"""Marks of the gradebook: points by hand, comments, deadlines and penalties of one lesson.

The percentage that lateness cost last is kept, for those whose scores stay as they are recorded.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from nbgrader.api import BaseCell, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook

from autograder.lesson.deadlines import LatePolicy, points_off
from autograder.lesson.lesson import Lesson
from autograder.results.extensions import Deadlines
from autograder.results.outdir import digest
from autograder.results.submission import ByHand, GradebookEntry, Marks, SubmissionResult

from .graded_notebook import counted_points, submitted_notebooks, waits
from .state import PENALTY, State


def entries(
    gradebook: Gradebook, lesson: str, students: Collection[str] | None = None
) -> dict[str, GradebookEntry]:
    """What the gradebook holds of a lesson's submissions, or of these students', by student."""
    notebooks = submitted_notebooks(gradebook, lesson, students)
    return {name: entry_of(notebook) for name, notebook in notebooks.items()}


def entry_of(notebook: SubmittedNotebook) -> GradebookEntry:
    prose = [grade for grade in notebook.grades if _is_prose(grade.cell)]
    tests = [grade for grade in notebook.grades if not _is_prose(grade.cell)]
    marks = Marks(
        prose=sum(counted_points(grade) for grade in prose),
        max_prose=sum(grade.cell.max_score for grade in prose),
        by_hand=sum(_given(grade).beyond(grade.auto_score or 0.0) for grade in tests),
        penalty=notebook.late_submission_penalty or 0.0,
        waiting=sum(waits(grade) for grade in prose),
        open=sum(part.cell.max_score for part in prose if part.manual_score is None or waits(part)),
    )
    submission = notebook.assignment
    submitted, due = _as_text(submission.timestamp), _as_text(_due(submission))
    grades = sorted(
        [
            grade.cell.name,
            counted_points(grade),
            grade.auto_score,
            grade.cell.max_score,
            waits(grade),
        ]
        for grade in notebook.grades
    )
    comments = sorted([comment.cell.name, comment.manual_comment] for comment in notebook.comments)
    student = submission.student
    name = " ".join(filter(None, (student.first_name, student.last_name)))
    shown = digest(grades, comments, marks.penalty, submitted, due, name)
    given = {grade.cell.name: _given(grade) for grade in tests}
    return GradebookEntry(marks, submitted, due, given, name, shown)


def _due(submission: SubmittedAssignment) -> datetime | None:
    # nbgrader adds an extension even to a deadline that is not there.
    return None if submission.assignment.duedate is None else submission.duedate


def _is_prose(cell: BaseCell) -> bool:
    return bool(cell.cell_type == "markdown")


def _given(grade: Grade) -> ByHand:
    # Without points of the test's own there is nothing yet that these could stand in place of.
    points = grade.manual_score if grade.auto_score is not None else None
    return ByHand(points, float(grade.extra_credit or 0.0))


def _beyond(result: SubmissionResult, given: Mapping[str, ByHand]) -> float:
    """What points by hand add to this result's own. They stay, whatever a test now earns."""
    earned = result.points
    return sum(points.beyond(earned[cell]) for cell, points in given.items() if cell in earned)


def _as_text(moment: datetime | None) -> str:
    """A moment of nbgrader, which leaves UTC unsaid."""
    return "" if moment is None else moment.replace(tzinfo=UTC).isoformat(timespec="seconds")


def _in_utc(moment: datetime | None) -> datetime | None:
    """The moment as nbgrader keeps it."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)


def all_with_marks(
    results: Iterable[SubmissionResult],
    recorded: Mapping[str, Mapping[str, GradebookEntry]],
    deadlines: Deadlines,
) -> list[SubmissionResult]:
    """The results with their marks and deadlines; `recorded` are entries by lesson and student.

    Who has no entry may earn what the others of the lesson may.
    """
    marked = []
    for result in results:
        entries_of = recorded.get(result.lesson, {})
        entry = entries_of.get(result.student)
        changed = with_marks(result, entry, deadlines)
        if entries_of and not (entry and result.test_results):
            most = next(iter(entries_of.values())).marks.max_prose
            changed = replace(changed, marks=replace(changed.marks, max_prose=most))
        marked.append(changed)
    return marked


def with_marks(
    result: SubmissionResult, entry: GradebookEntry | None, deadlines: Deadlines
) -> SubmissionResult:
    """The result with its marks and deadline; no marks where there are no test results."""
    if entry and result.test_results:
        by_hand = _beyond(result, entry.given)
        return replace(result, marks=replace(entry.marks, by_hand=by_hand), due=entry.due)
    return with_current_deadline(replace(result, marks=Marks()), deadlines)


def with_current_deadline(result: SubmissionResult, deadlines: Deadlines) -> SubmissionResult:
    """The result with the deadline, and the most points for prose, that the course now has."""
    asked = [lesson.questions for lesson in deadlines.course.lessons if lesson.id == result.lesson]
    most = sum(question.points for questions in asked for question in questions)
    due = deadlines.due(result.student, result.lesson)
    marks = replace(result.marks, max_prose=most)
    return replace(result, marks=marks, due=_as_text(_in_utc(due)))


class Penalties:
    """What lateness costs each submission, in percent: by the policy, or as it was recorded."""

    def __init__(self, state: State, policy: LatePolicy):
        self.state, self.policy = state, policy

    def with_penalty(self, result: SubmissionResult, as_recorded: bool = False) -> SubmissionResult:
        """The result with the penalty that it has now."""
        percent = self.policy.percent(result.seconds_late, result.due)
        if as_recorded:
            percent = self.state.get(PENALTY, result.student, result.lesson).get("percent", 0.0)
        penalty = points_off(result.earned or 0.0, percent)
        return replace(result, marks=replace(result.marks, penalty=penalty))

    def remember(self, gradebook: Gradebook, result: SubmissionResult) -> None:
        """Keep what the policy takes off."""
        percent = {"percent": self.policy.percent(result.seconds_late, result.due)}
        if percent["percent"] or self.state.get(PENALTY, result.student, result.lesson):
            self.state.put(gradebook, PENALTY, percent, result.student, result.lesson)


def move_deadline(gradebook: Gradebook, lesson: Lesson) -> None:
    """Give a lesson its deadline; those of its submissions stay until they are settled."""
    assignment = gradebook.find_assignment(lesson.id)
    if assignment.duedate == _in_utc(lesson.due):
        return
    notebooks = submitted_notebooks(gradebook, lesson.id, None).values()
    before = [(notebook.assignment, _due(notebook.assignment)) for notebook in notebooks]
    assignment.duedate = _in_utc(lesson.due)
    for submission, due in before:
        _extend(submission, due or assignment.duedate)
    gradebook.db.commit()


def _extend(submission: SubmittedAssignment, due: datetime | None) -> None:
    """Give one student's submission its deadline."""
    usual = submission.assignment.duedate
    submission.extension = (due - usual) or None if due and usual else None


def settle(
    gradebook: Gradebook,
    lesson: Lesson,
    results: Mapping[str, SubmissionResult],
    deadlines: Deadlines,
    penalties: Penalties,
    stays: Callable[[SubmissionResult], bool],
) -> dict[str, GradebookEntry]:
    """Bring deadlines, times and penalties of these submissions of a lesson up to date.

    `results` are by student. For those of which `stays` is true, the deadline, and the percentage
    that lateness costs, are left as they are recorded. Returns their entries, by student. Nothing
    is committed.
    """
    notebooks = submitted_notebooks(gradebook, lesson.id, results)
    before = {name: _due(notebook.assignment) for name, notebook in notebooks.items()}
    for student, notebook in notebooks.items():
        result = results[student]
        fixed = stays(result)
        mine = before[student] if fixed else _in_utc(deadlines.due(student, lesson.id))
        _extend(notebook.assignment, mine)
        # An attempt of which nothing tells the time must not have that of the one before.
        submitted = datetime.fromisoformat(result.submitted) if result.submitted else None
        notebook.assignment.timestamp = _in_utc(submitted)
        marked = with_marks(result, entry_of(notebook), deadlines)
        penalty = penalties.with_penalty(marked, as_recorded=fixed).marks.penalty
        notebook.late_submission_penalty = penalty or None
        if not fixed:
            penalties.remember(gradebook, marked)
    return entries(gradebook, lesson.id, results)
