"""Numbers of participants in Moodle tell student, assignment and time, whichever worksheet came."""

import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.commands import collect
from autograder.commands import export as exporting
from autograder.commands import grade as pipeline
from autograder.errors import WrongUsage
from autograder.lesson.deadlines import LatePolicy
from autograder.lms.kept_worksheets import KEPT, keep_worksheet, roster_in
from autograder.lms.read_roster import read_roster

from .term import Term, summary, table
from .zips import zipped

pytestmark = pytest.mark.xdist_group("golden")

WARM_UP, ATTENTION = "00-warm-up", "01-attention"
CLASS = {
    "s1": "Amina Khan", "s5": "Finn O'Brien", "s7": "Hiro Tanaka", "s10": "Kim Lee",
    "s11": "Kim Lee", "s12": "Lars Berg",
}  # fmt: skip
IN_TIME, TWO_DAYS_LATE = "Monday, 12 October 2026, 5:12 PM", "Wednesday, 14 October 2026, 9:00 AM"


def number(assignment: int, student: str) -> int:
    return 1000 * assignment + int(student[1:])


def handed_in(assignment: int, notebooks: dict[str, bytes], prefix: str = "") -> bytes:
    """Moodle's zip; of `student/file` what is in it."""
    files = []
    for path, content in notebooks.items():
        student, _slash, file = path.partition("/")
        name = CLASS[student].replace("'", "")
        folder = f"{prefix}{name}_{number(assignment, student)}_assignsubmission_file"
        files.append((f"{folder}/{file}", content))
    return zipped(files)


def worksheet(assignment: int, times: dict[str, str], most: float = 100) -> str:
    header = ["Identifier", "Full name", "ID number", "Email address", "Status", "Grade",
              "Maximum grade", "Grade can be changed", "Last modified (submission)",
              "Last modified (grade)", "Feedback comments"]  # fmt: skip
    rows = [header]
    for student, name in CLASS.items():
        time = times.get(student, "-")
        status = "No submission" if time == "-" else "Submitted for grading"
        who = [f"Participant {number(assignment, student)}", name, student, f"{student}@uni.edu"]
        rows.append([*who, status, "", str(most), "Yes", time, "-", ""])
    return "".join(",".join(f'"{value}"' for value in row) + "\n" for row in rows)


def mark(term: Term, student: str, points: float) -> None:
    """What formgrader does with an answer in prose."""
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        notebook = gradebook.find_submission_notebook("warm-up", WARM_UP, student)
        prose = next(grade for grade in notebook.grades if grade.cell.cell_type == "markdown")
        prose.manual_score, prose.needs_manual_grade = points, False
        gradebook.db.commit()


def exported(term: Term, lesson: str) -> dict[int, str]:
    rows = table(term.read(f"moodle/grades-{lesson}.csv"))[1:]
    return {int(row[0].removeprefix("Participant ")): row[5] for row in rows}


@pytest.fixture(scope="module")
def course_due(course):
    """Both lessons are due on 12 October; each day that has begun costs a tenth."""
    due = datetime(2026, 10, 12, 22, 0, tzinfo=UTC)
    lessons = tuple(
        replace(lesson, due=due) if lesson.id in (WARM_UP, ATTENTION) else lesson
        for lesson in course.lessons
    )
    return replace(course, lessons=lessons, late=LatePolicy(percent_per_day=10), timezone=UTC)


@pytest.fixture
def term(tmp_path, course_due, monkeypatch) -> Term:
    for module in (pipeline, exporting, collect):
        monkeypatch.setattr(module, "read_course", lambda: course_due)
    return Term(tmp_path)


def test_work_graded_again_without_its_worksheet_keeps_its_time(hand, hand_first, term):
    """Nor does it lose it to last week's worksheet, or to the zip in another OUT's order."""
    term.put("00.zip", handed_in(1, {"s1/warm-up.ipynb": hand.filled(), "s5/x.ipynb": b"%PDF-1.7"}))
    term.put("00.csv", worksheet(1, {"s1": TWO_DAYS_LATE, "s5": TWO_DAYS_LATE}))
    term.put("01.zip", handed_in(2, {"s1/attention.ipynb": hand_first.filled()}))
    term.put("01.csv", worksheet(2, {"s1": IN_TIME}))
    assert term.grade("00.zip", "00.csv") == 0
    before = summary(term.out)["s1", WARM_UP]
    assert float(before["penalty"]) > 0 and "no time is known" not in term.said
    for kept in (True, False):
        assert term.grade("01.zip", "01.csv") == 0, term.said
        assert term.grade("00.zip") == 0, term.said
        assert summary(term.out)["s1", WARM_UP] == before
        assert summary(term.out)["s5", WARM_UP]["submitted"] == before["submitted"]
        if kept:
            (term.out / "work/worksheets/00-warm-up.csv").unlink()
    term.put("better.zip", handed_in(1, {"s1/warm-up.ipynb": hand.released}))
    assert term.grade("better.zip") == 1
    assert summary(term.out)["s1", WARM_UP] == before, "other work without a time is asked about"
    assert "this one came at a time that is not known" in term.said


