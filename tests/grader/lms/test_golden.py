"""From an LMS's zip to grades and feedback for the LMS, with two commands."""

import csv
import html
import io
import json
import zipfile
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.commands.collect import collect_command
from autograder.commands.export import export_command as export
from autograder.errors import WrongUsage
from autograder.lms.export_moodle import named_in_file
from autograder.lms.exported_totals import scaled

from .messy import KINDS
from .term import Term, summary, table
from .zips import AMINA, CLASS, DIEGO, JOSE, LI, Canvas, Moodle, canvas_gradebook

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture(scope="module")
def canvas(hand, course, tmp_path_factory) -> Term:
    """Resubmitted, late, unicode, two lessons, exported, unreadable, a stray file."""
    term = Term(tmp_path_factory.mktemp("canvas"))
    first = type(hand)(course, course.lesson("01-attention"))
    zip = Canvas()
    zip.put(AMINA, "warm-up.ipynb", hand.released)
    term.paths["amina"] = zip.put(AMINA, "warm-up-1.ipynb", hand.filled())
    term.paths["jose"] = zip.put(JOSE, "warm-up.ipynb", hand.filled(), late=True)
    term.paths["diego"] = zip.put(DIEGO, "photo of my screen.pdf", b"%PDF-1.7")
    term.paths["li"] = zip.put(LI, "work.ipynb", KINDS["cut off behind the last cell"].make(
        hand.wrong(hand.components[0])))  # fmt: skip
    term.paths["li, the next"] = zip.put(LI, "attention.ipynb", first.filled())
    zip.files.append(("stray notes.txt", b"nobody's"))
    (term.folder / "submissions.zip").write_bytes(zip.zip())
    assignments = {"Multi-head attention (9)": 5, "Warm-up (4711)": 100, "Attention (4712)": 12}
    gradebook = canvas_gradebook(CLASS, assignments)
    (term.folder / "gradebook.csv").write_text(gradebook, encoding="utf-8")
    assert term.grade("submissions.zip", "gradebook.csv") == 0, term.said
    return term


def test_what_maps_where_is_shown_before_anything_is_graded(canvas):
    canvas.grade("submissions.zip")
    shown = canvas.said
    assert shown.index("What maps where") < shown.index("Scores")
    assert "stray notes.txt" in shown and "belongs to nobody" in shown
    assert "an earlier attempt" in shown and "late" in shown
    assert "nothing from 1 of the roster (s12349)" in shown
    collected = (canvas.out / "collected.csv").read_text()
    assert canvas.paths["amina"] in collected and "stray notes.txt" in collected


def test_names_and_lateness_reach_the_summary_and_the_gradebook(canvas):
    rows = summary(canvas.out)
    jose = rows["s12346", "00-warm-up"]
    assert (jose["name"], jose["section"], jose["late"]) == (JOSE.name, "Monday", "late")
    assert rows["s12349", "00-warm-up"]["message"] == "Nothing was handed in."
    with Gradebook(f"sqlite:///{canvas.out / 'gradebook.db'}") as gradebook:
        student = gradebook.find_student("s12346")
        assert (student.first_name, student.last_name) == ("José", "García López")
        assert student.lms_user_id == "12346"
        assert {one.id for one in gradebook.students} >= {f"s{one.number}" for one in CLASS}


def test_canvas_gets_its_own_gradebook_back_with_totals(canvas):
    assert canvas.export("canvas") == 0, canvas.said
    header, possible, *rows = table(canvas.read("canvas/grades.csv"))
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                      "Warm-up (4711)", "Attention (4712)"]  # fmt: skip
    assert possible[0].strip() == "Points Possible" and possible[5] == "100.00"
    assert [row[1] for row in rows] == [str(person.number) for person in CLASS]
    known = summary(canvas.out)
    for row in rows:
        for place, lesson, out_of in ((5, "00-warm-up", 100.0), (6, "01-attention", 12.0)):
            one = known.get((row[3], lesson))
            if one is None or one["message"] == "Nothing was handed in.":
                assert row[place] == ""
                continue
            share = float(one["total"]) / float(one["max_total"])
            assert float(row[place]) == pytest.approx(share * out_of, abs=0.01)
    assert "totals were converted" in canvas.said


def test_canvas_takes_the_feedback_by_the_names_of_its_files(canvas):
    canvas.export("canvas")
    stems = {who: path.rpartition(".")[0] for who, path in canvas.paths.items()}
    # One zip is of one assignment, where Canvas knows its files, whichever lessons they are of.
    assert canvas.names_in("canvas/feedback-00-warm-up.zip") == {
        f"{stems[who]}.html" for who in ("amina", "jose", "diego", "li", "li, the next")
    }
    assert not (canvas.out / "export/canvas/feedback-01-attention.zip").exists()
    with zipfile.ZipFile(canvas.out / "export/canvas/feedback-00-warm-up.zip") as archive:
        page = archive.read(f"{stems['diego']}.html").decode()
    assert "no notebook in what was handed in" in page.lower() and "What to do" in page


