"""A class with hostile and broken submissions among the others, graded with one command."""

import csv
import io
import shutil
import time
from collections import Counter
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


class SubmissionResult:
    """A class, graded as a whole, and the ordinary submissions of it graded alone."""

    def __init__(self, course, sandbox: str, folder: Path, size: tuple[int, int, int], **more):
        self.course, self.sandbox = course, sandbox
        self.handed_in = list(large_class(course, *size, confined=sandbox != "none", **more))
        odd = {*DAMAGES, "attack"}
        self.ordinary = [one for one in self.handed_in if one.expected.kind not in odd]
        self.out, self.said, self.seconds = self._grade(folder / "whole", self.handed_in)
        self.folder = folder

    def alone(self) -> Path:
        """The results of the ordinary ones, graded without the others."""
        folder = self.folder / "alone"
        # What they are judged by takes long to compute, and is not what this is about.
        shutil.copytree(self.out / "work" / "answer_keys", folder / "results/work/answer_keys")
        shutil.move(folder / "results", self.folder / "kept")
        out, _, _ = self._grade(folder, self.ordinary, self.folder / "kept")
        return out

    def _grade(self, folder: Path, handed_in, results: Path | None = None):
        submitted, fresh = lay_out(folder, handed_in)
        out = results or fresh
        console = Console(file=io.StringIO(), width=140)
        started = time.monotonic()
        request = Request(submitted, out, sandbox=self.sandbox, secret=SEED, jobs=2)
        assert pipeline.run(request, console) == 0, console.file.getvalue()
        return out, console.file.getvalue(), time.monotonic() - started

    def check_all_is_as_expected(self) -> None:
        console = Console(file=io.StringIO(), width=200)
        expected = [one.expected for one in self.handed_in]
        with Runner(self.sandbox) as runner:
            # The comparison draws the inputs from the secret that the folder keeps.
            (self.out / "seed").write_text(SEED)
            differing = compare(self.course, expected, self.out, console, runner)
        assert differing == 0, console.file.getvalue()

    def check_the_others_are_untouched(self) -> None:
        students = {one.expected.student for one in self.ordinary}
        alone = self.alone()
        for name in ("grades.csv", "summary.csv"):
            found = [row for row in rows(self.out, name) if row["student"] in students]
            assert found == rows(alone, name)

    def check_the_table_says_what_happened_to_each(self) -> None:
        told = {row["student"]: row for row in rows(self.out, "summary.csv")}
        assert told.keys() == {one.expected.student for one in self.handed_in}
        assert all(row["message"] and row["status"] for row in told.values())
        for one in self.handed_in:
            if one.expected.kind in DAMAGES:
                assert "tests passed" not in told[one.expected.student]["message"]


@pytest.fixture(scope="module")
def small(course, sandbox, tmp_path_factory) -> SubmissionResult:
    return SubmissionResult(course, sandbox, tmp_path_factory.mktemp("class"), (20, 3, 4), of=1)


def test_each_gets_what_it_should(small):
    small.check_all_is_as_expected()


def test_the_others_are_graded_as_they_are_alone(small):
    small.check_the_others_are_untouched()


def test_the_table_says_what_happened_to_each(small):
    small.check_the_table_says_what_happened_to_each()


def test_a_class_has_no_more_hostile_and_broken_ones_than_students(course):
    with pytest.raises(ValueError, match="a class of 5"):
        list(large_class(course, 5, 3, 3))


def test_the_same_class_is_made_each_time(course):
    first, second = (list(large_class(course, 30, 5, 5)) for _ in range(2))
    assert first == second
    assert len({one.expected.student for one in first}) == 30
    assert Counter(one.expected.kind == "attack" for one in first)[True] == 5


@pytest.mark.soak
def test_a_class_of_two_hundred(course, sandbox, tmp_path, capsys):
    size = (200, 20, 20)
    assert len(ATTACKS) == len(DAMAGES) == 20
    graded = SubmissionResult(course, sandbox, tmp_path, size)
    graded.check_all_is_as_expected()
    graded.check_the_others_are_untouched()
    graded.check_the_table_says_what_happened_to_each()
    assert len(graded.said.splitlines()) < 100
    with capsys.disabled():
        print(f"\n{size} graded in {graded.seconds:.0f} s (sandbox {sandbox})\n{graded.said}")
