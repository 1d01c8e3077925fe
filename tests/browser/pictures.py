"""Takes the pictures of README.md from the running course: make pictures.

One is the report on the demo's class. The others, light and dark, show three cells of JupyterLab:
the translator and where it looks, a check that names a mistake, and Figure 1 of the paper with what
the student has written so far; those of README.ko.md in Korean.
"""

import html
import io
from base64 import b64encode
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from autograder.authoring.guides import in_language
from autograder.authoring.prove.notebooks import saved_code
from autograder.authoring.site.executed import START_CELL
from autograder.demo import demo_command
from autograder.lesson.course import read_course

COURSE = read_course()
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
MOST_BYTES = 150_000  # bytes of a file
# Of the paper, the ink, lines, and JupyterLab's outputs.
COLORS = {
    "light": ("#ffffff", "#1f2328", "#d1d9e0", "#ffffff"),
    "dark": ("#0d1117", "#f0f6fc", "#3d444d", "#111111"),
}
WIDTHS = (1140, 1280, 1280)  # of the window, for each of SHOWN
MISTAKE = ("weights = scores.softmax(dim=-1)", "weights = scores.softmax(dim=-2)")
NAME = "scaled_dot_product_attention"
ATTENTION = COURSE.lesson("01-attention").components[NAME].source
# A cell, and the part of its output that is shown.
SHOWN = [("wb.translator.explorer()", ""), ("wb.progress()", "svg"), (f'wb.check("{NAME}")', "")]
CAPTIONS = {
    "en": [
        "Play with a small translator, and break it",
        "Each part that passes lights up, and is your own",
        "Fill the blanks: a check names the mistake",
    ],
    "ko": [
        "작은 번역기를 가지고 놀고 망가뜨립니다",
        "통과한 부품에 불이 켜지고, 내 것이 됩니다",
        "빈칸을 채우면 검사가 실수를 짚어 줍니다",
    ],
}
PAGE = (Path(__file__).parent / "pictures.html").read_text(encoding="utf-8")


def save(png: bytes, name: str) -> None:
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(96)
    few.save(FOLDER / name, optimize=True)
    assert (FOLDER / name).stat().st_size < MOST_BYTES


def test_a_picture_of_the_report_on_a_class_is_taken(page, tmp_path):
    """Its top, down to the table of what needs a person."""
    assert demo_command(tmp_path / "demo", Console(file=io.StringIO())) == 0
    page.set_viewport_size({"width": 1180, "height": 900})
    page.set_content((tmp_path / "demo" / "results" / "report.html").read_text(encoding="utf-8"))
    clip = {"x": 0, "y": 0, "width": 1180, "height": page.locator("#person").bounding_box()["y"]}
    save(page.screenshot(full_page=True, clip=clip), "report.png")


@pytest.mark.parametrize("language", CAPTIONS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_of_the_course_is_taken(lab, notebook, page, theme, language):
    before = saved_code(COURSE.lesson("08-full-model"))
    cells = [
        START_CELL.format(lesson="01-attention", language=language) + f"\n{before}",
        "import math, torch\nfrom torch.nn import functional as F\n" + ATTENTION.replace(*MISTAKE),
        *(cell for cell, _part in SHOWN),
    ]
    lab.write("pictures/pictures.ipynb", cells)
    opened = notebook("pictures/pictures.ipynb")
    opened.theme(theme.capitalize())
    opened.run_all()
    assert opened.errors() == []
    figures = ""
    for index, (caption, (_cell, part)) in enumerate(
        zip(CAPTIONS[language], SHOWN, strict=True), 2
    ):
        page.set_viewport_size({"width": WIDTHS[index - 2], "height": 900})
        output = opened.output(index).last
        taken = b64encode((output.locator(part) if part else output).screenshot()).decode()
        figures += (
            f"<figure><figcaption>{html.escape(caption)}</figcaption>"
            f'<div><img src="data:image/png;base64,{taken}"></div></figure>'
        )
    opened.close()
    paper, ink, line, panel = COLORS[theme]
    page.set_content(PAGE.format(paper=paper, ink=ink, line=line, panel=panel, figures=figures))
    png = page.locator("main").screenshot()
    save(png, in_language(f"course-{theme}.png", language))
