"""The model as a page to print: the student's own code, in order, and what is missing."""

import subprocess
from html.parser import HTMLParser

import pytest

import transformer_workbook as wb
from autograder.lesson.course import read_course
from transformer_workbook.own_code import printed, store
from transformer_workbook.shared.language import say

COURSE = read_course()
BUILT = {
    name: component
    for lesson in COURSE.lessons
    if lesson.id <= printed.LAST
    for name, component in lesson.components.items()
    if not component.is_bug_hunt
}


class Words(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.words = []
        self.feed(page)

    def handle_data(self, data):
        self.words.append(data)


def wording_of(page: str) -> str:
    return "".join(Words(page).words)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path))
    store.forget(*BUILT)
    yield tmp_path
    store.forget(*BUILT)


def test_every_component_of_the_model_has_its_place():
    assert set(printed.QUOTES) == set(BUILT)  # None where the paper has no sentence


def test_what_is_missing_is_named(capsys):
    store.save("split_heads", BUILT["split_heads"].source, [])
    page = wording_of(wb.print_model().page)
    assert "def split_heads(x, num_heads):" in page
    assert "LayerNorm is missing: write it in lesson 03." in page
    assert "split_heads" not in capsys.readouterr().out


def test_code_is_printed_as_it_was_written_but_for_docstrings_and_imports():
    source = (
        "def merge_heads(x):\n"
        '    """Says what it does."""\n'
        "    if x < 1 and '<b>' in 'é & \\n':  # a < b\n"
        '        text = """two\n  lines"""\n'
        "    return split_heads(x, 1)"
    )
    store.save("merge_heads", source, ["split_heads"])
    page = wb.print_model().page
    assert "Says what" not in page and "wb.use" not in page and "import math" not in page
    for line in ("if x < 1 and '<b>' in 'é & \\n':  # a < b", 'text = """two', 'lines"""'):
        assert line in wording_of(page)
    assert "return split_heads(x, 1)" in page


def test_a_notebook_shows_the_page_and_names_the_file(home):
    shown = wb.print_model()
    assert shown.path == home / "my_transformer.html" and shown.path.read_text() == shown.page
    assert "srcdoc=" in shown._repr_html_() and "my_transformer.html" in repr(shown)


def test_the_reference_fits_on_one_sheet(chromium, home):
    for name, component in BUILT.items():
        store.save(name, component.source, [])
    path, pdf = wb.print_model().path, home / "page.pdf"
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run([*command, f"--print-to-pdf={pdf}", path.as_uri()], check=True, timeout=120)
    assert b"/Count 1\n" in pdf.read_bytes() or b"/Count 1 " in pdf.read_bytes()


def test_long_lines_are_broken_between_words_and_lines_stay_lines(capsys):
    names = ["PositionwiseFeedForward", "LearnedPositionalEmbedding", "sinusoidal_encoding"] * 3
    say("So far: " + ", ".join(names) + "\n  indented")
    say("see " + "x" * 120)
    *lines, indented, see, too_long = capsys.readouterr().out.splitlines()
    assert (indented, see, too_long) == ("  indented", "see", "x" * 120)
    assert all(len(line) <= 88 for line in lines)
    assert " ".join(lines).removeprefix("So far: ").split(", ") == names
