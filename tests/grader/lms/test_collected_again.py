"""What lies in a collected folder after it was collected into again."""

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.collect import collect_command
from autograder.errors import WrongUsage
from autograder.submissions.collect import collect as submissions

from .zips import AMINA, Canvas, zipped

START = b'{"cells": [], "x": "wb.start(\\"00-warm-up\\")%d"}'


@pytest.fixture
def collected(tmp_path):
    """Collects a zip into one folder; the folder of Amina's lesson in it."""

    def collected(content: bytes, place: str = "khanamina_12345/00-warm-up") -> Path:
        source, folder = tmp_path / "source.zip", tmp_path / "handed-in"
        source.write_bytes(content)
        assert collect_command(source, folder, None, Console(file=io.StringIO()), yes=True) == 0
        return folder / place

    return collected


def attempts(*uploads: dict[str, bytes]) -> list[bytes]:
    """A zip of Canvas for each attempt, in order."""
    zips, all_of_them = [], Canvas()
    for upload in uploads:
        paths = {all_of_them.put(AMINA, name, content): content for name, content in upload.items()}
        zips.append(zipped(paths.items()))
    return zips


def inside(place: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


def test_a_newer_attempt_of_another_name_leaves_nothing_of_the_old_one(collected):
    old = {"warm-up.ipynb": START % 1, "settings.json": b"old"}
    first, second = attempts(old, {"my work.ipynb": START % 2})
    collected(first)
    after = {
        "my work.ipynb": START % 2,
        "earlier/1/warm-up.ipynb": START % 1,
        "earlier/1/settings.json": b"old",
    }
    place = collected(second)
    assert inside(place) == after
    assert inside(collected(second)) == after
    with open(place.parent.parent / "collected.csv", newline="", encoding="utf-8") as file:
        rows = [(row["file"], row["note"]) for row in csv.DictReader(file)]
    assert len({path for path, _note in rows}) == len(rows), "none is its own earlier attempt"
    assert inside(collected(first)) == after, "an older attempt does not count"
    with open(place.parents[1] / "collected.csv", encoding="utf-8", newline="") as file:
        counted = [row["file"] for row in csv.DictReader(file) if row["counts"]]
    assert [file.endswith("my work.ipynb") for file in counted] == [True]


def test_what_lies_beside_an_attempt_stays_when_the_same_is_collected_again(collected):
    (zip,) = attempts({"warm-up.ipynb": START % 1})
    place = collected(zip)
    (place / "repaired by me.ipynb").write_bytes(START % 3)
    (place / "notes.txt").write_bytes(b"asked her")
    before = inside(place)
    assert inside(collected(zip)) == before


def test_a_timestamp_written_by_hand_stays_while_the_attempt_is_the_same(collected):
    first, second = attempts({"warm-up.ipynb": START % 1}, {"warm-up.ipynb": START % 2})
    stamp = collected(first) / "timestamp.txt"
    stamp.write_text("2026-10-13 09:30 Europe/Berlin")
    collected(first)
    assert stamp.read_text() == "2026-10-13 09:30 Europe/Berlin"
    collected(second)
    assert not stamp.exists(), "it is not known when the second attempt came"
    earlier = stamp.parent / "earlier/1/timestamp.txt"
    assert earlier.read_text() == "2026-10-13 09:30 Europe/Berlin"


def test_a_timestamp_written_by_hand_stays_where_the_exchange_has_another(collected):
    inside = "s1+00-warm-up+2026-03-0{} 10:00:00.000000 UTC/warm-up.ipynb"
    place = "s1/00-warm-up"
    stamp = collected(zipped([(inside.format(1), START % 1)]), place) / "timestamp.txt"
    assert stamp.read_text() == "2026-03-01T10:00:00+00:00"
    stamp.write_text("2026-02-28 10:00 UTC")
    collected(zipped([(inside.format(1), START % 1)]), place)
    assert stamp.read_text() == "2026-02-28 10:00 UTC"
    collected(zipped([(inside.format(2), START % 2)]), place)
    assert stamp.read_text() == "2026-03-02T10:00:00+00:00"


def resaved(folder: Path, separator: str = ";", encoding: str = "utf-8") -> None:
    """Save collected.csv as a spreadsheet does."""
    path = folder / "collected.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with open(path, "w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=separator, lineterminator="\r\n").writerows(rows)


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_what_was_collected_is_known_after_a_spreadsheet_saved_the_table(
    collected, course, separator
):
    zip = Canvas()
    path = zip.put(AMINA, "warm-up.ipynb", START % 1, late=True)
    folder = collected(zip.zip()).parents[1]
    resaved(folder, separator, "utf-8-sig")
    (submission,) = submissions(folder, course.lessons).submissions
    assert (submission.late, submission.original) == (True, path)
    older = zipped([(path.replace("67890", "67889"), START % 2)])
    place = collected(older)
    assert (place / "warm-up.ipynb").read_bytes() == START % 1, "the table tells that it is newer"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("student,lesson,file\nJosé,00,x\n".encode("cp1252"), r"is not in UTF-8; save it as CSV"),
        (b"name;points\nAnn;3\n", r"its first line is 'name,points', without student, lesson"),
        (b"", r"its first line is '', without student, lesson, file, .*; expected"),
    ],
)
def test_a_table_that_collect_did_not_write_is_refused(collected, course, content, says):
    (zip,) = attempts({"warm-up.ipynb": START % 1})
    folder = collected(zip).parents[1]
    (folder / "collected.csv").write_bytes(content)
    with pytest.raises(WrongUsage, match=f"collected.csv.*{says}"):
        submissions(folder, course.lessons)
    with pytest.raises(WrongUsage, match=f"collected.csv.*{says}"):
        collected(zip)
    assert (folder / "collected.csv").read_bytes() == content
