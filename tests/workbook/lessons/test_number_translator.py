"""The small trained translator: whole it is right, without a part it fails as the lessons say."""

import inspect
import pickletools

import pytest
import torch

import transformer
import transformer_workbook as wb
from tests.workbook.test_torch_parity import CrossAttentionFirst
from transformer_workbook.lessons.number_words import measuring, model, playing, recurrent
from transformer_workbook.lessons.number_words import words as number_words
from transformer_workbook.lessons.number_words.translator import KNOCK_OUTS
from transformer_workbook.own_code import store

translator = wb.translator
ALL_PARTS = {
    name: getattr(transformer, name)
    for name in (
        "split_heads", "merge_heads", "scaled_dot_product_attention", "MultiHeadAttention",
        "LayerNorm", "SublayerConnection", "PositionwiseFeedForward", "TokenEmbedding",
        "sinusoidal_encoding", "PositionalEncoding", "padding_mask", "causal_mask", "target_mask",
        "EncoderLayer", "DecoderLayer", "Encoder", "Decoder", "Generator", "Transformer",
        "make_model", "greedy_decode",
    )
}  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path))
    store._loaded.clear()
    yield tmp_path
    store._loaded.clear()


def right(without: str) -> int:
    return translator.compare(7, without=without).share[1]


class TestTheWeights:
    def test_they_are_small_and_hold_no_code(self):
        raw = model.WEIGHTS.read_bytes()
        assert len(raw) < 400_000
        with pytest.raises(ValueError):
            list(pickletools.genops(raw))


class TestTranslating:
    @pytest.mark.parametrize("sentence", [725, "725", "siebenhundertfünfundzwanzig", " Sieben hundert fünf und zwan zig "])  # fmt: skip # noqa: E501
    def test_numbers_words_and_pieces_are_understood(self, sentence):
        assert translator.translate(sentence) == "seven hundred twenty-five"

    def test_pieces_need_not_be_a_number(self):
        assert isinstance(translator.translate("zig zig und"), str)

    @pytest.mark.parametrize("sentence", ["24687", "24,687", "24.687", "24 687", "0024687"])
    def test_digits_may_be_grouped(self, sentence):
        assert "".join(playing.german_parts(sentence)) == number_words.german(24687)

    @pytest.mark.parametrize("sentence", ["hund", "", "einemillion"])
    def test_anything_else_is_refused_with_what_was_expected(self, sentence):
        with pytest.raises(ValueError, match="Try siebenhundert"):
            translator.translate(sentence)

    @pytest.mark.parametrize(
        "number", [1_000_000, "1000000", "1,000,000", -5, "-5", 2.5, "3,14", "7a", "²", "9" * 5000]
    )
    def test_a_number_that_it_has_not_learned_gets_the_range(self, number):
        with pytest.raises(ValueError, match="the whole numbers from 0 to 999,999") as refused:
            translator.translate(number)
        assert "german_tokens" not in str(refused.value) and len(str(refused.value)) < 130

    def test_zero_is_right_though_no_other_number_has_its_word(self):
        assert translator.translate(0) == translator.translate("null") == "zero"

    def test_a_part_that_is_unknown_is_named_with_those_that_are_known(self):
        with pytest.raises(ValueError, match=r"'maks' cannot be taken out.*'causal mask'"):
            translator.translate(7, without="maks")

    @pytest.mark.parametrize("without", [None, "", "maks"])
    def test_a_comparison_without_a_part_says_which_there_are(self, without):
        with pytest.raises(ValueError, match=r"cannot be taken out.*'encoder'"):
            translator.compare(7, without=without)

    def test_numbers_below_a_hundred_are_right(self):
        models = model.trained()
        share = number_words.exact_match(models, range(100), model.stand_in("greedy_decode"))
        assert share == 1

    def test_the_next_words_are_about_as_sure_as_label_smoothing_allows(self):
        (word, share), *others = translator.next_words(725, "seven hundred")
        assert word == "twenty"
        assert 0.85 < share < 0.96
        assert len(others) == 2

    def test_a_beginning_with_an_unknown_word_is_refused(self):
        with pytest.raises(ValueError, match="does not know sevn"):
            translator.next_words(725, "sevn")


