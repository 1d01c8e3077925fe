"""Writes the sources of the site's pages: lessons from executed notebooks, guides from docs/."""

import ast
import hashlib
import os
import re
import struct
from base64 import b64decode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import jinja2
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.authoring.front_page import ADDRESS, clone
from autograder.lesson.course import Course
from autograder.lesson.guesses import Table, guesses_of
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import BEYOND, student_notebook
from transformer_workbook.shared.syntax import parse

# The site's guides, by the heading under which its contents name them.
GUIDES = {
    "Teaching": ("instructors", "jupyterhub", "authors", "security"),
    "More": ("comparison", "measured", "translation", "feedback", "style"),
}
# The source of each page by its path in the repository; lessons are added by `pages_of`.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "guides/contributing.md",
    "docs/glossary.md": "glossary.md",
    **{
        f"docs/{name}.md": f"guides/{name}.md"
        for name in ("students", *GUIDES["Teaching"], *GUIDES["More"])
    },
}
# Like the lessons, these texts are in the course's language.
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
)
GUESS = "*Write down your guess, then show the answer. In the notebook, a cell compares them.*"
STILL = "*In the notebook this has boxes, sliders or buttons. Here it is a still picture.*"
IN_NOTEBOOK = "*The check runs in the notebook: it says what works, what does not, and why.*"
TERMS = "What the terms of the course mean, and the lesson that uses each of them first."
FOLDED = {"code_prompt_show": "Show what comes out", "code_prompt_hide": "Hide what comes out"}
ANSWER = {"code_prompt_show": "Show the answer", "code_prompt_hide": "Hide the answer"}
# What a lesson says before a cell whose result is to be predicted.
ASKS = re.compile(r"\b(?:[Gg]uess|Decide|Predict|[Bb]efore\s+you\s+run|you\s+expect)\b")
# What `wb.reveal` says of a right guess, beside the result.
COMPARED = re.compile(r"(?m)^(?:Your guess: .*|Right!)\n|(?<=^It is:) {5}")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r'<img src="data:image/(png|svg\+xml);base64,([^"]+)"([^>]*)>')
PICTURE = re.compile(r'(?s)<picture>.*?srcset="(.*?)".*?alt="(.*?)".*?src="(.*?)".*?</picture>')
TERM = re.compile(r"(?m)^\| \*\*(.+?)\*\* \| (.+?) \|$")


def pages_of(course: Course) -> dict[str, str]:
    """The page of each file of the repository that has one, both as paths."""
    lessons = {
        f"course/{lesson.id}/{lesson.name}.ipynb": f"lessons/{lesson.id}.ipynb"
        for lesson in course.lessons
    }
    return PAGES | lessons


def relinked(course: Course, text: str, file: str) -> str:
    """Markdown of `file` with links that lead from its page to the others.

    A link to a file without a page leads into the repository; without an address it is no link.
    """
    pages = pages_of(course)
    here = os.path.dirname(pages[file])

    def link(found: re.Match[str]) -> str:
        label, target = found.groups()
        if re.match(r"[a-z]+:|#|<", target):
            return found[0]
        path, _hash, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(file), path))
        if path in pages:
            page = os.path.relpath(pages[path], here or ".")
            return f"[{label}]({page}{'#' if anchor else ''}{anchor})"
        if course.repository:
            return f"[{label}]({course.repository}/blob/{course.branch}/{path})"
        return label

    return LINK.sub(link, text)


def glossary(root: Path = ROOT) -> dict[str, str]:
    """The terms of docs/glossary.md, and what they mean."""
    return dict(TERM.findall((root / "docs" / "glossary.md").read_text(encoding="utf-8")))


