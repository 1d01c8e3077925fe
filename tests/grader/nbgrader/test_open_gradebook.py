"""A gradebook that is kept open is the same gradebook."""

import signal
import sqlite3
import subprocess
import sys

import pytest
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.nbgrader.open_gradebook import keep_open


@pytest.fixture(autouse=True)
def _no_program(monkeypatch):
    """nbgrader asks another program for this, which takes a second."""
    monkeypatch.setattr(api, "get_alembic_version", lambda: "1")


@pytest.fixture
def url(tmp_path) -> str:
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    Gradebook(url).close()
    return url


def test_what_one_step_writes_the_next_one_reads(url):
    with keep_open(url):
        with Gradebook(url) as first:
            first.add_student("amina")
        with Gradebook(url) as second:
            assert second.find_student("amina").id == "amina"
    with Gradebook(url) as later:
        assert later.find_student("amina").id == "amina"


def test_what_was_not_committed_is_undone(url):
    with keep_open(url):
        with Gradebook(url) as first:
            first.add_assignment("one")
            first.find_assignment("one").name = "two"
            first.db.flush()
        with Gradebook(url) as second:
            assert second.find_assignment("one")
            with pytest.raises(MissingEntry):
                second.find_assignment("two")


def test_the_tables_are_looked_at_once(url):
    asked = []

    def note(connection, cursor, statement, *rest) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        with keep_open(url):
            Gradebook(url).close()
            count = len(asked)
            for _ in range(3):
                Gradebook(url).close()
            again = len(asked) - count
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert count > 0
    assert again == 0


def test_another_gradebook_is_another(url, tmp_path):
    with keep_open(url):
        with Gradebook(f"sqlite:///{tmp_path / 'other.db'}") as other:
            other.add_student("diego")
        with Gradebook(url) as first, pytest.raises(MissingEntry):
            first.find_student("diego")


def test_afterwards_gradebooks_are_opened_as_before(url):
    before = Gradebook.__init__, Gradebook.close
    with keep_open(url):
        pass
    assert (Gradebook.__init__, Gradebook.close) == before


def test_a_gradebook_that_cannot_be_opened_says_so_each_time(tmp_path):
    url = f"sqlite:///{tmp_path / 'nowhere' / 'gradebook.db'}"
    with keep_open(url):
        for _ in range(2):
            with pytest.raises(Exception, match="unable to open"):
                Gradebook(url)


def test_one_file_is_left(url, tmp_path):
    with keep_open(url), Gradebook(url) as first:
        first.add_student("amina")
    assert [path.name for path in tmp_path.iterdir()] == ["gradebook.db"]
    with sqlite3.connect(tmp_path / "gradebook.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_commit_outlives_a_process_that_is_killed(url):
    code = f"""
import os, signal
from nbgrader.api import Gradebook
from autograder.nbgrader.open_gradebook import keep_open
with keep_open({url!r}):
    Gradebook({url!r}).close()
    Gradebook({url!r}).add_student("amina")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    with keep_open(url), Gradebook(url) as later:
        assert later.find_student("amina").id == "amina"
