"""A toy course of one lesson, written into a folder of its own, that tests break on purpose."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

import transformer_workbook
from autograder.lesson.course import Course, read_course
from autograder.sandbox.runner import Runner

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "authors.md"


def example() -> dict[str, str]:
    """The files of the guide's example; names without a folder are in the lesson's."""
    section = GUIDE.read_text(encoding="utf-8").partition("## Example: a whole lesson")[2]
    blocks = re.findall(r"^`([\w./]+)`\n\n```\w+\n(.*?)\n```$", section, re.MULTILINE | re.DOTALL)
    return {name: text + "\n" for name, text in blocks}


def new_misconception() -> str:
    """The one line that the guide adds."""
    section = GUIDE.read_text(encoding="utf-8").partition("Another misconception is")[2]
    return re.search(r"```toml\n(.*?)\n```", section, re.DOTALL)[1]


@dataclass
class Toy:
    """A toy course in a folder laid out as the repository is."""

    root: Path
    runner: Runner | None = None

    @property
    def folder(self) -> Path:
        return self.root / "autograder" / "lessons" / "00-toy"

    @property
    def probes(self) -> Path:
        return self.root / "course" / "transformer_workbook" / "lessons" / "toy" / "probes.py"

    def replace(self, file: str | Path, old: str, new: str) -> None:
        """Break (or mend) one file, by its name in the lesson's folder, or its path.

        `old` must be there.
        """
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) >= 1, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, 1))

    def course(self) -> Course:
        autograder = self.root / "autograder"
        return read_course(
            autograder / "course.toml", autograder / "lessons", self.probes.parents[1]
        )


@pytest.fixture(scope="session")
def write_toy():
    """Writes the toy course into a folder."""

    def write(root: Path) -> Toy:
        toy = Toy(root)
        for name, text in example().items():
            path = (root if "/" in name else toy.folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (root / "autograder" / "course.toml").write_text(
            'title = "Toy"\nrepository = "https://github.com/OWNER/REPO"\nbranch = "main"\n'
            'tag = "main"\nlessons = [{ folder = "00-toy", title = "Toy" }]\n'
        )
        return toy

    return write


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A folder with a students' package of its own, and a runner for all tests of a module."""
    root = tmp_path_factory.mktemp("workshop")
    shutil.copytree(
        Path(transformer_workbook.__file__).parent,
        root / "course" / "transformer_workbook",
        ignore=shutil.ignore_patterns("lessons", "__pycache__", "show"),
    )
    with Runner(course=root / "course") as runner:
        yield root, runner


@pytest.fixture
def toy_in_workshop(workshop, write_toy) -> Toy:
    """The toy course anew, in the workshop of the module, with its runner."""
    root, runner = workshop
    for folder in ("autograder", "course/00-toy"):
        shutil.rmtree(root / folder, ignore_errors=True)
    toy = write_toy(root)
    toy.runner = runner
    return toy


@pytest.fixture
def one_more_misconception() -> str:
    return new_misconception()


@pytest.fixture
def toy(tmp_path, write_toy) -> Toy:
    return write_toy(tmp_path)
