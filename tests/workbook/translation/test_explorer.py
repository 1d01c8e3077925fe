"""The student's own sentences: translated, and with the attention on them."""

from functools import partial

import ipywidgets
import pytest
import torch

import transformer
from transformer_workbook.show import Picture, widgets
from transformer_workbook.translation.subwords import Subwords
from transformer_workbook.translation.translator import Translator

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
    assert choice.options == ("greedy", "beam search")
    (by_beam,) = translator.translate([SENTENCE], decoders["beam search"])
    choice.value = "beam search"
    assert by_beam in " ".join(explorer.alt.split())
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
