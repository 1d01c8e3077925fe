"""Which column of a gradebook is which lesson's, by the titles of assignments, or as one says.

A wrong guess writes grades into another assignment, so a title has to name the lesson as a whole
("Attention", "HW: Attention", "01-attention"), or by its number ("Lesson 1", "Homework 01").
"""

import re
from collections.abc import Mapping, Sequence

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons

TitleWords = tuple[str, ...]

ID = re.compile(r" \((\d+)\)$")  # Canvas's number of the assignment, behind its title
NOTEBOOKS = {"assignment", "exercise", "homework", "hw", "lab", "lesson", "notebook"}
# Assignments that go with a lesson, and are not its notebook.
OTHERS = {
    "attendance", "bonus", "check", "discussion", "exam", "feedback", "final", "makeup", "midterm",
    "poll", "quiz", "reading", "reflection", "resit", "survey", "test",
}  # fmt: skip


def columns_named(titles: Mapping[int, str], lessons: Sequence[Lesson]) -> dict[str, list[int]]:
    """The columns that are called after each lesson: none, one, or several that are alike."""
    known, found = Lessons(lessons), dict[str, list[int]]()
    words = {column: _words(ID.sub("", title)) for column, title in titles.items()}
    names = {
        _words(name): lesson.id
        for lesson in lessons
        for name in (lesson.id, lesson.name, lesson.title)
    }
    # "Homework 10" may be the tenth, of lesson 09; not so where there is a "Homework 09".
    two_digits = {before for own in words.values() for before, digits in _numbers(own)
                  if re.fullmatch(r"0\d", digits)}  # fmt: skip
    for column, own in words.items():
        bare = own[1:] if own[:1] and own[0] in NOTEBOOKS else own
        if id := names.get(own) or names.get(bare) or known.named(_number(own, two_digits)):
            found.setdefault(id, []).append(column)
    return found


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


def _number(words: TitleWords, two_digits: set[TitleWords]) -> str:
    """The number of a lesson in a title; empty where there is none, or it may be another's."""
    numbers = _numbers(words)
    if not numbers or OTHERS.intersection(words):
        return ""
    before, digits = numbers[-1]
    if before[-1:] == ("lesson",):
        return digits
    is_sure = digits.startswith("0") or before in two_digits or len(words) == 1
    return digits if len(numbers) == 1 and len(digits) == 2 and is_sure else ""


def _numbers(words: TitleWords) -> list[tuple[TitleWords, str]]:
    """The numbers in a title, each behind the words before it."""
    return [(words[:place], word) for place, word in enumerate(words) if word.isdigit()]


def _words(text: str) -> TitleWords:
    return tuple(re.findall(r"\d+|[^\W\d_]+", text.casefold()))
