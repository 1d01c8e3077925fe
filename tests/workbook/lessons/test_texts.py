"""The novel that ships with the course, and how a text of a student's own is read."""

import pytest

from transformer_workbook import texts


def test_the_novel_is_split_between_two_paragraphs():
    whole = texts.PERSUASION.read_text(encoding="utf-8")
    to_train_on, to_validate_on = texts.read(texts.PERSUASION)
    assert to_train_on.startswith("Persuasion") and to_validate_on.endswith("Finis")
    assert f"{to_train_on}\n\n{to_validate_on}\n" == whole
    assert len(to_validate_on) / len(whole) == pytest.approx(0.1, abs=0.005)
    assert len(whole.encode()) < 500_000  # Binder and Colab fetch it with the package


def test_a_text_without_lines_is_split_where_its_end_begins(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("ab " * 20_000, encoding="utf-8")
    assert [len(part) for part in texts.read(file)] == [53_999, 5_999]


@pytest.mark.parametrize("end", ["\n", "\nThe end.\n", "\n" + "b" * 20_000])
def test_a_text_in_which_no_line_ends_near_is_split_within_one(tmp_path, end):
    file = tmp_path / "mine.txt"
    file.write_text("ab " * 20_000 + end, encoding="utf-8")
    assert len(texts.read(file)[1]) == pytest.approx(0.1 * (60_000 + len(end)), abs=5)


def test_a_text_is_split_where_its_last_line_begins(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("ab " * 18_000 + "\n" + "cd " * 1000 + "\n", encoding="utf-8")
    assert texts.read(file)[1].startswith("cd ")


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "could not be read"), (b"\xff\xfe" * 40_000, "UTF-8"), (b"short", "5 characters")],
)
def test_a_file_that_cannot_be_used_says_why(content, said, tmp_path):
    file = tmp_path / "mine.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(texts.BadText, match=said):
        texts.read(file)
