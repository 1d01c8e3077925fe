"""The course as course.toml lists it."""

import re
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any

from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook import __version__

from .author_files import read_toml
from .cases import check_keys, check_names
from .deadlines import LatePolicy, read_due, read_late_policy, read_timezone
from .lesson import IN_NOTEBOOK, LESSONS, PROBES, ROOT, Lesson, read_lesson

COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"
BADGES = {"Colab": f"{COLAB}/assets/colab-badge.svg", "Binder": f"{BINDER}/badge_logo.svg"}
OPEN_IN = "[![Open in {name}]({badge})]({address})"  # in the course's language
COURSE_FILE = ROOT / "autograder" / "course.toml"
REQUIRED = ("title", "branch", "lessons")
OPTIONAL = ("repository", "tag", "timezone", "late", "points", "model_answers")
SHAPE = {
    "title": str, "repository": str, "branch": str, "tag": str, "lessons": [{}],
    "points": {"*": {}},
}  # fmt: skip
OF_A_LESSON: dict[str, Any] = {
    "folder": str, "title": str, "due": object, "limit": (int, float), "extra": str,
    "beyond": bool, "builds": str,
}  # fmt: skip

_EXPECTED = {str: _("a text"), bool: _("true or false")}


@dataclass(frozen=True)
class Course:
    """Title, address and lessons of the course; what lateness costs, and the clock it goes by.

    `repository` is empty while nobody has said where the course is published. With `model_answers`,
    students can see rubric and model answer of a question they have answered.
    """

    title: str
    repository: str
    branch: str
    tag: str
    lessons: tuple[Lesson, ...]
    late: LatePolicy = field(default_factory=LatePolicy)
    timezone: tzinfo | None = None
    model_answers: bool = True

    @property
    def on_github(self) -> str:
        """OWNER/NAME; empty without an address on GitHub: Colab and Binder then open nothing."""
        _before, host, name = self.repository.rpartition("https://github.com/")
        return name if host else ""

    def opened_by(self, lesson: Lesson) -> dict[str, str]:
        """The badge, then the address by which Colab and Binder open a notebook, as Markdown."""
        path = f"course/{lesson.id}/{lesson.name}.ipynb"
        addresses = {
            "Colab": f"{COLAB}/github/{self.on_github}/blob/{self.branch}/{path}",
            "Binder": f"{BINDER}/v2/gh/{self.on_github}/{self.branch}?urlpath=lab/tree/{path}",
        }
        return {
            name: OPEN_IN.format(name=name, badge=BADGES[name], address=address)
            for name, address in addresses.items()
            if self.on_github
        }

    def lesson(self, id: str) -> Lesson:
        """The lesson of this folder name. Raises AuthoringError with the names there are."""
        for lesson in self.lessons:
            if lesson.id == id:
                return lesson
        known = ", ".join(lesson.id for lesson in self.lessons)
        raise AuthoringError(
            _("there is no lesson {id!r}; course.toml names {known}"), id=id, known=known
        )


def read_course(
    file: Path = COURSE_FILE, lessons: Path = LESSONS, in_notebook: Path = IN_NOTEBOOK
) -> Course:
    """Read course.toml and every lesson that it names. Raises AuthoringError with the place."""
    data = read_toml(file, SHAPE)
    check_keys(str(file), data, REQUIRED + OPTIONAL)
    missing = set(REQUIRED) - data.keys()
    if missing:
        raise AuthoringError(
            _("{file}: {names} is missing"), file=file, names=", ".join(sorted(missing))
        )
    _check_lessons(file, data)
    _check_address(file, data)
    timezone = read_timezone(file, data.get("timezone"))
    earlier: tuple[Lesson, ...] = ()
    for entry in data["lessons"]:
        due = read_due(f"{file}: {entry['folder']}", entry.get("due"), timezone)
        points = data.get("points", {}).get(entry["folder"], {})
        earlier += (read_lesson(entry, lessons, earlier, due, points, in_notebook),)
    late = read_late_policy(file, data.get("late", {}))
    tag = data.get("tag", f"v{__version__}")
    address = (data["title"], data.get("repository", ""), data["branch"], tag)
    model_answers = data.get("model_answers", True)
    if not isinstance(model_answers, bool):
        raise AuthoringError(
            _("{file}: model_answers is {value!r}; expected true or false"),
            file=file, value=model_answers,
        )  # fmt: skip
    return Course(*address, earlier, late, timezone, model_answers)


def _check_lessons(file: Path, data: dict[str, Any]) -> None:
    """Raise AuthoringError for a line of a lesson, or a table of points, that cannot be meant."""
    check_names(str(file), [entry.get("folder", "") for entry in data["lessons"]])
    folders = [entry["folder"] for entry in data["lessons"]]
    for entry in data["lessons"]:
        where = f"{file}: {entry['folder']}"
        check_keys(where, entry, OF_A_LESSON)
        for key, value in entry.items():
            kind = OF_A_LESSON[key]
            if not isinstance(value, kind) or (key == "limit" and not value > 0):
                raise AuthoringError(
                    _("{where}: {key} is {value!r}; expected {expected}"),
                    where=where, key=key, value=value,
                    expected=_EXPECTED.get(kind, _("a number above 0")),
                )  # fmt: skip
        if "title" not in entry:
            raise AuthoringError(_("{where}: title is missing"), where=where)
    check_keys(f"{file}: points", data.get("points", {}), folders)


def _check_address(file: Path, data: dict[str, Any]) -> None:
    repository = data.get("repository")
    address = r"https://[\w.-]+(/[\w.~-]+)+(?<!\.git)"
    if repository is not None and not re.fullmatch(address, repository):
        raise AuthoringError(
            _("{file}: repository is {repository!r}; expected an address such as "
              "https://github.com/somebody/course, with neither .git nor a slash at its end"),
            file=file, repository=repository,
        )  # fmt: skip
    for key in {"branch", "tag"} & data.keys():
        if not re.fullmatch(r"[\w.][\w./-]*", data[key]):
            raise AuthoringError(
                _("{file}: {key} is {name!r}, which is no name that git takes"),
                file=file, key=key, name=data[key],
            )  # fmt: skip


def unlisted(
    course: Course, lessons: Path = LESSONS, in_notebook: Path = IN_NOTEBOOK
) -> list[Path]:
    """Folders of lessons, of both kinds, that course.toml does not name.

    A folder in the students' package without probes is shared by lessons.
    """
    listed = {lesson.id for lesson in course.lessons} | {"__pycache__"}
    folders = [path for path in lessons.iterdir() if path.is_dir() and path.name not in listed]
    modules = {lesson.module for lesson in course.lessons}
    probed = [path.parent for path in in_notebook.glob(f"*/{PROBES}")]
    return [*sorted(folders), *sorted(path for path in probed if path.name not in modules)]
