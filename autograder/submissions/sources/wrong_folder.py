"""Refuses folders that hold no class, by the names in them, before any file is read."""

from collections import deque
from collections.abc import Iterator
from itertools import islice

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.which_lesson import Lessons
from autograder.lms.file_names import is_of_lms
from autograder.results.safe_names import is_hidden, short_list, shown

from .entries import Entry, visible
from .find import LESSON, children, is_notebook

# What lies in a course's folder: all of it, or what is published.
COURSES = ({"autograder", "course"}, {"course", "environment.yml"})
MOST_LOOKED_AT = 5000  # names: a disk without a class must not be searched for minutes
PACKED = (".zip", ".gz", ".ipynb.txt")  # what a notebook can be in


def require_class(entries: list[Entry], lessons: Lessons, path: object, expected: str) -> None:
    """Raise WrongUsage for the course's own folder, for results, and for what is like no class."""
    entries = visible(entries)
    names = {entry.name for entry in entries}
    if "transformer_workbook" in names or any(course <= names for course in COURSES):
        refusal = _("{path} is the folder of the course itself: it has {found}; {expected}")
    elif holds_results(names):
        refusal = _("{path} is a folder of results: it has {found}; {expected}")
    elif entries and not any(
        _is_of_class(entry, lessons) for entry in islice(_all(entries), MOST_LOOKED_AT)
    ):
        refusal = _(
            "nothing in {path} looks like a lesson or a notebook, so nothing in it belongs to a "
            "lesson; it has {found}; {expected}"
        )
    else:
        return
    found = short_list([shown(name) for name in sorted(names)])
    raise WrongUsage(refusal, path=path, found=found or _("nothing"), expected=expected)


def holds_results(names: set[str]) -> bool:
    """Whether a folder in which these names are is an OUT."""
    return "gradebook.db" in names or {"summary.csv", "report.html"} <= names


def _all(entries: list[Entry]) -> Iterator[Entry]:
    """All entries below, those of upper folders first."""
    waiting = deque(entries)
    while waiting:
        entry = waiting.popleft()
        yield entry
        if entry.kind == "folder":
            waiting.extend(children(entry))


def _is_of_class(entry: Entry, lessons: Lessons) -> bool:
    name = entry.name
    if is_hidden(name):
        return False
    if entry.kind != "folder" and (is_notebook(entry) or name.lower().endswith(PACKED)):
        return True
    known = lessons.named(name) or lessons.of_file(name) or LESSON.fullmatch(name)
    return bool(known) or is_of_lms(name, entry.kind == "folder")
