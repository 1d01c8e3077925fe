"""Writes what README.md and CITATION.cff say of the course's address, version and lessons."""

from pathlib import Path

from babel import Locale

from autograder.lesson.course import Course
from autograder.lesson.lesson import ROOT
from autograder.lesson.notebook import BEYOND
from transformer_workbook import __version__

from .catalogues import languages_of

# Like the lessons, these texts are in the course's language.
HEAD = ("", "lesson", "what you build", "time")
SIZE = "**{count} lessons, about {hours} hours, on a laptop.**"
LICENSE = "[MIT license](LICENSE)"
NO_ADDRESS = "git clone ADDRESS transformer && cd transformer"
ADDRESS = (
    "`ADDRESS` is where this page is from, or what your instructor gave you. An unpacked zip of "
    "the course does as well."
)
READ = "The lessons as pages to read"


def lessons_table(course: Course) -> str:
    """A table of the lessons in Markdown, each with the links that open it."""
    head = [*HEAD, "open in"] if course.on_github else [*HEAD]
    rows = [
        [
            lesson.id[:2],
            f"[{lesson.title}]({lesson.path()}){BEYOND if lesson.beyond else ''}"
            + "".join(
                f" · [{Locale(tag).get_display_name()}]({lesson.path(tag)})"
                for tag in languages_of(course, lesson)
            ),
            lesson.builds,
            f"{lesson.minutes} min",
            " · ".join(_links(course.addresses(lesson))),
        ][: len(head)]
        for lesson in course.lessons
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def size(course: Course) -> str:
    """How many lessons there are, and how long they take."""
    hours = round(sum(lesson.minutes for lesson in course.lessons) / 60)
    return SIZE.format(count=len(course.lessons), hours=hours)


def _links(addresses: dict[str, str], form: str = "[{name}]({address})") -> list[str]:
    return [form.format(name=name, address=address) for name, address in addresses.items()]


def pages_address(course: Course) -> str:
    """Where GitHub publishes the site; empty while the course has no address there."""
    owner, _slash, name = course.on_github.partition("/")
    return f"https://{owner.lower()}.github.io/{name}/" if name else ""


def links(course: Course) -> str:
    """Where to read and to open the course, whether CI passes, and the license, in one row."""
    if not course.on_github:
        return LICENSE
    workflow = f"{course.repository}/actions/workflows/check.yml"
    row = [
        f"[{READ}]({pages_address(course)})",
        *_links(course.addresses(course.lessons[0]), "[Lesson 00 on {name}]({address})"),
        f"[![check]({workflow}/badge.svg?branch={course.branch})]({workflow})",
        LICENSE,
    ]
    return " · ".join(row)


def clone(course: Course) -> str:
    """The command that fetches the course; it has ADDRESS while none is known."""
    if not course.repository:
        return NO_ADDRESS
    return f"git clone {course.repository} && cd {course.repository.rpartition('/')[2]}"


def derive(course: Course, root: Path = ROOT) -> dict[str, bytes]:
    """README.md and CITATION.cff with their derived parts brought up to date.

    In README.md these stand between the comments `<!-- NAME -->` and `<!-- /NAME -->`, in
    CITATION.cff on lines of their own. A course without these files has none.
    """
    derived: dict[str, bytes] = {}
    if (readme := root / "README.md").is_file():
        text = readme.read_text(encoding="utf-8")
        text = _filled(text, "links", links(course))
        text = _filled(text, "size", size(course))
        address = "" if course.repository else f"\n\n{ADDRESS}"
        text = _filled(text, "start", f"```\n{clone(course)}\nmake lab\n```{address}")
        text = _filled(text, "lessons", lessons_table(course))
        derived[readme.name] = text.encode()
    if (citation := root / "CITATION.cff").is_file():
        lines = [
            line
            for line in citation.read_text(encoding="utf-8").splitlines()
            if not line.startswith(("version:", "repository-code:"))
        ]
        lines.append(f"version: {__version__}")
        if course.repository:
            lines.append(f"repository-code: {course.repository}")
        derived[citation.name] = ("\n".join(lines) + "\n").encode()
    return derived


def _filled(text: str, name: str, part: str) -> str:
    """The text with `part` between the two comments of this name."""
    before, begin, rest = text.partition(f"<!-- {name} -->\n")
    _old, end, after = rest.partition(f"<!-- /{name} -->")
    return before + begin + (f"{part}\n" if part else "") + end + after if end else text