def test_last_weeks_worksheet_is_named_and_so_is_lateness_that_was_not_judged(
    hand, hand_first, term
):
    term.put("00.zip", handed_in(1, {"s1/warm-up.ipynb": hand.filled()}))
    term.put("01.zip", handed_in(2, {"s1/attention.ipynb": hand_first.filled()}))
    term.put("00.csv", worksheet(1, {"s1": IN_TIME}))
    assert term.grade("00.zip", "00.csv") == 0
    assert term.grade("01.zip", "00.csv") == 0
    below = term.said.partition("Scores")[2]
    assert "00.csv has no participant of this zip" in below and f"worksheet of {WARM_UP}" in below
    assert f"Give that of {ATTENTION}" in below
    assert f"{ATTENTION}: no time is known for 1 of 1; lateness was not judged" in below
    assert "no time is known for 1 of 1" in (term.out / "report.html").read_text("utf-8")
    said, _code = collected(term, "01.zip", "00.csv")
    assert "00.csv has no participant of this zip" in said and "no time is known for 1 of 1" in said


def collected(term: Term, source: str, roster: str = "") -> tuple[str, int]:
    console = Console(file=io.StringIO(), width=200)
    path = term.folder / roster if roster else None
    code = collect.collect_command(
        term.folder / source, term.folder / "handed-in", path, console, yes=True
    )
    return console.file.getvalue(), code


def test_what_is_collected_again_without_its_worksheet_keeps_its_time(hand, term):
    term.put("00.zip", handed_in(1, {"s1/warm-up.ipynb": hand.filled()}))
    term.put("00.csv", worksheet(1, {"s1": TWO_DAYS_LATE}))
    collected(term, "00.zip", "00.csv")
    stamp = term.folder / "handed-in/s1/00-warm-up/timestamp.txt"
    before = stamp.read_text()
    assert before.startswith("2026-10-14")
    (term.folder / "handed-in/.worksheets/00-warm-up.csv").unlink()
    (term.folder / "handed-in/roster.csv").write_text("id,name\ns1,Amina Khan\n")
    said, _code = collected(term, "00.zip")
    assert stamp.read_text() == before and "no time is known" not in said


def test_worksheets_that_were_given_when_collecting_are_kept_for_the_export(hand, hand_first, term):
    for lesson, notebook in ((WARM_UP, hand), (ATTENTION, hand_first)):
        number, name = int(lesson[:2]) + 1, lesson.partition("-")[2]
        work = {f"s1/{name}.ipynb": notebook.filled(), f"s10/{name}.ipynb": notebook.filled()}
        term.put(f"{lesson}.zip", handed_in(number, work))
        term.put(f"{lesson}.csv", worksheet(number, {"s1": IN_TIME, "s10": TWO_DAYS_LATE}))
        collected(term, f"{lesson}.zip", f"{lesson}.csv")
    for _again in range(2):
        assert term.grade("handed-in") == 0, term.said
    kept = {path.name: path.read_text("utf-8") for path in (term.out / KEPT).iterdir()}
    assert kept == {
        f"{lesson}.csv": (term.folder / f"{lesson}.csv").read_text("utf-8")
        for lesson in (WARM_UP, ATTENTION)
    }
    assert term.export("moodle") == 0, term.said
    for lesson, first in ((WARM_UP, 1000), (ATTENTION, 2000)):
        grades = exported(term, lesson)
        assert grades.keys() == {first + int(student[1:]) for student in CLASS}
        assert 0 < float(grades[first + 10]) < float(grades[first + 1])


