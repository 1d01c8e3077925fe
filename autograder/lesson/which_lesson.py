"""Tells which lesson a notebook belongs to, from what it says itself.

Its first cell says so, and so do its metadata. Where both are gone, or the file is damaged or was
exported, the functions and classes that it defines tell.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from .hand_in import GRADER
from .lesson import Lesson

OVERLAP = 300  # characters of a piece that are looked at again with the next one
STARTED = re.compile(r"""wb\.start\(\s*\\?["'](\d\d-[a-z0-9-]+)""")
_METADATA = re.compile(r'"workbook"\s*:\s*\{[^{}]{0,200}?"lesson"\s*:\s*"(\d\d-[a-z0-9-]+)"')
_DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)")
_COPY = re.compile(r"^(?:(?:copy|kopie|copie|copia) (?:of|von|de|di) )+|[-_ ]*copy *\d*$", re.I)
_NUMBERED = re.compile(r"(?:[-_ ]*\(\d+\)|-\d)$")


class Lessons:
    """The lessons of a course, by all that they are called and by what they define."""

    def __init__(self, lessons: Sequence[Lesson]):
        self.ids = [lesson.id for lesson in lessons]
        self._lessons = lessons
        self._names: dict[str, str] = {}
        for id in self.ids:
            number, _dash, name = id.partition("-")
            for text in (id, number, str(int(number)), name, f"lesson {number}"):
                self._names[hyphenated(text)] = id

    @cached_property
    def attachments(self) -> dict[str, int]:
        """The files that lessons expect beside notebooks, with the bytes that each may have."""
        return {
            name: size
            for lesson in self._lessons
            # Asked of the folder first: of each lesson's text it would take most of a start.
            if (lesson.folder / GRADER).is_file() and lesson.hand_in
            for name, size in lesson.hand_in.largest.items()
        }

    def named(self, text: str) -> str:
        """The lesson of this id, number (01, 1) or name; empty where there is none."""
        return self._names.get(hyphenated(text), "")

    def of_file(self, name: str) -> str:
        """The lesson that a file, or a copy of it, is called after; empty where there is none."""
        stem = name
        while (
            shorter := re.sub(r"\.(ipynb|json|txt|py|zip|tar|tgz|gz|bz2|xz)$", "", stem)
        ) != stem:
            stem = shorter
        while (shorter := _NUMBERED.sub("", _COPY.sub("", stem.strip()))) != stem:
            stem = shorter
        if stem.isdigit():  # a student's number, more likely
            return ""
        return self.named(stem)

    def of_content(self, pieces: Iterable[bytes]) -> str:
        """The lesson that a notebook, or what is left of one, says; empty where it says none.

        Raises Problem where the pieces cannot be read.
        """
        rest, votes, said = "", Counter[str](), ""
        for piece in pieces:
            text = rest + piece.decode("utf-8", errors="replace").replace("\0", "")
            if (match := STARTED.search(text)) and match[1] in self.ids:
                return match[1]
            if (match := _METADATA.search(text)) and match[1] in self.ids:
                said = match[1]
            votes.update(
                owner for name in set(_DEFINED.findall(text)) if (owner := self._owner(name))
            )
            rest = text[-OVERLAP:]
        voted = [lesson for lesson in self.ids if votes[lesson]]
        # Of equals the first: the order of the votes is another in each process.
        return said or max(voted, key=votes.__getitem__, default="")

    def _owner(self, name: str) -> str:
        if not hasattr(self, "_owners"):
            defined = [
                (component.defines, lesson.id)
                for lesson in self._lessons
                for component in lesson.components.values()
            ]
            counts = Counter(name for name, _lesson in defined)
            self._owners = {name: lesson for name, lesson in defined if counts[name] == 1}
        return self._owners.get(name, "")


def hyphenated(text: str) -> str:
    """A text's words in lower case, with a hyphen between them."""
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")
