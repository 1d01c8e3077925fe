"""The pictures that never change: drawn again they are the same bytes, and each can be read."""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.textpath import TextPath

from autograder.authoring import figures
from autograder.authoring.svg import Figure
from autograder.errors import AuthoringError
from autograder.lesson.course import read_course
from transformer_workbook.show import picture

COURSE = read_course()
DRAWN = figures.derive_map(COURSE) | figures.derive_map(COURSE, "ko")
for lesson, language in itertools.product(COURSE.lessons, ("en", "ko")):
    DRAWN |= figures.derive(lesson, lesson.catalogue(language))
fontManager.addfont(picture.FONT)
FONTS = FontProperties(family=["DejaVu Sans", FontProperties(fname=picture.FONT).get_name()])
SVG = "{http://www.w3.org/2000/svg}"


def extents(root):
    """Text and box of each text as wide as DejaVu Sans, which is wider than most fonts, has it."""
    for text in root.iter(f"{SVG}text"):
        if "transform" in text.attrib:  # stands upright, with room around
            continue
        words = "".join(text.itertext())
        size, x, y = (float(text.get(name)) for name in ("font-size", "x", "y"))
        box = TextPath((0, 0), words.replace("$", r"\$"), size=size, prop=FONTS).get_extents()
        left = x - {"middle": box.width / 2, "end": box.width}.get(text.get("text-anchor"), 0)
        yield words, (left, y + -box.y1, left + box.width, y - box.y0)


def rects(root):
    for rect in root.iter(f"{SVG}rect"):
        x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
        yield x, y, x + width, y + height


def overlap(one, other):
    return min(one[2], other[2]) - max(one[0], other[0]) > 1 and (
        min(one[3], other[3]) - max(one[1], other[1]) > 1
    )


@pytest.mark.parametrize("path", DRAWN)
def test_texts_stay_in_the_picture_and_in_their_boxes_and_apart(path):
    root = ElementTree.fromstring(DRAWN[path])
    _x, _y, width, height = map(float, root.get("viewBox").split())
    texts = list(extents(root))
    assert texts
    for words, (left, top, right, bottom) in texts:
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, words
        for box in rects(root):
            if box[0] <= left < box[2] and box[1] <= (top + bottom) / 2 < box[3]:
                assert right <= box[2] and bottom <= box[3], f"{words} leaves {box}"
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        # A part has a tick and a count, of which a student sees one at most.
        if not (one == "✓" and "/" in other):
            assert not overlap(first, second), f"{one!r} overlaps {other!r}"


@pytest.mark.parametrize("path", DRAWN)
def test_it_has_the_page_s_ink_and_ground(path):
    root = ElementTree.fromstring(DRAWN[path])
    assert root.get("role") == "img" and root.get("fill") == "currentColor"
    for shape in root.iter():
        # Translucent, so that the page's ink is legible on it in both themes.
        if shape.tag == f"{SVG}rect" and shape.get("fill") != "none":
            assert float(shape.get("fill-opacity")) <= 0.55


@pytest.mark.parametrize("path", DRAWN)
def test_on_a_phone_it_scrolls_before_its_letters_are_too_small(path):
    root = ElementTree.fromstring(DRAWN[path])
    least, width = int(re.search(r"\d+(?=px)", root.get("style"))[0]), float(root.get("width"))
    smallest = min(float(text.get("font-size")) for text in root.iter(f"{SVG}text"))
    assert least >= 640 or round(least / width * smallest) >= 11


def test_the_head_of_an_arrow_has_the_color_of_its_line():
    figure = Figure(100, 50, "arrow", "")
    figure.arrow([(0, 0), (50, 0)], stroke="#009E73")
    line, head = ElementTree.fromstring(figure.svg()).iter(f"{SVG}path")
    assert head.get("fill") == line.get("stroke") == "#009E73"


def test_indices_are_lowered_and_markup_is_escaped():
    figure = Figure(100, 50, "a < b", "")
    figure.text(50, 25, "d_{k} < W^{Q}")
    root = ElementTree.fromstring(figure.svg())
    (text,) = root.iter(f"{SVG}text")
    assert "".join(text.itertext()) == "dk < WQ"
    assert [float(part.get("dy")) for part in text] == [3, -3, -5]
    assert root.findtext(f"{SVG}title") == "a < b"


def test_two_pictures_of_one_name_are_refused():
    course = replace(COURSE, lessons=[COURSE.lesson("03-add-and-norm")] * 2)
    with pytest.raises(AuthoringError, match="two lessons have a picture 'norm_axes'"):
        figures.derive_map(course)
