"""Which column of a gradebook is which lesson's, by the titles of assignments, or as one says.

A wrong guess writes grades into another assignment, so a title has to be the lesson's as a whole:
"Attention", "HW: Attention", "01-attention", "Lesson 1", "Lesson 01: Attention".
"""

import re
from collections.abc import Mapping, Sequence

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons

TitleWords = tuple[str, ...]

ID = re.compile(r" \((\d+)\)$")  # Canvas's number of the assignment, behind its title
NOTEBOOKS = {"assignment", "exercise", "homework", "hw", "lab", "notebook"}


def columns_named(titles: Mapping[int, str], lessons: Sequence[Lesson]) -> dict[str, list[int]]:
    """The columns that are called after each lesson: none, one, or several that are alike."""
    names: dict[TitleWords, str] = {}
    for lesson in lessons:
        numbered = [f"lesson {number}" for number in (lesson.id[:2], int(lesson.id[:2]))]
        called = [lesson.name, lesson.title]
        both = [f"{number} {name}" for number in numbered for name in called]
        names |= {_words(text): lesson.id for text in (lesson.id, *called, *numbered, *both)}
    columns: dict[str, list[int]] = {}
    for column, title in titles.items():
        words = _words(ID.sub("", title))
        bare = words[1:] if words[:1] and words[0] in NOTEBOOKS else words
        if id := names.get(words) or names.get(bare):
            columns.setdefault(id, []).append(column)
    return columns


def columns_chosen(
    chosen: Sequence[str], titles: Mapping[int, str], lessons: Sequence[Lesson]
) -> dict[str, int]:
    """The columns that `LESSON=TITLE` give lessons; the title may be the assignment's id.

    Raises WrongUsage where one is not clear.
    """
    known, found = Lessons(lessons), dict[str, int]()
    for text in chosen:
        name, _equals, title = (part.strip() for part in text.partition("="))
        id = known.named(name)
        if not id or not title:
            raise WrongUsage(
                _("--column is {given!r}; expected a lesson and the title of a column, such as "
                  "{example}"),
                given=text, example='01="HW 1"',
            )  # fmt: skip
        exact = [column for column, own in titles.items() if own == title]
        alike = exact or [
            column
            for column, own in titles.items()
            if _words(ID.sub("", own)) == _words(title) or ID.findall(own) == [title]
        ]
        if len(alike) != 1:
            raise WrongUsage(
                _("--column: {count} columns are called {title!r}; expected one of {names}"),
                count=len(alike), title=title, names=", ".join(titles.values()) or _("none"),
            )  # fmt: skip
        if id in found or alike[0] in found.values():
            raise WrongUsage(_("--column gives {title!r} or its lesson twice"), title=title)
        found[id] = alike[0]
    return found


def _words(text: str) -> TitleWords:
    return tuple(re.findall(r"\d+|[^\W\d_]+", text.casefold()))
