"""What a student writes in Markdown runs and loads nothing where an instructor reads it."""

import html
import random
import re
import time
from functools import cache

import pytest
from bs4 import BeautifulSoup
from hostile.prose import ADDRESSES, PROSE, TEX
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import markdown2html
from nbformat.v4 import new_markdown_cell, new_notebook
from traitlets.config import Config

from autograder.nbgrader.settings import configure
from autograder.reports.feedback import clean
from autograder.submissions.prose import LONGEST, inert

FINE = [
    "Only the strides change.",
    "It's (n - 1)/2, isn't it? Yes: 50% of them; \"always\".\n\n1. one\n2. two\n- three",
]


class Page:
    """Tags with their attributes, and the text outside code, entities decoded."""

    def __init__(self, source: str):
        page = BeautifulSoup(source, "html.parser")
        self.tags: list[tuple[str, dict]] = [(tag.name, tag.attrs) for tag in page.find_all()]
        texts = [
            (words.find_parent(["pre", "code"]), words) for words in page.find_all(string=True)
        ]
        self.code = "".join(words for is_code, words in texts if is_code)
        self.prose = "".join(words for is_code, words in texts if not is_code)


def assert_harmless(source: str) -> Page:
    page = Page(source)
    for tag, attributes in page.tags:
        assert tag not in {"img", "script", "style", "iframe", "svg", "form", "base", "input"}
        assert attributes.keys() <= ({"href", "rel"} if tag == "a" else set()), attributes
        if "href" in attributes:
            assert re.match(r"(https?://|mailto:)\w", attributes["href"]), attributes
    macros = r"\\(href|url|style|class|cssId|require|unicode|f?colorbox|bbox|mmlToken|include)"
    assert not re.search(macros, page.prose)
    return page


@cache
def exporter() -> HTMLExporter:
    """As formgrader makes it, but for its own parts of the page, with the course's settings."""
    config = Config()
    configure(config)
    config.HTMLExporter.template_name = "formgrade"
    return HTMLExporter(config=config)


def exported(sources: list[str], **resources: str) -> list[str]:
    """The cells as formgrader shows them."""
    notebook = new_notebook(cells=[new_markdown_cell(source) for source in sources])
    known = {"base_url": "", "index": 0, "total": 1, "submission_id": "", "notebook_path": "x"}
    page, _ = exporter().from_notebook_node(notebook, {**known, **resources})
    return [page, *re.findall(
        r'<div class="text_cell_render[^>]*>(.*?)\n</div>\n</div>\s*</div>', page, re.DOTALL
    )]  # fmt: skip


@pytest.mark.parametrize("prose", PROSE)
def test_prose_is_harmless_once_it_is_rendered(prose):
    start = time.perf_counter()
    made = inert(prose)
    assert_harmless(markdown2html(made))
    assert_harmless(clean(made))
    assert_harmless(clean(prose))
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("prose", [*PROSE, *FINE, "x*" * LONGEST, "[x](y)" * 200])
def test_prose_that_is_inert_stays_as_it_is(prose):
    made = inert(prose)
    assert inert(made) == made


def test_formgrader_shows_prose_as_one_piece_each():
    page, *cells = exported([inert(prose) for prose in PROSE])
    assert len(cells) == len(PROSE)
    for cell in cells:
        assert_harmless(cell)
    assert 'class="mermaid"' not in page.replace(" ", "")


@pytest.mark.parametrize("name", ["student", "first_name", "last_name", "notebook_path"])
def test_names_run_nothing_in_formgrader(name):
    known = {"first_name": "Amina", "last_name": "Khan", name: '"><img src=x onerror=alert(1)>'}
    if name == "student":
        known |= {"first_name": "", "last_name": ""}
    page = exported(["x"], **known)[0]
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page or "&quot;&gt;&lt;img" in page


def test_prose_of_many_marks_in_any_order_is_harmless():
    draw = random.Random(5)
    marks = [
        *"[]()<>!`*_~#\\$&;:|\n ", "[x]", "](", "![", "]: ", "<a href=", "\n\n", "```", "~~~",
        "&#106;", "javascript:", "data:", "&lt;", "</div>", "<div>", "\\\\(", "$$", "\\href{",
        "&colon;", "mermaid", "<!--", "\n> ", "\n- ", "\n    ", "\n---\n", "| a |",
        *draw.sample(ADDRESSES, 6), *draw.sample(TEX, 6),
    ]  # fmt: skip
    for _ in range(400):
        prose = "".join(draw.choices(marks, k=draw.randint(2, 40)))
        made = inert(prose)
        assert_harmless(markdown2html(made))
        assert inert(made) == made, prose


def test_formulas_code_and_comparisons_look_as_they_are_written():
    prose = (
        "If $a < b$ then `a < b && x[0](y)`, and a <b.\n\n"
        "$$\n\\frac{1}{\\sqrt{d_k}} \\text{ for } i<j\n$$\n\n"
        "```python\nfor i in range(3):  # <all>\n\n    x[i]: int = '&lt;'\n```\n\n"
        "&lt; &amp; ![a graph](https://example.org/g.png) [PyTorch](https://pytorch.org/?a=1&b=2)"
    )
    page = assert_harmless(markdown2html(inert(prose)))
    assert "If $a < b$ then" in page.prose and "and a <b." in page.prose
    assert "$$\n\\frac{1}{\\sqrt{d_k}} \\text{ for } i<j\n$$" in page.prose
    assert "< & [picture, not shown: a graph https://example.org/g.png]" in page.prose
    assert "a < b && x[0](y)" in page.code
    assert "for i in range(3):  # <all>\n\n    x[i]: int = '&lt;'\n" in page.code
    (link,) = [attributes for tag, attributes in page.tags if tag == "a"]
    assert link["href"] == "https://pytorch.org/?a=1&b=2"


@pytest.mark.parametrize("prose", FINE)
def test_plain_sentences_stay_as_they_are(prose):
    assert inert(prose) == prose


@pytest.mark.parametrize("heading", ["# question_strides", "question_strides\n---", "x\n - - -"])
def test_no_heading_takes_the_id_of_a_field_for_points(heading):
    assert all("id" not in attributes for _, attributes in Page(exported([inert(heading)])[1]).tags)


def test_a_students_own_html_is_shown_as_text():
    page = assert_harmless(markdown2html(inert("<div>\n<b onclick=x>bold</b>\n</div>")))
    assert "<b onclick=x>bold</b>" in page.prose


def test_prose_of_any_length_is_shown_in_time():
    assert "<em>" in clean("*so*")
    long = "\\\\[<b>" * 5000
    assert html.unescape(clean(long)) == f"<pre>{long}</pre>"
    assert html.unescape(clean(inert(long))) == f"<div><pre>{long}</pre></div>"


def test_an_address_in_an_instructors_comment_stays_readable():
    said = clean("See [the docs](https://pytorch.org) and ![a graph](attachment:g.png).")
    assert "See the docs (https://pytorch.org)" in said and "attachment:g.png" in said
