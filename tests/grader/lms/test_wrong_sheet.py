"""A worksheet of Moodle fills in its own lesson, and nothing is taken for converted that is not."""

import pytest

from autograder.errors import WrongUsage

from .term import Term, table
from .zips import AMINA, CLASS, JOSE, Moodle

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture(scope="module")
def term(hand, course, tmp_path_factory) -> Term:
    """Two weeks, each with a worksheet as the roster, and a sheet that can be of either."""
    term = Term(tmp_path_factory.mktemp("sheets"))
    second = type(hand)(course, course.lesson("01-attention"))
    for number, (file, of_lesson) in enumerate((("warm-up", hand), ("attention", second)), 1):
        zip = Moodle(100 * number)
        for person in (AMINA, JOSE):
            zip.put(person, f"{file}.ipynb", of_lesson.filled())
        term.put(f"{file}.zip", zip.zip())
        term.put(f"{file}.csv", zip.worksheet(CLASS, {}))
        assert term.grade(f"{file}.zip", f"{file}.csv") == 0, term.said
    return term


def grades(term: Term, lesson: str) -> dict[str, tuple[str, str]]:
    """Grade and maximum of each participant."""
    return {row[0]: (row[4], row[5]) for row in table(term.read(f"moodle/grades-{lesson}.csv"))[1:]}


def written(term: Term) -> set[str]:
    return {path.name for path in (term.out / "export/moodle").iterdir()}


def test_a_worksheet_fills_in_its_own_lesson_alone(term):
    sheet = (term.folder / "warm-up.csv").rename(term.folder / "grades.csv")
    assert term.export("moodle", sheet) == 0, term.said
    assert written(term) == {"grades-00-warm-up.csv", "feedback-00-warm-up.zip"}
    assert grades(term, "00-warm-up")["Participant 100"] == ("75", "100.00")


def test_a_worksheet_of_no_lesson_that_was_graded_is_refused(term):
    other = term.put("other.csv", Moodle(900).worksheet(CLASS, {}))
    with pytest.raises(WrongUsage, match="no participant who handed in 00-warm-up, 01-attention"):
        term.export("moodle", other)
    sheet = term.folder / "attention.csv"
    with pytest.raises(WrongUsage, match="is the worksheet of 01-attention, not of 00-warm-up"):
        term.export("moodle", sheet, lesson="00")


def test_where_numbers_do_not_tell_the_lesson_the_name_of_the_file_or_lesson_does(term):
    first, second = Moodle(100), Moodle(200)
    both = first.worksheet(CLASS, {}) + second.worksheet(CLASS, {}).partition("\n")[2]
    with pytest.raises(WrongUsage, match="of 00-warm-up, 01-attention; say with --lesson which"):
        term.export("moodle", term.put("grades of the term.csv", both))
    for path in (term.out / "export/moodle").iterdir():
        path.unlink()
    assert term.export("moodle", term.put("Grades-NLP-Attention-4711.csv", both)) == 0, term.said
    assert written(term) == {"grades-01-attention.csv", "feedback-01-attention.zip"}
    assert term.export("moodle", term.folder / "grades of the term.csv", lesson="00") == 0
    assert "grades-00-warm-up.csv" in written(term)
