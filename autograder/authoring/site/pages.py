"""Writes the sources of the site's pages: lessons from executed notebooks, guides from docs/."""

import ast
import hashlib
import re
import struct
from base64 import b64decode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jinja2
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.authoring.front_page import ADDRESS, clone, with_derived
from autograder.authoring.guides import GLOSSARY, README, catalogue, in_language, translated
from autograder.language import _, ngettext
from autograder.lesson.course import Course
from autograder.lesson.guesses import Table, guesses_of
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import BEYOND, student_notebook
from autograder.lesson.translation import ENGLISH
from transformer_workbook.shared import language as in_notebooks
from transformer_workbook.shared.syntax import parse

from .links import GUIDES, lessons_in, relinked

# Like the lessons, these texts are in the language of the page, as `speaking` chooses it.
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
    extensions=["jinja2.ext.i18n"],
)
TEMPLATES.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
# What `wb.reveal` says of a right guess, beside the result.
COMPARED, RIGHT = "Your guess: {guess}\nIt is:      {truth}", "Right!"
# What a lesson says before a cell whose result is to be predicted.
ASKS = re.compile(r"\b(?:[Gg]uess|Decide|Predict|[Bb]efore\s+you\s+run|you\s+expect)\b")
IMAGE = re.compile(r'<img src="data:image/(png|svg\+xml);base64,([^"]+)"([^>]*)>')
PICTURE = re.compile(r'(?s)<picture>.*?srcset="(.*?)".*?alt="(.*?)".*?src="(.*?)".*?</picture>')
TERM = re.compile(r"(?m)^\| \*\*(.+?)\*\* \| (.+?) \|$")


def glossary(root: Path = ROOT, language: str = ENGLISH) -> dict[str, str]:
    """The terms of docs/glossary.md, and what they mean."""
    return dict(TERM.findall(translated(GLOSSARY, catalogue(language, root), root)))


def lesson_page(
    course: Course, lesson: Lesson, ran: NotebookNode, terms: dict[str, str], figures: Path,
    language: str = ENGLISH,
) -> tuple[NotebookNode, set[str]]:  # fmt: skip
    """A lesson's page from its executed notebook, and the terms that it links to the glossary.

    `ran` has run with right guesses (`with_right_guesses`). The page has the outputs that need no
    answer. Those of checks, and where the notebook begins and ends, are left out; what a prediction
    comes to is folded. Pictures are written into `figures`.
    """
    file, say = lesson.path(language), lesson.catalogue(language).say
    heading = TEMPLATES.get_template("lesson.md.j2").render(
        number=int(lesson.id[:2]), title=say(lesson.title), builds=say(lesson.builds), file=file,
        beyond=_(BEYOND) if lesson.beyond else "", clone=clone(course),
        badges=" ".join(course.opened_by(lesson, language).values()),
        address="" if course.repository else f"{_(ADDRESS)}\n",
    )  # fmt: skip
    said: Any = TEMPLATES.get_template("beside_cells.j2").make_module()
    cells, linked, others = [new_markdown_cell(heading)], set[str](), list(terms)
    released = {c.id: c.source for c in student_notebook(course, lesson, language=language).cells}
    english = student_notebook(course, lesson).cells
    asked = {cell.id for before, cell in pairwise(english) if _asks(before)}
    for cell in ran.cells[2:-2]:
        if cell.cell_type == "markdown":
            text, found = _with_terms(relinked(course, cell.source, file, language), others)
            others = [term for term in others if term not in found]
            linked |= found
            cells.append(new_markdown_cell(text))
        elif _answers_guess(cell):
            outputs = _static(cell.outputs, figures)
            for output in outputs:
                if output.output_type == "stream":
                    output.text = compared().sub("", output.text)
            folds = said.show_answer, said.hide_answer
            cells += [new_markdown_cell(said.guess), _folded(released[cell.id], outputs, *folds)]
        elif asked_of := re.search(r"(?m)^wb\.(check|hint|answer)\(", cell.source):
            cells.append(new_code_cell(cell.source))
            if asked_of[1] == "check":
                cells.append(new_markdown_cell(said.in_notebook))
        else:
            is_live = any(_is_live(output) for output in cell.outputs)
            outputs = _static(cell.outputs, figures)
            if cell.id in asked:
                cells.append(_folded(cell.source, outputs, said.show, said.hide))
            else:
                cells.append(new_code_cell(cell.source, outputs=outputs))
            if is_live:
                cells.append(new_markdown_cell(said.still))
        if "real_run" in cell.metadata:
            cells.append(new_markdown_cell(cell.metadata["real_run"]))
    return _notebook(cells), linked


def with_right_guesses(notebook: NotebookNode, lesson: Lesson) -> NotebookNode:
    """The lesson's notebook, in place, with cells that answer guesses as after right ones."""
    right = _RightGuesses(guesses_of(lesson))
    for cell in notebook.cells:
        if _answers_guess(cell):
            tree = right.visit(parse(cell.source))
            cell.source = ast.unparse(ast.fix_missing_locations(tree))
    return notebook


class _RightGuesses(ast.NodeTransformer):
    """Before each `wb.reveal(guess, truth)`, `guess = truth`; `tables` have constant truths."""

    def __init__(self, tables: dict[str, Table]):
        self.tables = tables

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        match node.value:
            case ast.Call(func=ast.Attribute(attr="reveal"), args=[ast.Name(id=guess), *computed]):
                truth = computed[0] if computed else ast.Constant(self.tables[guess]["truth"])
                return [ast.Assign([ast.Name(guess, ast.Store())], truth), node]
        return [node]


