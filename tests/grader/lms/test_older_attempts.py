"""An older attempt takes the place of a newer one only if the instructor agrees."""

import json
import zipfile

import pytest

from .term import Term, summary
from .zips import AMINA, JOSE, Canvas, Moodle, zipped

pytestmark = pytest.mark.xdist_group("golden")
MARCH_1, MARCH_9 = "Sunday, 1 March 2026, 11:59 PM", "Monday, 9 March 2026, 11:59 PM"


def total(term: Term, student: str = AMINA.email) -> float:
    return float(summary(term.out)[student, "00-warm-up"]["score"])


@pytest.fixture
def term(hand, tmp_path) -> Term:
    """Moodle's zip and worksheet before and after Amina handed in again; José did not."""
    term = Term(tmp_path)
    for name, notebook in (("first", hand.released), ("second", hand.filled())):
        zip = Moodle()
        zip.put(AMINA, "warm-up.ipynb", notebook)
        zip.put(JOSE, "warm-up.ipynb", hand.filled())
        term.put(f"{name}.zip", zip.zip())
    sheet = zip.worksheet((AMINA, JOSE), {})
    term.put("first.csv", sheet)
    term.put("second.csv", sheet.replace(MARCH_1, MARCH_9, 1))
    return term


def test_an_older_zip_graded_again_replaces_nothing_unasked(hand, term):
    assert term.grade("second.zip", "second.csv") == 0
    whole = total(term)
    assert term.grade("first.zip", "first.csv") == 1
    assert total(term) == whole
    told = " ".join(term.said.split())
    assert f"{AMINA.email}, 00-warm-up: what counts came 2026-03-0" in told
    assert JOSE.email not in told.partition("What maps where")[0]
    assert term.grade("first.zip", "first.csv", yes=True) == 1, "--yes may be meant for more"
    assert total(term) == whole and "put it into a folder of students' folders" in term.said
    with zipfile.ZipFile(term.folder / "first.zip") as zip:
        name = next(name for name in zip.namelist() if AMINA.name in name)
        hand.put(term.folder / "wanted", AMINA.email, json.loads(zip.read(name)))
    assert term.grade("wanted", yes=True) == 0
    assert total(term) < whole


def test_an_older_attempt_with_more_points_is_asked_about_too(hand, term):
    assert term.grade("first.zip", "second.csv") == 0
    assert term.grade("second.zip", "first.csv") == 1
    assert total(term) == 0


def test_a_resubmission_with_the_time_of_an_old_worksheet_says_so(term):
    assert term.grade("first.zip", "first.csv") == 0
    assert term.grade("second.zip") == 1, "the roster of the first week is taken"
    assert "another attempt came with the same time" in term.said
    assert "give the one of this zip with --roster" in term.said
    assert term.grade("second.zip", "second.csv") == 0
    assert total(term) > 0
    assert summary(term.out)[AMINA.email, "00-warm-up"]["submitted"].startswith("2026-03-")


def test_canvas_numbers_of_files_tell_which_attempt_is_newer(hand, tmp_path):
    term = Term(tmp_path)
    zips, all_of_it = [], Canvas()
    for notebook in (hand.released, hand.filled()):
        path = all_of_it.put(AMINA, "warm-up.ipynb", notebook)
        zips.append(zipped([(path, notebook)]))
    term.put("first.zip", zips[0])
    term.put("second.zip", zips[1])
    student = "khanamina_12345"
    assert term.grade("second.zip") == 0
    assert term.grade("first.zip") == 1
    assert "what counts is Canvas's file" in term.said and "Moodle" not in term.said
    assert term.grade("first.zip", yes=True) == 1
    assert total(term, student) > 0
    other = Term(tmp_path / "other")
    other.folder.mkdir()
    for name, content in zip(("first.zip", "second.zip"), zips, strict=True):
        other.put(name, content)
        assert other.grade(name) == 0
    assert total(other, student) > 0
