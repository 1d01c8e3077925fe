"""A wrong roster is caught where it is given, and a right one later leaves no ghost."""

import io
import zipfile

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.commands.collect import collect_command
from autograder.errors import WrongUsage

from .term import Term, summary
from .zips import AMINA, CLASS, DIEGO, JOSE, LI, Canvas, Moodle, canvas_gradebook, zipped

pytestmark = pytest.mark.xdist_group("golden")
HERE = (AMINA, JOSE, DIEGO, LI)


@pytest.fixture
def term(hand, tmp_path) -> Term:
    """Moodle's zip of four, the worksheet of the class, and one with a single student in it."""
    term, zip = Term(tmp_path), Moodle()
    for person in HERE:
        zip.put(person, "warm-up.ipynb", hand.filled())
    term.put("submissions.zip", zip.zip())
    term.put("worksheet.csv", zip.worksheet(CLASS, {}))
    term.put("one.csv", zip.worksheet([AMINA], {}))
    return term


def recorded(term: Term) -> set[str]:
    """Students of the summary who handed in something, which are those of the gradebook, too."""
    rows = summary(term.out).values()
    found = {row["student"] for row in rows if row["message"] != "Nothing was handed in."}
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        assert {one.student_id for one in gradebook.assignment_submissions("00-warm-up")} == found
        assert {one.id for one in gradebook.students} >= found
    return found


def test_a_roster_that_lacks_most_who_handed_in_is_asked_about(term):
    with pytest.raises(WrongUsage, match="3 of 4 students.*not in the roster.*Identifier.*--yes"):
        term.grade("submissions.zip", "one.csv")
    assert "who handed in are not in" not in term.console.file.getvalue()  # but once
    assert not (term.out / "roster.csv").exists() and not list(term.out.glob("work/submissions/*"))
    assert term.grade("submissions.zip", "one.csv", yes=True) == 0
    assert recorded(term) == {AMINA.email, JOSE.name, DIEGO.name, LI.name}


def test_a_roster_that_lacks_most_is_asked_about_before_anything_is_collected(term):
    paths = term.folder / "submissions.zip", term.folder / "handed-in", term.folder / "one.csv"
    with pytest.raises(WrongUsage, match="3 of 4 students.*not in the roster"):
        collect_command(*paths, Console(file=io.StringIO()))
    assert not (term.folder / "handed-in").exists()
    assert collect_command(*paths, Console(file=io.StringIO()), yes=True) == 0


def test_an_anonymous_zip_is_told_from_a_wrong_roster(hand, term):
    files = {"anon_Ab3_700_warm-up.ipynb": hand.filled(), "LATE_anon_zz9_701_warm-up.ipynb": b"{}"}
    term.put("anonymous.zip", zipped([*files.items()]))
    term.put("canvas.csv", canvas_gradebook(CLASS, {}))
    with pytest.raises(WrongUsage, match="2 of 2 students are anonymous.*anonymous grading off"):
        term.grade("anonymous.zip", "canvas.csv")


def test_with_the_right_roster_results_move_to_the_ids_and_leave_no_ghost(term):
    term.grade("submissions.zip", "one.csv", yes=True)
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        notebook = gradebook.find_submission_notebook("warm-up", "00-warm-up", JOSE.name)
        prose = next(grade for grade in notebook.grades if grade.cell.cell_type == "markdown")
        prose.manual_score, prose.needs_manual_grade = 1.0, False
        gradebook.db.commit()
    assert term.grade("submissions.zip", "worksheet.csv") == 0, term.said
    assert f"{JOSE.name} is {JOSE.email} in the roster; the results moved there" in term.said
    assert recorded(term) == {person.email for person in HERE}
    assert summary(term.out)[JOSE.email, "00-warm-up"]["prose"] == "1", "marks by hand move, too"
    folders = [path.name for path in term.out.glob("nbgrader/*/*") if path.is_dir()]
    assert not {JOSE.name, DIEGO.name, LI.name} & set(folders)
    assert {path.name for path in (term.out / "feedback").iterdir()} == recorded(term)
    page = (term.out / "feedback" / DIEGO.email / "00-warm-up/warm-up.html").read_text()
    assert DIEGO.email in page
    assert term.export("moodle") == 0, term.said
    with zipfile.ZipFile(term.out / "export/moodle/feedback-00-warm-up.zip") as archive:
        assert len(archive.namelist()) == len(HERE)


def test_a_move_that_was_stopped_is_completed(term, monkeypatch):
    from autograder.nbgrader import moving

    term.grade("submissions.zip", "one.csv", yes=True)
    move = moving._move_files

    def stopped(*arguments):
        move(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(moving, "_move_files", stopped)
    with pytest.raises(KeyboardInterrupt):
        term.grade("submissions.zip", "worksheet.csv")
    monkeypatch.undo()
    assert term.grade("submissions.zip", "worksheet.csv") == 0
    assert recorded(term) == {person.email for person in HERE}


def test_a_wrong_roster_is_replaced_without_being_deleted(term):
    term.put("others.csv", "id,name\n" + "".join(f"x{n},Somebody\n" for n in range(9)))
    term.grade("submissions.zip", "others.csv", yes=True)
    assert term.grade("submissions.zip", "worksheet.csv") == 0, term.said
    assert recorded(term) == {person.email for person in HERE}
    with pytest.raises(WrongUsage, match="needs an OUT of its own") as refused:
        term.grade("submissions.zip", "others.csv")
    assert "elete" not in str(refused.value), "with the ids of the others, these would be ghosts"


def collected(term: Term, source: str, roster: str = "") -> str:
    """The name of the folder that `collect` wrote."""
    given = term.folder / roster if roster else None
    console = Console(file=io.StringIO())
    assert collect_command(term.folder / source, term.folder / "handed-in", given, console) == 0
    return "handed-in"


def test_canvas_students_whose_logins_change_stay_themselves(hand, tmp_path):
    term, zip = Term(tmp_path), Canvas()
    for person in (AMINA, JOSE):
        zip.put(person, "warm-up.ipynb", hand.filled())
    term.put("submissions.zip", zip.zip())
    gradebook = canvas_gradebook(CLASS, {"Warm-up (4711)": 16})
    term.put("gradebook.csv", gradebook)
    assert term.grade("submissions.zip", "gradebook.csv") == 0
    term.put("gradebook.csv", gradebook.replace('"s12345"', '"amina.khan"'))
    assert term.grade("submissions.zip", "gradebook.csv") == 0
    assert recorded(term) == {"amina.khan", "s12346"}


def test_what_was_collected_without_a_roster_is_of_the_same_students_with_it(hand, tmp_path):
    term, zip = Term(tmp_path), Canvas()
    for person in (AMINA, JOSE):
        zip.put(person, "warm-up.ipynb", hand.filled(), late=person is JOSE)
    term.put("submissions.zip", zip.zip())
    term.put("gradebook.csv", canvas_gradebook(CLASS, {"Warm-up (4711)": 16}))
    folder = collected(term, "submissions.zip")
    assert term.grade(folder) == 0
    assert recorded(term) == {"khanamina_12345", "garcíalópezjosé_12346"}
    assert term.grade(folder, "gradebook.csv") == 0, term.said
    assert recorded(term) == {"s12345", "s12346"}
    late = {student: row["late"] for (student, _lesson), row in summary(term.out).items()}
    assert late["s12346"] != late["s12345"] == ""
