"""The command that trains the translator which comes with the students' package."""

import dataclasses
import io

import torch
from rich.console import Console

from autograder.authoring import translator
from transformer_workbook.training.checkpoints import read_tensors


def test_weights_are_written_in_half_precision_and_a_bad_translator_fails(tmp_path, monkeypatch):
    small = dataclasses.replace(translator.SETTING, train=100, validation=10, test=10, epochs=1)
    monkeypatch.setattr(translator, "SETTING", small)
    said = Console(file=io.StringIO(), width=200)
    path = tmp_path / "translator.safetensors"
    assert translator.run(said, path) == 1
    tensors, _info = read_tensors(path)
    assert {weight.dtype for weight in tensors.values()} == {torch.float16}
    assert tensors["generator.proj.bias"].shape == (34,)
    assert "of 10 unseen numbers right" in said.file.getvalue()
