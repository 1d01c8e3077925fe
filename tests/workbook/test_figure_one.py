"""Figure 1 as a map: each component has one place, each place says its state in several ways."""

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from transformer_workbook.diagnosis.recorded_lessons import index
from transformer_workbook.show import figure_one
from transformer_workbook.show.figure_one import HATCH, LIT, PARTS, draw, more_parts, part_of
from transformer_workbook.show.gpt import gpt

OF_LESSONS = [name for lesson in index()["lessons"].values() for name in lesson["components"]]
COMPONENTS = [name for name in OF_LESSONS if part_of(name)]
HALF = {"split_heads", "LayerNorm", "PositionalEncoding", "Decoder", "target_mask", "noam_lr"}
STAGES = [set(), HALF, set(COMPONENTS)]


def boxes(picture):
    """The drawn boxes, hatches that lie over them left out."""
    patches = picture.figure.axes[0].findobj(FancyBboxPatch)
    return [patch for patch in patches if patch.get_hatch() is None]


def box_at(picture, part_name, index=0):
    part = next(part for part in PARTS if part.name == part_name)
    place = part.boxes[index]
    return next(box for box in boxes(picture) if (box.get_x(), box.get_y()) == (place.x, place.y))


def texts_with_extents(picture):
    renderer = FigureCanvasAgg(picture.figure).get_renderer()
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for text in picture.figure.findobj(Text)
        if text.get_visible() and text.get_text().strip()
    ]


@pytest.mark.parametrize("component", COMPONENTS)
def test_each_component_belongs_to_exactly_one_part(component):
    assert sum(part.components.count(component) for part in PARTS) == 1
    assert component in part_of(component).components


def test_no_part_stands_for_anything_else():
    assert {name for part in PARTS for name in part.components} <= set(OF_LESSONS)
    assert part_of("softmax_of_nothing") is None


def test_a_part_is_built_when_all_its_components_are():
    states = {
        part.name: part.state({"LayerNorm", "TokenEmbedding", "SublayerConnection", "Encoder"})
        for part in PARTS
    }
    assert states["add_norm"] == states["embedding"] == "done"
    assert states["encoder"] == "partly"
    assert states["decoder"] == "open"


def test_the_text_alternative_names_every_part_with_its_state():
    alt = draw({"LayerNorm", "MultiHeadAttention"}, {"SublayerConnection"}).alt
    lines = alt.splitlines()
    assert len(lines) == 1 + len(PARTS)
    assert "1 of 16 parts" in lines[0]
    assert "Lesson 02, Multi-head attention: built (has MultiHeadAttention)." in lines
    assert (
        "Lesson 03, Add & norm: partly built, part of this lesson (to build: SublayerConnection)."
        in lines
    )
    assert "Lesson 04, Feed forward: to build (to build: PositionwiseFeedForward)." in lines


def test_a_built_part_is_filled_and_ticked():
    picture = draw({"MultiHeadAttention"})
    assert [box.get_facecolor() for box in boxes(picture)].count(
        box_at(picture, "multi_head").get_facecolor()
    ) == 3 + 1  # its three places, and the legend
    ticks = [text for text, _ in texts_with_extents(picture) if text == "✓"]
    assert len(ticks) == 3 + 1
    assert LIT != HATCH


def test_a_partly_built_part_is_hatched_and_counted():
    picture = draw({"padding_mask", "causal_mask"})
    hatched = [p for p in picture.figure.axes[0].findobj(FancyBboxPatch) if p.get_hatch()]
    place = part_of("padding_mask").boxes[0]
    assert (place.x, place.y) in [(patch.get_x(), patch.get_y()) for patch in hatched]
    assert "2/3" in [text for text, _ in texts_with_extents(picture)]


def test_a_current_part_has_a_heavy_outline_built_or_not():
    for done in STAGES:
        picture = draw(done, {"LayerNorm"})
        heavy = box_at(picture, "add_norm", 4).get_linewidth()
        assert heavy > 3 * box_at(picture, "feed_forward").get_linewidth()


def test_a_part_can_be_current_by_its_own_name():
    assert draw(set(), {"training"}).alt == draw(set(), {"train_step"}).alt


def test_a_misspelt_current_component_is_named():
    with pytest.raises(ValueError, match="LayerNrom.*expected.*LayerNorm"):
        draw(set(), {"LayerNrom"})


def test_finished_things_that_the_figure_does_not_show_are_left_aside():
    assert draw({"bug_hunt_1"}).alt == draw(set()).alt


@pytest.mark.parametrize("done", STAGES, ids=["empty", "half", "full"])
def test_no_text_overlaps_another_or_leaves_the_picture(done):
    picture = draw(done, COMPONENTS)
    texts = texts_with_extents(picture)
    width, height = picture.figure.canvas.get_width_height()
    for text, extent in texts:
        assert extent.x0 >= 0 and extent.y0 >= 0, text
        assert extent.x1 <= width and extent.y1 <= height, text
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        assert not first.overlaps(second), f"{one!r} overlaps {other!r}"


