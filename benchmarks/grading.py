"""Seconds of grading a class of lesson 02, with sandbox, gradebook and feedback."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nbformat import NotebookNode

from autograder.lesson.course import read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook, to_bytes
from benchmarks import Measured, Say

LESSON = "02-multi-head-attention"
FEW, CLASS, ROUNDS = 2, 30, 5
WHOLE = FEW + CLASS
SEED = "the benchmark"
KEPT = "work/answer_keys"  # where evidence is kept, in OUT
ONE, AT_FIRST, FURTHER, HELP = "one submission", f"{WHOLE} at first", "each further one", "--help"
RUN = "run in Jupyter"
AT_MOST = {ONE: 0.5, AT_FIRST: 1.5, FURTHER: 0.03, HELP: 0.03}  # of what a run in Jupyter takes


def class_of_a_lesson(say: Say) -> Measured:
    """Grading submissions of lesson 02, in seconds.

    Those of each further one are of the last 30 of 32: without the start of the command. Each round
    runs all commands one after the other; the table has the medians of the rounds, with the lowest
    and the highest. Evidence is kept, but for the row "at first". Nothing else may run beside it.
    docs/instructors.md has what stock nbgrader took on the same answers.
    """
    with tempfile.TemporaryDirectory() as name:
        rounds = []
        for number in range(1, ROUNDS + 1):
            say(f"round {number} of {ROUNDS}")
            rounds.append(_round(Path(name) / f"round-{number}"))
    rows, missed = [], []
    for step in rounds[0]:
        seconds = [of_round[step] for of_round in rounds]
        low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
        share = statistics.median(of_round[step] / of_round[RUN] for of_round in rounds)
        rows.append([step, f"{middle:.2f} ({low:.2f} to {high:.2f})", f"{share:.3f}"])
        if share > AT_MOST.get(step, share):
            missed.append(f"{step}: {share:.3f} of {RUN}, not {AT_MOST[step]:g}")
    return Measured(["", "seconds", f"of {RUN}"], rows, missed)


def _round(folder: Path) -> dict[str, float]:
    """Seconds, by what is done."""
    at_first = _grade(folder / "first", WHOLE)
    kept = folder / "first" / "out" / KEPT
    once, few, again = (_grade(folder / f"{n}", n, kept) for n in (1, FEW, WHOLE))
    further = (again - few) / CLASS
    seconds = {ONE: once, AT_FIRST: at_first, f"{WHOLE} again": again, FURTHER: further}
    seconds[HELP] = _seconds(["autograder", "--help"], folder)
    notebook = next(folder.rglob("submitted/**/*.ipynb"))
    seconds[RUN] = _seconds(["jupyter", "execute", "--allow-errors", str(notebook)], folder)
    return seconds


def write_class(submitted: Path, count: int) -> None:
    """Write `count` submissions of the lesson, no two alike.

    They have right answers, other right answers and misconceptions in turn.
    """
    course = read_course()
    lesson = course.lesson(LESSON)
    for number in range(count):
        notebook = student_notebook(course, lesson)
        fill(notebook, _answers(lesson, number))
        path = submitted / _student(number) / lesson.id / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(to_bytes(notebook))


def _student(number: int) -> str:
    return f"student-{number:04}"


def _answers(lesson: Lesson, number: int) -> dict[str, str]:
    components = lesson.components.values()
    answers = {component.name: component.source for component in components}
    listed = [answer for component in components for answer in (*component.right, *component.wrong)]
    if number % (len(listed) + 1):
        answer = listed[number % (len(listed) + 1) - 1]
        answers[answer.component] = answer.source
    return {name: f"{source}\n# by {_student(number)}\n" for name, source in answers.items()}


def fill(notebook: NotebookNode, answers: dict[str, str]) -> None:
    """Put answers, by component, into a notebook."""
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)


def _grade(folder: Path, count: int, kept: Path | None = None) -> float:
    """Seconds of the command that an instructor types.

    `kept` is a folder of evidence that was computed before.
    """
    write_class(folder / "submitted", count)
    if kept:
        shutil.copytree(kept, folder / "out" / KEPT)
    grade = ["autograder", "grade", "submitted", "--out", "out", "--lesson", LESSON, "--seed", SEED]
    spent = _seconds(grade, folder)
    pages = len(list((folder / "out/feedback").glob("*/*/*.html")))
    if pages != count:
        raise RuntimeError(f"{pages} of {count} submissions have feedback in {folder}")
    return spent


def _seconds(arguments: list[str], folder: Path) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        output = (done.stdout + done.stderr).strip().splitlines()
        raise RuntimeError(f"{' '.join(arguments[:2])} failed: {' '.join(output[-3:])}")
    return time.perf_counter() - start