def test_the_same_results_give_the_same_bytes(canvas):
    canvas.export("canvas")
    before = (canvas.out / "export/canvas/feedback-00-warm-up.zip").read_bytes()
    canvas.export("canvas")
    assert (canvas.out / "export/canvas/feedback-00-warm-up.zip").read_bytes() == before


def test_a_spreadsheet_gets_a_row_a_student(canvas):
    assert canvas.export("csv") == 0
    text, known = canvas.read("grades.csv"), summary(canvas.out)
    assert text.startswith("\ufeff")
    header, *rows = table(text.removeprefix("\ufeff"))
    points = [
        float(row["max_total"])
        for row in (known["s12345", "00-warm-up"], known["s12348", "01-attention"])
    ]
    assert header == [
        "student",
        "name",
        "section",
        f"00-warm-up (of {points[0]:g})",
        f"01-attention (of {points[1]:g})",
        f"total (of {sum(points):g})",
    ]
    assert [row[0] for row in rows] == sorted(f"s{one.number}" for one in CLASS)
    for row in rows:
        one = known["s12348", "01-attention"] if row[0] == "s12348" else None
        assert row[4] == (one["total"] if one else "")


def test_without_a_gradebook_there_are_pages_and_no_grades(canvas, tmp_path):
    alone = Term(tmp_path)
    (alone.folder / "submissions.zip").write_bytes((canvas.folder / "submissions.zip").read_bytes())
    assert alone.grade("submissions.zip") == 0
    assert alone.export("canvas") == 1
    assert "no grades: give the gradebook that Canvas exports with --sheet" in alone.said
    assert [path.name for path in (alone.out / "export/canvas").iterdir()] == [
        "feedback-00-warm-up.zip"
    ]
    with pytest.raises(WrongUsage, match="is no gradebook of Canvas"):
        alone.export("canvas", alone.out / "summary.csv")
    with pytest.raises(WrongUsage, match="no result of a lesson '05'"):
        alone.export("canvas", lesson="05")


@pytest.fixture(scope="module")
def moodle(hand, tmp_path_factory) -> Term:
    term = Term(tmp_path_factory.mktemp("moodle"))
    zip = Moodle()
    for person in (AMINA, JOSE):
        term.paths[person.name] = zip.put(person, "warm-up.ipynb", hand.filled())
    term.paths[DIEGO.name] = zip.put(DIEGO, "warm-up.ipynb", b"<html><title>Log in</title></html>")
    zip.files.append((term.paths[JOSE.name].replace("_file", "_onlinetext"), b"see the file"))
    zip.files.append(("readme.txt", b"nobody's"))
    (term.folder / "submissions.zip").write_bytes(zip.zip())
    sheet = zip.worksheet(CLASS, {JOSE: "2 hours 5 mins"})
    (term.folder / "worksheet.csv").write_text(sheet, encoding="utf-8")
    assert term.grade("submissions.zip", "worksheet.csv") == 0, term.said
    return term


def test_moodle_gets_its_own_worksheet_back_with_totals(moodle):
    assert moodle.export("moodle") == 0, moodle.said
    header, *rows = table(moodle.read("moodle/grades-00-warm-up.csv"))
    before = table((moodle.folder / "worksheet.csv").read_text())
    assert header == before[0]
    grade = header.index("Grade")
    known = summary(moodle.out)
    for row, was in zip(rows, before[1:], strict=True):
        one = known[row[2], "00-warm-up"]
        if one["message"] == "Nothing was handed in.":
            assert row == was
            continue
        share = float(one["total"]) / float(one["max_total"])
        assert float(row[grade]) == pytest.approx(100 * share, abs=0.01)
        assert row[:grade] + row[grade + 1 :] == was[:grade] + was[grade + 1 :]


def test_the_maximum_counts_however_its_column_is_capitalised(moodle, tmp_path):
    sheet = (moodle.folder / "worksheet.csv").read_text(encoding="utf-8")
    assert "Maximum Grade" in sheet
    other, without = tmp_path / "other.csv", tmp_path / "without.csv"
    other.write_text(sheet.replace("Maximum Grade", "Maximum grade"), encoding="utf-8")
    without.write_text(sheet.replace("Maximum Grade", "Most"), encoding="utf-8")

    def exported(sheet):
        console = Console(file=io.StringIO(), width=200)
        code = export(moodle.out, "moodle", sheet, "", console)
        grades = [row[4] for row in table(moodle.read("moodle/grades-00-warm-up.csv"))[1:]]
        return code, grades, console.file.getvalue()

    _code, as_usual, _said = exported(moodle.folder / "worksheet.csv")
    code, grades, _said = exported(other)
    assert (code, grades) == (0, as_usual)
    code, grades, said = exported(without)
    assert code == 1 and grades != as_usual
    assert "does not tell in Maximum Grade out of how many points" in said


