"""Builds the site with Sphinx from the lessons, the guides and the glossary."""

import html
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
from rich.console import Console

from autograder.authoring import catalogues
from autograder.authoring.found_address import with_found_address
from autograder.authoring.front_page import pages_address
from autograder.authoring.guides import catalogue, translated
from autograder.authoring.prove.leaks import solution_texts, squeeze
from autograder.authoring.prove.notebooks import saved_code
from autograder.errors import AuthoringError, WrongUsage
from autograder.language import N_, _, speaking
from autograder.lesson.components import KnownAnswer
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import student_notebook
from autograder.lesson.translation import ENGLISH
from transformer_workbook import __version__

from .executed import check_of, executed
from .links import below, languages, lessons_in, pages_of, relinked
from .pages import (
    feedback_page,
    glossary,
    glossary_page,
    index_page,
    lesson_page,
    with_right_guesses,
)
from .real_runs import record, with_real_outputs
from .translator import write_translator

HERE = Path(__file__).parent
FOOTER = N_("<p>{title}, version {version}, under the MIT license.</p>")
# Misconceptions that are shown on the page about feedback. None raises an error: a check would then
# quote the line, which may solve another blank.
EXAMPLES = {
    "00-warm-up": ("split_heads", "view-for-swap"),
    "01-attention": ("scaled_dot_product_attention", "scale-missing"),
    "03-add-and-norm": ("LayerNorm", "mean-over-positions"),
    "06-masks": ("causal_mask", "diagonal-hidden"),
    "09-training": ("LabelSmoothing", "confidence-shared"),
}
SETTINGS: dict[str, Any] = {
    "extensions": ["myst_nb", "autograder.authoring.site.mathml"],
    "nb_execution_mode": "off",
    "nb_ipywidgets_js": {},
    "nb_merge_streams": True,
    "myst_enable_extensions": ["colon_fence", "deflist", "dollarmath"],
    "myst_heading_anchors": 4,
    "html_theme": "sphinx_book_theme",
    "html_math_renderer": "mathml",
    "html_css_files": ["site.css"],
    "html_favicon": str(HERE / "favicon.svg"),
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_copyright": False,
    "templates_path": [str(HERE / "templates")],
    "suppress_warnings": ["misc.highlighting_failure"],  # excerpts are no whole files
}


def build(course: Course, source: Path, target: Path, cache: Path, root: Path = ROOT) -> Path:
    """Build the site of the course's lessons into `target`, by way of `source`; return its index.

    `cache` keeps executed notebooks. Raises AuthoringError if a cell raises an error, if Sphinx has
    something to warn of, such as a link that leads nowhere, or if a page holds a solution.
    """
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    for language in (ENGLISH, *catalogues.begun(course)):
        with speaking(language):
            write_sources(course, source / language, cache, root, language)
            _run_sphinx(course, source / language, target / below(language), language)
    for found in solutions_in(course, target):
        raise AuthoringError(found)
    return target / "index.html"


def write_sources(
    course: Course, source: Path, cache: Path, root: Path = ROOT, language: str = ENGLISH
) -> None:
    """Write what Sphinx reads: Markdown, notebooks with outputs, and pictures, in a language."""
    static, lessons = source / "_static", source / "lessons"
    shutil.copytree(root / "docs" / "pictures", static)
    for folder in (static, lessons, source / "guides"):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "site.css", static)

    terms, lessons_here = glossary(root, language), lessons_in(course, language)
    used: dict[str, Lesson] = {}
    notebooks = [
        with_right_guesses(student_notebook(course, lesson, language=language), lesson)
        for lesson in lessons_here
    ]
    examples = [(lesson, *EXAMPLES[lesson.id]) for lesson in lessons_here if lesson.id in EXAMPLES]
    with ThreadPoolExecutor(2) as pool:
        ran = pool.map(
            lambda notebook, lesson: executed(notebook, cache, root, saved_code(lesson)),
            *(notebooks, lessons_here),
        )
        checks = [
            pool.submit(check_of, lesson, component, wrong, cache, language)
            for lesson, component, name in examples
            for wrong in [misconception(lesson, component, name)]
        ]
        for lesson, notebook in zip(lessons_here, ran, strict=True):
            notebook = with_real_outputs(course, lesson, notebook)
            told, linked = lesson_page(
                course, lesson, notebook, terms, static / "figures", language
            )
            used |= dict.fromkeys(linked - used.keys(), lesson)
            nbformat.write(told, lessons / f"{lesson.id}.ipynb")
        shown = [
            (lesson, component, check.result())
            for (lesson, component, _name), check in zip(examples, checks, strict=True)
        ]
    nbformat.write(feedback_page(course, shown, language), source / "feedback-examples.ipynb")
    (source / "glossary.md").write_text(glossary_page(terms, used), encoding="utf-8")
    index = index_page(course, write_translator(static, language), language, root)
    (source / "index.md").write_text(index, encoding="utf-8")
    for file, page in pages_of(course, language).items():
        if page.startswith("guides/"):
            text = translated(file, catalogue(language, root), root)
            (source / page).write_text(relinked(course, text, file, language), encoding="utf-8")


