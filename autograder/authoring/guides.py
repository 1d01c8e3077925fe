"""What the guides tell learners, in another language: by docs/ko.po, item by item.

README.ko.md and docs/students.ko.md are derived, each beside the English guide; the glossary is a
page of the site alone.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from autograder.language import N_
from autograder.lesson.course import Course
from autograder.lesson.lesson import CATALOGUE, ROOT
from autograder.lesson.translation import ENGLISH, Catalogue, prose

README, STUDENTS, GLOSSARY = "README.md", "docs/students.md", "docs/glossary.md"
PUBLISHED = "autograder/authoring/templates/published/README.md.j2"  # of the students' repository
OF_TEACHERS = "## Teach with it"  # the heading from which README.md tells learners nothing
# What README.ko.md ends with.
REST = N_("To teach with the course, read on in English: [README.md](README.md#teach-with-it).\n")
ITEM = re.compile(r"(?m)^(?=- |\|)")  # of a list, or a row of a table
ALT = re.compile(r'(?<=alt=")[^"]+')
DERIVED = re.compile(r"(?s)(<!-- (\w+) -->\n).*?(<!-- /\2 -->)")
TARGET = re.compile(r'(?:(?<=\]\()|(?<=src="|set="))(?!\w+:)[^)\s#"]+')


def catalogue(language: str, root: Path = ROOT) -> Catalogue:
    """The texts of the guides in another language."""
    return Catalogue(root / "docs" / f"{language}{CATALOGUE}")


def in_language(file: str, language: str) -> str:
    """The path of a guide or a picture in another language: docs/students.ko.md."""
    return file if language == ENGLISH else f".{language}.".join(file.rsplit(".", 1))


def translated(file: str, catalogue: Catalogue, root: Path = ROOT) -> str:
    """A guide as learners read it, with links as they are; what is derived in it is left out."""

    def said(paragraph: str) -> str:
        return "".join(map(item, ITEM.split(paragraph)))

    def item(text: str) -> str:
        return catalogue.say(text.rstrip("\n")) + "\n" * text.endswith("\n")

    text = (root / file).read_text(encoding="utf-8").partition(OF_TEACHERS)[0]
    text = ALT.sub(lambda found: catalogue.say(found[0]), DERIVED.sub(r"\1\3", text))
    return prose(text, said)


def asked(language: str, root: Path = ROOT) -> Catalogue:
    """The guides' catalogue, which has been asked for all of their texts."""
    known = catalogue(language, root)
    for file in (README, STUDENTS, GLOSSARY, PUBLISHED):
        translated(file, known, root)
    return known


def derive(
    course: Course, language: str, filled: Callable[[str], str], root: Path = ROOT
) -> dict[str, bytes]:
    """The guides in another language, by path; `filled` puts in what of README.md is derived."""
    known, derived = catalogue(language, root), {}
    there = {lesson.path(): lesson.path(language) for lesson in course.lessons}
    there |= {file: in_language(file, language) for file in (README, STUDENTS)}
    for picture in (root / "docs/pictures").glob(f"*.{language}.png"):
        there[f"docs/pictures/{picture.stem.split('.')[0]}.png"] = f"docs/pictures/{picture.name}"
    for file in filter(lambda file: (root / file).is_file(), (README, STUDENTS)):
        text, folder = translated(file, known, root), os.path.dirname(file) or "."

        def link(found: re.Match[str], folder: str = folder) -> str:
            path = os.path.normpath(os.path.join(folder, found[0]))
            return os.path.relpath(there.get(path, path), folder)

        text = TARGET.sub(link, text)
        text = filled(text) + known.fixed(REST) if file == README else text
        derived[in_language(file, language)] = text.encode()
    return derived
