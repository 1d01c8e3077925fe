"""A student's own code goes to another computer and comes back: as a file, or in Google Drive."""

import json
import sys
import zipfile
from pathlib import Path

import pytest
from right_answers import SPLIT

import transformer_workbook as wb
from transformer_workbook.own_code import colab, store

STAND_IN = Path(__file__).resolve().parents[1] / "platforms" / "colab_stand_in"


def words(capsys) -> str:
    """What was printed; long sentences are broken in lines."""
    return " ".join(capsys.readouterr().out.split())


def test_code_is_packed_and_unpacked_elsewhere(notebook, tmp_path, monkeypatch, capsys):
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    packed = wb.pack()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("WORKBOOK_HOME", str(elsewhere))
    assert wb.unpack(packed) == ["split_heads"]
    assert "yours" not in words(capsys)
    assert store.saved() == {"split_heads"}


def test_unpacking_takes_only_files_of_components(notebook, tmp_path, capsys):
    bad = tmp_path / "my_transformer.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("../../evil.py", "")
        archive.writestr("torch.py", "")
        archive.writestr("split_heads.py", SPLIT)
    assert wb.unpack(bad) == ["split_heads"]
    assert not (tmp_path / "my_transformer/torch.py").exists()


@pytest.mark.parametrize("content", [b"", b"not a zip"])
def test_a_damaged_archive_is_a_sentence(notebook, tmp_path, capsys, content):
    bad = tmp_path / "my_transformer.zip"
    bad.write_bytes(content)
    assert wb.unpack(bad) == []
    assert "not a file that wb.pack() made" in words(capsys)


def test_an_archive_that_is_not_there_is_a_sentence(notebook, tmp_path, capsys):
    assert wb.unpack(tmp_path / "none.zip") == []
    assert "There is no file" in words(capsys)


def test_packing_nothing_is_a_sentence(notebook, capsys):
    assert wb.pack() is None
    assert "None of your own code is saved" in words(capsys)


def test_drive_is_for_colab(notebook, capsys):
    wb.use_drive()
    assert "Google Drive is for Colab" in words(capsys)


# On Colab


@pytest.fixture
def browser(notebook, tmp_path, monkeypatch):
    """The folder of the stand-in for Colab; each runtime begins in an empty folder."""
    for name in [name for name in sys.modules if name.split(".")[0] == "google"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(STAND_IN))
    folder = tmp_path / "browser"
    (folder / "uploads").mkdir(parents=True)
    monkeypatch.setenv("COLAB_STAND_IN", str(folder))
    monkeypatch.setattr(colab, "DRIVE", tmp_path / "content" / "drive")
    monkeypatch.delenv("WORKBOOK_HOME")
    __import__("google.colab")
    new_runtime(monkeypatch, tmp_path / "first")
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "google"]:
        del sys.modules[name]


def new_runtime(monkeypatch, folder) -> None:
    folder.mkdir()
    monkeypatch.chdir(folder)
    store._loaded.clear()


def test_code_goes_from_one_runtime_to_the_next_by_download_and_upload(
    notebook, browser, tmp_path, monkeypatch, capsys
):
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    wb.pack()
    downloaded = browser / "downloads" / "my_transformer.zip"
    assert "The browser downloads my_transformer.zip" in words(capsys)

    new_runtime(monkeypatch, tmp_path / "second")
    assert store.saved() == set()
    downloaded.rename(browser / "uploads" / "my_transformer (1).zip")  # as browsers number them
    assert wb.unpack() == ["split_heads"]
    wb.use("split_heads")
    assert "yours: split_heads" in words(capsys)


def test_no_file_chosen_is_a_sentence(browser, capsys):
    assert wb.unpack() == []
    assert "No file was chosen" in words(capsys)


def test_drive_keeps_code_for_the_next_runtime(notebook, browser, tmp_path, monkeypatch, capsys):
    notebook.run(SPLIT)
    assert wb.check("split_heads")
    wb.use_drive()  # what was saved before comes along
    assert "There so far: split_heads" in words(capsys)

    new_runtime(monkeypatch, tmp_path / "second")
    wb.start("01-attention")
    said = words(capsys)
    assert "Your own code that is here so far: split_heads" in said
    assert "kept in your Google Drive" in said


def test_drive_that_is_refused_is_a_sentence(browser, capsys):
    (browser / "refuse").touch()
    wb.use_drive()
    assert "Google Drive is not connected" in words(capsys)


def test_the_first_cell_says_how_to_keep_code(browser, capsys):
    wb.start("00-warm-up")
    said = words(capsys)
    assert "wb.pack()" in said and "wb.unpack()" in said and "wb.use_drive()" in said


def test_the_finished_notebook_is_downloaded_as_it_stands(browser, capsys):
    shown = {
        "cells": [{"source": "", "metadata": {"nbgrader": {"grade_id": "question_1"}}}],
        "metadata": {"workbook": {"lesson": "00-warm-up"}},
    }
    (browser / "notebook.ipynb").write_text(json.dumps(shown))
    wb.start("00-warm-up")
    wb.finish()
    said = words(capsys)
    assert "question_1: no answer yet" in said and "wb.finish(download=True)" in said
    assert not (browser / "downloads").exists()

    wb.finish(download=True)
    assert json.loads((browser / "downloads" / "warm-up.ipynb").read_text()) == shown
    assert "The browser downloads warm-up.ipynb" in words(capsys)


def test_where_colab_gives_no_notebook_the_menu_is_named(browser, capsys):
    wb.start("00-warm-up")
    wb.finish(download=True)
    assert "File > Download > Download .ipynb" in words(capsys)
