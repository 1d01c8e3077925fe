"""Scores that were recorded earlier change only as the instructor has agreed to."""

import csv
import io
import shutil
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.commands import grade as pipeline
from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.errors import WrongUsage
from autograder.grading.run import grader
from autograder.grading.run.grader import CellGrader
from autograder.grading.score_changes import ScoreChange
from autograder.judging import answer_key
from autograder.judging.version import version_of
from autograder.lesson import notebook as lesson_notebook
from autograder.lesson.lesson import Lesson
from autograder.nbgrader import recorder
from autograder.nbgrader.preprocessors import released_notebook
from autograder.reports.terminal import Terminal

from ..conftest import SEED

pytestmark = [pytest.mark.xdist_group("score changes"), pytest.mark.usefixtures("one_runner")]


@pytest.fixture(scope="module")
def whole(hand) -> float:
    """The points of all right work."""
    return sum(hand.lesson.points().values())


@pytest.fixture(scope="module")
def recorded(hand, tmp_path_factory):
    """Amina all right, Diego partly, Elif all right; graded once."""
    folder = tmp_path_factory.mktemp("recorded")
    hand.put(folder / "in", "Amina", hand.filled())
    hand.put(folder / "in", "Diego", hand.wrong(hand.components[0]))
    hand.put(folder / "in", "Elif", hand.filled())
    request = Request(folder / "in", folder / "out", sandbox="none", secret=SEED)
    grade(request)
    return request


@pytest.fixture
def request_(recorded, tmp_path):
    """The same class, in a copy that a test may change."""
    for name in ("in", "out"):
        shutil.copytree(recorded.submitted.parent / name, tmp_path / name)
    return replace(recorded, submitted=tmp_path / "in", out=tmp_path / "out")


class Heard(Terminal):
    """Remembers what it was asked and told; at a question, what the gradebook held then."""

    def __init__(self, yes: bool, request: Request, hand):
        super().__init__(yes)
        self.request, self.hand = request, hand
        self.asked, self.at_question, self.told, self.left = [], {}, [], []
        self.only_in_tables = 0

    def may_drop(self, changes: list[ScoreChange]) -> bool:
        self.asked, self.at_question = changes, gradebook(self.request, self.hand)
        return self.yes

    def changed(self, changes):
        self.told = changes

    def declined(self, changes, lessons):
        self.left = lessons

    def not_in_gradebook(self, count):
        self.only_in_tables = count


def gradebook(request: Request, hand) -> dict[str, float | None]:
    """The points of the tests, by student."""
    with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as gradebook:
        return {
            one.student.id: (
                None
                if any(grade.auto_score is None for grade in tests)
                else sum(grade.auto_score for grade in tests)
            )
            for one in gradebook.assignment_submissions(hand.lesson.id)
            for tests in [[g for g in one.notebooks[0].grades if g.name.startswith("test_")]]
        }


