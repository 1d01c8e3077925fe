"""A class with submissions made to slow the grader down, beside one without them."""

import shutil
import tempfile
import time
from pathlib import Path

from autograder.commands import grade as pipeline
from autograder.commands.request import Request
from autograder.lesson.course import read_course
from autograder.lesson.notebook import student_notebook, to_bytes
from benchmarks import Measured, Say
from benchmarks.grading import CLASS, LESSON, SEED, fill, write_class

MOST_TIMES = 1.5  # times as long as as many ordinary submissions take
HONEST, ROUNDS = CLASS - 10, 3
_DEEP = "+".join(["1"] * 600)
_LOOPS = "".join(f"{'    ' * depth}for i{depth} in ():\n" for depth in range(1, 5))


def _evidence(value: str) -> str:
    """A component that returns a value of any kind."""
    return f"""
class MultiHeadAttention(nn.Module):
    def __init__(self, *_, **__):
        super().__init__()
        self.w_q = self.w_k = self.w_v = self.w_o = nn.Linear(12, 12)
    def forward(self, query, *_, **__):
        self.weights = {value}
        return {value}
"""


def hostile_answers(right: str) -> dict[str, str]:
    """Answers to the component by name, each made to cost the grader much time or memory.

    Those that run for long themselves are not among them: the limit of time is for these.
    """
    wrong = right.rstrip() + "\n\n_right = MultiHeadAttention.forward\n"
    wrong += "MultiHeadAttention.forward = lambda *a, **k: _right(*a, **k) * 1.01\n"
    return {
        "a deep sum in a right answer": f"{right}\nx_ = {_DEEP}\n",
        "a deep sum in a wrong answer": f"{wrong}\nx_ = {_DEEP}\n",
        "statements in loops": f"{wrong}\ndef f():\n{_LOOPS}" + f"{' ' * 20}a=1\n" * 7500,
        "200,000 characters": wrong + "\na=1" * 45_000,
        "attributes of attributes": f"{wrong}\ndef f(y):\n    return y{'.z' * 3000}\n",
        "30 million halves": _evidence("torch.ones(30_000_000).half()"),
        "halves": _evidence("torch.ones(500, 700).half()"),
        "a tensor of many axes": _evidence("torch.ones([1] * 15 + [200_000])"),
        "a list of a million": _evidence("[1.0] * 150_000"),
        "a page of brackets": f"{wrong}\nx = {'[' * 150}{']' * 150}\n" * 40,
    }


def write_hostile(submitted: Path) -> list[str]:
    """Write a submission for each hostile answer; the students' names."""
    course = read_course()
    lesson = course.lesson(LESSON)
    right = {name: component.source for name, component in lesson.components.items()}
    answers = hostile_answers(right["MultiHeadAttention"])
    for student, answer in answers.items():
        notebook = student_notebook(course, lesson)
        fill(notebook, right | {"MultiHeadAttention": answer})
        path = submitted / student / lesson.id / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(to_bytes(notebook))
    return list(answers)


def beside_ordinary_ones(say: Say) -> Measured:
    """Grading 30 submissions of lesson 02, ten of them hostile, beside 40 ordinary ones.

    Evidence of the reference is kept from a run before. Each round runs both, and its ratio is its
    own; the table has the medians.
    """
    ordinary, hostile = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_class(folder / "ordinary", CLASS + 10)
        write_class(folder / "hostile", HONEST)
        write_hostile(folder / "hostile")
        say("what is computed once")
        _seconds(folder, "ordinary", "first")
        for number in range(ROUNDS):
            for kind, seconds in (("ordinary", ordinary), ("hostile", hostile)):
                say(f"round {number + 1}, {kind}")
                out = folder / f"{kind}-{number}"
                shutil.copytree(folder / "first/work/answer_keys", out / "work/answer_keys")
                seconds.append(_seconds(folder, kind, out.name))
    ratios = sorted(ours / theirs for ours, theirs in zip(hostile, ordinary, strict=True))
    rows = [
        ["40 ordinary ones", f"{sorted(ordinary)[ROUNDS // 2]:.1f}", ""],
        ["30, ten of them hostile", f"{sorted(hostile)[ROUNDS // 2]:.1f}",
         f"{ratios[ROUNDS // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"],
    ]  # fmt: skip
    ratio = ratios[ROUNDS // 2]
    missed = [f"hostile submissions take {ratio:.2f} times as long"] if ratio > MOST_TIMES else []
    return Measured(["submissions", "seconds", "times as long"], rows, missed)


def _seconds(folder: Path, submitted: str, out: str) -> float:
    start = time.perf_counter()
    pipeline.grade(Request(folder / submitted, folder / out, LESSON, secret=SEED, jobs=2))
    return time.perf_counter() - start
