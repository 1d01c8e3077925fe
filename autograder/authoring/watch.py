"""The command `watch`: builds and proves a lesson each time one of its files is saved.

Only what a save can have changed is proven, so it takes seconds: with lesson.py or guesses.toml,
nothing; with blanks.toml or the reference, the components that differ. Mutants and notebooks are
left to `prove`.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import watchfiles
from rich.console import Console
from watchfiles import Change

from autograder.errors import AuthoringError
from autograder.language import _
from autograder.lesson.components import SOLUTIONS, Component
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import GUESSES, ROOT, Lesson, files_in, is_of_lesson
from autograder.results.outdir import digest
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.recorded_lessons import recorded

from .build import build
from .prove.proofs import Proof, Scope

NARRATIVE = "lesson.py"


class Watch:
    """What of a lesson was proven last; `root` is the repository that holds course/."""

    def __init__(self, name: str, runner: Runner, read: Callable[[], Course], root: Path = ROOT):
        self.name, self.root = name, root
        self._runner, self._read = runner, read
        lesson = read().lesson(name)
        self._folder, self._probes = lesson.folder, lesson.probes
        self._proven: dict[str, str] = {}  # by component, what was proven of it

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of all files that a save can change."""
        return self._folder, self._probes.parent, SOLUTIONS

    def concerns(self, change: Change, path: str) -> bool:
        """Whether it is one of these files; no lesson is read for that."""
        file = Path(path)
        if file.parent == SOLUTIONS:
            return file.suffix == ".py"
        return file == self._probes or (file.parent == self._folder and is_of_lesson(file))

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
        cases = digest(*_texts(lesson, but=(NARRATIVE, GUESSES, "blanks.toml")))
        now = {name: _key(component, cases) for name, component in lesson.components.items()}
        stale = {name for name, key in now.items() if self._proven.get(name) != key}
        if not stale:
            return
        recorded.cache_clear()
        scope = Scope(mutants=0, only=frozenset(stale))
        report = Proof(lesson, self._runner, self.root, scope, course=course).run()
        faults = [
            _("proof {number}: {fault}").format(number=number, fault=fault)
            for number, of_proof in report.faults.items()
            for fault in of_proof
        ]
        yield from faults
        if not faults:
            self._proven = now
            names = ", ".join(sorted(stale))
            yield _("proofs 1 to 8 hold, without mutants: {names}").format(names=names)


def _key(component: Component, cases: str) -> str:
    return digest(repr(component), cases)


def _texts(lesson: Lesson, but: tuple[str, ...]) -> Iterator[str]:
    for path in [*files_in(lesson.folder), lesson.probes]:
        if path.is_file() and path.name not in but:
            yield path.read_text(encoding="utf-8")


def watch_command(name: str, console: Console) -> int:
    """The command, until Ctrl+C; the exit code."""
    with Runner() as runner:
        watch = Watch(name, runner, read_course)
        with contextlib.suppress(KeyboardInterrupt):
            _tell(watch, console)
            folders = watch.folders
            for _changed in watchfiles.watch(
                *folders, watch_filter=watch.concerns, recursive=False
            ):
                _tell(watch, console)
    message = _("To finish: autograder build {name}, then prove {name}.")
    console.print(message.format(name=name), markup=False)
    return 0


def _tell(watch: Watch, console: Console) -> None:
    start = time.monotonic()
    for line in watch.saved():
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    seconds = time.monotonic() - start
    clock = f"{time.strftime('%H:%M:%S')}  {seconds:.1f} s"
    console.print(f"── {clock}", style="dim", markup=False)
