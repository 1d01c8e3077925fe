"""A file is written whole or not at all."""

import pytest

from transformer_workbook.shared.files import whole


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "new" / "x.bin"
    with whole(path) as part:
        part.write_bytes(b"whole")
        assert not path.exists()
    assert [file.name for file in path.parent.iterdir()] == ["x.bin"]
    assert path.read_bytes() == b"whole"


def test_after_an_error_the_old_file_stays(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), whole(path) as part:
        part.write_bytes(b"ne")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
