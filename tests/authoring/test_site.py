"""The site's pages, as they are written for Sphinx. A built site is looked at in tests/browser."""

import dataclasses
import html
import re

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from the_course import PUBLISHED

import transformer_workbook as wb
from autograder.authoring import catalogues
from autograder.authoring.front_page import ADDRESS
from autograder.authoring.prove.leaks import solution_texts
from autograder.authoring.site import pages
from autograder.authoring.site.build import EXAMPLES, misconception, solutions_in
from autograder.authoring.site.links import pages_of, relinked
from autograder.authoring.site.real_runs import changed_since
from autograder.errors import AuthoringError
from autograder.language import speaking
from autograder.lesson.course import read_course
from autograder.lesson.notebook import student_notebook

UNNAMED = dataclasses.replace(read_course(), repository="")
LESSON = UNNAMED.lesson("00-warm-up")
RIGHT = "Your guess: (2, 3)\nIt is:      (2, 3)\nRight!\n"  # what `wb.reveal` says
SAID = pages.TEMPLATES.get_template("beside_cells.j2").make_module()
PIXEL = "bm90IHJlYWxseSBhIHBpY3R1cmU="


def made(course, figures):
    """Lesson 00's page, as if each cell had shown a box to use."""
    ran = pages.with_right_guesses(student_notebook(course, LESSON), LESSON)
    for cell in ran.cells:
        if cell.cell_type == "code":
            data = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"},
                    "text/html": f'<img src="data:image/png;base64,{PIXEL}" alt="a">'}  # fmt: skip
            text = new_output("stream", text=f"{cell.source[:4]}:\n{RIGHT}")
            cell.outputs = [text, new_output("display_data", data)]
    return pages.lesson_page(course, LESSON, ran, pages.glossary(), figures)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    figures = tmp_path_factory.mktemp("figures")
    return *made(UNNAMED, figures), figures


def tagged(cell):
    return cell.metadata.get("tags", [])


def test_a_lessons_page_has_pictures_as_files_and_no_widget(page):
    made, _linked, figures = page
    shown = [it.data for cell in made.cells for it in cell.get("outputs", []) if "data" in it]
    (figure,) = figures.iterdir()
    assert len(shown) > 10 and all(list(data) == ["text/html"] for data in shown)
    assert all(f'src="../_static/figures/{figure.name}" alt="a"' in d["text/html"] for d in shown)
    for lesson in UNNAMED.lessons:
        assert changed_since(lesson, student_notebook(UNNAMED, lesson).cells) == [], lesson.id
    (explorer,) = [i for i, c in enumerate(made.cells) if c.source == "wb.translator.explorer()"]
    assert made.cells[explorer + 1].source == SAID.still


def test_what_answers_a_guess_is_folded_and_what_a_check_says_is_left_out(page):
    text = "\n".join(cell.source for cell in page[0].cells)
    reveals = [c.source for c in LESSON.narrative if c.kind == "code" and "wb.reveal(" in c.source]
    answers = [c for c in page[0].cells if c.cell_type == "code" and "wb.reveal(" in c.source]
    assert reveals and [cell.source for cell in answers] == reveals
    assert text.count(SAID.guess) == len(reveals)
    for cell in answers:
        assert "hide-output" in tagged(cell)
        assert cell.outputs[0].text.endswith(":\nIt is: (2, 3)\n")
    for cell in (cell for cell in page[0].cells if cell.cell_type == "code"):
        if cell.source.startswith(("wb.check", "wb.hint")) or "wb.answer(" in cell.source:
            assert not cell.outputs
    assert "wb.start(" not in text and "wb.finish()" not in text
    assert text.startswith("# 0 · Warm-up") and "It takes about" in text


def test_where_a_lesson_asks_what_comes_out_that_is_folded(page):
    shown = {cell.source: tagged(cell) for cell in page[0].cells if cell.cell_type == "code"}
    asked = 'wb.translator.compare(7, 54, 45, without="positions")'
    assert shown[asked] == ["hide-output"]
    assert shown["wb.translator.explorer()"] == []


