"""The student's own sentences: translated, and with the attention on them."""

from functools import partial

import ipywidgets
import pytest
import torch

import transformer
from transformer_workbook.lessons.translation.subwords import Subwords
from transformer_workbook.lessons.translation.trained_translator import Translator
from transformer_workbook.show import Picture, widgets

SENTENCE = "Ein Hund schläft am See."


@pytest.fixture(scope="module")
def translator(pairs):
    torch.manual_seed(0)
    subwords = Subwords.learn([sentence for pair in pairs for sentence in pair], 320)
    model = transformer.make_model(
        len(subwords), len(subwords), num_layers=1, d_model=16, num_heads=2, d_ff=16
    )
    return Translator(model, subwords, max_len=8)


@pytest.fixture
def decoders():
    return {
        "greedy": transformer.greedy_decode,
        "beam search": partial(transformer.beam_search, beam_size=2),
    }


def test_without_a_kernel_it_is_the_picture_of_the_sentence(translator, decoders):
    picture = translator.explorer(decoders, SENTENCE)
    assert isinstance(picture, Picture)
    assert SENTENCE in picture.alt


def test_it_follows_the_sentence_and_the_way_to_decode(translator, decoders, monkeypatch):
    monkeypatch.setattr(widgets, "live_widgets", lambda: ipywidgets)
    explorer = translator.explorer(decoders, SENTENCE)
    text, choice, view = explorer.children
    assert [value for _label, value in choice.options] == ["greedy", "beam search"]
    for way in ("greedy", "beam search"):
        choice.value = way
        (written,) = translator.translate([SENTENCE], decoders[way])
        assert f"{way}: {written}" in " ".join(explorer.alt.split())
    text.value = "Das Kind steht vor dem Haus."
    assert "Das Kind steht vor dem Haus." in explorer.alt
    assert SENTENCE not in view.value
    text.value = "  "
    assert "Write a German sentence." in explorer.alt


def test_labels_of_a_picture_are_text_that_people_read(translator):
    ids = translator.subwords.encode("Jörg 木")
    labels = [translator._label(id) for id in [0, 1, 2, *ids]]
    assert labels[:3] == ["<pad>", "<bos>", "<eos>"]
    assert "(byte)" in labels and "J" in "".join(labels)
    assert not set("\N{REPLACEMENT CHARACTER}Ġ") & set("".join(labels))
    space = translator.subwords.pieces.index("Ġ")
    assert translator._label(space) == "(space)"


def test_the_title_is_no_wider_than_the_picture(translator):
    def endless(model, src, max_len, bos_id, eos_id):
        word = translator.subwords.encode("Hund")
        return torch.tensor([[bos_id, *(word * 60)]])

    picture = translator.alignment("Hund", endless)
    title = picture.alt.partition(". Each")[0]
    assert "..." in title
    assert max(map(len, title.splitlines())) <= 70


def test_rows_are_the_tokens_of_the_title(translator):
    """Of a search that pads its best row, and of one that stops before an end token."""
    words = translator.subwords.encode("A dog")
    rows = [translator._label(id) for id in words]
    for ids, ends in (([1, *words, 2, 0, 0], ["<eos>"]), ([1, *words], [])):

        def decode(_model, _src, _max_len, _bos, _eos, ids=ids):
            return torch.tensor([ids])

        said = translator.alignment(SENTENCE, decode).alt
        assert "the model: A dog" in said
        drawn = said.partition("looks most at: ")[2].split("; ")
        assert [one.partition(" at ")[0] for one in drawn] == [*rows, *ends]


def test_every_picture_is_of_cross_attention(translator, decoders):
    """For a target as long as the source, too, where self-attention has the same shape."""
    src = translator.subwords.encode(SENTENCE)
    for length in range(len(src) - 2, len(src) + 3):

        def decode(_model, _src, _max_len, _bos, _eos, length=length):
            return torch.tensor([[1, *range(3, 3 + length)]])

        said = translator.alignment(SENTENCE, decode).alt
        model, tgt = translator.model.eval(), decode(*[None] * 5)[:, :-1]
        model(torch.tensor([[*src, 2]]), tgt)
        weights = model.decoder.layers[-1].cross_attn.weights[0].mean(dim=0)
        drawn = said.partition("looks most at: ")[2].split("; ")
        largest = [f"({weight:.2f})" for weight in weights.amax(dim=-1).tolist()]
        assert [one.rstrip(".").split()[-1] for one in drawn] == largest


def test_a_title_makes_a_progress_bar(translator, decoders, capsys):
    sentences = [SENTENCE] * 3
    translator.translate(sentences, decoders["greedy"])
    assert capsys.readouterr().out == ""
    translator.translate(sentences, decoders["greedy"], progress="all of them")
    said = capsys.readouterr().out
    assert "all of them" in said and "3/3" in said
