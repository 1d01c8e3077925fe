"""The step that asks before anything recorded is lost: newer work, and scores that would drop."""

from dataclasses import dataclass

from autograder.grading.score_changes import (
    Declined,
    Replacement,
    ScoreChange,
    ask,
    score_change,
)
from autograder.lms.kept_worksheets import is_of_moodle
from autograder.lms.match_recorded_results import attempt_of, is_newer, is_stray
from autograder.results.submission import SubmissionId, SubmissionResult

from .run_context import Run
from .task import Task


@dataclass(frozen=True)
class Agreement:
    """What is to be recorded, by lesson, with the changes of scores that this makes.

    `kept` are the recorded results of what was `declined`, `left_out` those of the declined that
    nothing is recorded of.
    """

    tasks: dict[str, list[Task]]
    changes: list[ScoreChange]
    kept: list[SubmissionResult]
    left_out: frozenset[SubmissionId]
    declined: Declined


def agree(run: Run, tasks: dict[str, list[Task]], earlier: list[SubmissionResult]) -> Agreement:
    """Ask about all that needs agreement; the penalties of `earlier` results do, too."""
    all_tasks = [task for own in tasks.values() for task in own]
    older = _not_newer(run, all_tasks)
    changes = [
        change
        for task in all_tasks
        if task.result not in older and (change := _score_change(run, task))
    ]
    if run.is_everything:  # what lateness costs may have changed for these, too
        changes += [change for same in earlier if (change := _change_of(run, same, same))]
    lessons = {lesson.id: lesson for lesson in run.course.lessons}

    def has_changed(lesson: str) -> bool:
        return lesson in lessons and run.recorder.has_changed(lessons[lesson])

    declined = ask(changes, has_changed, run.callbacks)
    declined = Declined(declined.submissions | older.submissions, declined.lessons)
    refused = [task.result for task in all_tasks if task.result in declined]
    kept = [known for one in refused if (known := run.recorder.known(*one.id))]
    left_out = frozenset(one.id for one in refused) - {one.id for one in kept}
    agreed = {
        lesson: [task for task in own if task.result not in declined]
        for lesson, own in tasks.items()
        if lesson not in declined.lessons
    }
    changes = [change for change in changes if change not in declined]
    return Agreement(agreed, changes, kept, left_out, declined)


def _not_newer(run: Run, tasks: list[Task]) -> Declined:
    """Submissions that may be older than what is recorded, and must not take its place."""
    found = [one for task in tasks if (one := _replacement(run, task))]
    allowed = run.callbacks.may_replace(found) if found else []
    return Declined(frozenset(one.id for one in found if one not in allowed))


def _replacement(run: Run, task: Task) -> Replacement | None:
    """What a submission would replace, where that is not known to be earlier work."""
    now = task.result
    before = run.recorder.known(*now.id)
    if not (before and task.may_be_new_work) or before.problem or before == now:
        return None
    if run.recorder.is_half_recorded(now, task.recording_key) or is_stray(before) > is_stray(now):
        return None
    newer = is_newer(now.submitted, now.original, before.submitted, before.original)
    if newer:
        return None
    return Replacement(
        now.student, now.lesson, before.submitted, now.submitted,
        (attempt_of(before.original), attempt_of(now.original)),
        is_older=newer is False and not run.request.student,
        is_of_moodle=is_of_moodle(now),
    )  # fmt: skip


def _score_change(run: Run, task: Task) -> ScoreChange | None:
    """How a score changes; None where the run that was stopped had agreed to it already."""
    before = run.recorder.known(*task.result.id)
    if before and run.recorder.is_half_recorded(task.result, task.recording_key):
        return None
    return _change_of(run, before, task.result) if before else None


def _change_of(run: Run, before: SubmissionResult, after: SubmissionResult) -> ScoreChange | None:
    """How the total changes, with what lateness cost until now and what it costs from now."""
    recorded = run.recorder.as_recorded(before)
    return score_change(recorded, run.recorder.as_foreseen(after))
