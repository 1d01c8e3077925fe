"""The page that a file of the repository has on the site, in each language, and links to it.

A page in another language lies below its tag, beside the English one: ko/lessons/00-warm-up.html.
"""

import os
import re
from typing import Any

from babel import Locale

from autograder.authoring import catalogues
from autograder.authoring.front_page import pages_address
from autograder.authoring.guides import GLOSSARY, README, STUDENTS
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.translation import ENGLISH

# The site's guides, by the heading under which its contents name them.
GUIDES = {
    "Teaching": ("instructors", "jupyterhub", "authors", "security"),
    "More": ("comparison", "measured", "translation", "feedback", "style"),
}
# The source of each page by its path in the repository; lessons are added by `pages_of`.
TRANSLATED = {README: "index.md", GLOSSARY: "glossary.md", STUDENTS: "guides/students.md"}
PAGES = {
    "CONTRIBUTING.md": "guides/contributing.md",
    **TRANSLATED,
    **{f"docs/{name}.md": f"guides/{name}.md" for names in GUIDES.values() for name in names},
}
BESIDE = ("feedback-examples", "search", "genindex")  # pages that have no file
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def below(language: str) -> str:
    """The folder of a language's pages, from the site's root."""
    return "" if language == ENGLISH else f"{language}/"


def lessons_in(course: Course, language: str) -> list[Lesson]:
    """The lessons that have a page in a language."""
    lessons, of = course.lessons, catalogues.languages_of
    return [lesson for lesson in lessons if language in (ENGLISH, *of(course, lesson))]


def pages_of(course: Course, language: str = ENGLISH) -> dict[str, str]:
    """The page of each file that has one in a language: path from the root of its pages by path."""
    lessons = {
        lesson.path(language): f"lessons/{lesson.id}.ipynb"
        for lesson in lessons_in(course, language)
    }
    return (PAGES if language == ENGLISH else TRANSLATED) | lessons


def relinked(course: Course, text: str, file: str, language: str = ENGLISH) -> str:
    """Markdown of `file` with links that lead from its page to the others, in English if need be.

    A link to a file without a page leads into the repository; without an address it is no link.
    """
    pages, english = pages_of(course, language), pages_of(course)
    here = os.path.dirname(pages[file])

    def link(found: re.Match[str]) -> str:
        label, target = found.groups()
        if re.match(r"[a-z]+:|#|<", target):
            return found[0]
        path, _hash, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(file), path))
        after = f"#{anchor}" if anchor else ""
        in_english = path.replace(f"course/{language}/", "course/")
        for known in (path, in_english.replace("course/", f"course/{below(language)}")):
            if known in pages:
                return f"[{label}]({os.path.relpath(pages[known], here or '.')}{after})"
        if in_english in english:  # a page of another site, to Sphinx
            page = os.path.splitext(english[in_english])[0]
            page = os.path.relpath(f"{page}.html", f"{below(language)}{here}")
            return f'<a href="{page}{after}" hreflang="{ENGLISH}">{label}</a>'
        if course.repository:
            return f"[{label}]({course.repository}/blob/{course.branch}/{path})"
        return label

    return LINK.sub(link, text)


def languages(course: Course, language: str = ENGLISH) -> dict[str, Any]:
    """What pages need for a link to themselves in another language, as templates name it."""
    address = pages_address(course)
    others = {
        tag: {
            "name": Locale(tag).get_display_name(),
            "root": f"{address}{below(tag)}" if address else "",
            "below": f"{'../' if language != ENGLISH else ''}{below(tag)}",
            "pages": {*BESIDE, *(page.rpartition(".")[0] for page in pages.values())},
        }
        for tag in (ENGLISH, *catalogues.begun(course))
        for pages in (pages_of(course, tag),)
    }
    return {"other_languages": {tag: it for tag, it in others.items() if tag != language}}