def compared() -> re.Pattern[str]:
    """What `wb.reveal` prints of a right guess beside the result, in the page's language."""
    guess, truth = re.sub(r"\{.*?\}", "", in_notebooks._(COMPARED)).split("\n")
    return re.compile(rf"(?m)^(?:{guess}.*|{in_notebooks._(RIGHT)})\n|(?<=^{truth.strip()}) +(?= )")


def _answers_guess(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and "wb.reveal(" in cell.source


def _asks(before: NotebookNode) -> bool:
    """Whether a cell's last paragraph asks what comes out of the next one."""
    last = before.source.strip().rpartition("\n\n")[2]
    return before.cell_type == "markdown" and bool(ASKS.search(last))


def _folded(source: str, outputs: list[NotebookNode], show: str, hide: str) -> NotebookNode:
    made: NotebookNode = new_code_cell(source, outputs=outputs)
    prompts = {"code_prompt_show": show, "code_prompt_hide": hide}
    made.metadata |= {"tags": ["hide-output"], "mystnb": prompts}
    return made


def _with_terms(text: str, terms: list[str]) -> tuple[str, set[str]]:
    """The text with the first bold use of each term as a link to the glossary."""
    found = set[str]()
    for term in terms:
        linked = text.replace(f"**{term}**", f"**{{term}}`{term}`**", 1)
        if linked != text:
            found.add(term)
        text = linked
    return text, found


def _is_live(output: NotebookNode) -> bool:
    """Whether an output is something to use, of which there is a still picture."""
    data = output.get("data", {})
    return "text/html" in data and any("widget" in mime for mime in data)


def _static(outputs: list[NotebookNode], figures: Path) -> list[NotebookNode]:
    """Outputs without widgets, each of which has a picture in its place; pictures as files."""
    for output in outputs:
        if _is_live(output):
            output.data = {mime: it for mime, it in output.data.items() if "widget" not in mime}
        if "text/html" in output.get("data", {}):
            output.data["text/html"] = IMAGE.sub(_written(figures), output.data["text/html"])
    return outputs


def _written(figures: Path) -> Callable[[re.Match[str]], str]:
    def write(found: re.Match[str]) -> str:
        content = b64decode(found[2])
        kind = "svg" if found[1].startswith("svg") else found[1]
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
        figures.mkdir(parents=True, exist_ok=True)
        (figures / name).write_bytes(content)
        file = f"../_static/figures/{name}"
        return f'<a href="{file}"><img loading="lazy" src="{file}"{found[3]}></a>'

    return write


def feedback_page(
    course: Course, examples: list[tuple[Lesson, str, list[NotebookNode]]], language: str = ENGLISH
) -> NotebookNode:
    """A page of checks, each of a lesson's component, with the outputs that the check shows."""
    about = TEMPLATES.get_template("feedback.md.j2").render()
    cells = [new_markdown_cell(relinked(course, about, README, language))]  # in README's folder
    for lesson, component, outputs in examples:
        heading = _("Lesson {lesson}").format(lesson=lesson.id[:2])
        cells.append(new_markdown_cell(f"## {heading}: `{component}`"))
        cells.append(new_code_cell(f'wb.check("{component}")', outputs=outputs))
    return _notebook(cells)


def glossary_page(terms: dict[str, str], used: dict[str, Lesson]) -> str:
    """The glossary as MyST: each term, what it means, and the lesson that uses it first."""
    entries = sorted(terms.items(), key=lambda entry: entry[0].lower())
    return TEMPLATES.get_template("glossary.md.j2").render(entries=entries, used=used)


def index_page(course: Course, translator: str, language: str = ENGLISH, root: Path = ROOT) -> str:
    """The front page: what README.md tells learners, the translator, and the site's contents."""
    text = with_derived(course, language, translated(README, catalogue(language, root), root))
    text = re.sub(r"(?s)<!-- links -->.*?<!-- /links -->\n", "", text)
    lessons = lessons_in(course, language)
    shown = [(one, one.path(language), one.catalogue(language).say) for one in lessons]
    cards = TEMPLATES.get_template("cards.md.j2").render(lessons=shown, beyond=_(BEYOND))
    text = re.sub(r"(?s)(?<=<!-- lessons -->\n).*(?=<!-- /lessons -->)", cards, text)
    text = re.sub(r"<!-- /?[a-z]+ -->\n", "", text)

    def pictures(found: re.Match[str]) -> str:
        dark, alt, light = found.groups()
        both = [ROOT / in_language(path, language) for path in (light, dark)]
        if not all(path.is_file() for path in both):
            both = [ROOT / light, ROOT / dark]
        files = dict(zip(("light", "dark"), both, strict=True))
        sizes = {theme: struct.unpack(">II", f.read_bytes()[16:24]) for theme, f in files.items()}
        return TEMPLATES.get_template("picture.html.j2").render(alt=alt, files=files, sizes=sizes)

    first = lessons[0]
    live = TEMPLATES.get_template("index.md.j2").render(
        translator=translator, lesson=first, title=first.catalogue(language).say(first.title),
        badges=" ".join(course.opened_by(first, language).values()),
    )  # fmt: skip
    before, picture, after = relinked(course, text, README, language).partition("<picture>")
    text = PICTURE.sub(pictures, f"{before}{live}{picture}{after}")
    guides = GUIDES if language == ENGLISH else {}
    contents = TEMPLATES.get_template("contents.md.j2").render(lessons=lessons, guides=guides)
    return f"{text}\n\n{contents}"


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    made: NotebookNode = new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return made
