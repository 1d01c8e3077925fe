"""Files to hand in are there, load and are the model of the card; if not, it is said why."""

import pytest
import torch

import transformer_workbook as wb
from transformer_workbook.lessons import translation
from transformer_workbook.lessons.translation.corpus import why_hopeless
from transformer_workbook.lessons.translation.ready import open_in


@pytest.fixture
def outcome(corpus, parts, setting, cpu, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path / "home"))
    folder = tmp_path / "run"
    return translation.train(corpus, setting, parts, folder, hardware=cpu, quiet=True)


@pytest.fixture
def describe(outcome, corpus, setting, cpu, tmp_path):
    """Writes the card of the translator as it is now."""
    score = translation.Bleu(34.2, "nrefs:1")
    return lambda: translation.model_card(outcome, corpus, setting, cpu, score, [], tmp_path)


@pytest.mark.parametrize("taken", ["last", "average"])
def test_files_of_the_model_on_the_card_are_ready(
    outcome, describe, tmp_path, taken, few_are_enough
):
    outcome.take(taken)
    describe()
    wb.hand_in(outcome, tmp_path)
    assert open_in(tmp_path) == ""


def test_what_is_missing_is_named(outcome, describe, tmp_path):
    assert open_in(tmp_path).startswith("no weights.safetensors, vocabulary.json, settings.json in")
    wb.hand_in(outcome, tmp_path)
    assert open_in(tmp_path).startswith("no model-card.md in")
    describe()
    (tmp_path / "settings.json").unlink()
    said = open_in(tmp_path)
    assert said.startswith("no settings.json in") and "wb.hand_in" in said


def test_another_model_than_the_cards_is_told_of(outcome, describe, tmp_path):
    describe()
    outcome.take("average")
    wb.hand_in(outcome, tmp_path)
    assert "of another model" in open_in(tmp_path)


def test_files_that_do_not_load_are_told_of(outcome, describe, tmp_path):
    describe()
    wb.hand_in(outcome, tmp_path)
    whole = (tmp_path / "weights.safetensors").read_bytes()
    (tmp_path / "weights.safetensors").write_bytes(whole[:-8])
    assert "do not load" in open_in(tmp_path)
    (tmp_path / "weights.safetensors").write_bytes(whole)
    (tmp_path / "vocabulary.json").write_text("{}")
    assert "holds no vocabulary" in open_in(tmp_path)


def test_a_model_that_has_read_too_little_is_told_of(outcome, describe, tmp_path, capsys):
    describe()
    wb.hand_in(outcome, tmp_path)
    said = " ".join(capsys.readouterr().out.split())
    assert "Careful: the model was trained on 28 pairs of made up" in said
    assert "20,000 pairs of number words" in why_hopeless("number words", 20_000)
    assert not why_hopeless("Multi30k", 29_000)


def test_the_card_and_the_files_agree_in_any_precision(outcome, describe, tmp_path, few_are_enough):
    """A student may write the weights by other means than wb.hand_in."""
    from safetensors.torch import load_file, save_file

    describe()
    wb.hand_in(outcome, tmp_path)
    path = tmp_path / "weights.safetensors"
    save_file({name: one.float() for name, one in load_file(path).items()}, path)
    assert open_in(tmp_path) == ""
    tensors = load_file(path)
    with torch.no_grad():
        next(iter(tensors.values())).view(-1)[0] += 1
    save_file(tensors, path)
    assert "of another model" in open_in(tmp_path)
