"""What Jupyter runs, the grader runs: whatever characters stand between and in the words."""

import json
import subprocess
import sys

import pytest
from hostile.characters import CHARACTERS

from autograder.sandbox.job import Cell, Job
from autograder.submissions.read_notebook import read_notebook

PLACES = {
    "begin": "{}x = 1\ny = 2\n",
    "a line": "x = 1\n{}\ny = 2\n",
    "begin of a line": "x = 1\n{}y = 2\n",
    "end of a line": "x = 1{}\ny = 2\n",
    "end": "x = 1\ny = 2{}",
    "between words": "x = 1\ny{}= 2\n",
    "between statements": "x = 1{}y = 2\n",
    "before an indent": "x = 1\nif x:\n{}    y = 2\n",
    "after an indent": "x = 1\nif x:\n    {}y = 2\n",
    "a string": "y = 'a{}b'\n",
    "a long string": "y = '''a{}b'''\n",
    "a comment": "y = 2  # a{}b\n",
    "before a function": "x = 1\n{}\ndef y():\n    return 2\n",
    "before a magic": "%time x = 1{}\ny = 2\n",
}
# What the cell left behind is compared by its text.
TELL = "told = repr(y if isinstance(y, (int, str)) else y())\ndel y\n"


JUPYTER = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

shell, told = InteractiveShell(config=Config(HistoryManager={"enabled": False})), []
sources, tell = json.load(sys.stdin)
for source in sources:
    shell.user_ns.pop("told", None)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = shell.run_cell(source)
        shell.run_cell(tell)
    error = result.error_before_exec or result.error_in_exec
    told.append(type(error).__name__ if error else shell.user_ns.get("told", "nothing"))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def in_jupyter() -> dict[str, list[str]]:
    """What becomes of each character, by its place: the type of the error, or what y is."""
    sources = [text.format(c) for text in PLACES.values() for c in CHARACTERS]
    said = subprocess.run(
        [sys.executable, "-c", JUPYTER],
        input=json.dumps([sources, TELL]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = iter(json.loads(said))
    return {place: [next(told) for _ in CHARACTERS] for place in PLACES}


def in_the_grader(sources: list[str], runner, course) -> list[str]:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    read = read_notebook(json.dumps({"cells": cells}).encode()).cells
    cells_and_tells = []
    for number, cell in enumerate(read):
        cells_and_tells.append(Cell(f"cell {number}", "added", cell.source))
        cells_and_tells.append(
            Cell(f"tell {number}", "added", f"{TELL}print('TOLD', {number}, told)\n")
        )
    outcome = runner.run(Job(course.lesson, cells_and_tells, [], course.stand_ins))
    lines = [line.split(" ", 2) for line in outcome.output.splitlines() if line[:4] == "TOLD"]
    told = {int(number): text for _, number, text in lines}
    return [
        outcome.cells[f"cell {number}"].type
        if f"cell {number}" in outcome.cells
        else told.get(number, "nothing")
        for number in range(len(read))
    ]


@pytest.mark.parametrize("place", PLACES)
def test_each_character_does_what_it_does_in_jupyter(place, in_jupyter, runner, small_course):
    sources = [PLACES[place].format(character) for character in CHARACTERS]
    assert any(not one.endswith("Error") for one in in_jupyter[place])
    assert in_the_grader(sources, runner, small_course) == in_jupyter[place]


def test_an_error_after_a_form_feed_shows_its_line(runner, small_course):
    source = "x = 1\n\f\ndef scale(x):\n    '\f'\n    return 3 / 0\n"
    failure = runner.run(small_course.job({"scale": source})).evidence["scale"].failure
    assert (failure.type, failure.line) == ("ZeroDivisionError", "return 3 / 0")
