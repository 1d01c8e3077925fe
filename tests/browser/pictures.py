"""Takes the pictures of README.md from the running course, light and dark: make pictures.

Each shows three cells of JupyterLab beside one another: the translator and where it looks, a check
that names a mistake, and Figure 1 of the paper with what the student has written so far.
"""

import html
import io
from base64 import b64encode
from pathlib import Path

import pytest
from PIL import Image

from autograder.authoring.prove.notebooks import saved_code
from autograder.lesson.course import read_course

COURSE = read_course()
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
MOST_BYTES = 150_000  # bytes of a file
COLORS = {"light": ("#ffffff", "#1f2328", "#d1d9e0"), "dark": ("#0d1117", "#f0f6fc", "#3d444d")}
MISTAKE = ("weights = scores.softmax(dim=-1)", "weights = scores.softmax(dim=-2)")
NAME = "scaled_dot_product_attention"
ATTENTION = COURSE.lesson("01-attention").components[NAME].source
# Caption, cell, and the part of its output that is shown.
SHOWN = [
    ("Play with a small translator, and break it", "wb.translator.explorer()", ""),
    (
        "Each part that passes lights up, and is your own",
        "wb.progress()",
        ".jp-RenderedHTMLCommon > svg",
    ),
    ("Fill the blanks: a check names the mistake", f'wb.check("{NAME}")', ""),
]
PAGE = """\
<style>
  main {{ display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 24px; padding: 20px;
    width: 1180px; background: {paper}; color: {ink}; font: 600 19px "DejaVu Sans", sans-serif }}
  body, figure {{ margin: 0 }} figure:last-child {{ grid-column: 1 / 3 }}
  figcaption {{ margin-bottom: 10px }}
  div {{ overflow: hidden; border: 1px solid {line}; border-radius: 8px }}
  img {{ display: block; margin: auto }} figure:nth-child(1) img {{ zoom: .82; margin: 0 }}
  figure:nth-child(2) img {{ width: 576px; height: 452px }}
  figure:nth-child(3) img {{ zoom: 1.3; margin: 0 }} figure:nth-child(3) div {{ height: 478px }}
</style>
<main>{figures}</main>"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_of_the_course_is_taken(lab, notebook, page, theme):
    before = saved_code(COURSE.lesson("08-full-model"))
    cells = [
        f'import transformer_workbook as wb\nwb.start("01-attention")\n{before}',
        "import math, torch\nfrom torch.nn import functional as F\n" + ATTENTION.replace(*MISTAKE),
        *(cell for _caption, cell, _part in SHOWN),
    ]
    lab.write("pictures/pictures.ipynb", cells)
    opened = notebook("pictures/pictures.ipynb")
    opened.theme(theme.capitalize())
    opened.run_all()
    assert opened.errors() == []
    figures = ""
    for index, (caption, _cell, part) in enumerate(SHOWN, start=2):
        output = opened.output(index).last
        taken = b64encode((output.locator(part) if part else output).screenshot()).decode()
        figures += (
            f"<figure><figcaption>{html.escape(caption)}</figcaption>"
            f'<div><img src="data:image/png;base64,{taken}"></div></figure>'
        )
    opened.close()
    paper, ink, line = COLORS[theme]
    page.set_content(PAGE.format(paper=paper, ink=ink, line=line, figures=figures))
    png = page.locator("main").screenshot()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(96)
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"course-{theme}.png"
    few.save(file, optimize=True)
    assert file.stat().st_size < MOST_BYTES
