"""The map of what is whose is short, however large the class is."""

import csv
import io

from rich.console import Console

from autograder.commands.collect import collect_command
from autograder.submissions.collected_table import MOST_ROWS

from . import zips
from .term import Term
from .zips import Moodle, Person


def collected(zip: Moodle, folder, sheet: str = "") -> list[str]:
    """The lines that `collect` shows on a terminal of 80 columns."""
    (folder / "submissions.zip").write_bytes(zip.zip())
    roster = folder / "worksheet.csv" if sheet else None
    if roster:
        roster.write_text(sheet, encoding="utf-8")
    console = Console(file=io.StringIO(), width=80)
    paths = folder / "submissions.zip", folder / "handed-in"
    assert collect_command(*paths, roster, console, yes=True) == 0
    return console.file.getvalue().splitlines()


def test_of_a_large_class_only_files_with_a_remark_are_shown(hand, tmp_path, monkeypatch):
    people = tuple(
        Person(f"Maximiliana{n}", "von Hohenberg-Wittgenstein", 70000 + n) for n in range(120)
    )
    monkeypatch.setattr(zips, "CLASS", people)
    zip = Moodle()
    for person in people:
        zip.put(person, "warm-up.ipynb", hand.released)
    zip.put(people[7], "photo.jpg", b"\xff\xd8\xff")
    lines = collected(zip, tmp_path, zip.worksheet(people, {people[3]: "2 hours"}))
    said = "\n".join(lines)
    assert len(lines) < 30, said
    assert "assignsubmission" not in said
    assert "What maps where: 121 files" in said and "2 of them have a remark" in said
    assert "photo.jpg" in "".join(said.split()).replace("│", "")
    assert all(len(line) <= 80 for line in lines if line.startswith(("│", "┃")))
    with open(tmp_path / "handed-in/collected.csv", newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 121


def test_of_many_who_are_not_in_the_roster_not_all_are_named(hand, tmp_path, monkeypatch):
    people = tuple(Person(f"Ann{n}", "Lee", 70000 + n) for n in range(120))
    monkeypatch.setattr(zips, "CLASS", people)
    zip = Moodle()
    for person in people:
        zip.put(person, "warm-up.ipynb", hand.released)
    lines = collected(zip, tmp_path, zip.worksheet(people[:1], {}))
    assert sum("not in the roster" in line for line in lines) == MOST_ROWS
    assert any("and 79 more students" in line for line in lines)


def test_the_file_that_is_named_is_there_for_students_folders_too(hand, tmp_path):
    term = Term(tmp_path)
    for student in ("s1", "zoe"):
        hand.put(tmp_path / "in", student, hand.filled())
    term.put("roster.csv", "id,name\ns1,Amina Khan\ns2,Hiro Tanaka\n")
    assert term.grade("in", "roster.csv") == 0
    assert "zoe: not in the roster" in term.said
    assert f"What maps where: 2 files, in {term.out / 'collected.csv'};" in term.said
    with open(term.out / "collected.csv", newline="", encoding="utf-8") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["s1", "zoe"]
