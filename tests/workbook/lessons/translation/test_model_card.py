"""What a student shows to others of the translator that was trained."""

import dataclasses

import pytest

from transformer_workbook.lessons import translation
from transformer_workbook.own_code import store


@pytest.fixture
def written(corpus, parts, setting, cpu, tmp_path, monkeypatch, capsys):
    """The card's text, with one part of the student's own."""
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path))
    (tmp_path / store.PACKAGE).mkdir()
    store.save("split_heads", "def split_heads(x, num_heads):\n    return x\n", [])
    few = dataclasses.replace(setting, epochs=1)
    outcome = translation.train(corpus, few, parts, tmp_path / "run", hardware=cpu, quiet=True)
    score = translation.Bleu(34.25, "nrefs:1|case:mixed")
    pair = ("ein | Hund", "a dog")
    how = {"folder": tmp_path, "decoding": "beam search"}
    translation.model_card(outcome, corpus, few, cpu, score, [(pair, "a\ncat")], **how)
    path = tmp_path / "model-card.md"
    assert str(path) in capsys.readouterr().out
    return path.read_text(encoding="utf-8"), outcome


def test_it_says_what_was_trained_on_what_and_how_well(written, corpus, cpu):
    text, outcome = written
    weights = sum(one.numel() for one in outcome.translator.model.parameters())
    for said in (f"{weights:,} parameters", f"{len(corpus.train):,} pairs", cpu.name, corpus.name,
                 "**34.2** (`nrefs:1|case:mixed`)", "1 epochs", "sentences, beam search |",
                 "those of the last epoch, chosen on 4 sentences"):  # fmt: skip
        assert said in text, said
    assert "1 of its" in text and "stand-ins: " in text and "MultiHeadAttention" in text


def test_a_sentence_breaks_no_table(written):
    text, _outcome = written
    (row,) = [line for line in text.splitlines() if "Hund" in line]
    assert row == "| ein \\| Hund | a cat | a dog |"