def lesson_page(
    course: Course, lesson: Lesson, ran: NotebookNode, terms: dict[str, str], figures: Path
) -> tuple[NotebookNode, set[str]]:
    """A lesson's page from its executed notebook, and the terms that it links to the glossary.

    `ran` has run with right guesses (`with_right_guesses`). The page has the outputs that need no
    answer. Those of checks, and where the notebook begins and ends, are left out; what a prediction
    comes to is folded. Pictures are written into `figures`.
    """
    file = f"{lesson.id}/{lesson.name}.ipynb"
    heading = TEMPLATES.get_template("lesson.md.j2").render(
        number=int(lesson.id[:2]), lesson=lesson, beyond=BEYOND if lesson.beyond else "",
        badges=" ".join(course.opened_by(lesson).values()), clone=clone(course), file=file,
        address="" if course.repository else f"{ADDRESS}\n",
    )  # fmt: skip
    cells, linked, others = [new_markdown_cell(heading)], set[str](), list(terms)
    released = {cell.id: cell.source for cell in student_notebook(course, lesson).cells}
    for before, cell in pairwise(ran.cells[1:-2]):
        if cell.cell_type == "markdown":
            text, found = _with_terms(relinked(course, cell.source, f"course/{file}"), others)
            others = [term for term in others if term not in found]
            linked |= found
            cells.append(new_markdown_cell(text))
        elif _answers_guess(cell):
            outputs = _static(cell.outputs, figures)
            for output in outputs:
                if output.output_type == "stream":
                    output.text = COMPARED.sub("", output.text)
            cells += [new_markdown_cell(GUESS), _folded(released[cell.id], outputs, ANSWER)]
        elif cell.source.startswith(("wb.check(", "wb.hint(")):
            shown = new_code_cell(cell.source)
            cells += [shown, new_markdown_cell(IN_NOTEBOOK)] if "check" in cell.source else [shown]
        else:
            is_live = any(_is_live(output) for output in cell.outputs)
            outputs = _static(cell.outputs, figures)
            if _asks(before):
                cells.append(_folded(cell.source, outputs, FOLDED))
            else:
                cells.append(new_code_cell(cell.source, outputs=outputs))
            if is_live:
                cells.append(new_markdown_cell(STILL))
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


def _answers_guess(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and "wb.reveal(" in cell.source


def _asks(before: NotebookNode) -> bool:
    """Whether a cell's last paragraph asks what comes out of the next one."""
    last = before.source.strip().rpartition("\n\n")[2]
    return before.cell_type == "markdown" and bool(ASKS.search(last))


def _folded(source: str, outputs: list[NotebookNode], prompts: dict[str, str]) -> NotebookNode:
    made: NotebookNode = new_code_cell(source, outputs=outputs)
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


def feedback_page(examples: list[tuple[Lesson, str, list[NotebookNode]]]) -> NotebookNode:
    """A page of checks, each of a lesson's component, with the outputs that the check shows."""
    cells = [new_markdown_cell(TEMPLATES.get_template("feedback.md.j2").render())]
    for lesson, component, outputs in examples:
        cells.append(new_markdown_cell(f"## Lesson {lesson.id[:2]}: `{component}`"))
        cells.append(new_code_cell(f'wb.check("{component}")', outputs=outputs))
    return _notebook(cells)


def glossary_page(terms: dict[str, str], used: dict[str, Lesson]) -> str:
    """The glossary as MyST: each term, what it means, and the lesson that uses it first."""
    entries = []
    for term, meaning in sorted(terms.items(), key=lambda entry: entry[0].lower()):
        lesson = used.get(term)
        where = f" [Lesson {lesson.id[:2]}](lessons/{lesson.id}.ipynb)." if lesson else ""
        entries.append(f"{term}\n  {meaning}{where}\n")
    return f"# Glossary\n\n{TERMS}\n\n:::{{glossary}}\n" + "\n".join(entries) + ":::\n"


def index_page(course: Course, readme: str, translator: str) -> str:
    """The front page: what README.md tells learners, the translator, and the site's contents."""
    text, _heading, _others = readme.partition("## Teach with it")
    text = re.sub(r"(?s)<!-- links -->.*?<!-- /links -->\n", "", text)
    cards = TEMPLATES.get_template("cards.md.j2").render(lessons=course.lessons, beyond=BEYOND)
    text = re.sub(r"(?s)(?<=<!-- lessons -->\n).*(?=<!-- /lessons -->)", cards, text)
    text = re.sub(r"<!-- /?[a-z]+ -->\n", "", text)

    def pictures(found: re.Match[str]) -> str:
        dark, alt, light = found.groups()
        files = {"light": ROOT / light, "dark": ROOT / dark}
        sizes = {theme: struct.unpack(">II", f.read_bytes()[16:24]) for theme, f in files.items()}
        return TEMPLATES.get_template("picture.html.j2").render(alt=alt, files=files, sizes=sizes)

    first = course.lessons[0]
    live = TEMPLATES.get_template("index.md.j2").render(
        translator=translator, lesson=first, badges=" ".join(course.opened_by(first).values())
    )
    before, picture, after = relinked(course, text, "README.md").partition("<picture>")
    text = PICTURE.sub(pictures, f"{before}{live}{picture}{after}")
    contents = {
        "Lessons": [f"lessons/{lesson.id}" for lesson in course.lessons],
        "The course": ["guides/students", "feedback-examples", "glossary"],
        **{heading: [f"guides/{name}" for name in names] for heading, names in GUIDES.items()},
    }
    contents["More"].append("guides/contributing")
    trees = [
        f":::{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(names) + "\n:::"
        for caption, names in contents.items()
    ]
    return "\n\n".join([text, *trees]) + "\n"


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
