"""Check and hint in a real notebook: wrong, right, kept, found again; legible in both themes."""

import json

import pytest

from transformer_workbook.diagnosis.recorded_lessons import recorded

LESSON = "01-attention/attention.ipynb"
RIGHT = """def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -1e9)
    weights = scores.softmax(-1)
    return (weights if dropout is None else dropout(weights)) @ value, weights
"""
HOSTILE = """def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    raise ValueError("</td></table></div><h1 id='broken-out'>x</h1>"
                     "<img src='https://example.invalid/x.png' onerror='document.title=`stolen`'>")
"""

# The contrast of each piece of text with what is below it, as WCAG 2.2 defines it.
CONTRASTS = """cell => {
    const parse = text => text.match(/[0-9.]+/g).map(Number);
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const over = layers => {
        canvas.clearRect(0, 0, 1, 1);
        for (const layer of layers) {
            canvas.fillStyle = layer;
            canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => [r, g, b]
        .map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const node = walker.currentNode.parentElement;
        if (!text || !node.getClientRects().length) continue;
        const grounds = [];
        let opacity = 1;
        for (let at = node; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            grounds.unshift(style.backgroundColor);
            opacity *= Number(style.opacity);
        }
        const ground = over(['white', ...grounds]);
        const colour = getComputedStyle(node).color;
        canvas.globalAlpha = opacity;
        const ink = over(['white', ...grounds, colour]);
        canvas.globalAlpha = 1;
        const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
        found.push([text, (high + 0.05) / (low + 0.05)]);
    }
    return found;
}"""


def places(lab, path: str) -> dict[str, int]:
    """Where each named answer and check cell stands in the notebook."""
    cells = json.loads((lab.folder / path).read_text(encoding="utf-8"))["cells"]
    named = {}
    for place, cell in enumerate(cells):
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id:
            named[grade_id] = place
        elif "".join(cell["source"]).startswith("wb.hint("):
            named.setdefault("hint", place)
    return named


@pytest.fixture(scope="module")
def opened(shared_notebook):
    return shared_notebook(LESSON)


@pytest.fixture
def lesson(opened):
    opened.run(1)
    return opened


def test_a_wrong_filling_is_explained_a_right_one_is_kept_and_found_again(lab, lesson):
    at = places(lab, LESSON)
    answer, check = at["scaled_dot_product_attention"], at["test_scaled_dot_product_attention"]
    lesson.run(answer)
    assert "still empty: scores, scale" in lesson.run(check)
    assert lesson.errors() == []
    lesson.screenshot("check-open", lesson.cell(check))

    lesson.write_and_run(answer, RIGHT.replace("query.shape[-1] ** 0.5", "1"))
    said = lesson.run(check)
    assert "The scores reach the softmax without being scaled" in said and "still empty" not in said
    lesson.screenshot("check-wrong", lesson.cell(check))

    lesson.run(at["hint"])
    said = lesson.run(at["hint"])
    assert "of 3 for scores" in said and "There is another hint" in said
    lesson.screenshot("hint", lesson.cell(at["hint"]))

    lesson.write_and_run(answer, RIGHT)
    said = lesson.run(check)
    count = len(recorded("01-attention", "scaled_dot_product_attention").expected)
    assert f"all {count} checks passed" in said and "not scaled" not in said
    lesson.screenshot("check-right", lesson.cell(check))
    assert (lab.folder / "my_transformer/scaled_dot_product_attention.py").is_file()

    lesson.restart()
    said = lesson.run(1)
    assert "Your own code that is here so far: scaled_dot_product_attention" in said
    lesson.screenshot("check-restarted")


def test_a_check_can_be_read_in_both_themes_and_unfolded_by_keyboard(lab, lesson):
    at = places(lab, LESSON)
    answer, check = at["scaled_dot_product_attention"], at["test_scaled_dot_product_attention"]
    lesson.write_and_run(answer, RIGHT.replace("query.shape[-1] ** 0.5", "1"))
    lesson.run(check)
    lesson.run(at["hint"])
    shown = lesson.output(check)
    assert not shown.locator("details table").is_visible()
    shown.locator("summary").focus()
    lesson.page.keyboard.press("Enter")
    assert shown.locator("details table").is_visible()
    assert "as many queries as keys" in shown.locator("details").inner_text()
    for theme in ("Light", "Dark"):
        lesson.theme(theme)
        for place in (check, at["hint"]):
            found = lesson.output(place).first.evaluate(CONTRASTS)
            assert len(found) >= 2
            for text, contrast in found:
                assert contrast >= 4.5, f"{theme}: {text!r} has a contrast of {contrast:.1f}"
        lesson.screenshot(f"check-{theme.lower()}", lesson.cell(check))
        lesson.screenshot(f"hint-{theme.lower()}", lesson.cell(at["hint"]))


def test_what_a_student_s_code_says_stays_text(lab, lesson, outside):
    at = places(lab, LESSON)
    answer, check = at["scaled_dot_product_attention"], at["test_scaled_dot_product_attention"]
    lesson.write_and_run(answer, HOSTILE)
    said = lesson.run(check)
    assert "onerror='document.title=stolen'" in said  # code between backquotes, and no markup
    assert lesson.page.locator("#broken-out").count() == 0
    assert "stolen" not in lesson.page.title()
    assert not [address for address in outside if "example.invalid" in address]
    lesson.screenshot("check-hostile", lesson.cell(check))
