"""Every widget by keyboard and by mouse: the picture changes, and so do its words."""

import pytest

CELLS = {
    "soft_lookup": "wb.show.soft_lookup()",
    "position_dial": "wb.show.position_dial()",
    "mask_builder": "wb.show.mask_builder()",
    "noam_explorer": "wb.show.noam_explorer(wb.use('noam_lr'))",
    "number_explorer": (
        "make_model, greedy = wb.use('make_model', 'greedy_decode')\n"
        "words = wb.number_words\n"
        "wb.seed_everything(0)\n"
        "model = make_model(len(words.GERMAN), len(words.ENGLISH), d_model=16, num_heads=2,\n"
        "                   num_layers=1, d_ff=16)\n"
        "wb.number_explorer(model, greedy)"
    ),
    "explorer": "wb.translator.explorer()",
}
# How much of the shadow of a picture's frame is seen, and how far that ends before the frame does.
SHADOW = """picture => {
    const frame = picture.closest('[role=group]'), edge = frame.getBoundingClientRect().right;
    const shadow = frame.querySelector('[style*=gradient]');
    const [clip, seen] = [shadow.parentNode.parentNode, shadow].map(
        it => it.getBoundingClientRect());
    return [Math.min(clip.right, seen.right) - seen.left, edge - seen.right, innerWidth - edge];
}"""
START = "import transformer_workbook as wb"


class Explorer:
    """A widget in the browser: its controls, its picture, and the picture's words."""

    def __init__(self, opened, index: int):
        self.opened, self.page, self.cell = opened, opened.page, opened.cell(index)
        self.cell.scroll_into_view_if_needed()

    def __getitem__(self, selector: str):
        return self.cell.locator(selector)

    @property
    def picture(self) -> str:
        return self["img"].first.get_attribute("src")

    @property
    def words(self) -> str:
        return self["img"].first.get_attribute("alt")

    def press(self, selector: str, *keys: str) -> None:
        self[selector].first.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, selector: str, share: float) -> None:
        """Pulls a slider's handle to a share of its track with the mouse."""
        handle, track = self[selector].first.bounding_box(), self[".noUi-base"].first.bounding_box()
        self.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        self.page.mouse.down()
        target = track["x"] + share * track["width"]
        self.page.mouse.move(target, handle["y"] + handle["height"] / 2, steps=4)
        self.page.mouse.up()

    def step_up(self, selector: str) -> None:
        """Clicks the upper of the two small arrows in a box for a number."""
        box = self[selector].first
        box.hover()
        place = box.bounding_box()
        box.click(position={"x": place["width"] - 9, "y": place["height"] * 0.3})
        self.page.keyboard.press("Enter")

    def waits_for(self, *words: str) -> None:
        """Waits until the picture's words hold all of these."""
        self.page.wait_for_function(
            """([cell, words]) => {
                const image = cell.querySelector('img');
                return image && words.every(word => image.alt.includes(word));
            }""",
            arg=[self.cell.element_handle(), list(words)],
        )


@pytest.fixture(scope="module")
def opened(lab, shared_notebook):
    lab.write("widgets/widgets.ipynb", [START, *CELLS.values()])
    opened = shared_notebook("widgets/widgets.ipynb")
    opened.run_all()
    assert opened.errors() == []
    return opened


@pytest.fixture
def explorer(opened, request):
    return Explorer(opened, 1 + list(CELLS).index(request.param))


def use(name: str):
    return pytest.mark.parametrize("explorer", [name], indirect=True)


@use("soft_lookup")
def test_the_temperature_follows_keyboard_and_mouse(explorer):
    before = explorer.picture
    assert "temperature 1.00" in explorer.words
    explorer.press(".noUi-handle", "ArrowRight", "ArrowRight", "ArrowLeft")
    explorer.waits_for("temperature 1.05", "Weights: A 0.65")
    assert explorer.picture != before
    explorer.drag(".noUi-handle", 0.0)
    explorer.waits_for("temperature 0.05", "A 1.00", "Output: 10.0")


@use("mask_builder")
def test_the_masks_follow_keyboard_and_mouse(explorer):
    assert "<bos> may look at <bos>;" in explorer.words
    explorer.press('input[type="checkbox"]', "Space")
    explorer.waits_for("<pad> may look at <bos>, the, cat, sat, <pad>, <pad>.")
    explorer["label:has(input)"].nth(1).click()
    explorer.waits_for("<bos> may look at <bos>, the, cat, sat, <pad>, <pad>;")
    explorer["label:has(input)"].nth(0).click()
    explorer.waits_for("<bos> may look at <bos>, the, cat, sat;", "<pad> looks at <bos> 0.")


@use("number_explorer")
def test_a_number_is_typed_or_stepped_to(explorer):
    explorer.press('input[type="number"]', "Control+A")
    explorer.page.keyboard.type("21")
    explorer.page.keyboard.press("Enter")
    explorer.waits_for("21: einundzwanzig", "ein", "zwan", "zig")
    explorer.step_up('input[type="number"]')
    explorer.waits_for("22: zweiundzwanzig")


@use("explorer")
def test_parts_are_taken_out_by_keyboard_one_after_the_other(explorer):
    explorer.press("button", "Tab", "Space", "Tab", "Enter")
    explorer.waits_for("Without the mask that hides the future")


def test_every_control_can_be_reached_and_has_a_name(opened):
    for index, name in enumerate(CELLS, 1):
        controls = opened.cell(index).locator(".noUi-handle, input, button")
        assert controls.count() >= 1, name
        for control in controls.all():
            assert control.evaluate("node => node.tabIndex") >= 0, name
        assert opened.cell(index).locator("label, .widget-label").all_inner_texts(), name


def test_a_wide_picture_has_a_shadow_until_it_is_scrolled_to_its_end(opened):
    usual = opened.page.viewport_size
    opened.page.set_viewport_size({"width": 390, "height": 900})
    opened.command("application:toggle-left-area")
    for index, name in enumerate(CELLS, 1):
        picture = opened.cell(index).locator("img").first
        shadow, before_end, in_window = picture.evaluate(SHADOW)
        assert shadow > 20 and abs(before_end) < 1 and in_window >= 0, name
        picture.evaluate("picture => { picture.closest('[role=group]').scrollLeft = 999; }")
        assert picture.evaluate(SHADOW)[0] <= 0, name
    opened.page.set_viewport_size(usual)
    assert Explorer(opened, 1)["img"].first.evaluate(SHADOW)[0] <= 0


def test_after_a_restart_the_pictures_are_still_there_and_a_run_brings_the_controls_back(opened):
    opened.restart()
    explorer = Explorer(opened, 1)
    assert len(explorer.words) > 20
    opened.run(0)
    opened.run(1)
    explorer.waits_for("temperature 1.00")
    explorer.press(".noUi-handle", "ArrowRight")
    explorer.waits_for("temperature 1.05")


def test_nothing_is_fetched_from_a_network(opened, outside):
    assert outside == []
