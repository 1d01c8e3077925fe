"""The corpus comes from a folder or the network, whole or not at all, and says what is wrong."""

import gzip
import hashlib

import pytest

from transformer_workbook.lessons.translation import find_corpus
from transformer_workbook.lessons.translation.corpus import CHECKSUMS, NoCorpus, fetch, multi30k

PARTS = ("train", "val", "test_2016_flickr")
NAMES = [f"{part}.{language}" for part in PARTS for language in ("de", "en")]


def write(folder, lines=("Ein Haus.", "Zwei.")):
    for name in NAMES:
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_folder_of_plain_files_is_taken(tmp_path, monkeypatch):
    write(tmp_path)
    found = multi30k(tmp_path)
    assert found.train == [("Ein Haus.", "Ein Haus."), ("Zwei.", "Zwei.")]
    monkeypatch.setenv("MULTI30K_DIR", str(tmp_path))
    assert multi30k() == found


def test_lines_end_with_newline_only_and_lose_spaces_at_their_ends(tmp_path):
    write(tmp_path, ["one\u2028still one ", "two\u00a0and\x85still two"])
    assert [pair[0] for pair in multi30k(tmp_path).train] == [
        "one\u2028still one", "two\u00a0and\x85still two",
    ]  # fmt: skip


def test_missing_file_is_named(tmp_path):
    write(tmp_path)
    (tmp_path / "val.en").unlink()
    with pytest.raises(NoCorpus, match=r"no val\.en\.gz in .*MULTI30K_DIR"):
        multi30k(tmp_path)


def test_sides_of_different_length_are_refused(tmp_path):
    write(tmp_path)
    (tmp_path / "train.en").write_text("one\n")
    with pytest.raises(NoCorpus, match="train has 2 German lines and 1 English ones"):
        multi30k(tmp_path)


def test_packed_file_that_is_not_the_known_one_is_refused(tmp_path):
    (tmp_path / "train.de.gz").write_bytes(gzip.compress(b"something else\n"))
    with pytest.raises(NoCorpus, match="damaged or another version"):
        multi30k(tmp_path)


def test_without_a_corpus_number_words_take_its_place(tmp_path, capsys):
    found = find_corpus(tmp_path)
    assert found.name == "number words" and len(found.train) == 20_000
    assert set(found.train).isdisjoint(found.test)
    said = capsys.readouterr().out
    assert "there is no train.de.gz" in said and "number words" in said


@pytest.fixture
def address(tmp_path, monkeypatch):
    """A folder as the public address, with one file."""
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "x.gz").write_bytes(b"a corpus")
    monkeypatch.setitem(CHECKSUMS, "x.gz", hashlib.sha256(b"a corpus").hexdigest())
    return folder


def test_download_is_kept_and_not_fetched_again(address, tmp_path):
    assert fetch("x.gz", tmp_path / "here", address.as_uri()) == b"a corpus"
    (address / "x.gz").unlink()
    assert fetch("x.gz", tmp_path / "here", address.as_uri()) == b"a corpus"


def test_download_that_is_something_else_is_refused_and_begun_anew(address, tmp_path):
    (address / "x.gz").write_bytes(b"another file")
    (address / "unknown.gz").write_bytes(b"a corpus")
    for name in ("x.gz", "unknown.gz"):
        with pytest.raises(NoCorpus, match=r"could not be fetched .* \(invalid hash value"):
            fetch(name, tmp_path / "here", address.as_uri())
    (address / "x.gz").write_bytes(b"a corpus")
    assert fetch("x.gz", tmp_path / "here", address.as_uri()) == b"a corpus"


def test_unreachable_address_says_how_to_go_on(tmp_path):
    with pytest.raises(NoCorpus, match=r"could not be fetched .* MULTI30K_DIR"):
        fetch("x.gz", tmp_path, "http://127.0.0.1:9")
