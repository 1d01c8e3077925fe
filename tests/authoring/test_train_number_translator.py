"""The program that trains the translator which comes with the students' package."""

import dataclasses
import io

import torch
from rich.console import Console

import transformer
from autograder.lessons import train_number_translator
from transformer_workbook.lessons.number_words.words import ENGLISH, GERMAN
from transformer_workbook.trainer.checkpoints import read_tensors


def test_weights_are_written_in_half_precision_and_a_bad_translator_fails(tmp_path, monkeypatch):
    small = dataclasses.replace(
        train_number_translator.SETTING, train=100, validation=10, test=10, epochs=1
    )
    monkeypatch.setattr(train_number_translator, "SETTING", small)
    said = Console(file=io.StringIO(), width=200)
    path = tmp_path / "translator.safetensors"
    assert train_number_translator.run(said, path) == 1
    tensors, _info = read_tensors(path)
    assert {weight.dtype for weight in tensors.values()} == {torch.float16}
    assert tensors["generator.proj.bias"].shape == (34,)
    assert "of 11 numbers right" in said.file.getvalue()


def test_zero_is_learned_by_the_rows_of_its_two_words_alone():
    torch.manual_seed(0)
    model = transformer.make_model(len(GERMAN), len(ENGLISH), num_layers=1, d_model=8, num_heads=2)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    train_number_translator.learn_zero(model, [*range(200)], steps=2)
    changed = {
        name: (weight != before[name]).nonzero()[:, 0].unique().tolist()
        for name, weight in model.state_dict().items()
        if not torch.equal(weight, before[name])
    }
    assert changed == {
        "src_embed.0.embedding.weight": GERMAN.encode(["null"]),
        "generator.proj.weight": ENGLISH.encode(["zero"]),
    }
