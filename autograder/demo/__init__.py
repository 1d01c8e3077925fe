"""The demo: grades a made-up class, and compares each score with the expected one."""

import csv
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.commands import grade as pipeline
from autograder.commands.request import Request, usual_jobs
from autograder.errors import WrongUsage
from autograder.judging.answer_key import read_answer_key
from autograder.judging.case_runner import call_id
from autograder.judging.judge import Judge
from autograder.language import _, ngettext
from autograder.lesson.components import KnownAnswer
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import load_or_create_secret
from autograder.results.tables import number
from autograder.sandbox.runner import Runner

from .made_up_class import DemoSubmission, Expectation, make_class

MARK = ".made-up-class"


# How the table describes each kind of submission.
DESCRIPTIONS = {
    "right": _("all right"),
    "another_way": _("right, in other ways"),
    "wrong": _("wrong: {name}"),
    "blank": _("a blank of {component} left open"),
    "untouched": _("nothing filled in"),
    "crash": _("{component} crashes"),
    "endless": _("{component} never ends"),
    "killed": _("{component} ends the process"),
    "deleted_test": _("right; a test cell deleted"),
    "duplicated": _("right; an answer cell copied"),
    "corrupt": _("a file that is cut off"),
    "colab": _("right; saved by Colab"),
    "renamed": _("right; the file renamed"),
    "hostile": _("wrong; forges its score"),
    "unmarked": _("right; all marks lost"),
    "old": _("right; in nbformat 3"),
    "nothing": _("an empty folder"),
    "nothing_works": _("nothing works"),
}


def demo_command(out: Path, console: Console) -> int:
    """Make up a class, grade it and compare; 1 if anything differs. Only `out` is written."""
    course = read_course()
    submissions = list(make_class(course))
    submitted, results = lay_out(out, submissions)
    students = {submission.expected.student for submission in submissions}
    message = _(
        "A class of {students} made-up students with {submissions} submissions lies in {path}"
    ).format(students=len(students), submissions=len(submissions), path=submitted)
    console.print(message, markup=False, soft_wrap=True)
    console.rule(_("Grading it into {path}").format(path=results), align="left")
    code = pipeline.grade_command(Request(submitted, results, jobs=usual_jobs()), console)
    with Runner() as runner:
        differing = compare(
            course, [submission.expected for submission in submissions], results, console, runner
        )
    return code or (1 if differing else 0)


def lay_out(out: Path, submissions: list[DemoSubmission]) -> tuple[Path, Path]:
    """Write the submissions into `out`, and return the fresh folders `submitted` and `results`.

    Raises WrongUsage if `out` holds anything that the demo did not write.
    """
    if out.exists() and not (out / MARK).exists() and (not out.is_dir() or any(out.iterdir())):
        raise WrongUsage(
            _("{path} is not empty, and was not made by the demo; name another folder with --out"),
            path=out,
        )
    submitted, results = out / "submitted", out / "results"
    for folder in (submitted, results):
        shutil.rmtree(folder, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).touch()
    for submission in submissions:
        path = submitted / submission.path
        if submission.content is None:
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(submission.content)
        for attachment, content in submission.attachments.items():
            (submitted / attachment).write_bytes(content)
    return submitted, results


def compare(
    course: Course, expected: list[Expectation], results: Path, console: Console, runner: Runner
) -> int:
    """Print each expected outcome beside the one in `results`; return how many differ."""
    summary = {(row["student"], row["lesson"]): row for row in _read_rows(results / "summary.csv")}
    named = defaultdict[tuple[str, str], set[str]](set)  # misconceptions by student and lesson
    for row in _read_rows(results / "grades.csv"):
        named[row["student"], row["lesson"]] |= {row["misconception"]} - {""}
    judges = {
        lesson.id: _judge(lesson, results, runner)
        for lesson in course.lessons
        if any(expectation.lesson == lesson.id for expectation in expected)
    }
    table = Table(title=_("Expected, and what came"), title_justify="left")
    table.add_column(_("student"), no_wrap=True)
    table.add_column(_("lesson"), no_wrap=True)
    table.add_column(_("handed in"))
    table.add_column(_("expected"), justify="right")
    table.add_column(_("actual"))
    table.add_column("")
    differing = 0
    for expectation in expected:
        submission_id = expectation.student, expectation.lesson
        row = summary.get(submission_id, {"score": "", "status": ""})
        score = number(points(expectation, judges.get(expectation.lesson)))
        outcome = _outcome(expectation, score, row, named[submission_id])
        differing += outcome.style != "green"
        if expectation.kind == "right" and outcome.style == "green":
            continue  # of which there are many
        table.add_row(
            Text(expectation.student),
            expectation.lesson[:2],
            Text(DESCRIPTIONS.get(expectation.kind, "{says}").format(**expectation.details)),
            score,
            Text(f"{row['score']} {row['status']}"),
            outcome,
        )
    console.print(table)
    console.print(_verdict(len(expected), differing), markup=False, soft_wrap=True)
    return differing


def _outcome(
    expectation: Expectation, score: str, row: dict[str, str], misconceptions: set[str]
) -> Text:
    """Whether a submission has the expected score and status, and what was named; green if so."""
    is_as_expected = (
        row["score"] == score
        and (not expectation.status or row["status"] == expectation.status)
        and (expectation.wrong is None or misconceptions == {expectation.wrong.name})
    )
    if is_as_expected:
        return Text(_("✓ named") if expectation.wrong else "✓", style="green")
    names = ", ".join(sorted(misconceptions)) or _("nothing")
    return Text(_("DIFFERS, named: {names}").format(names=names), style="bold red")


def _verdict(count: int, differing: int) -> str:
    """How many of so many outcomes differ, in a sentence or two."""
    if not differing:
        return _("All {count} outcomes are as expected.").format(count=count)
    message = ngettext(
        "{count} outcome is not as expected.", "{count} outcomes are not as expected.", differing
    ).format(count=differing)
    return f"{message} " + _("Has a lesson changed since `autograder build`? Build first.")


def points(expectation: Expectation, judge: Judge | None) -> float:
    """The points that a submission should earn. `judge` is its lesson's, unless `score` is set."""
    if expectation.score is not None:
        return expectation.score
    assert judge
    failed = _failed_by(expectation.wrong, judge) if expectation.wrong else set()
    return sum(
        test.points
        for component, tests in judge.tests.items()
        if component not in expectation.lost
        for test in tests
        if (component, test.name) not in failed
    )


def _failed_by(wrong: KnownAnswer, judge: Judge) -> set[tuple[str, str]]:
    """The tests that a misconception fails, as (component, test)."""
    component = wrong.component
    (evidence,) = judge.case_runner.evidence_of_many(component, [wrong.source])
    results = judge.answer_key.results_of(component, evidence)
    return {
        (component, test.name)
        for test in judge.tests[component]
        for case in test.cases
        if results[call_id(component, f"{test.name}/{case.name}")].findings
    }


def _judge(lesson: Lesson, results: Path, runner: Runner) -> Judge:
    """The judge of the results, with the answer key that grading has saved."""
    secret = load_or_create_secret(results)
    return Judge(
        lesson, secret, runner, read_answer_key(results / "work" / "answer_keys", lesson, secret)
    )


def _read_rows(path: Path) -> list[dict[str, Any]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
