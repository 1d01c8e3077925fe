"""Files that are put in place in one step."""

import os
import threading

import pytest

from autograder.grading.results import CannotWrite, read_json, replace_file, write_json


def test_two_threads_may_put_the_same_file_in_place(tmp_path):
    errors = []

    def write():
        try:
            for _ in range(200):
                write_json(tmp_path / "same.json", {"all": "alike" * 1000})
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert read_json(tmp_path / "same.json")["all"].startswith("alike")


def test_what_cannot_be_written_says_so_in_one_line_and_leaves_the_old(tmp_path, monkeypatch):
    path = tmp_path / "grades.csv"
    replace_file(path, "old")

    def full(*args):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(CannotWrite) as raised:
        replace_file(path, "new")
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value) and os.strerror(28) in str(raised.value)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["grades.csv"]
