"""Files of weights and of runs: read by the library of that name, refused where they are wrong."""

import json

import pytest
import torch
from torch import nn

import transformer_workbook as wb
from transformer_workbook.trainer.checkpoints import BadCheckpoint, read_tensors, write_tensors

TENSORS = {
    "weight": torch.arange(6.0).reshape(2, 3),
    "half": torch.tensor([0.5, -2.0], dtype=torch.bfloat16),
    "seen": torch.tensor([True, False, True]),
    "bytes": torch.tensor([1, 255], dtype=torch.uint8),
    "ids": torch.tensor([[2**40, -1]]),
    "step": torch.tensor(3.0),
    "double": torch.tensor([0.1], dtype=torch.float64),
    "none": torch.empty(0, 4),
}


def same(actual, expected):
    assert actual.keys() == expected.keys()
    for name, tensor in expected.items():
        assert actual[name].dtype == tensor.dtype and torch.equal(actual[name], tensor), name


def model(width=3):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, 1))


def test_tensors_come_back(tmp_path):
    path = write_tensors(tmp_path / "new" / "x.safetensors", TENSORS)
    same(read_tensors(path), TENSORS)
    assert [one.name for one in path.parent.iterdir()] == ["x.safetensors"]
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode  # others may read it


def test_strided_and_shared_tensors(tmp_path):
    whole = torch.arange(12.0).reshape(3, 4)
    tensors = {"turned": whole.T, "column": whole[:, 1], "a": whole, "b": whole}
    same(read_tensors(write_tensors(tmp_path / "x", tensors)), tensors)


def test_weights_come_back(tmp_path):
    ours, other = model(), model()
    nn.init.zeros_(other[0].weight)
    wb.load_weights(other, wb.save_weights(ours, tmp_path / "w.safetensors"))
    same(other.state_dict(), ours.state_dict())


def test_another_models_weights_are_refused(tmp_path):
    path = wb.save_weights(model(5), tmp_path / "w.safetensors")
    ours = model()
    before = {name: one.clone() for name, one in ours.state_dict().items()}
    with pytest.raises(BadCheckpoint) as caught:
        wb.load_weights(ours, path)
    said = str(caught.value)
    assert "0.weight is (5, 2), in your model (3, 2) (2 more differ)" in said
    assert str(path) in said and "the sizes that the file was made with" in said
    same(ours.state_dict(), before)


def test_weights_with_other_names_are_refused(tmp_path):
    path = wb.save_weights(nn.Linear(2, 3), tmp_path / "w.safetensors")
    with pytest.raises(BadCheckpoint, match=r"0.weight is not there, in your model \(3, 2\)"):
        wb.load_weights(model(), path)


def header(**entry):
    text = json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], **entry}})
    return lambda raw: len(text).to_bytes(8, "little") + text.encode() + bytes(4)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: b"PK\x03\x04" + raw[4:],
        lambda raw: raw + b"more",
        lambda raw: raw[:-3],
        lambda raw: raw[:50],
        header(dtype="F31"),
        header(shape=[-1]),
        header(dtype=["F32"]),
        header(data_offsets=[0, 8]),
        lambda raw: (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_damaged_files_are_refused(tmp_path, damage):
    path = wb.save_weights(model(), tmp_path / "w.safetensors")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BadCheckpoint) as caught:
        wb.load_weights(model(), path)
    assert str(path) in str(caught.value) and "Delete it" in str(caught.value)
