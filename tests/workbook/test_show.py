"""Pictures: what they say, what they hold, what they refuse, and that they leave nothing behind."""

import html
import importlib
import itertools
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import ipywidgets
import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import transformer
from autograder.lessons import four_words
from transformer_workbook import show
from transformer_workbook.shared.language import speaking
from transformer_workbook.show import Picture, heat_map, heat_maps, lines, tensors, widgets
from transformer_workbook.show.drawing import LESSONS
from transformer_workbook.show.picture import (
    DIVERGING,
    HANGUL,
    INK,
    MUTED,
    PAPER,
    SEQUENTIAL,
    _style,
)

FOLDER = Path(show.__file__).parent
LESSONS_OF_PICTURES = [file.parent.name for file in LESSONS.glob("*/pictures.py")]
TOKENS = ["the", "cat", "sat", "on", "the", "mat"]
PAST = torch.ones(6, 6).cumsum(1) <= torch.ones(6, 6).cumsum(0)


def test_hangul_is_drawn_where_no_font_for_it_is_installed(monkeypatch):
    usual = [font for font in fontManager.ttflist if font.name not in HANGUL]
    monkeypatch.setattr(fontManager, "ttflist", usual)
    drawn = []
    for text in ("가", "나"):  # boxes in their place would be alike
        with matplotlib.rc_context(_style.__wrapped__()):
            canvas = FigureCanvasAgg(Figure())
            canvas.figure.text(0.5, 0.5, text)
            canvas.draw()
        drawn.append(np.asarray(canvas.buffer_rgba()).copy())
    assert not np.array_equal(*drawn)


def pictures_of(lesson):
    return importlib.import_module(f"transformer_workbook.lessons.{lesson}.pictures").__all__


def beam():
    rows = [
        (0, None, "<bos>", 0.0, True),
        (1, 0, "twenty", -0.3, True),
        (2, 0, "thirty", -1.9, False),
        (3, 1, "one", -0.5, True),
        (4, 1, "two", -2.2, False),
    ]
    return [
        dict(zip(("id", "parent", "token", "log_prob", "kept"), row, strict=True)) for row in rows
    ]


def chain(depth):
    """A tree that grows at its first node alone, with a second, pruned child at each step."""
    nodes = [{"id": 0, "parent": None, "token": "<bos>", "log_prob": 0.0, "kept": True}]
    for step in range(1, depth):
        for kept in (True, False):
            parent = (step - 1, True) if step > 1 else 0
            node = {"id": (step, kept), "parent": parent, "token": "hundred", "kept": kept}
            nodes.append(node | {"log_prob": -10.0 * step})
    return nodes


def weights(*shape):
    return torch.softmax(torch.randn(*shape, generator=torch.Generator().manual_seed(1)), dim=-1)


PICTURES = {
    "heat_map": lambda: heat_map(weights(5, 6), TOKENS[:5], TOKENS, "Weights", column_axis="key"),
    "heat_map of signs": lambda: heat_map(torch.eye(4) - 0.5, title="Signs"),
    "heat_map of one cell": lambda: heat_map(
        [[1]], title="A long title above a single little cell"
    ),
    "heat_map, large": lambda: heat_map(weights(40, 60), title="Large"),
    "heat_map, long labels": lambda: heat_map(
        weights(3, 12), columns=[f"understanding{n}" for n in range(12)], title="Long labels"
    ),
    "heads": lambda: show.heads(weights(4, 6, 6), TOKENS, TOKENS, "Heads"),
    "heads, eight": lambda: show.heads(weights(8, 12, 16)),
    "heads, one": lambda: show.heads(weights(1, 3, 5)),
    "heads of many words": lambda: show.heads(weights(4, 16, 16), 16 * ["word"], 16 * ["word"]),
    "alignment": lambda: show.alignment(weights(3, 4), "ein und zwan zig", "twenty one </s>"),
    "curves": lambda: show.curves(
        {"one": [0, 1, 2], "two": ([0, 1, 2], [0, 1, 2.02]), "three": [2, 1, 0]},
        "Three curves",
        x_label="x",
        y_label="y",
        mark=(1, "here"),
    ),
    "shapes": lambda: show.shapes(
        [("x", (2, 5, 12)), ("cut", (2, 5, 3, 4)), ("swap", "N, H, T, d_k")]
    ),
    "shapes, six": lambda: show.shapes(
        [(f"step {n}", (16, 128, 128, 64)) for n in range(6)], "Six"
    ),
    "softmax_saturation": lambda: show.softmax_saturation(),
    "soft_lookup": lambda: show.soft_lookup(),
    "positions": lambda: show.positions(),
    "position_dial": lambda: show.position_dial(),
    "masks": lambda: show.masks("<bos> the cat sat <pad> <pad>"),
    "mask_builder": lambda: show.mask_builder(),
    "parameters": lambda: show.parameters({"attention": 1_000_000, "feed-forward": 2_000_000}),
    "schedule": lambda: show.schedule(),
    "schedule beside yours": lambda: show.schedule(64, 400, 2000, yours=lambda *_: 1e-3),
    "noam_explorer": lambda: show.noam_explorer(),
    "smoothed_target": lambda: show.smoothed_target(["<pad>", *TOKENS[:4]], "cat"),
    "tree": lambda: show.tree(beam(), "Beam"),
    "tree, deep": lambda: show.tree(chain(9), "Deep"),
}


