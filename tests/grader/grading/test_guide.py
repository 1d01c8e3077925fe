"""The guide for instructors: its commands are run in a copy of this repository, one after another.

What it shows as a terminal's output is what comes out, but for times and for what `...` leaves out.
A term of the guide is a small class: Amina has all right, Diego made a known mistake and was late,
Elif handed in the notebook as it was given, and Chloé a PDF.
"""

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "instructors.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BAR = re.compile(r"━ +\d+/\d+ \d+:\d\d:\d\d|^\s*$")


def steps() -> list[tuple[str, str]]:
    """The guide's blocks that are tried, in order: changes of course.toml, files, commands."""
    kinds = ("toml", "csv", "console")
    return [pair for pair in BLOCK.findall(GUIDE.read_text()) if pair[0] in kinds]


@pytest.fixture(scope="module")
def fork(root, hand, tmp_path_factory):
    """A copy of the repository, with the class that has handed in lesson 00."""
    fork = tmp_path_factory.mktemp("fork")
    ignored = shutil.ignore_patterns("__pycache__", "source", "release", "submitted", "*.egg-info")
    for name in ("autograder", "course", "solutions"):
        shutil.copytree(root / name, fork / name, ignore=ignored)
    due = datetime(2026, 10, 12, 21, 59, 59, tzinfo=UTC)
    answered = hand.filled()
    for cell in answered.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("question_"):
            cell.source = "A view shares its numbers; only the strides change."
    notebooks = {
        "amina": (answered, timedelta(hours=-5)),
        "chloe": (b"%PDF-1.7\n", timedelta(hours=-1)),
        "diego": (hand.wrong(hand.components[0]), timedelta(hours=30)),
        "elif": (hand.released, timedelta(hours=-2)),
    }
    for student, (notebook, after) in notebooks.items():
        path = hand.put(fork / "handed-in", student, notebook)
        path.with_name("timestamp.txt").write_text((due + after).isoformat())
    return fork


def run(fork: Path, command: str) -> list[str]:
    """The lines that a command of the guide prints, without progress bars."""
    paths = os.pathsep.join(str(fork / name) for name in (".", "course", "solutions"))
    environment = os.environ | {"PYTHONPATH": paths, "COLUMNS": "80", "NO_COLOR": "1"}
    command = re.sub(r"(?m)^autograder", f"{sys.executable} -m autograder", command)
    done = subprocess.run(
        command, shell=True, cwd=fork, env=environment, capture_output=True, text=True, timeout=500
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.rstrip() for line in done.stdout.splitlines() if not BAR.search(line)]


def mark_prose(fork: Path, hand) -> None:
    """What the guide's instructor does in formgrader."""
    question = hand.lesson.questions[0].name
    with Gradebook(f"sqlite:///{fork / 'results' / 'gradebook.db'}") as gradebook:
        place = (hand.lesson.name, hand.lesson.id, "amina")
        given = gradebook.find_grade(question, *place)
        given.manual_score, given.needs_manual_grade = 2, False
        gradebook.find_comment(question, *place).manual_comment = "**Well** said."
        gradebook.db.commit()


def change_course(fork: Path, block: str) -> None:
    """Put a block of the guide into course.toml: lines of lessons, of the top, and tables."""
    path = fork / "autograder" / "course.toml"
    text = path.read_text()
    top, _bracket, tables = block.partition("\n[")
    for line in top.splitlines():
        if folder := re.search(r'folder = "[^"]+"', line):
            text = re.sub(rf"(?m)^.*{re.escape(folder[0])}.*$", lambda _: line, text, count=1)  # noqa: B023
        elif "=" in line:
            text = f"{line}\n{text}"
    path.write_text(f"{text}\n[{tables}" if tables else text)


def test_the_term_of_the_guide_goes_as_it_says(fork, hand):
    tried = 0
    for kind, block in steps():
        if kind == "toml":
            change_course(fork, block)
        elif kind == "csv":
            (fork / "results" / "extensions.csv").write_text(block)
        else:
            for part in re.split(r"(?m)^\$ ", block)[1:]:
                command, _newline, shown = part.partition("\n")
                if "grade" in command and tried == 1:
                    mark_prose(fork, hand)
                printed = run(fork, command)
                assert_shown(shown, printed)
                tried += 1
    assert tried >= 4


def assert_shown(shown: str, printed: list[str]) -> None:
    """Whether the lines of the guide came out, in order; `...` stands for any."""
    wanted = [line.rstrip() for line in shown.splitlines() if line.strip()]
    all_printed = "\n".join(printed)
    place = 0
    for line in wanted:
        if line.strip() == "...":
            continue
        assert line in printed[place:], f"{line!r} is not in what came out:\n{all_printed}"
        place = printed.index(line, place) + 1