def test_namesakes_keep_marks_and_attempts_when_a_worksheet_tells_who_they_are(
    hand, hand_first, term
):
    """Kim and Kim: marked before there is a worksheet, later with one, and again without."""
    both = {"s10/warm-up.ipynb": hand.filled(), "s11/warm-up.ipynb": hand.released}
    term.put("00.zip", handed_in(1, both))
    first = hand_first.components[0]
    both = {
        "s10/attention.ipynb": hand_first.wrong(first),
        "s11/attention.ipynb": hand_first.filled(),
    }
    term.put("01.zip", handed_in(2, both))
    assert term.grade("00.zip") == 0
    mark(term, "Kim Lee (1010)", 2)
    mark(term, "Kim Lee (1011)", 1)
    times = {"s10": IN_TIME, "s11": IN_TIME}
    term.put("01.csv", worksheet(2, times))
    term.put("00.csv", worksheet(1, times))
    assert term.grade("01.zip", "01.csv") == 0
    assert ("Kim Lee (1010)", WARM_UP) in summary(term.out)
    assert term.grade("00.zip", "00.csv") == 0, term.said
    assert "Kim Lee (1010) is s10 in the roster; the results moved there" in term.said
    rows = {key: row for key, row in summary(term.out).items() if row["submitted"]}
    assert {student for student, _lesson in rows} == {"s10", "s11"}
    assert rows["s10", WARM_UP]["prose"] == "2" and rows["s11", WARM_UP]["prose"] == "1"
    # A newer attempt at the lesson of the other worksheet, and none is given: the kept one tells.
    better = {
        "s10/attention.ipynb": hand_first.filled(),
        "s11/attention.ipynb": hand_first.filled(),
    }
    term.put("01b.zip", handed_in(2, better))
    assert term.grade("01b.zip", yes=True) == 0
    assert {student for student, _lesson in summary(term.out)} == set(CLASS), "no ghost"
    assert term.export("moodle") == 0, term.said
    grades = exported(term, ATTENTION)
    assert grades[2010] == grades[2011] != "" and grades[2001] == ""


def test_of_two_results_that_are_one_student_to_the_lms_neither_is_exported(hand, term):
    """Amina's, which was marked before there was a roster, and that of who has her id."""
    term.put("00.zip", handed_in(1, {"s1/warm-up.ipynb": hand.filled()}))
    term.put("00.csv", worksheet(1, {"s1": IN_TIME}))
    assert term.grade("00.zip") == 0
    mark(term, "Amina Khan", 1)
    term.put("roster.csv", "id,name,email\ns1,Somebody,\n")
    term.put("folder.zip", zipped([("s1/00-warm-up/warm-up.ipynb", hand.released)]))
    term.grade("folder.zip", "roster.csv", yes=True)
    assert term.grade("00.zip", "00.csv") == 0
    assert term.export("moodle") == 1
    assert "s1 and Amina Khan: to the LMS they are one student" in term.said.replace(
        "Amina Khan and s1", "s1 and Amina Khan"
    )
    assert exported(term, WARM_UP)[1001] == ""


def test_a_stray_makes_no_worksheet_ambiguous_and_takes_no_place(hand, hand_first, term):
    """Hiro's attention is in the zip of the warm-up, too, whichever is graded first."""
    wrong = hand_first.wrong(hand_first.components[0])
    many = {f"{student}/warm-up.ipynb": hand.filled() for student in ("s1", "s5", "s12")}
    term.put("00.zip", handed_in(1, many | {"s7/attention.ipynb": wrong}))
    term.put("01.zip", handed_in(2, {"s7/attention.ipynb": hand_first.filled()}))
    times = {"s1": IN_TIME, "s5": IN_TIME, "s12": IN_TIME, "s7": "Friday, 23 October 2026, 9:00 AM"}
    term.put("00.csv", worksheet(1, times))
    term.put("01.csv", worksheet(2, {"s7": IN_TIME}))
    assert term.grade("00.zip", "00.csv") == 0
    assert term.grade("01.zip", "01.csv") == 0, "the lesson's own submission takes its place"
    own = summary(term.out)["s7", ATTENTION]
    assert own["penalty"] == "0" and own["submitted"].startswith("2026-10-12")
    assert term.grade("00.zip", "00.csv", yes=True) == 0, "and keeps it"
    assert summary(term.out)["s7", ATTENTION] == own
    assert f"s7, {ATTENTION}: a file handed in with {WARM_UP} does not count" in term.said
    assert term.export("moodle") == 0, term.said
    assert exported(term, WARM_UP)[1007] == ""
    assert float(exported(term, WARM_UP)[1001]) > 16, "out of 100"
    assert exported(term, ATTENTION)[2007] != ""
    with pytest.raises(
        WrongUsage, match=f"00.csv is the worksheet of {WARM_UP}, not of {ATTENTION}"
    ):
        term.export("moodle", term.folder / "00.csv", lesson="01")