def table(request: Request) -> dict[str, float]:
    with open(request.out / "summary.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: float(row["score"]) for row in csv.DictReader(file)}


def pages(request: Request) -> dict[str, bytes]:
    found = (request.out / "feedback").rglob("*.html")
    return {path.parts[-3]: path.read_bytes() for path in found}


def hand_in_worse_and_better(request: Request, hand) -> None:
    """Amina would drop, Diego would rise, Fumiko is new, Elif is as she was."""
    hand.put(request.submitted, "Amina", hand.wrong(hand.components[1]))
    hand.put(request.submitted, "Diego", hand.filled())
    hand.put(request.submitted, "Fumiko", hand.filled())


def test_a_score_that_would_drop_is_asked_about_before_anything_changes(request_, hand, whole):
    before = gradebook(request_, hand)
    hand_in_worse_and_better(request_, hand)
    heard = Heard(True, request_, hand)
    grade(request_, terminal=heard)
    assert {(one.student, one.drops) for one in heard.asked} == {("Amina", True), ("Diego", False)}
    assert heard.at_question == before == {"Amina": whole, "Diego": before["Diego"], "Elif": whole}
    (amina,) = [one for one in heard.asked if one.student == "Amina"]
    assert (amina.before, amina.after) == (whole, table(request_)["Amina"])
    after = gradebook(request_, hand)
    assert after == table(request_)
    assert after["Amina"] < whole and after["Diego"] == after["Fumiko"] == whole


def test_without_agreement_the_recorded_score_stays_and_others_are_recorded(request_, hand, whole):
    before, read = gradebook(request_, hand), pages(request_)
    hand_in_worse_and_better(request_, hand)
    heard = Heard(False, request_, hand)
    graded = {one.student: one.score for one in grade(request_, terminal=heard)}
    assert graded == dict.fromkeys(("Amina", "Diego", "Elif", "Fumiko"), whole)
    assert gradebook(request_, hand) == table(request_) == graded
    assert pages(request_)["Amina"] == read["Amina"] != pages(request_)["Diego"]
    assert before["Diego"] < whole

    # It is asked about again, for as long as the submission is as it is.
    again = Heard(True, request_, hand)
    grade(request_, terminal=again)
    assert [one.student for one in again.asked] == ["Amina"]
    assert gradebook(request_, hand)["Amina"] < whole


def test_scores_that_only_rise_are_recorded_and_told(request_, hand, whole):
    hand.put(request_.submitted, "Diego", hand.filled())
    heard = Heard(False, request_, hand)
    grade(request_, terminal=heard)
    assert not heard.asked
    assert [(one.student, one.after) for one in heard.told] == [("Diego", whole)]
    assert table(request_)["Diego"] == whole


@pytest.fixture
def stricter(monkeypatch, hand):
    """The lesson changed after it was graded: half of the points of one test went elsewhere."""
    hidden = Lesson.hidden

    def changed(self, secret):
        tests = hidden(self, secret)
        if self.id != hand.lesson.id:
            return tests
        first, second = hand.components[:2]
        worth = tests[first][0].points / 2
        return tests | {
            first: [replace(tests[first][0], points=worth), *tests[first][1:]],
            second: [
                replace(tests[second][0], points=tests[second][0].points + worth),
                *tests[second][1:],
            ],
        }

    monkeypatch.setattr(Lesson, "hidden", changed)
    for module in (answer_key, grader, recorder):
        monkeypatch.setattr(module, "version_of", lambda lesson: version_of(lesson) + "x")


def test_a_changed_lesson_regrades_all_and_asks_where_scores_drop(request_, hand, stricter):
    # Who has the second component wrong loses by the change.
    hand.put(request_.submitted, "Diego", hand.wrong(hand.components[1]))
    heard = Heard(True, request_, hand)
    grade(request_, terminal=heard)
    assert [one.student for one in heard.asked if one.drops] == ["Diego"]
    assert gradebook(request_, hand) == table(request_)


def test_of_a_lesson_with_new_points_it_is_told_who_was_not_graded_again(
    request_, hand, whole, monkeypatch
):
    hidden, first = Lesson.hidden, hand.components[0]

    def heavier(self, secret):
        tests = hidden(self, secret)
        if self.id != hand.lesson.id:
            return tests
        more = replace(tests[first][0], points=tests[first][0].points + 5)
        return tests | {first: [more, *tests[first][1:]]}

    monkeypatch.setattr(Lesson, "hidden", heavier)
    for module in (answer_key, grader, recorder):
        monkeypatch.setattr(module, "version_of", lambda lesson: version_of(lesson) + "x")
    console = Console(file=io.StringIO(), width=200)
    assert pipeline.grade_command(replace(request_, student="Amina"), console) == 0
    prose = sum(question.points for question in hand.lesson.questions)
    told = f"2 results of {hand.lesson.id} still count out of {whole + prose:g}; grade everything "
    assert f"{told}again to bring them to {whole + prose + 5:g}." in console.file.getvalue()
    page = (request_.out / "report.html").read_text(encoding="utf-8")
    assert told in page and f"of {whole + prose + 5:g}<" in page
    assert page.count(f">of {whole + prose:g}, ") == 2, "beside the points of those two"
    console = Console(file=io.StringIO(), width=200)
    assert pipeline.grade_command(replace(request_, yes=True), console) == 0
    assert "still count" not in console.file.getvalue()


def test_a_changed_lesson_that_is_declined_is_left_whole(request_, hand, stricter):
    before = gradebook(request_, hand)
    hand.put(request_.submitted, "Diego", hand.released)
    hand.put(request_.submitted, "Fumiko", hand.filled())
    heard = Heard(False, request_, hand)
    grade(request_, terminal=heard)
    assert heard.left == [hand.lesson.id]
    assert gradebook(request_, hand) == table(request_) == before


def test_who_handed_in_a_lesson_that_is_declined_is_not_called_absent(request_, hand, stricter):
    """Neither does the report say so, with a roster, of whom nothing is recorded yet."""
    roster = request_.submitted.parent / "class.csv"
    people = ["Amina", "Bao", "Diego", "Elif", "Fumiko", "Nia"]
    roster.write_text("id,name\n" + "".join(f"{name},{name}\n" for name in people))
    hand.put(request_.submitted, "Diego", hand.released)
    hand.put(request_.submitted, "Fumiko", hand.filled())
    heard = Heard(False, request_, hand)
    grade(replace(request_, roster=roster), terminal=heard)
    assert heard.left == [hand.lesson.id]
    with open(request_.out / "summary.csv", newline="", encoding="utf-8") as file:
        said = {row["student"]: row["message"] for row in csv.DictReader(file)}
    assert "Fumiko" not in said and "handed in" in said["Nia"]


def test_a_run_that_is_refused_keeps_neither_its_roster_nor_its_secret(request_, hand):
    roster = request_.submitted.parent / "class.csv"
    roster.write_text("id,name\n" + "".join(f"{name},{name}\n" for name in ("Amina", "Diego")))
    secret = (request_.out / "seed").read_text()
    extensions = request_.out / "extensions.csv"
    extensions.write_text("nobody,knows\n")
    with pytest.raises(WrongUsage, match=extensions.name):
        grade(replace(request_, roster=roster, secret="another one", yes=True))
    assert not (request_.out / "roster.csv").exists()
    assert (request_.out / "seed").read_text() == secret
    extensions.unlink()


def test_a_submission_that_cannot_be_read_any_more_is_a_drop(request_, hand, whole):
    read = pages(request_)
    hand.put(request_.submitted, "Amina", b"{")
    heard = Heard(False, request_, hand)
    grade(request_, terminal=heard)
    assert [(one.student, one.before, one.after) for one in heard.asked] == [("Amina", whole, 0)]
    assert table(request_)["Amina"] == gradebook(request_, hand)["Amina"] == whole
    assert "Amina" in pages(request_)
    grade(replace(request_, yes=True))
    assert table(request_)["Amina"] == 0
    after = pages(request_)["Amina"]
    assert after != read["Amina"] and b"What to do" in after


def test_what_is_not_handed_in_any_more_keeps_its_grade(request_, hand):
    shutil.rmtree(request_.submitted / "Elif")
    before = gradebook(request_, hand)
    console = Console(file=io.StringIO(), width=120)
    assert pipeline.grade_command(request_, console) == 0
    assert gradebook(request_, hand) == table(request_) == before
    assert "any more: 1" in console.file.getvalue()


def test_the_command_shows_who_drops_and_needs_yes(request_, hand, whole):
    hand_in_worse_and_better(request_, hand)
    shown = Console(file=io.StringIO(), width=120)
    assert pipeline.grade_command(request_, shown) == 1
    said = shown.file.getvalue()
    row = next(line for line in said.splitlines() if "Amina" in line)
    prose = sum(question.points for question in hand.lesson.questions)
    assert f"{whole:g} / {whole + prose:g}" in row and "-" in row
    assert "--yes" in said
    assert table(request_)["Amina"] == whole

    shown = Console(file=io.StringIO(), width=120)
    assert pipeline.grade_command(replace(request_, yes=True), shown) == 0
    assert "1 of them downwards" in shown.file.getvalue()
    assert "Nothing was changed" not in shown.file.getvalue()
    assert table(request_)["Amina"] < whole


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("\n", 1)])
def test_at_a_terminal_it_asks(request_, hand, monkeypatch, answer, code):
    class Typed(io.StringIO):
        def isatty(self):
            return True

    hand.put(request_.submitted, "Amina", b"{")
    monkeypatch.setattr("sys.stdin", Typed(answer))
    console = Console(file=io.StringIO(), width=120, force_terminal=True)
    assert pipeline.grade_command(request_, console) == code
    assert (table(request_)["Amina"] == 0) == (code == 0)


