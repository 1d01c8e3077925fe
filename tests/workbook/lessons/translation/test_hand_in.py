"""What is handed in fits the grader's model, whatever the student's model calls its parts."""

import json
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

import transformer
import transformer_workbook as wb
from transformer_workbook.lessons.full_model import standins as full_model
from transformer_workbook.lessons.translation.hand_in import (
    SETTINGS,
    VOCABULARY,
    WEIGHTS,
    BadHandIn,
    checked_sizes,
    filled,
    layout,
    read_sizes,
)
from transformer_workbook.lessons.translation.subwords import Subwords

SIZES = {"num_layers": 2, "d_model": 16, "num_heads": 4, "d_ff": 24}


@pytest.fixture(scope="session")
def subwords(pairs):
    return Subwords.learn([sentence for pair in pairs for sentence in pair], 300)


@pytest.fixture
def translator(subwords):
    torch.manual_seed(0)
    model = transformer.make_model(len(subwords), len(subwords), tie_weights=True, **SIZES)
    return SimpleNamespace(model=model, subwords=subwords)


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("tie_weights", [True, False])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_stand_ins_and_reference_have_the_same_parameters(norm_first, tie_weights, positions):
    sizes = SIZES | {
        "norm_first": norm_first, "tie_weights": tie_weights, "positions": positions, "max_len": 9,
    }  # fmt: skip
    expected = layout(transformer.make_model, 50, sizes)
    assert layout(full_model.make_model, 50, sizes) == expected
    assert ("tgt_embed.0.embedding.weight" in expected) is not tie_weights


def test_a_model_that_cannot_be_compared_is_left_in_its_modes(translator, tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("out of memory")

    translator.model.decoder.eval()
    before = [module.training for module in translator.model.modules()]
    monkeypatch.setattr(translator.model, "encode", fail)
    monkeypatch.setattr(translator.model, "forward", fail)
    with pytest.raises(RuntimeError, match="out of memory"):
        wb.hand_in(translator, tmp_path)
    assert [module.training for module in translator.model.modules()] == before


def test_the_files_hold_the_model(translator, tmp_path, capsys):
    wb.hand_in(SimpleNamespace(translator=translator), tmp_path)
    said = capsys.readouterr().out
    assert all(name in said for name in (WEIGHTS, VOCABULARY, SETTINGS))
    assert "Careful" not in said
    sizes = read_sizes((tmp_path / SETTINGS).read_text())
    assert sizes == checked_sizes(SIZES | {"tie_weights": True})
    count = len(Subwords.load(tmp_path / VOCABULARY))
    weights = load_file(tmp_path / WEIGHTS)
    assert {tensor.dtype for tensor in weights.values()} == {torch.float16}
    model = filled(transformer.make_model, weights, count, sizes)
    src, tgt = torch.randint(3, count, (2, 7)), torch.randint(3, count, (2, 5))
    mine = translator.model.eval()(src, tgt)
    assert torch.allclose(model(src, tgt), mine, atol=0.02)


def test_a_model_keeps_its_mode(translator, tmp_path):
    translator.model.train()
    wb.hand_in(translator, tmp_path)
    assert translator.model.training


def test_what_compiled_and_distributed_models_are_wrapped_in_does_not_matter(translator, tmp_path):
    wrapped = nn.Module()
    wrapped._orig_mod = translator.model
    wrapped.forward = translator.model.forward
    wrapped.pad_id = translator.model.pad_id
    wb.hand_in(SimpleNamespace(model=wrapped, subwords=translator.subwords), tmp_path)
    assert "encoder.layers.1.feed_forward.w_2.bias" in load_file(tmp_path / WEIGHTS)


def test_other_names_are_listed_and_can_be_mapped(translator, tmp_path):
    layer = translator.model.encoder.layers[1]
    layer.mlp = layer.feed_forward
    del layer.feed_forward
    layer.forward = lambda x, mask=None: layer.sublayers[1](
        layer.sublayers[0](x, lambda y: layer.self_attn(y, y, y, mask)), layer.mlp
    )
    with pytest.raises(BadHandIn) as caught:
        wb.hand_in(translator, tmp_path)
    assert "encoder.layers.1.feed_forward.w_1.weight (24, 16)" in str(caught.value)
    assert "encoder.layers.1.mlp.w_1.weight (24, 16)" in str(caught.value)
    assert not list(tmp_path.iterdir())
    rename = {"encoder.layers.1.mlp.": "encoder.layers.1.feed_forward."}
    wb.hand_in(translator, tmp_path, rename=rename)
    assert "encoder.layers.1.feed_forward.w_1.weight" in load_file(tmp_path / WEIGHTS)


def test_another_shape_is_named_with_the_one_expected(translator, tmp_path):
    translator.model.decoder.layers[0].feed_forward.w_1 = nn.Linear(16, 30)
    with pytest.raises(BadHandIn, match=r"w_1.bias \(30,\), expected \(24,\)"):
        wb.hand_in(translator, tmp_path)


def test_sizes_that_cannot_be_read_off_are_asked_for(translator, tmp_path):
    translator.model.src = translator.model.src_embed
    del translator.model.src_embed
    with pytest.raises(BadHandIn, match="rename="):
        wb.hand_in(translator, tmp_path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e6])
def test_weights_that_are_no_finite_numbers_are_refused(translator, tmp_path, value):
    with torch.no_grad():
        translator.model.generator.proj.bias[3] = value
    with pytest.raises(BadHandIn, match="generator.proj.bias"):
        wb.hand_in(translator, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_model_that_computes_otherwise_than_the_graders_is_told_of(translator, tmp_path, capsys):
    with torch.no_grad():  # so that the probabilities are far from uniform
        translator.model.generator.proj.weight.mul_(20)
    translator.model.encoder.layers[0].forward = lambda x, mask=None: -x
    wb.hand_in(translator, tmp_path)
    assert "Careful" in capsys.readouterr().out


@pytest.mark.parametrize(
    "changed, named",
    [
        ({"d_model": 10**9}, "d_model = 1000000000"),
        ({"d_model": 10**4000}, "d_model"),
        ({"num_layers": 0}, "num_layers = 0"),
        ({"num_layers": True}, "num_layers = True"),
        ({"d_ff": 24.0}, "d_ff = 24.0"),
        ({"num_heads": 5}, "num_heads = 5"),
        ({"max_len": "5000"}, "max_len"),
        ({"norm_first": 1}, "norm_first = 1"),
        ({"positions": "rotary"}, "rotary"),
        ({"positions": ["sinusoidal"]}, "positions"),
    ],
)
def test_sizes_have_their_bounds(changed, named):
    with pytest.raises(BadHandIn, match=named):
        checked_sizes(SIZES | changed)


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, b"\xff", "1" * 10_000])
def test_settings_that_are_no_object_are_refused(text):
    with pytest.raises(BadHandIn, match=r"settings\.json"):
        read_sizes(text)


def test_sizes_that_are_not_named_are_the_models_own_defaults():
    text = json.dumps(SIZES | {"dropout": 0.3, "author": "me"})
    assert read_sizes(text) == SIZES | {
        "norm_first": False, "tie_weights": False, "positions": "sinusoidal", "max_len": 5000,
    }  # fmt: skip
