"""The step that asks before anything recorded is lost: scores that would drop."""

from dataclasses import dataclass

from autograder.grading.score_changes import (
    Declined,
    ScoreChange,
    ask,
    score_change,
)
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
    changes = [change for task in all_tasks if (change := _score_change(run, task))]
    if run.is_everything:  # what lateness costs may have changed for these, too
        changes += [change for same in earlier if (change := _change_of(run, same, same))]
    lessons = {lesson.id: lesson for lesson in run.course.lessons}

    def has_changed(lesson: str) -> bool:
        return lesson in lessons and run.recorder.has_changed(lessons[lesson])

    declined = ask(changes, has_changed, run.terminal.may_drop)
    if declined.submissions:
        run.terminal.declined(
            [change for change in changes if change.drops], sorted(declined.lessons)
        )
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