def test_a_lesson_that_gained_and_lost_a_cell_is_graded_on(
    request, request_, hand, stricter, monkeypatch
):
    real = recorder.instructor_notebook
    gone, new = hand.lesson.questions[0].name, "question_new"

    def edited(course, lesson, *more):
        notebook = real(course, lesson, *more)
        cell = next(
            c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == gone
        )
        cell.metadata.nbgrader.grade_id = new
        cell.metadata.nbgrader.points = 3
        return notebook

    for module in (recorder, lesson_notebook):
        monkeypatch.setattr(module, "instructor_notebook", edited)
    released_notebook.cache_clear()
    request.addfinalizer(released_notebook.cache_clear)
    before = gradebook(request_, hand)
    hand.put(request_.submitted, "Fumiko", hand.filled())
    grade(replace(request_, yes=True))
    after = gradebook(request_, hand)
    assert after == table(request_) and after.keys() == {*before, "Fumiko"}
    with Gradebook(f"sqlite:///{request_.out / 'gradebook.db'}") as found:
        for student in after:
            names = {
                g.name for g in found.find_submission(hand.lesson.id, student).notebooks[0].grades
            }
            assert new in names and gone not in names


def test_a_new_gradebook_is_asked_about_too_and_forgets_nobody(request_, hand, whole):
    hand.put(request_.submitted, "Amina", hand.wrong(hand.components[1]))
    shutil.rmtree(request_.submitted / "Elif")
    (request_.out / "gradebook.db").rename(request_.out / "damaged.db")
    log = request_.out / "gradebook.db-wal"
    log.write_bytes(b"of the damaged one")
    heard = Heard(False, request_, hand)
    grade(request_, terminal=heard)
    assert [one.student for one in heard.asked] == ["Amina"]
    assert table(request_) == {"Amina": whole, "Diego": table(request_)["Diego"], "Elif": whole}
    assert gradebook(request_, hand).keys() == {"Diego"}
    assert heard.only_in_tables == 1
    assert not log.exists()


def test_more_time_changes_what_is_recorded(request_, hand, whole, monkeypatch):
    hand.put(request_.submitted, "Late", hand.filled({hand.components[0]: "slow = 1"}))
    usual = CellGrader.result

    def result(self, cells, runner, status="timeout", share=0.0):
        found = usual(self, cells, runner)
        for one in found["test_results"]:
            one |= {"status": status, "score": share * one["max_score"]}
        return found

    monkeypatch.setattr(CellGrader, "result", result)
    grade(replace(request_, time_limit=5))
    assert gradebook(request_, hand)["Late"] == 0
    before = pages(request_)["Late"]
    monkeypatch.setattr(CellGrader, "result", lambda *of: result(*of, status="passed", share=1.0))
    for _ in range(2):
        heard = Heard(True, request_, hand)
        grade(replace(request_, time_limit=9), terminal=heard)
        assert table(request_)["Late"] == whole
        assert gradebook(request_, hand)["Late"] == whole
    assert heard.told == [], "it is told once"
    assert pages(request_)["Late"] != before