class TestWithoutAPart:
    """What the lessons say of each part, of 200 unseen numbers."""

    def test_whole_it_is_right(self):
        assert translator.compare(7, without="positions").share[0] == 200

    @pytest.mark.parametrize("part", sorted(set(KNOCK_OUTS) - {"scaling", "padding mask"}))
    def test_most_numbers_are_wrong(self, part):
        assert right(part) < 100

    def test_a_trained_translator_does_not_need_the_scaling(self):
        assert right("scaling") > 190

    def test_padding_spoils_short_numbers_beside_long_ones_alone(self):
        assert translator.translate(7, without="padding mask") == "seven"
        together = translator.compare(7, 40, 999999, without="padding mask")
        assert [row[1] for row in together.right] == [False, True, True]

    def test_without_positions_the_order_of_the_pieces_does_not_matter(self):
        for one, other in ((54, 45), (725, 527), (400005, 500004)):
            said = translator.translate(one, without="positions")
            assert said == translator.translate(other, without="positions")

    def test_without_cross_attention_it_always_says_the_same(self):
        said = {translator.translate(n, without="cross-attention") for n in (7, 54, 725, 24687)}
        assert len(said) == 1

    def test_to_take_out_a_part_leaves_the_whole_translator_alone(self):
        translator.translate(54, without="residuals")
        assert translator.translate(54) == "fifty-four"


class TestWithPartsOfOnesOwn:
    def test_a_translator_of_the_reference_s_parts_is_right(self):
        built = model.built_with(ALL_PARTS)
        assert type(built) is transformer.Transformer
        with model.in_place(ALL_PARTS):
            share = number_words.exact_match(
                built, measuring.unseen()[:50], transformer.greedy_decode
            )
        assert share == 1

    def test_the_whole_translator_has_no_part_of_ones_own_in_whatever_order_they_are_built(self):
        class Connection(torch.nn.Module):
            """One whose norm has another name, so that the trained weights' names do not fit."""

            def __init__(self, d_model, dropout=0.1, norm_first=False):
                super().__init__()
                self.last_step = transformer.LayerNorm(d_model)

            def forward(self, x, sublayer):
                return self.last_step(x + sublayer(x))

        model._trained.cache_clear()
        built = model.built_with({"SublayerConnection": Connection})
        parts_of = [{type(part) for part in each.modules()} for each in (built, model.trained())]
        assert Connection in parts_of[0] and Connection not in parts_of[1]

    def test_what_is_not_saved_is_left_to_its_stand_in(self, capsys):
        said = translator.with_yours("LayerNorm")
        assert said.labels == ("whole",) and said.share == (200,)
        assert "stand-ins" in capsys.readouterr().out

    def test_a_saved_part_is_used(self, home):
        calls = home / "calls"
        source = (
            "def split_heads(x, num_heads):\n"
            f"    open({str(calls)!r}, 'a').write('.')\n"
            "    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)\n"
        )
        store.save("split_heads", source, [])
        said = translator.with_yours("split_heads")
        assert said.labels == ("with your split_heads",) and said.share == (200,)
        assert calls.read_text()

    def test_what_cannot_be_loaded_is_not_called_yours(self, capsys):
        store.save("LayerNorm", "class LayerNorm(missing):\n    pass", [])
        said = translator.with_yours("LayerNorm")
        assert said.labels == ("whole",)
        store.save(
            "SublayerConnection", inspect.getsource(transformer.SublayerConnection), ["LayerNorm"]
        )
        capsys.readouterr()
        assert translator.with_yours("SublayerConnection").labels == (
            "with your SublayerConnection",
        )
        out = capsys.readouterr().out
        assert "inside of these, stand-ins: LayerNorm" in out
        assert out.count("could not be loaded") == 1

    def test_stand_ins_inside_of_saved_parts_are_named(self, capsys):
        saves = {
            "split_heads": (transformer.split_heads, []),
            "MultiHeadAttention": (
                transformer.MultiHeadAttention,
                ["split_heads", "merge_heads", "scaled_dot_product_attention"],
            ),
            "EncoderLayer": (
                transformer.EncoderLayer,
                ["MultiHeadAttention", "SublayerConnection", "PositionwiseFeedForward"],
            ),
            "LayerNorm": (transformer.LayerNorm, []),
        }
        for name, (component, uses) in saves.items():
            store.save(name, inspect.getsource(component), uses)
        said = translator.with_yours("MultiHeadAttention", "EncoderLayer", "LayerNorm")
        assert said.labels == ("with 4 parts of yours",) and said.share == (200,)
        assert (
            "inside of these, stand-ins: PositionwiseFeedForward, SublayerConnection, merge_heads, "
            "scaled_dot_product_attention"
        ) in capsys.readouterr().out.replace("\n", " ")

    def test_weights_under_other_names_are_taken_in_their_order(self):
        class Norm(torch.nn.LayerNorm):
            def __init__(self, d_model, eps=1e-6):
                super().__init__(d_model, eps)

        built = model.built_with({"LayerNorm": Norm})
        first = model.trained().encoder.layers[0].sublayers[0].norm.gamma
        assert torch.equal(built.encoder.layers[0].sublayers[0].norm.weight, first)

    def test_layers_may_have_other_names_and_make_their_parts_in_another_order(self):
        built = model.built_with(ALL_PARTS | {"DecoderLayer": CrossAttentionFirst})
        with model.in_place(ALL_PARTS):
            share = number_words.exact_match(
                built, measuring.unseen()[:50], transformer.greedy_decode
            )
        assert share == 1

    def test_weights_that_do_not_fit_are_refused(self):
        class Network(transformer.PositionwiseFeedForward):
            def __init__(self, d_model, d_ff, dropout=0.1):
                super().__init__(d_model, 2 * d_ff, dropout)

        with pytest.raises(ValueError, match="do not fit your PositionwiseFeedForward"):
            model.built_with({"PositionwiseFeedForward": Network})


