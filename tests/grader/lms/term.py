"""A term in a folder: what an LMS gave, and what the commands made of it."""

import csv
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from autograder.commands import grade as pipeline
from autograder.commands.export import export_command as export
from autograder.commands.request import Request

SEED = "the seed of the tests"


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def summary(out: Path) -> dict[tuple[str, str], dict[str, str]]:
    with open(out / "summary.csv", newline="", encoding="utf-8") as file:
        return {(row["student"], row["lesson"]): row for row in csv.DictReader(file)}


@dataclass
class Term:
    """A folder with what an LMS gave, and what came of the two commands."""

    folder: Path
    paths: dict[str, str] = field(default_factory=dict)
    said: str = ""

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def grade(self, source: str, roster: str = "", yes: bool = False, **more) -> int:
        self.console = console = Console(file=io.StringIO(), width=200)
        request = Request(
            self.folder / source, self.out, sandbox="none", secret=SEED, jobs=2,
            roster=self.folder / roster if roster else None, yes=yes, **more,
        )  # fmt: skip
        code = pipeline.grade_command(request, console)
        self.said = console.file.getvalue()
        return code

    def put(self, name: str, content: str | bytes) -> Path:
        """Write a file of the LMS into the folder."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def export(
        self, kind: str, sheet: Path | None = None, lesson: str = "", columns: Sequence[str] = ()
    ) -> int:
        console = Console(file=io.StringIO(), width=200)
        code = export(self.out, kind, sheet, lesson, console, columns)
        self.said = console.file.getvalue()
        return code

    def read(self, name: str) -> str:
        return (self.out / "export" / name).read_text(encoding="utf-8")

    def names_in(self, name: str) -> set[str]:
        with zipfile.ZipFile(self.out / "export" / name) as archive:
            return set(archive.namelist())