@pytest.fixture(params=PICTURES, scope="module")
def picture(request):
    return PICTURES[request.param]()


class TestEveryPicture:
    def test_every_function_is_tried_here(self):
        tried = {name.split(",")[0].split(" of ")[0].split(" beside ")[0] for name in PICTURES}
        of_lessons = {name for lesson in LESSONS_OF_PICTURES for name in pictures_of(lesson)}
        assert tried == (set(show.__all__) | of_lessons) - {"Picture", "Drawing"}

    def test_is_a_picture_with_a_text_alternative(self, picture):
        assert isinstance(picture, Picture)
        assert len(str(picture)) > 20
        assert "{" not in picture.alt

    def test_fits_a_notebook(self, picture):
        assert 3 <= picture.figure.get_figwidth() <= 9
        assert 1 <= picture.figure.get_figheight() <= 14
        assert picture.png.startswith(b"\x89PNG")
        assert len(picture.png) < 300_000

    def test_no_text_overlaps_another_or_leaves_the_picture(self, picture, monkeypatch):
        canvas = FigureCanvasAgg(picture.figure)
        canvas.draw()  # the layout settles in the first drawing
        written, draw = [], Text.draw

        def draw_and_note(text, renderer, *args, **kwargs):
            # Only what is drawn counts: an axis keeps labels of ticks that it does not show.
            if text.get_visible() and text.get_text().strip():
                written.append(text)
            return draw(text, renderer, *args, **kwargs)

        monkeypatch.setattr(Text, "draw", draw_and_note)
        canvas.draw()
        assert written
        width, height = canvas.get_width_height()
        texts = [
            (text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in written
        ]
        for text, extent in texts:
            assert extent.x0 >= -1 and extent.y0 >= -1, text
            assert extent.x1 <= width + 1 and extent.y1 <= height + 1, text
        for (one, first), (other, second) in itertools.combinations(texts, 2):
            # A few pixels of slack: the boxes include room for letters that reach above and below.
            overlap_x = min(first.x1, second.x1) - max(first.x0, second.x0)
            overlap_y = min(first.y1, second.y1) - max(first.y0, second.y0)
            assert overlap_x <= 1 or overlap_y <= 3, f"{one!r} overlaps {other!r}"
        for axes in (axes for axes in picture.figure.axes if axes.images):
            for number in axes.texts:
                corners = np.add(number.get_position(), [[-0.5, 0.5], [0.5, -0.5]])
                (left, bottom), (right, top) = axes.transData.transform(corners)
                extent = number.get_window_extent(canvas.get_renderer())
                assert left <= extent.x0 and extent.x1 <= right and top - bottom >= extent.height

    def test_has_an_opaque_ground(self, picture):
        assert picture.figure.get_facecolor()[3] == 1


PRICES = r"from $5 to \bad$"  # read as a formula, it is one with an error


@pytest.mark.parametrize(
    "draw",
    [
        lambda: heat_map(weights(2, 2), title=PRICES, row_axis=PRICES, column_axis=PRICES),
        lambda: show.heads(weights(2, 2, 2), title=PRICES),
        lambda: show.alignment(weights(1, 2), "a b", "c", PRICES),
        lambda: show.tree(beam(), PRICES),
        lambda: show.curves(
            {PRICES: [0, 1]}, PRICES, x_label=PRICES, y_label=PRICES, mark=(0, PRICES)
        ),
        lambda: show.shapes([(PRICES, PRICES)], PRICES),
        lambda: show.parameters({PRICES: 3}, PRICES),
    ],
)
def test_dollar_signs_in_texts_are_no_formulas(draw):
    picture = draw()
    assert picture.png  # a formula in error would raise here
    texts = [text.get_text() for text in picture.figure.findobj(Text) if "$" in text.get_text()]
    assert texts and not any("$" in text.replace(r"\$", "") for text in texts), texts
    assert PRICES in picture.alt


class ImageReader(HTMLParser):
    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.attributes = dict(attributes)


def test_the_alternative_is_escaped_and_survives_as_it_was():
    alt = 'tokens "<bos>" & <script>alert(1)</script> it\'s'
    markup = Picture(Figure(), alt)._repr_html_()
    parser = ImageReader()
    parser.feed(markup)
    assert markup.count("<img ") == 1 and "<script" not in markup
    assert parser.attributes["alt"] == alt
    assert (parser.attributes["width"], parser.attributes["height"]) == ("640", "480")


def test_a_notebook_gets_the_image_and_its_text():
    picture = heat_map([[1.0, 2.0]])
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == str(picture) == picture.alt
    assert "http" not in bundle["text/html"]


def test_a_picture_can_be_saved(tmp_path):
    picture = heat_map([[1.0, 2.0]])
    assert picture.save(tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in picture.save(tmp_path / "map.svg").read_bytes()


def test_pyplot_is_neither_loaded_nor_needed():
    code = (
        "import sys; from transformer_workbook.show import heat_map;"
        "heat_map([[1]]).png; sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_figure_from_pyplot_is_closed_so_that_it_does_not_show_twice():
    backend = matplotlib.rcParams["backend"]
    matplotlib.use("agg")
    from matplotlib import pyplot

    figure = pyplot.figure()
    Picture(figure, "a figure of the student's own")
    assert not pyplot.fignum_exists(figure.number)
    matplotlib.use(backend)


def test_a_student_s_own_style_changes_nothing():
    plain = heat_map([[1.0, 2.0]], title="map").png
    with matplotlib.rc_context({"text.color": "red", "font.size": 30, "axes.facecolor": "black"}):
        before = dict(matplotlib.rcParams)
        assert heat_map([[1.0, 2.0]], title="map").png == plain
        assert dict(matplotlib.rcParams) == before


TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)  # sRGB's primaries


def linear(colour):
    values = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast of two colours as WCAG 2.2 defines it, from 1 to 21."""
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


class TestColours:
    def test_contrast_is_measured_as_wcag_does(self):
        assert contrast("black", "white") == pytest.approx(21)
        assert contrast("#767676", "white") == pytest.approx(4.54, abs=0.01)

    def test_the_first_lines_stand_out_from_the_paper(self):
        for colour, _ in lines.STYLES[:4]:
            assert contrast(colour, PAPER) >= 3, colour

    def test_words_can_be_read(self):
        words = [lines.LABEL_COLORS.get(colour, colour) for colour, _ in lines.STYLES]
        for colour in (*words, INK, MUTED):
            assert contrast(colour, PAPER) >= 4.5, colour
        for ground in tensors.HEAD_TINTS:
            assert contrast(INK, ground) >= 4.5, ground

    def test_numbers_can_be_read_on_every_colour_of_a_scale(self):
        for scale in (SEQUENTIAL, DIVERGING):
            for value in np.linspace(0, 1, 200):
                colour = scale(value)
                assert contrast(heat_maps.legible_on(colour), colour) >= 4.5


class TestHeatMap:
    @pytest.mark.parametrize(
        "matrix",
        [
            torch.tensor([[1.0, 2.0]], requires_grad=True),
            torch.tensor([[1.0, 2.0]], dtype=torch.bfloat16),
            torch.tensor([[1, 2]]),
            np.array([[1, 2]]),
            [[1, 2]],
        ],
    )
    def test_takes_tensors_arrays_and_lists(self, matrix):
        shown = heat_map(matrix).figure.axes[0].images[0].get_array()
        assert shown.tolist() == [[1.0, 2.0]]

    @pytest.mark.parametrize(
        ("matrix", "message"),
        [
            (torch.zeros(2, 3, 4), r"tensor of shape \(2, 3, 4\).*2 axes.*\[0\]"),
            (torch.zeros(2, 3, 4, 5), r"\(2, 3, 4, 5\).*\[0, 0\]"),
            (np.zeros(3), r"array of shape \(3,\).*\[None\]"),
            (torch.zeros(0, 3), r"\(0, 3\).*nothing to draw"),
        ],
    )
    def test_says_which_shape_came_and_what_to_try(self, matrix, message):
        with pytest.raises(ValueError, match=message):
            heat_map(matrix)

    def test_zeros_are_grey(self):
        texts = heat_map([[0.0, 0.004, 0.5]]).figure.axes[0].texts
        assert [text.get_color() == MUTED for text in texts] == [True, True, False]

    def test_says_how_many_labels_came(self):
        with pytest.raises(ValueError, match=r"6 labels in columns \(the, cat.*axis 1.*has 3"):
            heat_map(torch.zeros(2, 3), columns=TOKENS)

    def test_says_that_a_mask_does_not_fit(self):
        with pytest.raises(ValueError, match=r"mask of shape \(2, 2\).*\(2, 3\)"):
            heat_map(torch.zeros(2, 3), mask=torch.ones(2, 2))

    def test_long_axes_have_labels_and_no_numbers(self):
        tokens = [f"t{place}" for place in range(42)]
        axes = heat_map(np.ones((2, 42)), ["a", "b"], tokens).figure.axes[0]
        assert [label.get_text() for label in axes.get_xticklabels()] == tokens[::2]

    def test_labels_both_axes(self):
        axes = heat_map(weights(2, 3), "a b", ["x", "y", "z"]).figure.axes[0]
        assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
        assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y", "z"]

    def test_prints_values_in_a_small_matrix_only(self):
        small = [text.get_text() for text in heat_map([[-0.001, 0.75]]).figure.axes[0].texts]
        assert small == ["0.00", "0.75"]
        assert not list(heat_map(weights(20, 20)).figure.axes[0].texts)

    @pytest.mark.parametrize("hidden", ["mask", "infinite"])
    def test_hidden_cells_are_hatched_not_coloured(self, hidden):
        matrix = weights(6, 6)
        if hidden == "mask":
            picture = heat_map(matrix, mask=PAST[None, None])
        else:
            picture = heat_map(torch.where(PAST, matrix, -torch.inf))
        axes = picture.figure.axes[0]
        hatched = [patch for patch in axes.findobj(Rectangle) if patch.get_hatch()]
        assert len(hatched) == 15
        assert np.ma.getmaskarray(axes.images[0].get_array()).sum() == 15
        assert "15 hidden cells" in picture.alt

    def test_the_text_says_where_each_row_is_largest(self):
        alt = heat_map([[0.1, 0.9], [0.7, 0.3]], "q0 q1", "k0 k1").alt
        assert "row q0: largest at k1 (0.9); row q1: largest at k0 (0.7)" in alt

    def test_a_row_that_is_all_hidden_is_said_to_be(self):
        mask = torch.tensor([[True, True], [False, False]])
        assert "row 1: all hidden" in heat_map(torch.ones(2, 2), mask=mask).alt

    def test_a_matrix_without_a_finite_value_is_drawn(self):
        assert heat_map([[float("nan")] * 2]).png


class TestHeads:
    def test_all_heads_share_one_scale(self):
        axes = show.heads(weights(3, 2, 4)).figure.axes[:3]
        assert len({axes.images[0].get_clim() for axes in axes}) == 1

    def test_says_that_a_batch_came(self):
        with pytest.raises(ValueError, match=r"heads.*\(2, 3, 4, 5\).*\(H, T_q, T_k\).*\[0\]"):
            show.heads(torch.zeros(2, 3, 4, 5))


def test_an_alignment_rings_and_names_each_target_s_strongest_source():
    crossing = [[0.1, 0.1, 0.8], [0.7, 0.2, 0.1]]
    picture = show.alignment(crossing, "ein und zwanzig", "twenty one")
    rings = [p for p in picture.figure.axes[0].findobj(Rectangle) if p.get_linewidth() > 2]
    assert [(round(ring.get_x()), round(ring.get_y())) for ring in rings] == [(2, 0), (0, 1)]
    assert "twenty at zwanzig (0.80); one at ein (0.70)" in picture.alt


def test_an_alignment_rings_nothing_where_nothing_is_a_number():
    picture = show.alignment([[float("nan")] * 2, [0.2, 0.8]], "a b", "c d")
    rings = [p for p in picture.figure.axes[0].findobj(Rectangle) if p.get_linewidth() > 2]
    assert [(round(ring.get_x()), round(ring.get_y())) for ring in rings] == [(1, 1)]
    assert "c at nothing, for none of its weights is a number; d at b (0.80)" in picture.alt
    assert show.alignment([[float("nan")] * 2], "a b", "c").png


def test_an_alignment_of_several_heads_is_their_mean():
    both = show.alignment(torch.tensor([[[1.0, 0.0]], [[0.5, 0.5]]]), "a b", "c")
    assert both.figure.axes[0].images[0].get_array().tolist() == [[0.75, 0.25]]


class TestCurves:
    def test_lines_differ_by_dashes_as_well_as_colour(self):
        lines = show.curves({str(n): [n, n + 1] for n in range(7)}).figure.axes[0].lines
        assert len({line.get_color() for line in lines}) == 7
        # Dashes are scaled by the line's width; the pattern itself is what tells lines apart.
        assert len({str(line._unscaled_dash_pattern) for line in lines}) == 7

    def test_labels_stand_at_the_ends_of_their_lines(self):
        axes = show.curves({"low": [5, 0], "high": ([0, 3], [0, 5])}).figure.axes[0]
        assert {text.get_text(): text.xy for text in axes.texts} == {"low": (1, 0), "high": (3, 5)}

    def test_x_and_y_of_different_lengths_are_named(self):
        with pytest.raises(ValueError, match="3 x values and 2 y values for 'loss'"):
            show.curves({"loss": ([1, 2, 3], [1, 2])})

    def test_large_numbers_are_said_as_they_are_read(self):
        alt = show.curves({"rate": ([1, 20_000], [0.5, 1024])}).alt
        assert "rate: from 0.5 at 1 to 1,024 at 20,000" in alt

    def test_something_else_than_a_dictionary_is_refused(self):
        with pytest.raises(TypeError, match="called with a list.*dictionary"):
            show.curves([1, 2, 3])

    def test_a_curve_with_gaps_is_drawn(self):
        assert show.curves({"loss": [1.0, float("nan"), 2.0, float("nan")]}).png


def test_softmax_saturates_without_the_scale_alone():
    largest, gradient = show.softmax_saturation((4, 1024)).figure.axes
    (plain, scaled), (plain_gradient, scaled_gradient) = (
        [line.get_ydata() for line in axes.lines] for axes in (largest, gradient)
    )
    assert plain[-1] > 0.9 and scaled[-1] < 0.4
    assert plain_gradient[-1] < 0.3 * plain_gradient[0]
    # The numbers that lesson 01 states; the means of a hundred times as many rows are the same.
    _largest, gradient = show.softmax_saturation((16, 64, 1024)).figure.axes
    plain, scaled = (line.get_ydata() for line in gradient.lines)
    assert plain == pytest.approx([0.276, 0.176, 0.053], abs=0.006)
    assert scaled == pytest.approx([0.303, 0.305, 0.305], abs=0.006)
    assert scaled_gradient[-1] == pytest.approx(scaled_gradient[0], rel=0.2)


def test_a_hidden_number_is_printed_where_it_matters():
    hidden, mask = [[3.0, 0.0]], torch.tensor([[True, False]])
    for values, printed in ((None, ["3"]), ("all", ["3", "0"])):
        axes = heat_map(hidden, mask=mask, values=values).figure.axes[0]
        assert [text.get_text() for text in axes.texts] == printed


def test_a_tree_shows_what_its_nodes_are_ranked_by():
    nodes = [node | {"score": -0.25} for node in beam()]
    picture = show.tree(nodes, "Beam")
    assert all("-0.25" in text.get_text() for text in picture.figure.axes[0].texts[1:])
    assert "with its score" in picture.alt and "(-0.25)" in picture.alt


@pytest.mark.parametrize("d_model", [6, 7])
def test_positions_are_those_of_the_paper(d_model):
    shown = show.positions(9, d_model).figure.axes[0].images[0].get_array()
    for position, feature in np.ndindex(9, d_model):
        angle = position / 10000 ** (feature // 2 * 2 / d_model)
        expected = np.cos(angle) if feature % 2 else np.sin(angle)
        assert shown[position, feature] == pytest.approx(expected, abs=1e-9)


class TestMasks:
    def test_padding_causal_and_both(self):
        padding, causal, both = (
            ~np.ma.getmaskarray(axes.images[0].get_array())
            for axes in show.masks("a b c <pad>").figure.axes
        )
        past = np.tril(np.ones((4, 4), bool))
        real = np.array([True, True, True, False])
        assert (padding == real).all()
        assert (causal == past).all()
        assert (both == (past & real)).all()

    def test_a_row_that_sees_nothing_is_said_to(self):
        assert "may look at nothing" in show.masks("<pad> a").alt


def test_parameters_are_sorted_and_shared_out():
    alt = show.parameters({"small": 25, "large": 75}).alt
    assert "100 parameters: large 75 (75.0 %); small 25 (25.0 %)" in alt


def test_a_single_parameter_is_one_and_none_are_none():
    assert show.parameters({"a": 1, "b": 0}).alt.startswith("1 parameter: a 1 (100.0 %);")
    assert show.parameters({"a": 0}).alt == "0 parameters: a 0 (0.0 %)."


@pytest.mark.parametrize("warmup", [1, 400, 4000])
def test_the_schedule_is_the_paper_s(warmup):
    steps, rates = show.schedule(512, warmup).figure.axes[0].lines[0].get_data()
    expected = 512**-0.5 * np.minimum(steps**-0.5, steps * warmup**-1.5)
    np.testing.assert_allclose(rates, expected, rtol=1e-9)


def test_the_smoothed_target_sums_to_one_and_leaves_padding_out():
    figure = show.smoothed_target(["<pad>", *"abcde"], "c", smoothing=0.2).figure
    one_hot, smoothed = figure.axes[0].containers
    shares = [bar.get_height() for bar in smoothed]
    assert shares == pytest.approx([0, 0.05, 0.05, 0.8, 0.05, 0.05])
    for bar, place in zip(smoothed, one_hot, strict=True):  # above the same label
        assert bar.get_center()[0] == pytest.approx(place.get_center()[0])


class TestTree:
    def test_names_every_path_and_what_became_of_it(self):
        lines = show.tree(beam()).alt.splitlines()
        assert "kept: <bos> twenty one (-0.50)" in lines
        assert "pruned: <bos> thirty (-1.90)" in lines

    @pytest.mark.parametrize("nodes", [beam(), chain(4), chain(9)], ids=["beam", "4", "9"])
    def test_labels_stay_in_their_boxes(self, nodes):
        axes = show.tree(nodes).figure.axes[0]
        FigureCanvasAgg(axes.figure).draw()
        labels = [text.get_window_extent() for text in axes.texts if text.get_text()]
        boxes = [patch.get_window_extent() for patch in axes.patches]
        assert len(labels) == len(boxes) == len(nodes)
        for label, box in zip(labels, boxes, strict=True):
            assert box.x0 <= label.x0 and label.x1 <= box.x1
            assert box.y0 <= label.y0 and label.y1 <= box.y1


class TestWidgets:
    CASES = (
        ("soft_lookup", 0.1, "temperature 0.10"),
        ("position_dial", 20, "position 20"),
        ("mask_builder", False, "may look at <bos>, the, cat, sat, <pad>, <pad>"),
        ("noam_explorer", 64, "d_model = 64"),
    )

    @pytest.fixture
    def live(self, monkeypatch):
        monkeypatch.setattr(widgets, "live_widgets", lambda: ipywidgets)

    def test_without_a_kernel_there_is_a_picture(self):
        assert widgets.live_widgets() is None

    @pytest.mark.parametrize(("name", "value", "expected"), CASES)
    def test_a_change_of_value_draws_anew(self, live, name, value, expected):
        box = getattr(show, name)()
        *controls, view = box.children
        before, text_before = view.value, box.alt
        controls[0].value = value
        assert view.value != before
        assert box.alt != text_before
        assert expected in box.alt

    @pytest.mark.parametrize("name", [case[0] for case in CASES])
    def test_controls_start_where_the_picture_does(self, live, monkeypatch, name):
        box = getattr(show, name)()
        *controls, view = box.children
        first = view.value
        # Away and back again: the picture that the controls stand for is the one shown first.
        control = controls[0]
        there = control.value
        control.value = (not there) if isinstance(there, bool) else control.max
        assert view.value != first
        control.value = there
        assert view.value == first

    def test_the_query_can_be_turned(self, live):
        box = show.soft_lookup()
        _temperature, angle, _view = box.children
        angle.value = 180
        assert "C 0.67. Output: 25.8." in box.alt

    def test_a_page_without_a_kernel_gets_the_picture(self, live):
        box = show.soft_lookup()
        bundle = box._repr_mimebundle_()
        assert bundle["text/html"] == box.children[-1].value
        assert bundle["text/plain"] == box.alt
        assert "application/vnd.jupyter.widget-view+json" in bundle

    def test_the_weights_under_a_mask_are_in_its_words(self):
        alt = show.mask_builder("a b <pad>").alt
        assert "a looks at a 1.00; b looks at a 0." in alt


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", ["gpt", "norm_axes", "reshape_moves", "cache"])
def test_a_drawing_is_found_by_its_name_and_is_in_the_notebook_s_language(name, language):
    with speaking(language):
        drawing = getattr(show, name)()
    assert bool(re.search("[가-힣]", drawing.svg)) == (language == "ko")
    title, description = drawing.alt.split("\n")
    assert len(title) > 10 and len(description) > 100
    assert f"<desc>{html.escape(description, False)}" in drawing.svg


def test_a_drawing_can_be_saved(tmp_path):
    assert show.gpt().save(tmp_path / "gpt.svg").read_text("utf-8") == show.gpt().svg


def drawn_numbers(drawing):
    texts = ElementTree.fromstring(drawing.svg).iter("{http://www.w3.org/2000/svg}text")
    return [text.text for text in texts if text.text[:1].isdigit()]


def test_steps_of_attention_are_those_of_the_reference_and_grow():
    x, *matrices = map(torch.Tensor, (four_words.X, four_words.W_Q, four_words.W_K, four_words.W_V))
    output, weights = transformer.scaled_dot_product_attention(
        *(x @ matrix[:, :2] for matrix in matrices)
    )
    drawn = [
        drawn_numbers(show.attention_steps(step))
        for step in ("projections", "scores", "weights", "output")
    ]
    assert drawn[0][-24:] == drawn[1][:24]
    for fewer, more in itertools.pairwise(drawn[1:]):
        assert more[: len(fewer)] == fewer and len(more) > len(fewer)
    assert drawn[-1][-24:] == [f"{made:.2f}" for made in (*weights.flatten(), *output.flatten())]


def test_steps_of_two_heads_are_those_of_the_reference_and_grow():
    module = transformer.MultiHeadAttention(4, 2, dropout=0.0)
    matrices = (four_words.W_Q, four_words.W_K, four_words.W_V, four_words.W_O)
    with torch.no_grad():
        for linear, matrix in zip(
            (module.w_q, module.w_k, module.w_v, module.w_o), matrices, strict=True
        ):
            linear.weight.copy_(torch.Tensor(matrix).T)
            linear.bias.zero_()
        x = torch.Tensor(four_words.X)[None]
        output = module(x, x, x)
    drawn = [
        drawn_numbers(show.multi_head_steps(step))
        for step in ("split", "heads", "concat", "output")
    ]
    for fewer, more in itertools.pairwise(drawn):
        assert more[: len(fewer)] == fewer and len(more) > len(fewer)
    assert drawn[-1][-16:] == [f"{number:.2f}" for number in output.flatten()]


def test_vectors_of_tokens_and_positions_add_up_as_in_the_reference():
    _title, description = show.position_sum().alt.split("\n")
    rows = description.partition("Its rows: ")[2].rstrip(".").split("; ")
    vectors = torch.Tensor([[-0.6, 0.4, 0.2, -1], [1, -0.2, 0.4, 0.8], [-0.6, 0.4, 0.2, -1]])
    expected = vectors + transformer.sinusoidal_encoding(3, 4)
    np.testing.assert_allclose([[*map(float, row.split())] for row in rows], expected, atol=0.006)


@pytest.mark.parametrize("name", ["attention_steps", "multi_head_steps"])
def test_a_step_that_is_none_is_refused_with_those_there_are(name):
    with pytest.raises(ValueError, match=r"was called with 'sum'; expected one of .*'output'"):
        getattr(show, name)("sum")


@pytest.mark.parametrize("name", ["attention_map", "norm", "attention", "g*"])
def test_a_name_that_no_lesson_has_is_refused(name):
    assert not hasattr(show, name)