def test_a_grade_that_moodle_has_already_is_told_before_it_is_replaced(moodle, tmp_path):
    amina = f'"{AMINA.email}","Submitted for grading","'
    sheet = (moodle.folder / "worksheet.csv").read_text(encoding="utf-8")
    assert sheet.count(amina) == 1
    (tmp_path / "graded.csv").write_text(sheet.replace(amina, amina + "99.00"), encoding="utf-8")
    assert moodle.export("moodle", tmp_path / "graded.csv") == 0
    said = f"replaces 1 grade that the sheet has, 1 of them by a lower one: {AMINA.email} 99.00 ->"
    assert said in moodle.said
    moodle.export("moodle", moodle.folder / "worksheet.csv")
    assert "replaces" not in moodle.said


def test_moodle_takes_the_feedback_by_the_names_of_its_folders(moodle):
    moodle.export("moodle")
    assert moodle.names_in("moodle/feedback-00-warm-up.zip") == {
        path.rpartition("/")[0] + "/warm-up.html" for path in moodle.paths.values()
    }
    late = summary(moodle.out)[JOSE.email, "00-warm-up"]
    assert late["late"] == "late" and late["submitted"]


def test_without_a_worksheet_there_are_pages_and_no_grades(moodle, tmp_path):
    alone = Term(tmp_path)
    (alone.folder / "submissions.zip").write_bytes((moodle.folder / "submissions.zip").read_bytes())
    assert alone.grade("submissions.zip") == 0
    assert alone.export("moodle") == 1
    assert "00-warm-up: no grades: give its assignment's grading worksheet" in alone.said
    assert alone.names_in("moodle/feedback-00-warm-up.zip")


def test_an_export_needs_results(tmp_path):
    with pytest.raises(WrongUsage, match="holds no results"):
        export(tmp_path, "csv", None, "", Console(file=io.StringIO()))
    with pytest.raises(WrongUsage, match="--for is one of canvas, moodle, csv, not"):
        export(tmp_path, "blackboard", None, "", Console(file=io.StringIO()))


def test_the_longest_name_in_that_of_a_worksheet_tells_its_lesson(course):
    def told(file: str) -> list[str]:
        return [lesson.id for lesson in named_in_file(file, course.lessons)]

    assert told("Grades-NLP-01 Attention-5") == ["01-attention"]
    assert told("Grades-HW_ Multi-Head Attention-6") == ["02-multi-head-attention"]
    assert told("Grades-Quiz-7") == []


# Collecting into folders first.


def collected(folder: Path, source: Path, roster: Path | None = None) -> tuple[int, str]:
    console = Console(file=io.StringIO(), width=200)
    return collect_command(source, folder, roster, console), console.file.getvalue()


def test_collected_folders_are_graded_like_the_zip(canvas, tmp_path):
    code, said = collected(
        tmp_path / "submitted", canvas.folder / "submissions.zip", canvas.folder / "gradebook.csv"
    )
    assert code == 0 and "What maps where" in said and "To grade them: autograder grade" in said
    term = Term(tmp_path)
    assert term.grade("submitted") == 0
    known, found = summary(canvas.out), summary(term.out)
    columns = ("total", "status", "late", "name", "section")
    assert known.keys() == found.keys()
    for key in known:
        assert [known[key][name] for name in columns] == [found[key][name] for name in columns]
    assert term.export("canvas", canvas.folder / "gradebook.csv") == 0
    assert canvas.export("canvas") == 0
    assert term.read("canvas/grades.csv") == canvas.read("canvas/grades.csv")
    assert term.names_in("canvas/feedback-00-warm-up.zip") == canvas.names_in(
        "canvas/feedback-00-warm-up.zip"
    )


def test_each_attempt_keeps_its_own_lateness_and_its_own_file(hand, tmp_path):
    zip = Canvas()
    first = zip.put(AMINA, "warm-up.ipynb", hand.released)
    second = zip.put(AMINA, "warm-up-1.ipynb", hand.filled(), late=True)
    (tmp_path / "zip.zip").write_bytes(zip.zip())
    assert collected(tmp_path / "submitted", tmp_path / "zip.zip")[0] == 0
    kept, earlier = list(
        csv.DictReader(io.StringIO((tmp_path / "submitted/collected.csv").read_text()))
    )
    assert (kept["late"], kept["original"], kept["counts"]) == ("late", second, "yes")
    assert (earlier["late"], earlier["original"], earlier["counts"]) == ("", first, "")


