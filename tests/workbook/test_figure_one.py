"""Figure 1 as a map: each component has one place, each place says its state in several ways."""

from xml.etree import ElementTree

import pytest

import transformer_workbook as wb
from transformer_workbook.checks import lit_figure
from transformer_workbook.diagnosis.recorded_lessons import index
from transformer_workbook.shared.language import speaking
from transformer_workbook.shared.probing import module_name
from transformer_workbook.show.drawing import LESSONS, SVG
from transformer_workbook.show.figure_one import draw

OF_LESSONS = {id: lesson["components"] for id, lesson in index()["lessons"].items()}
COMPONENTS = [name for names in OF_LESSONS.values() for name in names]


def as_far_as(lesson):
    return LESSONS / lesson / "figures" / "figure-1.svg"


FULL = as_far_as(module_name([*OF_LESSONS][-1]))
MODEL = as_far_as("full_model")


def part(picture, title):
    root = ElementTree.fromstring(picture.svg)
    return root.find(f"{{{SVG}}}g[@data-part='{title}']")


def marks(picture, title):
    return {mark.get("class") for mark in part(picture, title)} - {None}


@pytest.mark.parametrize("component", COMPONENTS)
def test_each_component_belongs_to_exactly_one_part(component):
    root = ElementTree.parse(FULL).getroot()
    groups = root.findall(f"{{{SVG}}}g[@data-components]")
    assert [component in group.get("data-components").split() for group in groups].count(True) == 1


def test_the_text_alternative_names_every_part_with_its_state():
    lines = draw(MODEL, {"LayerNorm", "MultiHeadAttention"}, {"SublayerConnection"}).alt.split("\n")
    assert len(lines) == 1 + 12
    assert "1 of 12 parts" in lines[0]
    assert "Lesson 02, Multi-head attention: built (has MultiHeadAttention)." in lines
    assert (
        "Lesson 03, Add & norm: partly built, part of this lesson (to build: SublayerConnection)."
        in lines
    )
    assert "Lesson 04, Feed forward: to build (to build: PositionwiseFeedForward)." in lines


def test_a_part_says_its_state_without_color():
    picture = draw(FULL, {"MultiHeadAttention", "padding_mask", "causal_mask"}, {"Encoder"})
    hidden = "Masks: who may look where"
    built, partly = part(picture, "Multi-head attention"), part(picture, hidden)
    assert "✓" in "".join(built.itertext())
    texts = [text.strip() for text in partly.itertext()]
    assert {"2/3", "✓ padding_mask", "✓ causal_mask", "target_mask"} <= set(texts)
    assert marks(picture, "Multi-head attention") == {"done"}
    assert marks(picture, hidden) == {"partly"}
    assert marks(picture, "Encoder: N × layer") == {"current"}
    assert marks(picture, "Decoder: N × layer") == set()


def test_a_misspelt_current_component_is_named():
    with pytest.raises(ValueError, match="LayerNrom.*expected.*LayerNorm"):
        draw(FULL, set(), {"LayerNrom"})


def test_finished_things_that_the_figure_does_not_show_are_left_aside():
    assert draw(FULL, {"bug_hunt_1"}).alt == draw(FULL, set()).alt


def test_lessons_beyond_the_paper_say_so():
    lines = draw(FULL, {"fuse"}).alt.splitlines()
    marked = [line[:9] for line in lines if "(beyond the paper)" in line]
    assert marked == ["Lesson 12", "Lesson 13", "Lesson 14", "Lesson 15"]


class TestProgress:
    @pytest.fixture
    def at(self, monkeypatch):
        def at(lesson, *done):
            monkeypatch.setattr(lit_figure, "current_lesson", lambda: lesson)
            monkeypatch.setattr(lit_figure, "saved", lambda: set(done))

        return at

    @pytest.mark.parametrize("lesson", OF_LESSONS)
    def test_the_map_grows_with_the_course(self, at, lesson):
        before = [name for id in OF_LESSONS if id < lesson for name in OF_LESSONS[id]]
        at(lesson, *before)
        lines = wb.progress().alt.splitlines()[1:]
        assert max(line[7:9] for line in lines) == lesson[:2]
        here = [line for line in lines if line[7:9] == lesson[:2]]
        assert here and all("part of this lesson" in line for line in here)
        assert all(": built" in line for line in lines if line not in here)

    def test_what_is_built_ahead_of_its_lesson_is_on_the_map(self, at):
        at("00-warm-up", "PositionwiseFeedForward")
        assert "Lesson 04, Feed forward: built" in wb.progress().alt

    def test_without_a_lesson_all_of_it_is_there(self, at):
        at(None)
        assert "0 of 19 parts" in wb.progress().alt
        with speaking("ko"):
            assert "레슨 04, 피드 포워드: 만들 것" in wb.progress().alt

    def test_a_notebook_gets_the_drawing_and_its_text(self, at):
        at("00-warm-up")
        picture = wb.progress("split_heads")
        bundle = picture._repr_mimebundle_()
        assert picture.svg in bundle["text/html"] and bundle["text/plain"] == picture.alt
        assert "part of this lesson" in repr(picture)
