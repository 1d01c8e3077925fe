"""Grading a class of lesson 02, beside stock nbgrader on the same answers."""

import math
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook, to_bytes
from benchmarks import Measured, Say
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS

LESSON = "02-multi-head-attention"
FEW, CLASS, ROUNDS = 2, 30, 5
AT_FIRST = "at first"
TARGET = 15.0  # times faster than stock nbgrader, a submission
SEED = "the benchmark"
KEPT = "work/answer_keys"  # where evidence is kept, in OUT

# What an instructor writes for stock nbgrader: as many calls as the lesson's hidden tests make.
STOCK_TESTS = {
    "MultiHeadAttention": '''\
for case in range(26):
    torch.manual_seed(case)
    heads, size = 1 + case % 4, 12
    mine, theirs = MultiHeadAttention(size, heads), nn.MultiheadAttention(size, heads)
    theirs.in_proj_weight.data = torch.cat([mine.w_q.weight, mine.w_k.weight, mine.w_v.weight])
    theirs.in_proj_bias.data = torch.cat([mine.w_q.bias, mine.w_k.bias, mine.w_v.bias])
    theirs.out_proj.load_state_dict(mine.w_o.state_dict())
    mine.eval(), theirs.eval()
    query, memory = torch.randn(2, 3 + case % 5, size), torch.randn(2, 7, size)
    mask = torch.rand(2, 1, 1, 7) > 0.3
    mask[..., 0] = True
    expected, _ = theirs(
        query.transpose(0, 1), memory.transpose(0, 1), memory.transpose(0, 1),
        key_padding_mask=~mask[:, 0, 0],
    )
    found = mine(query, memory, memory, mask)
    torch.testing.assert_close(found, expected.transpose(0, 1), atol=1e-5, rtol=1e-4)
''',
    "bug_hunt_1": '''\
for case in range(2):
    torch.manual_seed(case)
    weights = torch.rand(2, 3, 5, 5).softmax(dim=-1)
    real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    expected = torch.zeros(3)
    for n in range(2):
        for i in range(5):
            for j in range(5):
                expected += weights[n, :, i, j] * abs(i - j) * real[n, i]
    torch.testing.assert_close(looking_distance(weights, real), expected / real.sum())
''',
}  # fmt: skip