class TestPictures:
    def test_the_tens_look_to_the_right_of_the_units(self):
        query, key, _value, english, german = translator.inside_cross_attention(725)
        weights = (query @ key.transpose(1, 2) / query.size(-1) ** 0.5).softmax(-1).mean(dim=0)
        looks = dict(zip(english, weights.argmax(dim=1).tolist(), strict=True))
        assert german[looks["twenty"]] == "zwan" and german[looks["five"]] == "fünf"

    def test_what_a_picture_shows_is_in_its_words(self):
        assert "twenty at zwan" in translator.attention(725).alt
        assert "Without positions" in translator.attention(54, without="positions").alt
        assert "head 3" in translator.heads(725).alt

    def test_a_sentence_that_cannot_be_read_gets_words_in_place_of_a_picture(self, monkeypatch):
        import ipywidgets

        from transformer_workbook.show import widgets

        monkeypatch.setattr(widgets, "live_widgets", lambda: ipywidgets)
        box = translator.explorer()
        sentence, without, _view = box.children
        sentence.value = "hund"
        assert "'hund' is not a German number word" in box.alt
        assert without.description == "translator" and without.options[0] == ("whole", "")
        sentence.value, without.value = "54", "positions"
        assert "Without positions" in box.alt

    def test_a_comparison_says_in_words_and_as_a_table_what_is_right(self):
        shown = translator.compare(54, without="positions")
        assert "✗ without positions: " in repr(shown)
        html = shown._repr_html_()
        assert "<td" in html and "✗" in html and "whole: 200" in html


class TestTheBottleneck:
    @pytest.mark.soak
    def test_one_vector_loses_long_lists_and_attention_keeps_them(self):
        curves = recurrent.bottleneck(steps=300)
        (_lengths, vector), (_same, attention) = curves.values()
        assert vector[0] > 0.9 and vector[-1] < 0.6
        assert attention[-1] > vector[-1] + 0.1

    def test_the_random_numbers_of_the_notebook_go_on_as_before(self):
        torch.manual_seed(5)
        expected = torch.rand(2)
        torch.manual_seed(5)
        recurrent.bottleneck(steps=1)
        assert torch.equal(torch.rand(2), expected)


def test_what_the_first_norm_gets_is_told_with_its_tokens():
    vectors, tokens = translator.before_a_norm([7, 725])
    assert vectors.shape == (2, 7, 64)
    assert tokens[0] == ["sieben", "<eos>", *["<pad>"] * 5]


def test_the_decoder_s_vectors_are_those_that_words_are_read_off():
    vectors, english = translator.before_the_words(725)
    assert vectors.shape == (5, 64) and english[-1] == "<eos>"
