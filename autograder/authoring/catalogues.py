"""Catalogues of other languages: one for each lesson beside its source, one for each package.

A text that has no translation, for it is new or has changed, is stale: it stands in English.
"""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from rich.console import Console

import transformer_workbook
from autograder.judging.judge import says_of
from autograder.language import _, ngettext
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import instructor_notebook
from autograder.lesson.translation import ENGLISH, Catalogue, key_of
from transformer_workbook.shared import words

from . import figures, guides, record_lesson

PACKAGES = (Path(transformer_workbook.__file__).parent, ROOT / "autograder")
METHODS = [("**.py", "python"), ("**.j2", "jinja2")]
SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # so that a file depends on its texts alone
SHOWN = 5  # stale texts of a lesson


def begun(course: Course) -> list[str]:
    """The languages into which something is translated."""
    of_lessons = [languages_of(course, lesson) for lesson in course.lessons]
    return [tag for tag in course.languages if any(tag in tags for tags in of_lessons)]


def languages_of(course: Course, lesson: Lesson) -> list[str]:
    """The languages into which something of a lesson is translated: it has notebooks in them."""
    return [tag for tag in course.languages if lesson.catalogue(tag).messages]


def in_other_languages(course: Course, language: str = ENGLISH) -> list[str]:
    """Links to README.md in the languages that the course has beside this one."""
    return [
        f"[{Locale(tag).get_display_name()}]({guides.in_language(guides.README, tag)})"
        for tag in (ENGLISH, *begun(course))
        if tag != language
    ]


def asked(course: Course, lesson: Lesson, language: str) -> Catalogue:
    """A lesson's catalogue, which has been asked for all of its texts."""
    catalogue = lesson.catalogue(language)
    instructor_notebook(course, lesson, catalogue=catalogue)
    record_lesson.catalogue(lesson, say=catalogue.say)
    figures.derive(lesson, catalogue)
    catalogue.say(lesson.builds)
    return catalogue


def update(course: Course, language: str) -> list[Path]:
    """Write the catalogues: all texts as they are now, with the translations that there are."""
    for package in PACKAGES:
        _update(_of_package(package, language), template_of(course, package), {})
    return [
        *(update_lesson(course, lesson, language) for lesson in course.lessons),
        *(_of_package(package, language) for package in PACKAGES),
        _update_from(guides.asked(language)),
    ]


def update_lesson(course: Course, lesson: Lesson, language: str) -> Path:
    """Write the catalogue of one lesson; its file."""
    return _update_from(asked(course, lesson, language))


def _update_from(catalogue: Catalogue) -> Path:
    template = Catalog()
    for text in catalogue.asked.values():
        template.add(text)
    _update(catalogue.file, template, catalogue.asked)
    return catalogue.file


def _update(file: Path, template: Catalog, current: dict[str, str]) -> None:
    """Bring a catalogue up to date; `current` has a lesson's texts by key, as they break now."""
    translated = Catalog()
    for entry in _read(file):
        text = current.get(key_of(entry.id), entry.id) if isinstance(entry.id, str) else entry.id
        if text and entry.string:
            translated.add(text, entry.string, flags=entry.flags)
    translated.update(template)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, translated, width=0, no_location=True, omit_header=True)


def _read(file: Path) -> Catalog:
    return read_po(io.BytesIO(file.read_bytes())) if file.is_file() else Catalog()


def _of_package(package: Path, language: str) -> Path:
    return package / "locale" / language / "LC_MESSAGES" / f"{package.name}.po"


def template_of(course: Course, package: Path) -> Catalog:
    """All that a package says: words of probes are said by the students', tests by the grader."""
    template = Catalog()
    for _path, _line, message, comments, context in extracted_from(package):
        template.add(message, auto_comments=comments, context=context)
    if package == PACKAGES[0]:
        tables = [table for lesson in course.lessons for table in lesson.wordings()]
        for text in (text for table in (words.GENERAL, *tables) for text in _texts_of(table)):
            template.add(text)
    else:
        for tests in (tests for lesson in course.lessons for tests in lesson.any_hidden().values()):
            for text in (text for test in tests for text in (test.name, says_of(test))):
                template.add(text)
    return template


def extracted_from(package: Path) -> list[tuple[Any, ...]]:
    """What is marked in a package: path, line, message (or both forms), comments, context."""
    extracted = extract_from_dir(package, METHODS, comment_tags=["Translators:"])
    return sorted(extracted, key=lambda entry: entry[:2])


def _texts_of(table: words.Words) -> Iterator[str]:
    for entry in table.values():
        wording = words.Wording(entry) if isinstance(entry, str) else entry
        texts = (wording.noun, wording.wrong, wording.missing, *wording.when.values())
        yield from filter(None, texts)


def place_of(lesson: Lesson, text: str) -> str:
    """The file and line of a lesson in which a text begins; the first of lesson.py if unknown."""
    folder, begins = f"autograder/lessons/{lesson.id}", text.splitlines()[0][:50]
    for file in sorted(lesson.folder.glob("*.*"), key=lambda file: file.name != "lesson.py"):
        if file.suffix in (".py", ".toml"):
            lines = file.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, start=1):
                if begins in line:
                    return f"{folder}/{file.name}:{number}"
    return f"{folder}/lesson.py:1"


def compiled(language: str) -> dict[str, bytes]:
    """What gettext reads of both packages' catalogues, by path from the root."""
    files = {}
    for package in PACKAGES:
        source = _of_package(package, language)
        catalogue = _read(source)
        catalogue.creation_date = catalogue.revision_date = SOME_DAY
        with io.BytesIO() as content:
            write_mo(content, catalogue)
            files[source.with_suffix(".mo").relative_to(ROOT).as_posix()] = content.getvalue()
    return files


def tell_stale(course: Course, lessons: list[Lesson], console: Console) -> None:
    """Say which texts of lessons stand in English in another language's notebooks."""
    for language in begun(course):
        for lesson in lessons:
            stale = asked(course, lesson, language).stale()
            _tell(language, lesson.id, {text: place_of(lesson, text) for text in stale}, console)
        if len(lessons) == len(course.lessons):
            catalogue = guides.asked(language)
            places = dict.fromkeys(catalogue.stale(), catalogue.file.relative_to(ROOT).as_posix())
            _tell(language, "docs", places, console)


def _tell(language: str, of: str, places: dict[str, str], console: Console) -> None:
    for text, place in list(places.items())[:SHOWN]:
        shown = f"{language}: {place}: {key_of(text)[:60]}"
        console.print(shown, highlight=False, soft_wrap=True, markup=False)
    if places:
        said = ngettext(
            "{language}: {count} text of {lesson} is in English",
            "{language}: {count} texts of {lesson} are in English",
            len(places),
        ).format(language=language, count=len(places), lesson=of)
        console.print(said, highlight=False)


def messages_command(console: Console | None = None) -> None:
    """The command: bring all catalogues up to date, and say what is to be translated."""
    console, course = console or Console(), read_course()
    for language in course.languages:
        for path in update(course, language):
            console.print(_("written: {path}").format(path=path.relative_to(ROOT)), highlight=False)
    tell_stale(course, list(course.lessons), console)