def against_stock_nbgrader(say: Say) -> Measured:
    """Grading submissions of lesson 02: stock nbgrader, and this with its sandbox.

    Stock: `nbgrader autograde` and `nbgrader generate_feedback`, a kernel for each submission, on
    an ordinary assignment that has the same text, the same answers and tests of as many calls.
    Its notebook holds no demonstrations, since grading here does not run those either.
    Seconds for each further one are those of the last 30 of 32: without the start of the commands.
    Each round runs all commands one after the other, and its ratios are its own; the table has the
    medians of the rounds, with the lowest and the highest. Evidence is kept, but for the row "at
    first". Nothing else may run beside it.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rounds = [
            _round(folder / f"round-{n}", lambda now, n=n: say(f"round {n + 1}, {now}"))
            for n in range(ROUNDS)
        ]
    whole = FEW + CLASS
    table = _Table(rounds)
    table.add("one submission", lambda of: of[1], at_most=4.0)
    table.add(f"{whole} at first", lambda of: of[AT_FIRST], at_most=7.0)
    table.add(f"{whole} again", lambda of: of[whole])
    table.add("each further one", lambda of: (of[whole] - of[FEW]) / CLASS, 2, at_least=TARGET)
    helped = [of_round["ours"]["--help"] for of_round in rounds]
    table.rows.append(["--help", "", _spread(helped, 2), ""])
    table.require("--help", helped, 0.5)
    return Measured(["seconds", "stock nbgrader", "here", "times faster"], table.rows, table.missed)


class _Table:
    """Rows with the medians of all rounds, and a message for each target that was missed."""

    def __init__(self, rounds: list[dict[str, dict]]):
        self.rounds, self.rows, self.missed = rounds, [], []

    def add(self, what: str, seconds_of: Callable, digits: int = 1, *, at_most: float = math.inf,
            at_least: float = 0.0) -> None:  # fmt: skip
        stock, ours = (
            [seconds_of(of_round[who]) for of_round in self.rounds] for who in ("stock", "ours")
        )
        ratios = [theirs / mine for theirs, mine in zip(stock, ours, strict=True)]
        self.rows.append([what, _spread(stock, digits), _spread(ours, digits), _spread(ratios, 1)])
        self.require(what, ours, at_most)
        ratio = statistics.median(ratios)
        if ratio < at_least:
            self.missed.append(f"{what}: {ratio:.1f} times faster, not {at_least:g}")

    def require(self, what: str, seconds: list[float], at_most: float) -> None:
        """Note it as missed if the median is more."""
        if statistics.median(seconds) > at_most:
            self.missed.append(f"{what}: {statistics.median(seconds):.1f} s, not {at_most:g}")


def _round(folder: Path, say: Say) -> dict[str, dict[int | str, float]]:
    """Seconds of each command, by who and how many."""
    stock: dict[int | str, float] = {}
    ours: dict[int | str, float] = {}
    for count in (1, FEW, FEW + CLASS):
        say(f"stock nbgrader, {count} submissions")
        stock[count] = _stock(folder / f"stock-{count}", count)
    stock[AT_FIRST] = stock[FEW + CLASS]
    say("autograder grade, at first")
    ours[AT_FIRST] = _ours(folder / AT_FIRST, FEW + CLASS)
    for count in (1, FEW, FEW + CLASS):
        say(f"autograder grade, {count} submissions")
        ours[count] = _ours(folder / f"ours-{count}", count, folder / AT_FIRST / "out" / KEPT)
    ours["--help"] = _help(folder)
    return {"stock": stock, "ours": ours}


def _help(folder: Path) -> float:
    start = time.perf_counter()
    _call([sys.executable, "-m", "autograder", "--help"], folder)
    return time.perf_counter() - start


def _spread(values: list[float], digits: int) -> str:
    """The median, and the lowest and the highest of the values."""
    low, middle, high = (
        f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values))
    )
    return f"{middle} ({low} to {high})"


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
    known = [answer for component in components for answer in (*component.right, *component.wrong)]
    if number % (len(known) + 1):
        answer = known[number % (len(known) + 1) - 1]
        answers[answer.component] = answer.source
    return {name: f"{source}\n# by {_student(number)}\n" for name, source in answers.items()}


def fill(notebook: NotebookNode, answers: dict[str, str]) -> None:
    """Put answers, by component, into a notebook."""
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)


def _ours(folder: Path, count: int, kept: Path | None = None) -> float:
    """Seconds of the command that an instructor types.

    `kept` is a folder of evidence that was computed before.
    """
    write_class(folder / "submitted", count)
    if kept:
        shutil.copytree(kept, folder / "out" / KEPT)
    start = time.perf_counter()
    _call(
        [sys.executable, "-m", "autograder", "grade", "submitted", "--out", "out", "--lesson",
         LESSON, "--seed", SEED],
        folder,
    )  # fmt: skip
    spent = time.perf_counter() - start
    _must_have(folder / "out/feedback", count)
    return spent


def _stock(folder: Path, count: int) -> float:
    """Seconds of stock nbgrader's two commands."""
    course = read_course()
    lesson = course.lesson(LESSON)
    source = _stock_notebook(course, lesson)
    path = folder / "source" / lesson.id / f"{lesson.name}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(to_bytes(source))
    (folder / "nbgrader_config.py").write_text("")
    nbgrader = [sys.executable, "-m", "nbgrader"]
    _call([*nbgrader, "generate_assignment", lesson.id], folder)
    for number in range(count):
        fill(source, _answers(lesson, number))
        path = folder / "submitted" / _student(number) / lesson.id / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(to_bytes(source))
    start = time.perf_counter()
    _call([*nbgrader, "autograde", lesson.id], folder)
    _call([*nbgrader, "generate_feedback", lesson.id], folder)
    spent = time.perf_counter() - start
    _must_have(folder / "feedback", count)
    return spent


def _stock_notebook(course: Course, lesson: Lesson) -> NotebookNode:
    """The lesson as an ordinary assignment of nbgrader: its text, its answers, its tests."""
    setup = NOTEBOOK_IMPORTS + "\n".join(
        component.source
        for earlier in course.lessons
        if earlier.id < lesson.id
        for component in earlier.components.values()
        if f'"{component.name}"' in lesson.setup
    )
    cells = [new_code_cell(setup, id="setup")]
    for place, cell in enumerate(student_notebook(course, lesson).cells):
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and not marks:
            cells.append(new_markdown_cell(cell.source, id=f"text-{place}"))
        elif marks and cell.cell_type == "code":
            name = marks.grade_id
            component = lesson.components.get(name)
            source = component.source if component else STOCK_TESTS[name.removeprefix("test_")]
            cells.append(new_code_cell(source, id=name, metadata={"nbgrader": marks}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _call(command: list[str], folder: Path) -> None:
    programs = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": programs}, capture_output=True, text=True
    )
    if done.returncode:
        output = (done.stdout + done.stderr).strip().splitlines()
        raise RuntimeError(f"{' '.join(command[1:4])} failed: {' '.join(output[-3:])}")


def _must_have(feedback: Path, count: int) -> None:
    pages = len(list(feedback.glob("*/*/*.html")))
    if pages != count:
        raise RuntimeError(f"{pages} of {count} submissions have feedback in {feedback}")