def misconception(lesson: Lesson, component: str, name: str) -> KnownAnswer:
    """A known wrong answer. Raises AuthoringError if the lesson has none of this name."""
    for wrong in lesson.components[component].wrong:
        if wrong.name == name:
            return wrong
    raise AuthoringError(
        _("{component} has no misconception {name!r}, which the site shows"),
        component=component, name=name,
    )  # fmt: skip


def _run_sphinx(course: Course, source: Path, target: Path, language: str = ENGLISH) -> None:
    try:
        from sphinx.application import Sphinx
        from sphinx.errors import SphinxError
        from sphinx.util.docutils import docutils_namespace
    except ImportError:
        raise WrongUsage(_("The site needs more packages: pip install -e '.[site]'")) from None
    options = {
        "repository_url": course.repository,
        "logo": {"text": course.title},
        "use_repository_button": bool(course.repository),
        "use_download_button": False,
        "use_fullscreen_button": False,
        "navbar_persistent": [],  # the sidebar has the search
        "show_navbar_depth": 1,
        "show_toc_level": 2,
        "extra_footer": _(FOOTER).format(title=course.title, version=__version__),
        "article_header_end": ["languages.html", "article-header-buttons.html"],
    }
    settings = SETTINGS | {
        "project": course.title,
        "author": "",  # the theme would say that there is none
        "html_title": course.title,
        "html_baseurl": f"{address}{below(language)}" if (address := pages_address(course)) else "",
        "html_context": languages(course, language),
        "language": language,
        "html_static_path": [str(source / "_static")],
        "html_theme_options": options,
    }
    doctrees = source.with_name(f"{source.name}-doctrees")
    try:
        with docutils_namespace():  # else Sphinx would warn in the second language
            app = Sphinx(
                source, None, target, doctrees, "html", settings, freshenv=True, status=None,
                warningiserror=True,
            )  # fmt: skip
            app.build(force_all=True)
    except SphinxError as error:
        raise AuthoringError(str(error)) from error
    if app.statuscode:
        raise AuthoringError(_("Sphinx has warned; what it said is above"))


def solutions_in(course: Course, site: Path) -> Iterator[str]:
    """Where pages for learners hold what fills a blank: the page, and what it holds."""
    texts = {
        page: squeeze(html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))))
        for page in sorted(site.rglob("*.html"))
        if page.parent.name == "lessons" or page.stem in ("index", "feedback-examples", "glossary")
    }
    for lesson in course.lessons:
        for what, piece in solution_texts(lesson):
            for page, text in texts.items():
                if piece in text:
                    yield _("{page} holds {what}: {piece!r}").format(
                        page=page, what=what, piece=piece
                    )


def site_command(target: Path, console: Console, recorded: str = "") -> int:
    """The command: build the site, and say where it is; or record a lesson's real run."""
    work, course = ROOT / "build" / "site", read_course()
    if recorded:
        file = record(course, course.lesson(recorded), work / "executed")
        console.print(str(file), markup=False, soft_wrap=True)
        return 0
    at = replace(with_found_address(course, ROOT), on_colab=bool(course.repository))
    index = build(at, work / "source", target, work / "executed")
    text = _("{index} is the site's first page.").format(index=index)
    console.print(text, markup=False, soft_wrap=True)
    return 0
