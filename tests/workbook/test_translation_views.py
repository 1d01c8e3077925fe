"""Views into a translation: attention is found wherever it is kept; the pictures say what is so."""

import math

import ipywidgets
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import transformer
import transformer_workbook as wb
from transformer_workbook.lessons.number_words import words as nw
from transformer_workbook.show import Picture, widgets

SIZES = {"num_layers": 2, "d_model": 12, "num_heads": 3, "d_ff": 16}


@pytest.fixture
def model():
    torch.manual_seed(0)
    return transformer.make_model(len(nw.GERMAN), len(nw.ENGLISH), **SIZES)


def ids(n):
    return tuple(nw.pad([row]) for row in nw.pair(n))


def as_taught(_model, src, _max_len, _bos, _eos):
    """A decoder that knows the answer."""
    n = nw.parse_german("".join(nw.GERMAN.decode(src[0])))
    return nw.pad([nw.pair(n)[1]])


def wrong(_model, _src, _max_len, _bos, _eos):
    return nw.pad([nw.pair(7)[1]])


# Cross-attention


@pytest.mark.parametrize("n", [725, 7, 20, 100, 999_999, 317_330])
def test_cross_attention_is_that_of_the_last_layer(model, n):
    src, tgt = ids(n)
    model.train()
    found = wb.cross_attention(model, src, tgt)
    assert found.shape == (tgt.size(1) - 1, src.size(1))
    assert torch.allclose(found.sum(-1), torch.ones(len(found)), atol=1e-5)
    assert model.training and not any(module._forward_hooks for module in model.modules())

    model.eval()
    model(src, tgt.narrow(1, 0, tgt.size(1) - 1))
    first, last = (
        [part.weights[0].mean(0) for part in layer.modules() if hasattr(part, "weights")]
        for layer in model.decoder.layers
    )
    assert any(kept.shape == found.shape and kept.allclose(found, atol=1e-5) for kept in last)
    assert not any(kept.shape == found.shape and kept.allclose(found, atol=1e-4) for kept in first)


def test_cross_attention_of_equal_lengths_is_not_self_attention(model):
    src, tgt = ids(30)  # drei ßig <eos>, and <bos> thirty
    tgt = torch.cat([tgt, tgt[:, :1]], dim=1)
    assert src.size(1) == tgt.size(1) - 1
    found = wb.cross_attention(model, src, tgt)
    assert found.shape == (3, 3)
    assert found.triu(1).sum() > 0.1  # self-attention would hide the future


def test_cross_attention_of_the_stand_ins():
    from transformer_workbook.lessons.full_model import standins as full_model

    src, tgt = ids(725)
    found = wb.cross_attention(full_model.make_model(26, 34, **SIZES), src, tgt)
    assert found.shape == (5, 7)


def test_a_model_that_keeps_no_weights(model):
    for module in model.modules():
        if hasattr(module, "weights"):
            module.register_forward_hook(lambda module, *_: delattr(module, "weights"))
    with pytest.raises(LookupError, match=r"keeps those of its last call in self\.weights"):
        wb.cross_attention(model, *ids(725))


# Alignment and explorer


def test_alignment_says_whether_it_is_right(model):
    right = wb.alignment(model, "siebenhundertfünfundzwanzig", as_taught)
    assert isinstance(right, Picture)
    assert "725: siebenhundertfünfundzwanzig\nthe model: seven hundred twenty-five" in str(right)
    assert "expected" not in str(right)
    assert "the model: seven\nexpected: one hundred" in str(wb.alignment(model, 100, wrong))


def test_an_alignment_of_nothing_says_so(model):
    def silent(_model, _src, _max_len, bos, eos):
        return torch.tensor([[bos, eos]])

    assert "the model: (nothing)\nexpected: zero" in str(wb.alignment(model, 0, silent))


def test_a_long_wrong_answer_stays_in_the_picture(model):
    def long(_model, _src, _max_len, _bos, _eos):
        return nw.pad([nw.pair(777_777)[1]])

    picture = wb.alignment(model, 7, long)
    canvas = FigureCanvasAgg(picture.figure)
    canvas.draw()
    (title,) = picture.figure.findobj(
        lambda one: isinstance(one, Text) and one.get_text().startswith("7: sieben")
    )
    assert title.get_text().count("\n") >= 3
    assert title.get_window_extent(canvas.get_renderer()).x1 <= picture.figure.bbox.x1


def test_explorer_without_a_kernel_is_a_picture(model):
    assert isinstance(wb.number_explorer(model, as_taught), Picture)


def test_explorer_follows_the_number(model, monkeypatch):
    monkeypatch.setattr(widgets, "live_widgets", lambda: ipywidgets)
    explorer = wb.number_explorer(model, as_taught, 25)
    box, view = explorer.children
    assert "fünfundzwanzig" in explorer.alt and "fünfundzwanzig" in view.value
    box.value = 317_330
    assert "dreihundertsiebzehntausenddreihundertdreißig" in explorer.alt
    assert "dreihundertsiebzehntausenddreihundertdreißig" in view.value
    box.value = 2_000_000
    assert nw.german(nw.LARGEST) in explorer.alt


def test_explorer_of_an_untrained_model_with_real_decoding(model):
    assert "expected" in str(wb.number_explorer(model, transformer.beam_search, beam_size=2))


# Beam search as a tree


def paths(nodes):
    by_id = {node["id"]: node for node in nodes}
    found = {}
    for node in nodes:
        tokens, at = [], node
        while at is not None:
            tokens.insert(0, at["token"])
            at = by_id.get(at["parent"])
        found[node["id"]] = tokens
    return found


@pytest.mark.parametrize("beam_size", [1, 2, 4])
@pytest.mark.parametrize("n", [7, 725, 21_000])
def test_tree_holds_what_beam_search_finds(model, n, beam_size):
    torch.manual_seed(n)
    src, _ = ids(n)
    tokens = nw.ENGLISH.tokens
    nodes = wb.beam_tree(model, src, tokens, beam_size=beam_size, max_len=7)
    best = transformer.beam_search(model, src, 7, nw.BOS, nw.EOS, beam_size=beam_size)
    assert [tokens[id] for id in best[0]] in [
        path for id, path in paths(nodes).items() if nodes[id]["kept"]
    ]


def test_tree_keeps_as_many_as_the_beam_is_wide(model):
    nodes = wb.beam_tree(model, ids(725)[0], nw.ENGLISH.tokens, beam_size=3, max_len=6)
    depth = {id: len(path) for id, path in paths(nodes).items()}
    for level in range(2, 7):
        here = [node for node in nodes if depth[node["id"]] == level]
        assert 1 <= sum(node["kept"] for node in here) <= 3
        assert len(here) <= 6
    for node in nodes[1:]:
        parent = nodes[node["parent"]]
        assert parent["kept"] and node["log_prob"] <= parent["log_prob"]
        assert math.isfinite(node["log_prob"])


def test_tree_can_be_drawn(model):
    nodes = wb.beam_tree(model, ids(25)[0], nw.ENGLISH.tokens, beam_size=2, max_len=5)
    assert "<bos>" in str(wb.show.tree(nodes, "Two beams"))
