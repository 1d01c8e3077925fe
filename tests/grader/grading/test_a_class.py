"""A class with hostile and broken submissions among the others, graded with one command."""

import csv
import io
import time
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands import grade as pipeline
from autograder.commands.request import Request
from autograder.demo import compare, lay_out
from autograder.sandbox.runner import Runner

from ..conftest import SEED
from .damaged import DAMAGES
from .large_class import ATTACKS, large_class

pytestmark = pytest.mark.xdist_group("class")


def rows(out: Path, name: str) -> list[dict]:
    with open(out / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class GradedClass:
    """A class, and what came of it."""

    def __init__(self, course, sandbox: str, folder: Path, size: tuple[int, int, int], **more):
        self.course, self.sandbox = course, sandbox
        self.handed_in = list(large_class(course, *size, confined=sandbox != "none", **more))
        submitted, self.out = lay_out(folder, self.handed_in)
        console = Console(file=io.StringIO(), width=140)
        started = time.monotonic()
        request = Request(submitted, self.out, sandbox=sandbox, secret=SEED, jobs=2)
        assert pipeline.grade_command(request, console) == 0, console.file.getvalue()
        self.said, self.seconds = console.file.getvalue(), time.monotonic() - started

    def check_all_is_as_expected(self) -> None:
        console = Console(file=io.StringIO(), width=200)
        expected = [one.expected for one in self.handed_in]
        with Runner(self.sandbox) as runner:
            # The comparison draws the inputs from the secret that the folder keeps.
            (self.out / "seed").write_text(SEED)
            differing = compare(self.course, expected, self.out, console, runner)
        assert differing == 0, console.file.getvalue()
        told = {row["student"]: row for row in rows(self.out, "summary.csv")}
        assert told.keys() == {one.expected.student for one in self.handed_in}
        assert all(row["message"] and row["status"] for row in told.values())
        for one in self.handed_in:
            if one.expected.kind in DAMAGES:
                assert "tests passed" not in told[one.expected.student]["message"]


@pytest.fixture(scope="module")
def small(course, sandbox, tmp_path_factory) -> GradedClass:
    return GradedClass(course, sandbox, tmp_path_factory.mktemp("class"), (20, 3, 4), of=1)


def test_each_gets_what_it_should_and_the_table_says_what_happened(small):
    small.check_all_is_as_expected()


@pytest.mark.soak
def test_a_class_of_two_hundred(course, sandbox, tmp_path, capsys):
    size = (200, 20, 20)
    assert len(ATTACKS) == len(DAMAGES) == 20
    graded = GradedClass(course, sandbox, tmp_path, size)
    graded.check_all_is_as_expected()
    assert len(graded.said.splitlines()) < 100
    with capsys.disabled():
        print(f"\n{size} graded in {graded.seconds:.0f} s (sandbox {sandbox})\n{graded.said}")
