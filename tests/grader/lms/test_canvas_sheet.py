"""Canvas's gradebook as instructors have it: a grade goes where it is clear, or nowhere."""

import csv
import io

import pytest

from autograder.cli import main
from autograder.errors import WrongUsage
from autograder.lms.export_canvas import columns_named
from autograder.lms.read_roster import read_roster

from .term import Term, table
from .zips import AMINA, CLASS, DIEGO, EMPTY, JOSE, LI, Canvas

pytestmark = pytest.mark.xdist_group("golden")
COMPUTED = (
    "Assignments Current Points", "Assignments Final Points", "Current Score", "Final Score",
)  # fmt: skip


@pytest.fixture(scope="module")
def term(hand, course, tmp_path_factory) -> Term:
    """Two lessons that three handed in."""
    term, zip = Term(tmp_path_factory.mktemp("canvas")), Canvas()
    second = type(hand)(course, course.lesson("01-attention"))
    for person in (AMINA, JOSE, DIEGO):
        zip.put(person, "warm-up.ipynb", hand.filled())
        zip.put(person, "attention.ipynb", second.filled())
    term.put("submissions.zip", zip.zip())
    assert term.grade("submissions.zip") == 0, term.said
    return term


def gradebook(columns, cells=None, separator=",", more=()) -> str:
    """*Export Entire Gradebook*: points by title, cells by number and title, further rows."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, lineterminator="\n")
    about = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    writer.writerow([*about, *columns, *COMPUTED])
    writer.writerow([*[""] * 5, *["Manual Posting"] * len(columns), *[""] * 4])
    possible = ["    Points Possible", *[""] * 4, *columns.values(), *["(read only)"] * 4]
    writer.writerow(possible)
    for one, section in [*((person, "Group A") for person in CLASS), *more]:
        own = [(cells or {}).get((one.number, title), "") for title in columns]
        known = [f"{one.last}, {one.first}", one.number, f"U{one.number}", f"s{one.number}"]
        writer.writerow([*known, section, *own, "0", "0", "", ""])
    return file.getvalue()


def exported(term: Term, columns, chosen=(), **more) -> int:
    (term.out / "export/canvas/grades.csv").unlink(missing_ok=True)
    sheet = term.put("gradebook.csv", gradebook(columns, **more))
    return term.export("canvas", sheet, columns=chosen)


def grades(term: Term, separator=",") -> tuple[list[str], dict[str, list[str]]]:
    """The titles, and what each student has."""
    text = term.read("canvas/grades.csv")
    header, *rows = csv.reader(io.StringIO(text), delimiter=separator)
    return header[5:], {row[3]: row[5:] for row in rows if row[3]}


@pytest.mark.parametrize(
    "title, lesson",
    [
        ("Attention (9002)", "01"),
        ("ATTENTION  (9002)", "01"),
        ("01-attention (9002)", "01"),
        ("HW: Attention (9002)", "01"),
        ("Warm-up: moving tensors around (9001)", "00"),
        ("Add and norm (1)", "03"),
        ("Lesson 2 (9003)", "02"),
        ("Homework: Lesson 02 (9)", "02"),
        ("Lesson 1: Attention (9002)", "01"),
        ("Attention check-in survey (9004)", ""),
        ("Attention (makeup) (9020)", ""),
        ("Lesson 02 quiz (7)", ""),
        ("Homework 1 (9001)", ""),
        ("Homework 02 (9003)", ""),
        ("Homework 2: Attention (9001)", ""),
        ("Lessons 01 and 02", ""),
        ("", ""),
    ],
)
def test_a_title_is_its_lessons_as_a_whole(course, title, lesson):
    found = columns_named({5: title}, course.lessons)
    assert {id[:2]: places for id, places in found.items()} == ({lesson: [5]} if lesson else {})


def test_where_a_grade_goes_is_told_always(term):
    columns = {"Week 1 survey (1)": "5", "Warm-up (2)": "16", "Lesson 01 (3)": "16"}
    assert exported(term, columns) == 0, term.said
    assert "00-warm-up -> Warm-up (2)\n" in term.said
    assert "01-attention -> Lesson 01 (3)\n" in term.said
    assert grades(term)[0] == ["Warm-up (2)", "Lesson 01 (3)"]


def test_no_column_that_is_clear_writes_no_grades(term):
    columns = {"Warm-up quiz (1)": "3", "Attention check-in survey (2)": "100"}
    assert exported(term, columns) == 1
    assert "01-attention: no column" in term.said and "--column 01=" in term.said
    assert "without a lesson are Warm-up quiz (1), Attention check-in survey (2). " in term.said
    assert "grades.csv" not in term.said
    assert not (term.out / "export/canvas/grades.csv").exists()


def test_columns_with_the_same_title_are_refused_until_one_is_chosen(term):
    columns = {"Attention (1)": "100", "Attention (2)": "16", "Warm-up (3)": "16"}
    assert exported(term, columns) == 1
    assert "01-attention: Attention (1) and Attention (2)" in term.said
    assert grades(term)[0] == ["Warm-up (3)"]
    for title in ("Attention (2)", "2"):
        assert exported(term, columns, [f"01={title}"]) == 0, term.said
        assert grades(term)[0] == ["Attention (2)", "Warm-up (3)"]


def test_the_command_takes_columns_by_any_title(term, monkeypatch, capsys):
    titles = {"Homework 1 (1)": "16", "HW 2 - the big one (2)": "100", "Midterm (3)": "50"}
    sheet = term.put("gradebook.csv", gradebook(titles))
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        main(["export", str(term.out), "--for", "canvas", "--sheet", str(sheet),
              "--column", "00=Homework 1", "--column", "attention=HW 2 - the big one"])  # fmt: skip
    assert not ended.value.code, capsys.readouterr()
    assert grades(term)[0] == ["Homework 1 (1)", "HW 2 - the big one (2)"]


@pytest.mark.parametrize(
    "chosen, why",
    [
        (["HW 1"], "'HW 1'; expected a lesson and the title"),
        (["77=Attention"], "expected a lesson"),
        (["01=Nowhere"], "0 columns are called 'Nowhere'; expected one of Attention .1., Atten"),
        (["01=attention"], "2 columns are called 'attention'"),
        (["00=Warm-up", "01=Warm-up"], "'Warm-up' or its lesson twice"),
    ],
)
def test_a_column_that_is_not_clear_is_refused(term, chosen, why):
    columns = {"Attention (1)": "100", "Attention (2)": "16", "Warm-up (3)": "16"}
    with pytest.raises(WrongUsage, match=why):
        exported(term, columns, chosen)


def test_a_column_needs_a_gradebook_of_canvas(term):
    with pytest.raises(WrongUsage, match="--for canvas alone"):
        term.export("moodle", columns=["01=HW 1"])
    with pytest.raises(WrongUsage, match="with --sheet"):
        term.export("canvas", columns=["01=HW 1"])


def test_the_excused_stay_so_and_replaced_grades_are_told_the_drops_first(term):
    titles = {"Warm-up (1)": "16", "Attention (2)": "100"}
    assert exported(term, titles) == 0
    total = grades(term)[1]["s12346"][1]
    cells = {
        (12345, "Attention (2)"): "EX", (12346, "Attention (2)"): "12.5",
        (12347, "Attention (2)"): "99.00", (12348, "Attention (2)"): "7",
        (12346, "Warm-up (1)"): f"{float(grades(term)[1]['s12346'][0]):.2f}",
    }  # fmt: skip
    assert exported(term, titles, cells=cells) == 0, term.said
    own = {student: cells[1] for student, cells in grades(term)[1].items()}
    assert own == {"s12345": "EX", "s12346": total, "s12347": total, "s12348": "7", "s12349": ""}
    assert "01-attention: excused in the sheet, which stays so: khanamina_12345" in term.said
    assert "01-attention: replaces 2 grades that the sheet has, 1 of them by a lower" in term.said
    assert term.said.index(f"99.00 -> {total}") < term.said.index(f"12.5 -> {total}")
    assert "00-warm-up: replaces" not in term.said


def test_points_possible_of_none_and_of_0_are_told_apart(term):
    assert exported(term, {"Warm-up (1)": "0", "Attention (2)": ""}) == 1
    assert "00-warm-up: Canvas counts it out of 0 points" in term.said
    assert "01-attention: " in term.said and "does not tell in Points Possible" in term.said


def test_rows_of_one_student_are_one_in_roster_and_sheet(term):
    titles = {"Warm-up (1)": "16", "Attention (2)": "16"}
    more = [(AMINA, "Group B"), (AMINA, "Group A and Group C")]
    assert exported(term, titles, more=more) == 0, term.said
    rows = [row for row in table(term.read("canvas/grades.csv")) if row[1] == "12345"]
    assert [row[4] for row in rows] == ["Group A and Group B and Group C"]
    students = read_roster(term.folder / "gradebook.csv").students
    assert len(students) == len(CLASS)
    assert students[0].section == "Group A and Group B and Group C"


@pytest.mark.parametrize(
    "separator, points, comma",
    [(";", "33,00", True), (";", "33.00", False), (";", "33", True), (",", "33,00", True)],
)
def test_a_sheet_comes_back_with_its_own_marks(term, separator, points, comma):
    titles = {"Warm-up (1)": "16", "Attention (2)": points}
    cells = {(12346, "Attention (2)"): "20"}
    assert exported(term, titles, separator=separator, cells=cells) == 0, term.said
    names, own = grades(term, separator)
    assert names == ["Warm-up (1)", "Attention (2)"]
    assert ("," in own["s12345"][1], "." in own["s12345"][1]) == (comma, not comma)


def test_only_what_follows_the_last_comma_is_the_first_name(tmp_path):
    path = tmp_path / "gradebook.csv"
    path.write_text('Student,ID,SIS Login ID,Section\n"O\'Neil, Jr., Pat",1,po,A\nMadonna,2,ma,A\n')
    first, second = read_roster(path).students
    assert (first.name, first.names) == ("Pat O'Neil, Jr.", ("Pat", "O'Neil, Jr."))
    assert second.name == "Madonna"


@pytest.fixture(scope="module")
def folders(hand, tmp_path_factory) -> Term:
    """Handed in in folders, with a roster that has no ids of Canvas; U12347 is a SIS User ID."""
    term = Term(tmp_path_factory.mktemp("folders"))
    for student in ("s12345", "s12346", "U12347"):
        hand.put(term.folder / "in", student, hand.filled())
    term.put("roster.csv", "id,name\ns12345,Amina Khan\ns12346,José García\nU12347,Diego Ruiz\n")
    assert term.grade("in", "roster.csv") == 0, term.said
    return term


def test_without_canvas_ids_a_row_is_found_by_its_login_or_sis_id(folders):
    exported(folders, {"Warm-up (1)": "16"})
    assert "no grade for" not in folders.said
    _titles, rows = grades(folders)
    found = {student: points for student, (points,) in rows.items() if points}
    assert found.keys() == {"s12345", "s12346", "s12347"}


def test_a_login_as_a_spreadsheet_writes_it_is_asked_about(hand, tmp_path):
    term = Term(tmp_path)
    hand.put(term.folder / "in", "0099", hand.filled())
    assert term.grade("in") == 0, term.said
    sheet = gradebook({"Warm-up (1)": "16"}).replace(",s12345,", ",99.0,")
    assert term.export("canvas", term.put("gradebook.csv", sheet)) == 1
    assert "no grade for 0099 (is that 99.0 there?): they are not in" in term.said


def test_a_row_that_is_not_clear_gets_no_grade(folders):
    """A login of one is another's SIS User ID, or the number of another's account."""
    columns = {"Warm-up (1)": "16"}
    sheet = gradebook(columns).replace(f",U{LI.number},", ",s12345,")
    sheet = sheet.replace(f",{EMPTY.number},", ",s12346,")
    assert folders.export("canvas", folders.put("gradebook.csv", sheet)) == 1
    said = "00-warm-up: no grade for s12345, s12346: which row of"
    assert said in folders.said and "they are not in" not in folders.said
    assert {student for student, (points,) in grades(folders)[1].items() if points} == {"s12347"}


def test_a_column_for_a_lesson_without_results_is_told(term):
    columns = {"Warm-up (1)": "16", "Attention (2)": "17", "Week 9 (3)": "20"}
    assert exported(term, columns, ["09=Week 9"]) == 1
    said = "09-training: nobody has a result to write into Week 9 (3), which stays out"
    assert said in term.said
    assert exported(term, columns) == 0
