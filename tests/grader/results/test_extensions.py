"""The table of extensions: read as spreadsheets write it; a wrong row is told with its number."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from autograder.errors import WrongUsage
from autograder.results.extensions import named_like, read_deadlines
from autograder.results.safe_names import respelled

DUE = datetime(2026, 10, 5, 22, 0, tzinfo=UTC)
LATER = datetime(2026, 10, 8, 22, 0, tzinfo=UTC)


@pytest.fixture
def read(course, tmp_path):
    """What is read of a table, with a deadline for the warm-up."""
    first, *others = course.lessons
    timed = replace(course, lessons=(replace(first, due=DUE), *others))

    def read(text: str, encoding: str = "utf-8"):
        (tmp_path / "extensions.csv").write_bytes(text.encode(encoding))
        return read_deadlines(tmp_path, timed, {"diego": "", "amina": ""})

    return read


@pytest.mark.parametrize(
    "text",
    [
        "student,lesson,due\ndiego,00-warm-up,2026-10-08T22:00Z\n",
        "student;lesson;due\r\ndiego;00-warm-up;2026-10-08T22:00Z\r\n",
        "\ufeffstudent;lesson;due\r\ndiego;00-warm-up;2026-10-08T22:00Z\r\n",
        "student,lesson,due\rdiego,00-warm-up,2026-10-08T22:00Z\r",
        "student,lesson,due\n,,\n\ndiego,00-warm-up,2026-10-08T22:00Z\n , ,\n",
        "student,lesson,due\ndiego,00,2026-10-08T22:00Z\n",
    ],
    ids=[
        "commas",
        "semicolons",
        "a mark of Excel's",
        "an old Mac's lines",
        "emptied rows",
        "the lesson's number",
    ],
)
def test_a_spreadsheets_table_is_taken_as_it_is(read, text):
    deadlines = read(text)
    assert deadlines.due("diego", "00-warm-up") == LATER
    assert deadlines.due("amina", "00-warm-up") == DUE


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("diego,00-warm-up,soon", "5: due is 'soon'; expected a moment"),
        ("diego,00-warm-up," + "x" * 200_000, "5: due is '" + "x" * 100 + "'; expected"),
        ("diego,00-warmup,2026-10-08T22:00Z", "5: .*Was 00-warm-up meant?"),
        ("diego,00-warm-up,2026-10-01T22:00Z", "5: .*a later moment"),
        ("diego,01-attention,2026-10-08T22:00Z", "5: .*which is due at no time"),
    ],
)
def test_a_wrong_row_is_told_with_its_number_in_the_spreadsheet(read, row, says):
    with pytest.raises(WrongUsage, match=rf"extensions\.csv, {says}"):
        read(f"student,lesson,due\n\n,,\namina,00-warm-up,2026-10-08\n{row}\n")
    with pytest.raises(WrongUsage, match=r"extensions\.csv.*expected 'student,lesson,due'"):
        read("name,lesson,due\n")


@pytest.mark.parametrize("due", ["0001-01-01 00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_year_at_the_end_of_the_calendar_is_a_wrong_row(read, due):
    with pytest.raises(WrongUsage, match=r"extensions\.csv, 2: due is"):
        read(f"student,lesson,due\ndiego,00-warm-up,{due}\n")


@pytest.mark.parametrize(
    ("written", "is_meant"),
    [("7", "007"), ("7.0", "007"), ("1.23457E+11", "123456789012"), ("di\u200bego", "diego")],
)
def test_an_id_as_a_spreadsheet_writes_it_is_asked_about(written, is_meant):
    people = {"007": "", "123456789012": "", "diego": "", "amina": ""}
    assert f"Was {is_meant} meant?" in named_like(written, people)
    assert not respelled(["8", "120000"], people)


def test_a_table_in_another_encoding_says_how_to_save_it(read):
    with pytest.raises(WrongUsage, match="is not in UTF-8; save it as CSV UTF-8"):
        read("student,lesson,due\nJosé,00-warm-up,2026-10-08\n", "latin-1")


def test_a_second_extension_for_the_same_work_is_told(read):
    table = (
        "student,lesson,due\n{},00-warm-up,2026-10-08T22:00Z\n diego,00-warm-up,2026-10-09T22:00Z\n"
    )
    says = (
        r"extensions\.csv, 3: diego is given time for 00-warm-up in row 2 already; keep one of them"
    )
    with pytest.raises(WrongUsage, match=says):
        read(table.format("diego"))
    assert read(table.format("amina")).due("amina", "00-warm-up") == LATER