def test_feedback_tells_the_name_and_that_it_was_late(canvas):
    for student, name, late in (("s12346", JOSE.name, True), ("s12347", DIEGO.name, False)):
        page = (canvas.out / "feedback" / student / "00-warm-up/warm-up.html").read_text()
        assert f"{name} ({student})" in html.unescape(page)
        assert ("Marked late where you handed it in." in page) == late


def test_the_next_weeks_zip_forgets_nobody(hand, course, tmp_path):
    second = type(hand)(course, course.lesson("01-attention"))
    first_week, second_week = Canvas(), Canvas()
    first_week.put(AMINA, "warm-up.ipynb", hand.filled())
    first_week.put(DIEGO, "scan.pdf", b"%PDF-1.7")
    first_week.put(JOSE, "warm-up.ipynb", hand.released)
    for person in (AMINA, DIEGO):
        second_week.put(person, "attention.ipynb", second.filled())
    second_week.put(JOSE, "again.ipynb", hand.filled())
    term = Term(tmp_path)
    (tmp_path / "gradebook.csv").write_text(canvas_gradebook(CLASS, {}), encoding="utf-8")
    for name, zip in (("1.zip", first_week), ("2.zip", second_week)):
        (tmp_path / name).write_bytes(zip.zip())
        assert term.grade(name, "gradebook.csv") == 0, term.said
    rows = summary(term.out)
    assert "no notebook" in rows["s12347", "00-warm-up"]["message"]
    assert "most of what was handed in" in rows["s12346", "00-warm-up"]["repairs"].lower()
    assert "not the lesson of most others" in " ".join(term.said.replace("│", " ").split())
    report = (term.out / "report.html").read_text()
    assert "wrong lesson" in report and "no notebook" in report


def test_collected_into_a_folder_in_use_counts_all_that_is_there(hand, course, tmp_path):
    second = type(hand)(course, course.lesson("01-attention"))
    roster = tmp_path / "gradebook.csv"
    roster.write_text(canvas_gradebook((AMINA, JOSE), {}), encoding="utf-8")
    for number, (file, notebooks) in enumerate(
        (("warm-up.ipynb", {AMINA: hand, JOSE: hand}), ("attention.ipynb", {AMINA: second}))
    ):
        zip = Canvas()
        for person, of_lesson in notebooks.items():
            zip.put(person, file, of_lesson.filled())
        (tmp_path / f"{number}.zip").write_bytes(zip.zip())
        _code, said = collected(tmp_path / "submitted", tmp_path / f"{number}.zip", roster)
    assert "3 submissions of 2 students are in" in said
    assert "01-attention: nothing from 1 of the roster (s12346)" in said
    assert "00-warm-up: nothing" not in said


def test_an_older_attempt_collected_later_does_not_count(hand, tmp_path):
    folder = tmp_path / "submitted"
    for day, notebook in ((2, hand.filled()), (1, hand.released)):
        source = tmp_path / f"day {day}"
        inside = source / f"s1+00-warm-up+2026-03-0{day} 10:00:00.000000 UTC"
        inside.mkdir(parents=True)
        (inside / "warm-up.ipynb").write_text(json.dumps(notebook))
        assert collected(folder, source)[0] == 0
    assert json.loads((folder / "s1/00-warm-up/warm-up.ipynb").read_text()) == hand.filled()
    assert (folder / "s1/00-warm-up/timestamp.txt").read_text() == "2026-03-02T10:00:00+00:00"


def test_nothing_is_collected_among_results(canvas):
    before = sorted(canvas.out.iterdir())
    with pytest.raises(WrongUsage, match="is a folder of results; expected another one"):
        collect_command(canvas.folder / "submissions.zip", canvas.out, None, Console())
    assert sorted(canvas.out.iterdir()) == before


def test_half_a_hundredth_is_rounded_up():
    shown = [scaled(total, 16, 100) for total in (2.5, 7.5, 1, 16)]
    assert shown == ["15.63", "46.88", "6.25", "100"]
    assert scaled(2.675, 1, 100) == "267.5" and scaled(1.005, 16, None) == "1.005"


def test_nothing_is_collected_where_nothing_is_a_lesson(tmp_path):
    (tmp_path / "source/ann").mkdir(parents=True)
    (tmp_path / "source/ann/essay.txt").write_text("hello")
    with pytest.raises(WrongUsage, match="belongs to a lesson"):
        collected(tmp_path / "submitted", tmp_path / "source")
    assert not (tmp_path / "submitted").exists()
    with pytest.raises(WrongUsage, match="must not lie inside"):
        collected(tmp_path / "source/submitted", tmp_path / "source")
