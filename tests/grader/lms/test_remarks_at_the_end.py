"""What a run could not do as it was asked is said below the results, and in the exit code."""

import pytest

from autograder.commands import grade as pipeline
from autograder.errors import WrongUsage

from .term import Term
from .zips import AMINA, EMPTY, JOSE, Moodle

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture(scope="module")
def term(hand, tmp_path_factory) -> Term:
    """Amina handed in, of a class of three."""
    term, zip = Term(tmp_path_factory.mktemp("remarks")), Moodle()
    zip.put(AMINA, "warm-up.ipynb", hand.filled())
    term.put("submissions.zip", zip.zip())
    term.put("worksheet.csv", zip.worksheet((AMINA, JOSE, EMPTY), {}))
    assert term.grade("submissions.zip", "worksheet.csv") == 0, term.said
    return term


@pytest.fixture
def due(course, monkeypatch):
    """The course with a deadline, as extensions need one."""
    from dataclasses import replace
    from datetime import UTC, datetime

    first, *others = course.lessons
    changed = replace(
        course, lessons=(replace(first, due=datetime(2026, 3, 1, tzinfo=UTC)), *others)
    )
    monkeypatch.setattr(pipeline, "read_course", lambda: changed)


def test_an_extension_for_a_name_that_nobody_has_is_told_at_the_end(term, due):
    wrong = AMINA.email.replace("123", "132")
    path = term.out / "extensions.csv"
    path.write_text(f"student,lesson,due\n{wrong},00-warm-up,2026-11-09T10:00+00:00\n")
    assert term.grade("submissions.zip") == 1
    below = term.said.partition("Report")[2]
    assert f"names {wrong}, who is not in the roster. Was {AMINA.email} meant?" in below
    path.write_text(f"student,lesson,due\n{EMPTY.email},00-warm-up,2026-11-09T10:00+00:00\n")
    assert term.grade("submissions.zip") == 0, "who handed in nothing yet may have more time"
    path.write_text(f"student,lesson,due\n{AMINA.email},00-warm-up,2026-11-9\n")
    with pytest.raises(WrongUsage, match="expected a moment"):
        term.grade("submissions.zip")
    path.write_text(
        "student,lesson,due\n"
        f"{AMINA.email},00-warm-upp,2026-11-09\n"
        f"{JOSE.name},00-warm-up,2026-11-09T10:00+00:00\n"
    )
    with pytest.raises(WrongUsage) as refused:
        term.grade("submissions.zip")
    assert "Was 00-warm-up meant?" in str(refused.value), "all that is wrong is told at once"
    assert f"Was {JOSE.email} ({JOSE.name}) meant?" in str(refused.value)
    path.unlink()


def test_nothing_graded_of_what_was_asked_for_is_no_success(term):
    assert term.grade("submissions.zip", lesson="01") == 1
    assert "Nothing was graded" in term.said