LESSONS = sorted({part.lesson for part in PARTS})


def of_lessons_before(lesson):
    return {name for part in PARTS if part.lesson < lesson for name in part.components}


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_map_grows_with_the_course_and_its_text_stays_readable(lesson):
    here = {name for part in PARTS if part.lesson == lesson for name in part.components}
    picture = draw(of_lessons_before(lesson), here, lesson)
    parts = [line for line in picture.alt.splitlines() if line.startswith("Lesson")]
    assert len(parts) == sum(part.lesson <= lesson for part in PARTS)
    texts = texts_with_extents(picture)
    width, height = picture.figure.canvas.get_width_height()
    for text, extent in texts:
        assert extent.x0 >= 0 and extent.y0 >= 0, text
        assert extent.x1 <= width and extent.y1 <= height, text
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        assert not first.overlaps(second), f"{one!r} overlaps {other!r}"


def test_in_lesson_00_there_are_the_two_stacks_and_one_part():
    picture = draw(set(), {"split_heads"}, "00")
    texts = [text for text, _extent in texts_with_extents(picture)]
    assert {"Encoder", "Decoder", "Tensor moves"} <= set(texts)
    assert "Masks: who may look where" not in texts and "Add & norm" not in texts


def test_what_is_built_ahead_of_its_lesson_is_on_the_map():
    assert "Lesson 04, Feed forward: built" in draw({"PositionwiseFeedForward"}, (), "00").alt


def test_a_component_that_the_figure_does_not_know_gets_a_box_of_its_own():
    lessons = {
        "08-full-model": ("The full model", ["Generator"]),
        "13-decoder-only": ("Decoder-only", ["CausalLM", "next_token_loss", "generate"]),
        "14-more": ("More of it", ["one"]),
    }
    more = more_parts(lessons)
    assert [part.label for part in more] == ["Decoder-only", "More of it"]
    picture = draw({*COMPONENTS, "generate"}, {"CausalLM"}, "14", more)
    assert "Lesson 13, Decoder-only: partly built" in picture.alt
    texts = texts_with_extents(picture)
    width, height = picture.figure.canvas.get_width_height()
    assert all(extent.x1 <= width and extent.y1 <= height for _text, extent in texts)
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        assert not first.overlaps(second), f"{one!r} overlaps {other!r}"


def test_the_parts_that_are_counted_are_those_that_are_listed():
    assert "0 of 4 parts" in draw(set(), (), "03").alt
    more = more_parts({"13-decoder-only": ("Decoder-only", ["CausalLM"])})
    assert "16 of 17 parts" in draw(set(COMPONENTS), (), "13", more).alt
    assert "17 of 17 parts" in draw({*COMPONENTS, "CausalLM"}, (), "13", more).alt


def test_lessons_beyond_the_paper_say_so():
    more = more_parts({"13-decoder-only": ("Decoder-only", ["CausalLM"])})
    alt = draw({"fuse"}, (), "13", more, beyond=["12", "13"]).alt
    marked = [line for line in alt.splitlines() if "(beyond the paper)" in line]
    assert [line[:9] for line in marked] == ["Lesson 12", "Lesson 13"]


def test_by_lesson_08_all_of_figure_1_is_there():
    figure = [part.name for part in PARTS if part.lesson <= "08"]
    alt = draw(set(), (), "08").alt
    assert alt.count("Lesson") == len(figure) == 12


def test_a_gpt_stands_beside_figure_1_and_its_text_is_readable():
    picture = gpt()
    texts = texts_with_extents(picture)
    width, height = picture.figure.canvas.get_width_height()
    for text, extent in texts:
        assert extent.x0 >= 0 and extent.x1 <= width, text
        assert extent.y0 >= 0 and extent.y1 <= height, text
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        assert one == "✗" or other == "✗" or not first.overlaps(second), (one, other)
    # The encoder's six boxes and its name, cross-attention with its add & norm, and the legend.
    assert [text for text, _extent in texts].count("✗") == 6 + 2 + 1
    assert "Left out" in picture.alt and "Changed" in picture.alt


@pytest.mark.parametrize("done", STAGES, ids=["empty", "half", "full"])
def test_text_that_begins_in_a_box_stays_in_it(done):
    picture = draw(done)
    extents = [box.get_window_extent() for box in boxes(picture)]
    for text, extent in texts_with_extents(picture):
        for box in extents:
            if box.overlaps(extent):
                assert box.x0 <= extent.x0 and extent.x1 <= box.x1, text
                assert box.y0 <= extent.y0 and extent.y1 <= box.y1, text


def test_boxes_do_not_overlap():
    places = [box for part in PARTS for box in part.boxes]
    for one, other in itertools.combinations(places, 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
        assert apart, (one, other)
    assert all(box.x + box.width <= figure_one.WIDTH for box in places)
