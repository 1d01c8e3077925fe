"""The course as course.toml lists it."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.language import _

from .blanks import AuthoringError
from .cases import check_names
from .lesson import LESSONS, ROOT, Lesson, read_lesson

COURSE_FILE = ROOT / "autograder" / "course.toml"


@dataclass(frozen=True)
class Course:
    """Title, address and lessons of the course."""

    title: str
    repository: str
    branch: str
    tag: str
    lessons: tuple[Lesson, ...]

    @property
    def on_github(self) -> str:
        """OWNER/NAME; empty for a repository elsewhere, from which Colab opens no notebook."""
        _before, host, name = self.repository.rpartition("https://github.com/")
        return name if host else ""

    def lesson(self, id: str) -> Lesson:
        """The lesson of this folder name. Raises AuthoringError with the names there are."""
        for lesson in self.lessons:
            if lesson.id == id:
                return lesson
        known = ", ".join(lesson.id for lesson in self.lessons)
        raise AuthoringError(
            _("there is no lesson {id!r}; course.toml names {known}"), id=id, known=known
        )


def read_course(file: Path = COURSE_FILE, lessons: Path = LESSONS) -> Course:
    """Read course.toml and every lesson that it names. Raises AuthoringError with the place."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise AuthoringError(f"{file}: {error}") from error
    missing = {"title", "repository", "branch", "tag", "lessons"} - data.keys()
    if missing:
        raise AuthoringError(
            _("{file}: {names} is missing"), file=file, names=", ".join(sorted(missing))
        )
    check_names(str(file), [entry.get("folder", "") for entry in data["lessons"]])
    _check_address(file, data)
    earlier: tuple[Lesson, ...] = ()
    for entry in data["lessons"]:
        earlier += (read_lesson(entry, lessons, earlier),)
    return Course(data["title"], data["repository"], data["branch"], data["tag"], earlier)


def _check_address(file: Path, data: dict[str, Any]) -> None:
    repository = data["repository"]
    if not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+(?<!\.git)", repository):
        raise AuthoringError(
            _("{file}: repository is {repository!r}; expected an address such as "
              "https://github.com/somebody/course, with neither .git nor a slash at its end"),
            file=file, repository=repository,
        )  # fmt: skip
    for key in ("branch", "tag"):
        if not re.fullmatch(r"[\w.][\w./-]*", data[key]):
            raise AuthoringError(
                _("{file}: {key} is {name!r}, which is no name that git takes"),
                file=file, key=key, name=data[key],
            )  # fmt: skip


def unlisted(course: Course, lessons: Path = LESSONS) -> list[Path]:
    """Folders of lessons that course.toml does not name."""
    listed = {lesson.id for lesson in course.lessons} | {"__pycache__"}
    return sorted(path for path in lessons.iterdir() if path.is_dir() and path.name not in listed)
