"""A roster tells who is in the class: read from any of its forms, asked for any of their names."""

import time
from pathlib import Path

import pytest

from autograder.errors import WrongUsage
from autograder.lms.read_roster import COLUMNS, read_roster, read_worksheet
from autograder.submissions.collect import require_known_students

from .test_sources import mapped
from .zips import AMINA, CLASS, JOSE, Moodle, raw


def roster(tmp_path, text: str):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path)


def test_a_worksheet_in_which_days_may_be_months_is_refused(tmp_path):
    by_moodle = "Sunday, 1 March 2026, 11:59 PM"
    sheet = Moodle().worksheet(CLASS, {}).replace(by_moodle, "12/10/2026 23:59")
    path = tmp_path / "sheet.csv"
    for read in (read_roster, read_worksheet):
        path.write_text(sheet, encoding="utf-8")
        with pytest.raises(WrongUsage, match=r"does not tell day from month: 12/10/2026 23:59 in"):
            read(path)
        path.write_text(sheet.replace("12/10", "13/10", 1), encoding="utf-8")
        times = {student.submitted[:7] for student in read(path).students}
        assert times == {"2026-10", ""}


def test_a_worksheet_of_another_assignment_tells_no_time(found, hand_first, tmp_path):
    zip, other = Moodle(501), Moodle(502)
    zip.put(JOSE, "attention.ipynb", hand_first.filled())
    known = roster(tmp_path, other.worksheet(CLASS, {JOSE: "1 day", AMINA: "2 days"}))
    (submission,) = found(zip.zip(), known).submissions
    assert (submission.student, submission.late, submission.submitted) == (JOSE.email, False, "")


@pytest.mark.parametrize(
    "folder",
    [
        "s12346",
        "S12346",
        "s12346@uni.example",
        "José García López",
        "García López, José",
        "Jose Garcia Lopez",
        "garcialopezjose",
    ],
)
def test_a_roster_finds_students_by_any_of_their_names(found, hand_first, tmp_path, folder):
    text = "id,name,email,section\n"
    text += "".join(f"s{person.number},{person.name},{person.email},A\n" for person in CLASS)
    files = {f"{folder}/01-attention/attention.ipynb": raw(hand_first.filled())}
    assert mapped(found(files, roster(tmp_path, text))) == {("s12346", "01-attention")}


def test_who_is_not_in_the_roster_or_unclear_is_graded_and_told(found, hand_first, tmp_path):
    known = roster(tmp_path, "Matrikel;ID;Name\nx;s1;Ann Lee\nx;s2;Ann Lee\n")
    files = {f"{name}/attention.ipynb": raw(hand_first.filled()) for name in ("Ann Lee", "Zoe")}
    result = found(files, known)
    assert mapped(result) == {("Ann Lee", "01-attention"), ("Zoe", "01-attention")}
    assert result.unknown == {
        "Ann Lee": "could be any of s1, s2 in the roster", "Zoe": "not in the roster"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has the columns none"),
        ("colour,size\nred,3\n", "colour, size.*expected a CSV with a column id"),
        ("id,name\ns1,A\ns1,B\n", "several rows for s1"),
        ("id,name\n", "no row with a student"),
    ],
)
def test_a_wrong_roster_says_what_was_expected(tmp_path, text, says):
    with pytest.raises(WrongUsage, match=says):
        roster(tmp_path, text)


def test_a_roster_that_is_not_there_is_named():
    with pytest.raises(WrongUsage, match=r"nowhere.csv cannot be read"):
        read_roster(Path("nowhere.csv"))


@pytest.mark.parametrize(
    ("meaning", "column"), [(meaning, one) for meaning in COLUMNS for one in COLUMNS[meaning]]
)
def test_each_name_of_a_column_is_understood_however_it_is_written(tmp_path, meaning, column):
    header = {"id": "id", "section": "section"} | {meaning: column.title()}
    (student,) = roster(
        tmp_path, f"{','.join(header.values())}\n{','.join(f'x {name}' for name in header)}\n"
    ).students
    told = student.name if meaning == "first" else getattr(student, meaning)
    assert (told, student.id) == (f"x {meaning}", "x id")


def test_of_several_columns_of_ids_the_one_named_first_counts(tmp_path):
    text = "Matrikelnummer,Username,Name\n4711,amina,Amina Khan\n"
    assert roster(tmp_path, text).students[0].id == "amina"


def test_without_a_column_of_ids_the_address_is_the_id(tmp_path):
    (student,) = roster(tmp_path, "Name,E-Mail\nAmina Khan,amina@uni.example\n").students
    assert student.id == "amina@uni.example"


def test_ids_as_a_spreadsheet_writes_them_are_asked_about(found, hand_first, tmp_path):
    names = ("007", "amina", "ben")
    result = found({f"{name}/attention.ipynb": raw(hand_first.filled()) for name in names})
    known = roster(tmp_path, "id,name\n7,J Bond\namina,A\nben,B\n")
    with pytest.raises(WrongUsage, match=r"as a spreadsheet writes numbers: 007 \(7\)\. Put the"):
        require_known_students(known, tmp_path, result, lambda message: False)


def test_a_large_roster_with_a_long_field_is_read_in_seconds(tmp_path):
    rows = "".join(f"s{number},Ada Lovelace {number}\n" for number in range(20_000))
    started = time.process_time()
    known = roster(tmp_path, f"id,name\ns,{'x' * 140_000}\n{rows}")
    assert known.id_of("Lovelace 19999, Ada") == "s19999"
    assert time.process_time() - started < 10


def test_who_is_meant_may_be_nobody_or_several(tmp_path):
    text = "id,name,lms_id\ns1,Ann Lee,11\ns2,Ann Lee,12\ns3,Zoë Bär,13\n"
    known = roster(tmp_path, text)
    assert [one.id for one in known.find("Lee, Ann")] == ["s1", "s2"]
    assert [one.id for one in known.find("Lee, Ann", "12")] == ["s2"], "the LMS's id tells"
    assert [one.id for one in known.find("Zoe Bar")] == ["s3"]
    assert known.find("Bob") == []
