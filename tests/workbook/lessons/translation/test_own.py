"""Lessons after the training find the student's own translator, or say that a stand-in is used."""

from types import SimpleNamespace

import pytest
import torch

import transformer
import transformer_workbook as wb
from transformer_workbook.lessons.fused_parts.own import own_translator
from transformer_workbook.lessons.translation import Corpus
from transformer_workbook.lessons.translation.subwords import Subwords

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 4, "d_ff": 24, "norm_first": True}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    (tmp_path / "12-fused-parts").mkdir()
    monkeypatch.chdir(tmp_path / "12-fused-parts")
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path / "home"))


@pytest.fixture
def handed_in(pairs, tmp_path, capsys):
    subwords = Subwords.learn([sentence for pair in pairs for sentence in pair], 300)
    model = transformer.make_model(len(subwords), len(subwords), tie_weights=True, **SIZES)
    wb.hand_in(SimpleNamespace(model=model, subwords=subwords), tmp_path / "11-translation")
    capsys.readouterr()
    return model.eval()


def test_the_translator_beside_lesson_11_is_found(handed_in, capsys):
    own = own_translator()
    assert own.num_heads == 4 and "11-translation" in capsys.readouterr().out
    src, tgt = torch.randint(3, 300, (2, 5)), torch.randint(3, 300, (2, 4))
    expected, actual = handed_in(src, tgt), own.translator.model(src, tgt)
    torch.testing.assert_close(actual, expected, atol=0.05, rtol=0)
    english = own.translator.translate(own.sentences[:2], transformer.greedy_decode)
    assert len(english) == 2


def test_without_one_the_stand_in_translates_numbers(capsys):
    own = own_translator()
    assert "stands in" in " ".join(capsys.readouterr().out.split())
    english = own.translator.translate(own.sentences[:2], transformer.greedy_decode)
    assert english[0] == "twenty-one thousand one"


def test_a_corpus_is_short_to_look_at_and_a_text_is_no_list(pairs):
    own = own_translator()
    assert repr(Corpus("made up", pairs, pairs[:2], [])) == (
        "made up: 36 pairs to train, 2 to validate, 0 to test"
    )
    with pytest.raises(TypeError, match=r"Write \['Ein Hund'\]"):
        own.translator.translate("Ein Hund", transformer.greedy_decode)


def test_a_damaged_one_is_said_and_passed_over(handed_in, tmp_path, capsys):
    (tmp_path / "11-translation" / "weights.safetensors").write_bytes(b"nothing")
    own = own_translator()
    assert "cannot be used" in " ".join(capsys.readouterr().out.split())
    assert own.sentences[0] == "einundzwanzigtausendeins"
