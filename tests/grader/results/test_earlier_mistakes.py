"""What is remembered of attempts whose place a newer one takes."""

import io

from rich.console import Console

from autograder.commands import collect
from autograder.results.earlier_mistakes import earlier_mistakes, mistakes_in
from autograder.results.saved_results import all_results

from ..lms.term import Term
from ..lms.zips import AMINA, Canvas


def test_the_same_notebook_with_a_time_is_no_other_attempt(hand, tmp_path):
    term, zip = Term(tmp_path), Canvas()
    zip.put(AMINA, "warm-up.ipynb", hand.wrong(hand.components[0]), late=True)
    term.put("00.zip", zip.zip())
    assert term.grade("00.zip") == 0, term.said
    (first,) = all_results(term.out / "work")
    assert mistakes_in(first) and not first.submitted
    handed_in = tmp_path / "handed-in"
    collect.run(tmp_path / "00.zip", handed_in, None, Console(file=io.StringIO()), yes=True)
    place = handed_in / first.student / hand.lesson.id
    for stamp in ("2026-10-12 09:00 UTC", "2026-10-12 10:00 UTC"):
        (place / "timestamp.txt").write_text(stamp)
        assert term.grade("handed-in", yes=True) == 0, term.said
        (now,) = all_results(term.out / "work")
        assert now.submitted and not earlier_mistakes(term.out / "work", now)
    zip.put(AMINA, "warm-up.ipynb", hand.wrong(hand.components[1]))
    term.put("00.zip", zip.zip())
    assert term.grade("00.zip", yes=True) == 0, term.said
    (now,) = all_results(term.out / "work")
    assert earlier_mistakes(term.out / "work", now) == mistakes_in(first)
    zip.put(AMINA, "warm-up.ipynb", b"%PDF-1.7")
    term.put("00.zip", zip.zip())
    assert term.grade("00.zip", yes=True) == 0, term.said
    (unreadable,) = all_results(term.out / "work")
    assert unreadable.problem
    assert earlier_mistakes(term.out / "work", now) == mistakes_in(first) | mistakes_in(now)
