"""Writes what README.md and CITATION.cff say of the course's address, version and lessons."""

from functools import partial
from pathlib import Path

from babel import Locale

from autograder.language import N_
from autograder.lesson.course import Course
from autograder.lesson.lesson import ROOT
from autograder.lesson.notebook import BEYOND
from autograder.lesson.translation import ENGLISH
from transformer_workbook import __version__

from . import guides
from .catalogues import begun, in_other_languages, languages_of

# Like the lessons, these texts are in the course's language.
HEAD = ("", N_("lesson"), N_("what you build"), N_("time"), N_("open in"))
TIME = N_("{minutes} min")
SIZE = N_("**{count} lessons, about {hours} hours, on a laptop.**")
LICENSE = N_("[MIT license](LICENSE)")
NO_ADDRESS = "git clone ADDRESS transformer && cd transformer"
ADDRESS = N_(
    "`ADDRESS` is where this page is from, or what your instructor gave you. An unpacked zip of "
    "the course does as well."
)
READ = N_("The lessons as pages to read")
FIRST = N_("[Lesson 00 on {name}]({address})")


def lessons_table(course: Course, language: str = ENGLISH) -> str:
    """A table of the lessons in Markdown, each with the links that open it."""
    fixed = guides.catalogue(language).fixed
    head = [fixed(cell) for cell in (HEAD if course.on_github else HEAD[:-1])]
    rows = [
        [
            lesson.id[:2],
            f"[{known.say(lesson.title)}]({lesson.path(language)})"
            + (fixed(BEYOND) if lesson.beyond else "")
            + "".join(
                f" · [{Locale(tag).get_display_name()}]({lesson.path(tag)})"
                for tag in (ENGLISH, *languages_of(course, lesson))
                if tag != language
            ),
            known.say(lesson.builds),
            fixed(TIME).format(minutes=lesson.minutes).replace(" ", "&nbsp;"),
            " · ".join(_links(course.addresses(lesson, language))),
        ][: len(head)]
        for lesson in course.lessons
        for known in [lesson.catalogue(language)]
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def size(course: Course, language: str = ENGLISH) -> str:
    """How many lessons there are, and how long they take."""
    hours = round(sum(lesson.minutes for lesson in course.lessons) / 60)
    said = guides.catalogue(language).fixed(SIZE)
    return said.format(count=len(course.lessons), hours=hours)


def _links(addresses: dict[str, str], form: str = "[{name}]({address})") -> list[str]:
    return [form.format(name=name, address=address) for name, address in addresses.items()]


def pages_address(course: Course) -> str:
    """Where GitHub publishes the site; empty while the course has no address there."""
    owner, _slash, name = course.on_github.partition("/")
    return f"https://{owner.lower()}.github.io/{name}/" if name else ""


def links(course: Course, language: str = ENGLISH) -> str:
    """Where to read and to open the course, whether CI passes, and the license, in one row."""
    fixed = guides.catalogue(language).fixed
    row = [*in_other_languages(course, language), fixed(LICENSE)]
    if not course.on_github:
        return " · ".join(row)
    workflow = f"{course.repository}/actions/workflows/check.yml"
    site = pages_address(course) + ("" if language == ENGLISH else f"{language}/")
    before = [
        f"[{fixed(READ)}]({site})",
        *_links(course.addresses(course.lessons[0], language), fixed(FIRST)),
        f"[![check]({workflow}/badge.svg?branch={course.branch})]({workflow})",
    ]
    return " · ".join([*before, *row])


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
        text = with_derived(course, ENGLISH, readme.read_text(encoding="utf-8"))
        derived[readme.name] = text.encode()
        for tag in begun(course):
            derived |= guides.derive(course, tag, partial(with_derived, course, tag), root)
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


def with_derived(course: Course, language: str, text: str) -> str:
    """README.md in a language with its derived parts brought up to date."""
    fixed = guides.catalogue(language).fixed
    address = "" if course.repository else f"\n\n{fixed(ADDRESS)}"
    text = _filled(text, "links", links(course, language))
    text = _filled(text, "size", size(course, language))
    text = _filled(text, "start", f"```\n{clone(course)}\nmake lab\n```{address}")
    return _filled(text, "lessons", lessons_table(course, language))


def _filled(text: str, name: str, part: str) -> str:
    """The text with `part` between the two comments of this name."""
    before, begin, rest = text.partition(f"<!-- {name} -->\n")
    _old, end, after = rest.partition(f"<!-- /{name} -->")
    return before + begin + (f"{part}\n" if part else "") + end + after if end else text
