"""The step that reads, rebuilds, runs and judges submissions. Nothing is recorded yet."""

import contextlib
from dataclasses import replace
from typing import Any

from rich.progress import TaskID

from autograder.grading.grade_translator import TranslatorGrader
from autograder.grading.run.grader import ComponentGrader, Submitted
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.results.submission import Submission

from .graders import Graders
from .run_context import Run
from .task import Task, brief, conclude, of_no_lesson, rebuilt_task


def judged(run: Run, lessons: list[Lesson], submissions: list[Submission]) -> dict[str, list[Task]]:
    """The submissions by lesson, with what was found out about them; "" has those of no lesson."""
    known = {lesson.id for lesson in lessons}
    tasks = {"": [of_no_lesson(one) for one in submissions if one.lesson not in known]}
    for lesson in lessons:
        own = [submission for submission in submissions if submission.lesson == lesson.id]
        if own:
            tasks[lesson.id] = _judged(run, lesson, own)
    return tasks


def _judged(run: Run, lesson: Lesson, submissions: list[Submission]) -> list[Task]:
    """Rebuild, run and judge; progress is shown for each of them."""
    lesson.hidden(run.secret)  # drawn here once: points and the judge ask for them
    graders = Graders.of(run, lesson)
    tasks, bar = [], run.terminal.bar
    step = bar.add_task(_("{lesson}: reading").format(lesson=lesson.id), total=len(submissions))
    for submission in submissions:
        tasks.append(rebuilt_task(graders, submission, run.recorder))
        bar.advance(step)
    waiting = [task for task in tasks if task.has_grade and task.test_results is None]
    if waiting:
        description = _("{lesson}: running").format(lesson=lesson.id)
        bar.update(step, description=description, total=len(waiting), completed=0)
        _run_all(run, graders.grader, waiting, [task.cells for task in waiting], step)
    if graders.translator:
        _judge_files(run, graders.translator, tasks)
    for task in tasks:
        if task.has_grade:
            conclude(graders, task)
    return tasks


def _run_all(
    run: Run,
    grader: ComponentGrader[Submitted, Any],
    tasks: list[Task],
    submissions: list[Submitted],
    step: TaskID,
) -> None:
    """Run and judge what the tasks hand in; a fault of the grader is kept in the task."""
    submissions_judged = run.workers.judge(grader, submissions)
    with contextlib.closing(submissions_judged):
        for place, outcome in submissions_judged:
            task = tasks[place]
            if isinstance(outcome, Exception):
                task.result = replace(task.result, fault=brief(outcome))
            else:
                task.test_results = [*(task.test_results or ()), *outcome]
            run.terminal.bar.advance(step)


def _judge_files(run: Run, translator: TranslatorGrader, tasks: list[Task]) -> None:
    """Judge what is handed in beside the notebooks."""
    waiting, files = [], []
    for task in tasks:
        if task.files is None:
            continue
        known = translator.remembered(task.files)
        if known is None:
            waiting.append(task)
            files.append(task.files)
        else:
            task.test_results = [*(task.test_results or ()), *known]
    if waiting:
        description = _("{lesson}: translating with what was handed in")
        description = description.format(lesson=translator.lesson.id)
        step = run.terminal.bar.add_task(description, total=len(waiting))
        _run_all(run, translator, waiting, files, step)
