"""Sub-words give back every text, and their file is a list of merges."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_workbook.lessons.translation import Subwords
from transformer_workbook.lessons.translation.subwords import BOS, EOS, PAD, BadVocabulary


@pytest.fixture(scope="module")
def subwords(pairs):
    return Subwords.learn([side for pair in pairs for side in pair], 320)


def test_size_and_marks(subwords):
    assert len(subwords) <= 320
    assert subwords.pieces[:3] == ["<pad>", "<bos>", "<eos>"] and (PAD, BOS, EOS) == (0, 1, 2)


def test_frequent_words_become_one_piece(subwords):
    assert subwords.pieces_of("is") == [" is"]


def test_many_texts_are_encoded_as_one_is(subwords, pairs, monkeypatch):
    monkeypatch.setattr("transformer_workbook.lessons.translation.subwords._BATCH", 7)
    sentences = [german for german, _ in pairs]
    assert subwords.encode_all(sentences) == [subwords.encode(sentence) for sentence in sentences]
    assert subwords.encode_all([]) == []


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_comes_back(subwords, text):
    # A blank stands before the first word, so those at the ends are not told apart.
    assert subwords.decode(subwords.encode(text)) == text.strip()


def test_marks_in_a_text_are_plain_text(subwords):
    ids = subwords.encode("<eos> <pad>")
    assert not {PAD, BOS, EOS} & set(ids)
    assert subwords.decode(ids) == "<eos> <pad>"


def test_decoding_stops_at_the_end_mark(subwords):
    ids = subwords.encode("Ein Hund")
    assert subwords.decode([BOS, *ids, EOS, *ids, PAD]) == "Ein Hund"


def test_saved_and_loaded_it_is_the_same(subwords, tmp_path):
    again = Subwords.load(subwords.save(tmp_path / "vocabulary.json"))
    assert again.pieces == subwords.pieces
    assert again.encode("Eine Frau schläft.") == subwords.encode("Eine Frau schläft.")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"merges": 3}', '{"merges": ["a"]}', "[" * 9999])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "vocabulary.json"
    path.write_text(text)
    with pytest.raises(BadVocabulary, match="holds no vocabulary"):
        Subwords.load(path)


def test_merge_of_unknown_pieces_is_refused(tmp_path):
    path = tmp_path / "vocabulary.json"
    path.write_text(json.dumps({"merges": ["a b", "xy z"]}))
    with pytest.raises(BadVocabulary, match="xy"):
        Subwords.load(path)
