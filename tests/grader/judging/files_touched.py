"""Runs and judges a submission of each lesson, and tells which files of the repository took part.

A file takes part if its code runs between the reading of the lesson and the verdict, in any of the
processes, or if it is opened to be read as data. This is found by watching Python, not by asking
the grader. Prints {lesson: [path, ...]} as JSON.
"""

import contextlib
import importlib
import inspect
import json
import sys
import tempfile
from pathlib import Path

import torch

from autograder import language
from autograder.grading.handed_in_translator import TranslatorGrader
from autograder.grading.run.grader import Grader
from autograder.judging import diagnosis, explaining
from autograder.judging.judge import Judge
from autograder.judging.version import TRANSLATING, recorded_files
from autograder.lesson.course import read_course
from autograder.lesson.lesson import Lesson, read_lesson
from autograder.sandbox import bounded, server_process
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Cell
from transformer_workbook import checks, edits, repair, traces
from transformer_workbook.checks import cause
from transformer_workbook.diagnosis import (
    lesson_index,
    meaning,
    signatures,
    sketches,
    statement_hashes,
    unused,
)
from transformer_workbook.shared import language as workbook_language
from transformer_workbook.shared import syntax
from transformer_workbook.translation.hand_in import LARGEST
from transformer_workbook.translation.subwords import Subwords
from transformer_workbook.translation.translator import Translator

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("autograder", "course", "solutions")
LESSONS = str(ROOT / "autograder" / "lessons")
SEED = "a secret"
# For the processes that the grader starts: each file is told once, by the name that Python has.
TELL = """
import os, sys
told = set()
def tell(name):
    if name not in told:
        told.add(name)
        if name.startswith((ROOT, "<stand-ins")):
            log = os.open(LOG, os.O_WRONLY | os.O_APPEND)
            os.write(log, name.encode() + b"\\n")
            os.close(log)
"""
# All modules that run, and all data.
OF_STUDENTS = """
def audited(event, details):
    if event == "exec":
        tell(details[0].co_filename)
    elif event == "open" and str(details[0]).endswith((".toml", ".json")):
        tell(details[0])
sys.addaudithook(audited)
import runpy
runpy.run_path(SCRIPT, run_name="__main__")
"""


class Watch:
    """Sees the files that take part in what happens here, and in the processes started here."""

    def __init__(self, folder: Path):
        self.log = folder / "log"
        self.log.touch()
        # Students' processes start without a site, and so this starts their script.
        student = server_process.START
        server_process.START = folder / "student_process.py"
        server_process.START.write_text(self._code(student, OF_STUDENTS))
        self._here: set[str] = set()
        self._on = False
        sys.addaudithook(self._opened)

    def _code(self, script: Path, watch: str) -> str:
        names = [f"{ROOT}/", str(self.log), str(script)]
        return f"ROOT, LOG, SCRIPT = {names!r}\n{TELL}{watch}"

    def _opened(self, event: str, details: tuple) -> None:
        # Python files are opened to be imported, and the solutions to find one function in them.
        if self._on and event == "open" and isinstance(details[0], str):
            name = details[0]
            imported = name.endswith((".py", ".pyc"))
            if not imported or name.startswith(LESSONS) and "__pycache__" not in name:
                self._here.add(name)

    def _called(self, frame, event: str, _) -> None:
        self._here.add(frame.f_code.co_filename)

    def __enter__(self) -> None:
        self._here.clear()
        self.log.write_text("")
        self._on = True
        sys.settrace(self._called)

    def __exit__(self, *exception) -> None:
        sys.settrace(None)
        self._on = False

    def found(self) -> set[str]:
        """The files of the repository that took part."""
        names = {self._path(name) for name in {*self._here, *self.log.read_text().splitlines()}}
        return names - {"", Path(__file__).relative_to(ROOT).as_posix()}

    def _path(self, name: str) -> str:
        if name.startswith("<stand-ins "):
            return f"course/transformer_workbook/standins/{name[11:-1].strip() or '__init__'}.py"
        path = Path(name)
        # A virtual environment may lie in the repository, too.
        own = any(ROOT / package in path.parents for package in PACKAGES)
        return path.relative_to(ROOT).as_posix() if own else ""


