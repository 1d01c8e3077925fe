"""Whatever a class is called, each of it has a name and a place of their own, and keeps them."""

import io
import tempfile
from pathlib import Path

import pytest
from hostile.names import NAMES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console
from the_course import COURSE

from autograder.commands import collect as command
from autograder.lesson.which_lesson import Lessons
from autograder.lms.kept_worksheets import roster_in
from autograder.results.safe_names import below, is_hidden, safe_file_name, safe_name
from autograder.results.submission import SubmissionResult
from autograder.submissions import collect as submissions
from autograder.submissions.collect import Collected, collect

LESSONS = COURSE.lessons[:2]
KNOWN = Lessons(LESSONS)
START = b'wb.start("00-warm-up")'
TIME = "2026-03-01 10:00:00.000001 UTC"
FUZZ = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@st.composite
def classes(draw: st.DrawFn) -> list[str]:
    """Names of a class, each once; some are another's, written otherwise."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6))
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        names.append(draw(st.sampled_from([
            f" {name}", f"{name}\u00a0", f"{name} ", name.upper(), name.lower(), safe_name(name),
            name.replace("é", "e\u0301"), name.replace("e\u0301", "é"), f"{name}.", f"{name}\u200f",
        ])))  # fmt: skip
    return [*dict.fromkeys(name for name in names if _is_folder(name))]


def _is_folder(name: str) -> bool:
    """Whether a folder can be called so, and is no system's and no lesson's."""
    return (
        len(name.encode("utf-8", "surrogatepass")) <= 240
        and "/" not in name
        and not is_hidden(name)
        and not KNOWN.named(name)
        and "_assignsubmission_" not in name
    )


def source(files: dict[str, bytes]) -> tuple[list[submissions.Entry], list]:
    """A tree of files in memory: disks do not take all names."""
    tree: dict = {}
    for path, content in files.items():
        *folders, name = path.split("/")
        inside = tree
        for folder in folders:
            inside = inside.setdefault(folder, {})
        inside[name] = content

    def entries(inside: dict) -> list[submissions.Entry]:
        return [
            submissions.Entry(name, "folder", children=lambda below=one: entries(below))
            if isinstance(one, dict)
            else submissions.Entry(name, "file", lambda content=one: iter([content]))
            for name, one in inside.items()
        ]

    return entries(tree), []


LAYOUTS = {
    "students": "{}/00-warm-up/warm-up.ipynb",
    "lessons": "00-warm-up/{}/warm-up.ipynb",
    "exchange": "inbound/{}+00-warm-up+" + TIME + "/warm-up.ipynb",
    "moodle": "{}_{number}_assignsubmission_file_/warm-up.ipynb",
    "files": "{}.ipynb",
}


def check(names: list[str], layout: str) -> None:
    paths = {name: LAYOUTS[layout].format(name, number=number) for number, name in enumerate(names)}
    files = {path: START + repr(name).encode() for name, path in paths.items()}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder).resolve()
        patch.setattr(submissions, "open_source", lambda path: source(files))
        collected = collect(root, LESSONS)
        rows = [row for row in collected.rows if row.student]
        assert len({row.student for row in rows}) == len(rows)
        if layout in ("students", "lessons", "exchange"):
            assert {row.path for row in rows} == {*paths.values()}
        for row in rows:
            in_their_places(root, row.student, row.lesson)
        assert collected.unknown.keys() <= {row.student for row in rows}
        patch.undo()
        if any(row.counts for row in rows):
            stays(collected, root)


def in_their_places(root: Path, student: str, lesson: str) -> None:
    place = below(root, "feedback", student, lesson)
    assert place.resolve().parent.parent == root / "feedback"
    page = root / SubmissionResult(student, lesson, 0.0).page
    assert page.resolve().parent == place
    assert student.encode() and safe_name(student) == student


def stays(found: Collected, root: Path) -> None:
    """What is collected on a disk is graded under the same names, and lies where it should."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "collect", lambda *_, **__: found)
        patch.setattr(command, "roster_in", lambda *_: None)
        patch.setattr(command, "read_course", lambda: COURSE)
        console = Console(file=io.StringIO())
        assert command.collect_command(root / "source", root / "handed-in", None, console) == 0
    assert [path.name for path in root.iterdir()] == ["handed-in"]
    again = collect(root / "handed-in", LESSONS, roster=roster_in(root / "handed-in"))
    assert told(again) == told(found)


def told(found: Collected) -> dict[str, bytes]:
    """What was handed in by each student whose file belongs to a lesson."""
    known = {lesson.id for lesson in LESSONS}
    return {
        submission.student: b"".join(submission.notebooks[0][1]())
        for submission in found.submissions
        if submission.lesson in known
    }


@settings(FUZZ, max_examples=200)
@given(classes(), st.sampled_from([*LAYOUTS]))
def test_distinct_names_stay_distinct_students_in_places_of_their_own(names, layout):
    if names:
        check(names, layout)


@pytest.mark.soak
@settings(FUZZ, max_examples=20_000)
@given(classes(), st.sampled_from([*LAYOUTS]))
def test_distinct_names_stay_distinct_in_thousands_of_classes(names, layout):
    if names:
        check(names, layout)


@settings(FUZZ, max_examples=500)
@given(NAMES | st.text(max_size=60))
def test_a_name_that_was_made_safe_stays(text):
    for make in (safe_name, safe_file_name):
        name = make(text)
        assert make(name) == name and len(name.encode()) <= 255
        assert below(Path("OUT"), name).parts == ("OUT", name)
