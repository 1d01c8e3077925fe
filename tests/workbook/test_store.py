"""A student's own code is saved when it passes, found again, and replaced where it is missing."""

import os
import subprocess
import sys

import pytest
import torch
from right_answers import SPLIT

import transformer_workbook as wb
from transformer_workbook.own_code import paths, store


def test_saved_code_is_used_by_another_process(notebook, tmp_path):
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    code = (
        "import torch, transformer_workbook as wb\n"
        "print(wb.use('split_heads')(torch.zeros(2, 3, 8), 2).shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "yours: split_heads" in done.stdout
    assert "torch.Size([2, 2, 3, 4])" in done.stdout


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="needs two users")
def test_code_that_another_user_has_left_is_never_taken(monkeypatch, tmp_path):
    monkeypatch.delenv("WORKBOOK_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shared, lessons = tmp_path / "shared", tmp_path / "shared" / "alice" / "lessons"
    saved, own = lessons.parent / paths.PACKAGE, lessons / paths.PACKAGE
    lessons.mkdir(parents=True)
    monkeypatch.chdir(lessons)
    saved.mkdir()
    assert paths.home() == saved
    os.chown(saved, 64_321, -1)
    assert paths.home() == own
    (shared / "transformer_workbook").mkdir()
    shared.chmod(0o1777)  # as /tmp
    assert paths.home() == own
    shared.chmod(0o755)
    assert paths.home() == shared / paths.PACKAGE
    os.chown(shared, 64_321, -1)  # it belongs to somebody else
    assert paths.home() == own
    own.symlink_to(tmp_path)
    os.chown(own, 64_321, -1, follow_symlinks=False)
    assert paths.home() == tmp_path / "home" / paths.PACKAGE


def test_a_cell_that_is_no_longer_the_saved_version_is_told(notebook, capsys):
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    capsys.readouterr()
    wb.use("split_heads")
    assert capsys.readouterr().out == "yours: split_heads\n"
    notebook.run(SPLIT.replace("    return x.view", "    x = x + 0\n    return x.view"))
    wb.use("split_heads", quiet=True)
    assert capsys.readouterr().out == ""
    wb.use("split_heads")
    said = " ".join(capsys.readouterr().out.split())
    assert "Your cell that defines split_heads has changed since it was saved" in said
    assert 'wb.check("split_heads") saves the new one' in said
    notebook.run("split_heads = wb.use('split_heads', quiet=True)")
    wb.use("split_heads")
    assert capsys.readouterr().out == "yours: split_heads\n"


def test_a_class_is_saved_with_what_it_uses(notebook, capsys):
    notebook.run("split_heads = wb.use('split_heads')")
    notebook.run(
        "class Cutter(nn.Module):\n    def forward(self, x):\n        return split_heads(x, 2)\n"
    )
    source, uses = store.own_source("Cutter", notebook.names)
    assert source.startswith("class Cutter") and uses == ["split_heads"]


def test_a_local_variable_is_not_taken_for_a_name_of_the_notebook(notebook):
    notebook.run("cut = torch.zeros(3)")
    notebook.run(SPLIT.replace("    return x.view", "    cut = x.view").replace(
        ".transpose(1, 2)", "\n    return cut.transpose(1, 2)"))  # fmt: skip
    source, _ = store.own_source("split_heads", notebook.names)
    assert source.startswith("def split_heads")


def test_what_is_missing_or_broken_is_a_stand_in_and_said_to_be_one(notebook, tmp_path, capsys):
    (tmp_path / "my_transformer").mkdir()
    (tmp_path / "my_transformer/split_heads.py").write_text("def split_heads(x:\n")
    split, merge = wb.use("split_heads", "merge_heads")
    x = torch.randn(2, 3, 8)
    assert torch.equal(merge(split(x, 4)), x)
    said = capsys.readouterr().out.partition("stand-ins from the course")
    assert "could not be loaded" in said[0] and "merge_heads" in said[2]


def test_a_part_that_passes_later_takes_the_place_of_its_stand_in_at_any_depth(notebook):
    user = "class {name}(nn.Module):\n    def forward(self, x):\n        return {used}(x, 2)\n"
    attention = user.format(name="MultiHeadAttention", used="split_heads")
    layer = user.format(name="EncoderLayer", used="MultiHeadAttention().forward").replace(", 2", "")
    store.save("MultiHeadAttention", attention, ["split_heads"])
    store.save("EncoderLayer", layer, ["MultiHeadAttention"])
    store.save("PositionwiseFeedForward", "class PositionwiseFeedForward:\n    pass", [])
    other = wb.use("PositionwiseFeedForward", quiet=True)
    wb.use("EncoderLayer", quiet=True)
    assert store.is_stand_in(store.inside("EncoderLayer")["split_heads"])
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    assert wb.use("EncoderLayer", quiet=True)()(torch.zeros(1, 2, 4)).shape == (1, 2, 2, 2)
    assert not store.is_stand_in(store.inside("EncoderLayer")["split_heads"])
    assert wb.use("PositionwiseFeedForward", quiet=True) is other  # it uses none of these
