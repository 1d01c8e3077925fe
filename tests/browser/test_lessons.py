"""Lessons as a student meets them: open, run, fill a blank wrongly and then rightly, come back."""

import json

import pytest

LESSON = "01-attention/attention.ipynb"


def places(lab, path: str) -> dict[str, int]:
    """Where each named answer and check cell stands in the notebook."""
    cells = json.loads((lab.folder / path).read_text(encoding="utf-8"))["cells"]
    named = {}
    for place, cell in enumerate(cells):
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id:
            named[grade_id] = place
    return named


def write_and_run(opened, place: int, source: str) -> None:
    """Replace a cell's text as typing does, and run it with the keyboard."""
    editor = opened.cell(place).locator(".cm-content")
    editor.click()
    opened.page.keyboard.press("Control+A")
    opened.page.keyboard.insert_text(source)
    opened.page.keyboard.press("Control+Enter")
    opened.wait_until_idle()


def run_cell(opened, place: int) -> str:
    """Run a cell by the keyboard; what it says, once it says something."""
    opened.cell(place).locator(".cm-content").click()
    opened.page.keyboard.press("Control+Enter")
    opened.wait_until_idle()
    opened.output(place).first.wait_for(timeout=15_000)
    opened.page.wait_for_timeout(500)  # an old output is taken away, then the new one is drawn
    return opened.text(place)


@pytest.fixture
def lesson(lab, notebook):
    opened = notebook(LESSON)
    opened.run_all(180)
    return opened


RIGHT = """def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -1e9)
    weights = scores.softmax(-1)
    return (weights if dropout is None else dropout(weights)) @ value, weights
"""


def test_a_wrong_filling_is_explained_a_right_one_is_kept_and_found_again(lab, lesson):
    at = places(lab, LESSON)
    answer, check = at["scaled_dot_product_attention"], at["test_scaled_dot_product_attention"]
    assert lesson.errors() == []
    assert "still empty: scores, scale" in lesson.text(check)
    lesson.screenshot("attention-open", lesson.cell(check))

    write_and_run(lesson, answer, RIGHT.replace("query.shape[-1] ** 0.5", "1"))
    said = run_cell(lesson, check)
    assert "The scores are not scaled" in said and "still empty" not in said
    lesson.screenshot("attention-wrong", lesson.cell(check))

    write_and_run(lesson, answer, RIGHT)
    said = run_cell(lesson, check)
    assert "all 6 checks passed" in said and "not scaled" not in said
    lesson.screenshot("attention-right", lesson.cell(check))
    assert (lab.folder / "my_transformer/scaled_dot_product_attention.py").is_file()

    lesson.page.evaluate(
        "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    lesson.page.wait_for_timeout(3000)
    lesson.wait_until_idle()
    said = run_cell(lesson, 1)
    assert "Your own code that is here so far: scaled_dot_product_attention" in said
    lesson.screenshot("attention-restarted")


def test_a_widget_follows_the_keyboard(lesson):
    output = lesson.page.locator(".jp-OutputArea-output:has(.noUi-handle)").first
    output.scroll_into_view_if_needed()
    before = output.locator("img").first.get_attribute("alt")
    output.locator(".noUi-handle").first.focus()
    for _ in range(5):
        lesson.page.keyboard.press("ArrowRight")
    lesson.wait_until_idle()
    lesson.page.wait_for_timeout(1500)
    after = output.locator("img").first.get_attribute("alt")
    lesson.screenshot("attention-widget")
    assert "temperature" in before
    assert after != before