def test_a_stray_alone_counts_and_reaches_the_worksheet_of_its_lesson(hand, hand_first, term):
    many = {f"{student}/warm-up.ipynb": hand.filled() for student in ("s1", "s5")}
    term.put("00.zip", handed_in(1, many | {"s7/attention.ipynb": hand_first.filled()}))
    term.put("01.zip", handed_in(2, {"s1/attention.ipynb": hand_first.filled()}))
    for name, assignment in (("00", 1), ("01", 2)):
        times = dict.fromkeys(("s1", "s5", "s7"), IN_TIME)
        term.put(f"{name}.csv", worksheet(assignment, times))
        assert term.grade(f"{name}.zip", f"{name}.csv") == 0, term.said
    assert term.export("moodle") == 0, term.said
    assert exported(term, ATTENTION)[2007] == exported(term, ATTENTION)[2001] != ""
    pages = term.names_in(f"moodle/feedback-{ATTENTION}.zip")
    assert "Hiro Tanaka_2007_assignsubmission_file/attention.html" in pages


def test_both_in_one_folder_the_lessons_own_file_counts(hand, hand_first, found):
    wrong = hand_first.wrong(hand_first.components[0])
    files = {}
    for folder, assignment, notebooks in (
        ("a", 1, {"s1/warm-up.ipynb": hand.filled(), "s5/warm-up.ipynb": hand.filled(),
                  "s1/attention.ipynb": wrong}),
        ("b", 2, {"s1/attention.ipynb": hand_first.filled(), "s5/attention.ipynb": wrong}),
    ):  # fmt: skip
        with zipfile.ZipFile(io.BytesIO(handed_in(assignment, notebooks))) as archive:
            files |= {f"{folder}/{name}": archive.read(name) for name in archive.namelist()}
    result = found(files)
    (one,) = [row for row in result.rows if "own submission counts" in row.note]
    assert one.path.startswith("a/") and not one.counts and one.lesson == ATTENTION


def test_participants_are_known_by_number_in_groups_and_where_they_have_no_names(
    found, hand, tmp_path
):
    sheet = tmp_path / "00.csv"
    sheet.write_text(worksheet(1, {"s5": IN_TIME}), encoding="utf-8")
    roster = read_roster(sheet, UTC)
    own = {"s5/warm-up.ipynb": hand.filled(), "s10/warm-up.ipynb": hand.filled()}
    result = found(handed_in(1, own, prefix="Group A-"), roster)
    assert {one.student for one in result.submissions} == {"s5", "s10"} and not result.unknown
    assert result.submissions[1].submitted == "2026-10-12T17:12:00+00:00"
    blind = zipped(
        [(f"Participant_{number(1, one)}_assignsubmission_file/x.ipynb", hand.filled())
         for one in ("s5", "s10")]
    )  # fmt: skip
    assert {one.student for one in found(blind, roster).submissions} == {"s5", "s10"}
    one_alone = zipped([("Participant_7_assignsubmission_file/x.ipynb", hand.filled())])
    assert [one.student for one in found(one_alone).submissions] == ["Participant (7)"]


def test_a_worksheet_in_another_language_is_refused_with_what_to_do(tmp_path):
    text = worksheet(1, {}).replace("Participant ", "Teilnehmer/in ")
    for english, german in {
        "Identifier": "ID", "Full name": "Vollständiger Name", "ID number": "ID-Nummer",
        "Email address": "E-Mail-Adresse", "Maximum grade": "Bestwertung", '"Grade"': '"Bewertung"',
    }.items():  # fmt: skip
        text = text.replace(english, german)
    path = tmp_path / "German.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongUsage, match="in another language.*Bestwertung.*Choose English"):
        read_roster(path)


def test_all_worksheets_that_were_ever_given_are_kept(tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\ns5,Finn O'Brien\ns10,Kim Lee\ns11,Kim Lee\n")
    for most in (10, 20, 30, 20):
        keep_worksheet(tmp_path / KEPT, WARM_UP, worksheet(1, {}, most).encode())
    assert len({path.read_bytes() for path in (tmp_path / KEPT).iterdir()}) == 3
    roster = roster_in(tmp_path, UTC)
    assert roster.find("Finn OBrien", "1005")[0].id == "s5"
    assert [one.id for one in roster.find("Kim Lee", "1011")] == ["s11"]
    assert len(roster.find("Kim Lee", "9011")) == 2
    assert roster.assignment("Kim Lee", "1011") == WARM_UP