def test_a_cell_that_answers_guesses_gets_right_ones(capsys):
    calls = ["if 1:\n    wb.reveal(shape, (2, 3))", "wb.reveal(output)"]
    cells = new_notebook(cells=[new_code_cell(call) for call in calls])
    first, second = pages.with_right_guesses(cells, UNNAMED.lesson("01-attention")).cells
    assert second.source == "output = 14.25\nwb.reveal(output)"
    exec(compile(first.source, "a-cell", "exec"), {"wb": wb})
    assert capsys.readouterr().out == RIGHT
    assert pages.compared().sub("", RIGHT) == "It is: (2, 3)\n"
    with speaking("ko"):
        exec(compile(first.source, "a-cell", "exec"), {"wb": wb})
        assert pages.compared().sub("", capsys.readouterr().out) == "정답: (2, 3)\n"


def test_a_page_says_that_it_is_to_be_read_and_how_to_open_the_lesson(page, tmp_path):
    unnamed = page[0].cells[0].source
    assert "a page to read" in unnamed and "git clone ADDRESS" in unnamed and ADDRESS in unnamed
    assert "jupyter lab course/00-warm-up/warm-up.ipynb" in unnamed
    published = made(PUBLISHED, tmp_path)[0].cells[0].source
    assert "a page to read" in published and published.count("[![Open in ") == 2
    assert "ADDRESS" not in published


def test_first_uses_of_terms_lead_to_the_glossary(page):
    text = "\n".join(cell.source for cell in page[0].cells)
    assert {"encoder", "decoder", "heads"} <= page[1]
    assert text.count("{term}`heads`") == 1
    glossary = pages.glossary_page({"heads": "Several.", "key": "One."}, {"heads": LESSON})
    assert "heads\n  Several. [Lesson 00](lessons/00-warm-up.ipynb)." in glossary
    assert len(pages.glossary()) > 30


@pytest.mark.parametrize("id", EXAMPLES)
def test_the_examples_of_feedback_are_known(id):
    assert misconception(UNNAMED.lesson(id), *EXAMPLES[id]).says
    with pytest.raises(AuthoringError, match="no misconception 'none'"):
        misconception(UNNAMED.lesson(id), EXAMPLES[id][0], "none")


def test_links_lead_to_pages_or_into_the_repository():
    text = "[a](../tests/corpus/README.md) [b](students.md#start) [c](https://x.org) [d](#e)"
    rest = "[b](students.md#start) [c](https://x.org) [d](#e)"
    assert relinked(UNNAMED, text, "docs/feedback.md") == f"a {rest}"
    address = f"{PUBLISHED.repository}/blob/main/tests/corpus/README.md"
    assert relinked(PUBLISHED, text, "docs/feedback.md") == f"[a]({address}) {rest}"
    text = "[![badge](https://x.org/b.svg)](course/00-warm-up/warm-up.ipynb)"
    for language in ("en", "ko"):
        linked = relinked(UNNAMED, text, "README.md", language)
        assert linked.endswith("](lessons/00-warm-up.ipynb)")


def test_a_page_without_a_translation_is_linked_in_english():
    text = "[a](../01-attention/attention.ipynb) [b](../../../docs/feedback.md)"
    two = dataclasses.replace(UNNAMED, lessons=UNNAMED.lessons[:2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "languages_of", lambda _course, one: ["ko"] * (one == LESSON))
        linked = relinked(two, text, LESSON.path("ko"), "ko")
    (attention, feedback) = re.findall('href="(.*?)" hreflang="en"', linked)
    assert attention == "../../lessons/01-attention.html"
    assert feedback == "../../guides/feedback.html"


def test_the_first_page_has_the_picture_the_lessons_and_all_pages():
    made = pages.index_page(UNNAMED, "<p>translator</p>\n")
    assert made.count(' href="_static/course-') == 2 and "<picture>" not in made
    for page in {*pages_of(UNNAMED).values()} - {"index.md"}:
        assert re.search(rf"(?m)^{page.rpartition('.')[0]}$", made), page
    assert made.count("](lessons/") == len(UNNAMED.lessons) + 1


def test_a_solution_on_a_page_is_found(tmp_path):
    (tmp_path / "lessons").mkdir()
    for name in ("index", "feedback-examples", "glossary", "lessons/00-warm-up"):
        (tmp_path / f"{name}.html").write_text("<p>nothing</p>")
    assert list(solutions_in(UNNAMED, tmp_path)) == []
    (what, solution), *_others = solution_texts(LESSON)
    colored = "".join(f"<span class='n'>{html.escape(letter)}</span> " for letter in solution)
    (tmp_path / "lessons" / "00-warm-up.html").write_text(f"<pre>{colored}</pre>")
    (found, *_more) = solutions_in(UNNAMED, tmp_path)
    assert f"00-warm-up.html holds {what}: " in found
