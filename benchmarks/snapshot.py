"""What check and grader say of every answer of the corpus, as files to compare.

    python -m benchmarks.snapshot FOLDER [COMPONENT ...]   write one, of all components without

A change that should change nothing they say is made between two snapshots on one machine, and
`diff -r` shows what it changed all the same. One of all components takes half an hour. Of the
environment, CORPUS is a folder of answers in place of that of the tests.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from autograder.commands import grade as pipeline
from autograder.commands.request import Request, usual_jobs
from autograder.demo import lay_out
from autograder.demo.made_up_class import make_class
from autograder.errors import WrongUsage
from autograder.judging.judge import Judge
from autograder.lesson.course import read_course
from autograder.sandbox.job import Outcome
from autograder.sandbox.runner import Runner
from benchmarks.answers import CORPUS, Answer, answers_in, component_of
from benchmarks.feedback import evidences, told_of

SECRET = "a snapshot"
TABLES = ("grades.csv", "summary.csv")


def said_of(component: str, answers: dict[str, Sequence[Answer]]) -> Iterator[str]:
    """What is said of each answer to a component, by round: its report, then its hidden tests."""
    lesson, name = component_of(component)
    with Runner(sandbox="none") as runner:
        judge = Judge(lesson, SECRET, runner)
        for of_round, chosen in answers.items():
            sources = [answer.source for answer in chosen]
            hidden = judge.case_runner.evidence_of_many(name, sources)
            visible = evidences(lesson, name, list(chosen))
            for answer, in_tests, in_check in zip(chosen, hidden, visible, strict=True):
                told = told_of(lesson, name, answer.source, in_check)
                yield f"## {of_round}/{answer.name}\n{told.report!r}\n"
                for result in judge.test_results(Outcome(evidence=in_tests)):
                    if result.component == name:
                        points = f"{result.score:g} of {result.max_score:g}"
                        yield f"{result.test}: {points}, {result.status}. {result.message}\n"


def snapshot(folder: Path, components: Sequence[str] = ()) -> None:
    """Write COMPONENT.txt for each component, and the demo's tables where all are asked for.

    Raises WrongUsage for a folder that holds something, and a component without answers.
    """
    if folder.exists() and any(folder.iterdir()):
        raise WrongUsage(f"{folder} is not empty")
    rounds: dict[str, dict[str, Sequence[Answer]]] = {}
    corpus = answers_in(Path(os.environ.get("CORPUS", CORPUS)))
    for (of_round, component), answers in corpus.items():
        rounds.setdefault(component, {})[of_round] = answers
    if unknown := [name for name in components if name not in rounds]:
        raise WrongUsage(f"the corpus has no answers to {', '.join(unknown)}")
    folder.mkdir(parents=True, exist_ok=True)
    for component in components or rounds:
        with open(folder / f"{component}.txt", "w", encoding="utf-8") as file:
            for text in said_of(component, rounds[component]):
                file.write(text)
        print(component, file=sys.stderr)
    if not components:
        _write_tables_of_the_demo(folder)


def _write_tables_of_the_demo(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        submitted, out = lay_out(Path(made) / "demo", list(make_class(read_course())))
        request = Request(submitted, out, secret=SECRET, jobs=usual_jobs())
        pipeline.grade_command(request, Console(file=sys.stderr))
        for name in TABLES:
            (folder / name).write_bytes((out / name).read_bytes())


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case [folder, *components]:
                snapshot(Path(folder), components)
            case _:
                raise WrongUsage(__doc__.split("\n\n")[1].strip())
    except WrongUsage as error:
        sys.exit(f"snapshot: {error}")
