"""The course as course.toml lists it."""

from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook import __version__

from .author_files import read_toml
from .cases import check_keys, check_names
from .deadlines import LatePolicy, read_due, read_timezone
from .lesson import IN_NOTEBOOK, LESSONS, ROOT, Lesson, read_lesson
from .translation import ENGLISH
from .which_lesson import Lessons

COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"
BADGES = {"Colab": f"{COLAB}/assets/colab-badge.svg", "Binder": f"{BINDER}/badge_logo.svg"}
OPEN_IN = "[![Open in {name}]({badge})]({address})"  # in the course's language
COURSE_FILE = ROOT / "autograder" / "course.toml"


@dataclass(frozen=True)
class Course:
    """Title, address and lessons of the course; what lateness costs, and the clock it goes by.

    `repository` is empty while nobody has said where the course is published. Without `on_colab`,
    the notebooks there do not name it, so Colab could not install the package. With
    `model_answers`, students can see rubric and model answer of a question they have answered.
    `languages` are those that the course is translated into.
    """

    title: str
    repository: str
    branch: str
    tag: str
    lessons: tuple[Lesson, ...]
    late: LatePolicy = field(default_factory=LatePolicy)
    timezone: tzinfo | None = None
    model_answers: bool = True
    languages: tuple[str, ...] = ()
    on_colab: bool = True

    @property
    def on_github(self) -> str:
        """OWNER/NAME; empty without an address on GitHub: Colab and Binder then open nothing."""
        _before, host, name = self.repository.rpartition("https://github.com/")
        return name if host else ""

    def addresses(self, lesson: Lesson, language: str = ENGLISH) -> dict[str, str]:
        """Where Colab and Binder open a notebook."""
        path = lesson.path(language)
        if not self.on_github:
            return {}
        colab = {"Colab": f"{COLAB}/github/{self.on_github}/blob/{self.branch}/{path}"}
        binder = f"{BINDER}/v2/gh/{self.on_github}/{self.branch}?urlpath=lab/tree/{path}"
        return (colab if self.on_colab else {}) | {"Binder": binder}

    def opened_by(self, lesson: Lesson, language: str = ENGLISH) -> dict[str, str]:
        """The badge, then the address by which Colab and Binder open a notebook, as Markdown."""
        return {
            name: OPEN_IN.format(name=name, badge=BADGES[name], address=address)
            for name, address in self.addresses(lesson, language).items()
        }

    def lesson(self, id: str) -> Lesson:
        """The lesson that is called so. Raises AuthoringError with the ids there are."""
        wanted = Lessons(self.lessons).named(id)
        for lesson in self.lessons:
            if lesson.id == wanted:
                return lesson
        ids = ", ".join(lesson.id for lesson in self.lessons)
        raise AuthoringError(
            _("there is no lesson {id!r}; course.toml names {known}"), id=id, known=ids
        )


def read_course(
    file: Path = COURSE_FILE, lessons: Path = LESSONS, in_notebook: Path = IN_NOTEBOOK
) -> Course:
    """Read course.toml and every lesson that it names. Raises AuthoringError with the place."""
    data = read_toml(file)
    folders = [entry["folder"] for entry in data["lessons"]]
    check_names(str(file), folders)
    check_keys(f"{file}: points", data.get("points", {}), folders)
    timezone = read_timezone(file, data.get("timezone"))
    earlier: tuple[Lesson, ...] = ()
    for entry in data["lessons"]:
        due = read_due(f"{file}: {entry['folder']}", entry.get("due"), timezone)
        points = data.get("points", {}).get(entry["folder"], {})
        earlier += (read_lesson(entry, lessons, earlier, due, points, in_notebook),)
    return Course(
        data["title"],
        data.get("repository", ""),
        data["branch"],
        data.get("tag", f"v{__version__}"),
        earlier,
        LatePolicy(**data.get("late", {}), timezone=timezone),
        timezone,
        data.get("model_answers", True),
        tuple(data.get("languages", ())),
    )
