"""The command `watch`: builds and proves a lesson each time one of its files is saved.

Only what a save can have changed is proven, so it takes seconds: with lesson.py or guesses.toml,
nothing; with blanks.toml or the reference, the components that differ.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import watchfiles
from rich.console import Console

from autograder.errors import AuthoringError
from autograder.language import _
from autograder.lesson.components import SOLUTIONS
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT, Lesson, files_in
from autograder.results.outdir import digest
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.recorded_lessons import recorded

from .build import build
from .prove.proofs import Proof, Scope

SOURCES = watchfiles.PythonFilter(extra_extensions=(".toml",))


class Watch:
    """What of a lesson was proven last; `root` is the repository that holds course/."""

    def __init__(self, name: str, runner: Runner, read: Callable[[], Course], root: Path = ROOT):
        self.name, self.root, self._runner, self._read = name, root, runner, read
        self._proven: dict[str, str] = {}  # by component

    def saved(self) -> Iterator[str]:
        """Build, and prove what has changed since it was proven; what to tell the author."""
        try:
            course = self._read()
            lesson = course.lesson(self.name)
            changed = build(course, [lesson], [self._runner], self.root)
            yield from (_("written: {path}").format(path=path) for path in changed)
            yield from self._prove(course, lesson)
        except (AuthoringError, RunnerFault) as error:
            yield str(error)

    def _prove(self, course: Course, lesson: Lesson) -> Iterator[str]:
        files = [path for path in files_in(lesson.folder) if path.name != "lesson.py"]
        code = [path.read_text("utf-8") for path in (*files, lesson.probes) if path.suffix == ".py"]
        now = {
            name: digest(repr(component), repr(lesson.families.get(name)), *code)
            for name, component in lesson.components.items()
        }
        stale = {name for name, key in now.items() if self._proven.get(name) != key}
        if not stale:
            return
        recorded.cache_clear()
        scope = Scope(mutants=0, only=frozenset(stale))
        report = Proof(lesson, self._runner, self.root, scope, course=course).run()
        for number, of_proof in report.faults.items():
            for fault in of_proof:
                yield _("proof {number}: {fault}").format(number=number, fault=fault)
        if report.holds:
            self._proven = now
            message = _("proofs 1 to 7 hold: {names}. Not tried yet: mutants and the notebook, by "
                        "`autograder prove {lesson}`")  # fmt: skip
            yield message.format(names=", ".join(sorted(stale)), lesson=self.name)


def watch_command(name: str, console: Console) -> int:
    """The command, until Ctrl+C; the exit code."""
    lesson = read_course().lesson(name)
    folders = {lesson.folder, lesson.probes.parent, SOLUTIONS}
    with Runner() as runner, contextlib.suppress(KeyboardInterrupt):
        watch = Watch(name, runner, read_course)
        _tell(watch, console)
        for _changed in watchfiles.watch(*folders, watch_filter=SOURCES, recursive=False):
            _tell(watch, console)
    return 0


def _tell(watch: Watch, console: Console) -> None:
    start = time.monotonic()
    for line in watch.saved():
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    clock = f"{time.strftime('%H:%M:%S')}  {time.monotonic() - start:.1f} s"
    console.print(f"── {clock}", style="dim", markup=False)