def submission(judge: Judge) -> list[Cell]:
    """Right but for one answer that is a known mistake, and a cell of the student's that fails."""
    first = next(iter(judge.lesson.components.values()))
    answers = {cell.name: cell.source for cell in judge.answer_key.answers()}
    answers[first.name] = first.wrong[0].source
    cells = [Cell(name, "answer", source) for name, source in answers.items()]
    return [*cells, Cell("added-1", "added", "1 / 0")]


def judged(lesson: Lesson, runner: Runner) -> set[str]:
    grader = Grader(lesson, SEED, None)
    with watch:
        for module in (language, workbook_language):
            importlib.reload(module)  # catalogues are chosen at import
        grader.judge = Judge(fresh(lesson), SEED, runner)
        result = grader.result(submission(grader.judge), runner)
    statuses = {test_result["status"] for test_result in result["test_results"]}
    assert "passed" in statuses and statuses - {"passed"}, (lesson.id, statuses)
    return watch.found()


def scored(lesson: Lesson, folder: Path) -> set[str]:
    import transformer
    from transformer_workbook.translation.hand_in import hand_in

    pairs = [("Ein Mann liest.", "A man is reading."), ("Ein Kind.", "A child.")]
    subwords = Subwords.learn([sentence for pair in pairs for sentence in pair], 280)
    sizes = {"num_layers": 1, "d_model": 8, "num_heads": 2, "d_ff": 8, "dropout": 0.0}
    torch.manual_seed(0)
    model = transformer.make_model(len(subwords), len(subwords), tie_weights=True, **sizes)
    hand_in(Translator(model, subwords), folder)
    files = {name: (folder / name).read_bytes() for name in LARGEST}
    with watch:
        grader = TranslatorGrader(fresh(lesson))
        grader.prepare(None, json.dumps(pairs).encode())
        with Runner("none", grader.limits) as runner:
            result = grader.result(files, runner)
    assert [test_result["status"] for test_result in result["test_results"]] == ["passed", "failed"]
    reference = {path.relative_to(ROOT).as_posix() for path in TRANSLATING}
    return watch.found() | reference


def fresh(lesson: Lesson) -> Lesson:
    """The lesson read anew; those before it are known."""
    return read_lesson({"folder": lesson.id, "title": lesson.title}, earlier=lesson.earlier)


def files_of_diagnoses(lesson: Lesson) -> set[str]:
    """What names failures, and words those that have no name, which not every submission has."""
    modules = (
        cause,
        diagnosis,
        explaining,
        lesson_index,
        statement_hashes,
        meaning,
        signatures,
        sketches,
        syntax,
        unused,
    )
    files = {*(Path(module.__file__) for module in (*modules, checks)), *recorded_files(lesson)}
    for package in (edits, repair, traces):
        files |= set(Path(package.__file__).parent.rglob("*.py"))
    files.remove(Path(edits.__file__).with_name("mutants.py"))  # proofs alone make them
    return {file.relative_to(ROOT).as_posix() for file in files}


def files_of_reference(lesson: Lesson) -> set[str]:
    import transformer

    names = {component["name"] for component in lesson.data["component"]}
    files = {inspect.getsourcefile(getattr(transformer, name)) for name in names}
    return {Path(file).resolve().relative_to(ROOT).as_posix() for file in files}


with tempfile.TemporaryDirectory() as temporary:
    watch = Watch(Path(temporary))
    with watch:
        runner = Runner("none")
        runner.fork_server.wait_until_ready()
        # One process looks into all submissions, and imports what it needs for the first of them.
        for module in ("autograder.grading.bypasses", "autograder.judging.explaining"):
            with contextlib.suppress(bounded.NotFinished):
                bounded.call(module, "nothing", {})
    # All stand-ins are read ahead, and few of them are used.
    shared = {name for name in watch.found() if "/standins/" not in name}
    with runner:
        lessons = read_course().lessons
        touched = {lesson.id: judged(lesson, runner) for lesson in lessons}
    for lesson in lessons:
        # Only now: what one lesson alone imports has to be seen while it is judged.
        touched[lesson.id] |= shared | files_of_reference(lesson) | files_of_diagnoses(lesson)
        if lesson.hand_in:
            touched[lesson.id] |= scored(lesson, Path(temporary))
print(json.dumps({id: sorted(found) for id, found in touched.items()}), flush=True)
