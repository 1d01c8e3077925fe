"""Marks by hand, deadlines and penalties reach every result; nothing of them is lost in silence."""

import contextlib
import csv
import io
import json
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from traitlets.config import Config

from autograder.commands import grade as pipeline
from autograder.commands.export import export_command as export
from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.errors import WrongUsage
from autograder.lesson.deadlines import LatePolicy
from autograder.nbgrader import preprocessors
from autograder.nbgrader.recorder import read_results
from autograder.nbgrader.settings import configure_results
from autograder.reports.terminal import Terminal

from ..conftest import SEED

pytestmark = [pytest.mark.xdist_group("marks"), pytest.mark.usefixtures("one_runner")]
DUE = datetime(2026, 10, 5, 22, 0, tzinfo=UTC)


def answered(hand):
    """All right, with both questions answered."""
    notebook = hand.filled()
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("question_"):
            cell.source = "Because a view shares its numbers."
    return notebook


def answered_once_more(hand, question):
    """The same with another answer to one question."""
    notebook = answered(hand)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == question:
            cell.source = "I thought about it once more."
    return notebook


def hand_in(folder, hand, student, notebook, after_due: timedelta | None = None):
    path = hand.put(folder / "in", student, notebook)
    if after_due is not None:
        path.with_name("timestamp.txt").write_text((DUE + after_due).isoformat())


@pytest.fixture(scope="module")
def graded(hand, tmp_path_factory):
    """Amina in time, Diego 26 hours late; both answered in prose. Graded with no deadline."""
    folder = tmp_path_factory.mktemp("marks")
    hand_in(folder, hand, "Amina", answered(hand), timedelta(hours=-1))
    hand_in(folder, hand, "Diego", answered(hand), timedelta(hours=26))
    hand_in(folder, hand, "Elif", hand.filled())
    request = Request(folder / "in", folder / "out", sandbox="none", secret=SEED)
    grade(request)
    return request


@pytest.fixture
def request_(graded, tmp_path):
    for name in ("in", "out"):
        shutil.copytree(graded.submitted.parent / name, tmp_path / name)
    return replace(graded, submitted=tmp_path / "in", out=tmp_path / "out", secret="")


@pytest.fixture
def with_lesson(monkeypatch, course, hand):
    """Changes fields of the lesson, and the course's late policy, from now on."""

    def change(policy=None, **fields):
        lessons = tuple(
            replace(lesson, **fields) if lesson.id == hand.lesson.id else lesson
            for lesson in course.lessons
        )
        changed = replace(course, lessons=lessons, late=policy or LatePolicy())
        monkeypatch.setattr(pipeline, "read_course", lambda: changed)
        return changed

    return change


@pytest.fixture
def with_due(with_lesson):
    """Gives the lesson a deadline, and the course a late policy, from now on."""
    return lambda **policy: with_lesson(LatePolicy(**policy), due=DUE)


class Heard(Terminal):
    """Remembers what it was asked about."""

    def __init__(self, yes: bool):
        super().__init__(yes)
        self.asked = []

    def may_drop(self, changes):
        self.asked += changes
        return self.yes


@contextlib.contextmanager
def gradebook(request):
    with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as found:
        yield found


def mark(request, hand, student: str, points: float, comment: str = "", name: str = "") -> None:
    """What an instructor does in formgrader."""
    name, place = name or hand.lesson.questions[0].name, (hand.lesson.name, hand.lesson.id, student)
    with gradebook(request) as found:
        given = found.find_grade(name, *place)
        given.manual_score, given.needs_manual_grade = points, False
        if comment:
            found.find_comment(name, *place).manual_comment = comment
        found.db.commit()


def rows(request) -> dict[str, dict[str, str]]:
    with open(request.out / "summary.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def page_of(request, hand, student: str) -> Path:
    return request.out / "feedback" / student / hand.lesson.id / f"{hand.lesson.name}.html"


def page(request, hand, student: str) -> str:
    return page_of(request, hand, student).read_text(encoding="utf-8")


def heading(page: str) -> str:
    return re.search(r'class="score">(.*?)<', page)[1]


def nbgrader_total(request, hand, student: str) -> float:
    """What `nbgrader export` computes."""
    with gradebook(request) as found:
        submission = found.find_submission(hand.lesson.id, student)
        return max(0.0, submission.score - submission.late_submission_penalty)


def assert_one_total(request, hand, course, student: str) -> float:
    """The total, after making sure that all results have the same."""
    total = float(rows(request)[student]["total"])
    assert heading(page(request, hand, student)).startswith(f"{total:g} of ")
    assert nbgrader_total(request, hand, student) == pytest.approx(total)
    report = (request.out / "report.html").read_text()
    assert re.search(rf'aria-label="{total:g}: the feedback for {student} ', report)
    (result,) = [one for one in read_results(request.out, course) if one.student == student]
    assert result.total == pytest.approx(total)
    return total


def test_points_and_comments_for_prose_reach_every_result(request_, hand, course):
    tests = sum(hand.lesson.points().values())
    assert rows(request_)["Amina"]["waiting"] == "2"
    assert "2 answers in prose are not marked yet" in page(request_, hand, "Amina")
    untouched = page(request_, hand, "Diego")
    mark(request_, hand, "Amina", 1.5, "Nearly. A **view** is no copy: `x.T`")
    (amina,) = [one for one in read_results(request_.out, course) if one.student == "Amina"]
    assert amina.total == tests + 1.5, "exports need no further run"
    grade(request_)
    assert assert_one_total(request_, hand, course, "Amina") == tests + 1.5
    assert rows(request_)["Amina"]["waiting"] == "1"
    shown = page(request_, hand, "Amina")
    assert "A <strong>view</strong> is no copy: <code>x.T</code>" in shown
    assert "1 answer in prose is not marked yet" in shown
    assert page(request_, hand, "Diego") == untouched


def test_a_marked_answer_waits_again_only_when_it_has_changed(request_, hand):
    mark(request_, hand, "Amina", 1.5)
    mark(request_, hand, "Amina", 2, name=hand.lesson.questions[1].name)
    notebook = answered(hand)
    notebook.cells.append(nbformat.v4.new_code_cell("print('one more cell')"))
    hand_in(request_.submitted.parent, hand, "Amina", notebook)
    grade(request_)
    assert rows(request_)["Amina"]["waiting"] == "0"
    changed = answered_once_more(hand, hand.lesson.questions[0].name)
    hand_in(request_.submitted.parent, hand, "Amina", changed)
    grade(request_)
    assert (rows(request_)["Amina"]["waiting"], rows(request_)["Amina"]["prose"]) == ("1", "3.5")
    mark(request_, hand, "Amina", 2)
    grade(request_)
    assert (rows(request_)["Amina"]["waiting"], rows(request_)["Amina"]["prose"]) == ("0", "4")


def test_an_earlier_answers_points_are_told_as_such_on_the_page_and_in_exports(request_, hand):
    first, second = (question.name for question in hand.lesson.questions[:2])
    mark(request_, hand, "Amina", 1.5, "Nearly.", name=first)
    mark(request_, hand, "Amina", 2, name=second)
    grade(request_)
    assert "not marked yet" not in page(request_, hand, "Amina")
    hand_in(request_.submitted.parent, hand, "Amina", answered_once_more(hand, first))
    grade(replace(request_, yes=True))
    shown = page(request_, hand, "Amina")
    assert rows(request_)["Amina"]["waiting"] == "1"
    assert "1 answer in prose is not marked yet" in shown
    assert shown.count("This answer is not marked yet") == 1
    assert shown.index("once more") < shown.index("This answer is not") < shown.index("Nearly.")
    assert "until then, the points given earlier count" in shown and "Earlier comment" in shown
    console = Console(file=io.StringIO(), width=200)
    export(request_.out, "csv", None, "", console)
    assert "until then, totals have those of an earlier answer, or none" in console.file.getvalue()
    mark(request_, hand, "Amina", 2, "Better.", name=first)
    grade(request_)
    shown = page(request_, hand, "Amina")
    assert "Better." in shown and "not marked yet" not in shown and "Earlier comment" not in shown


def test_marked_prose_does_not_wait_after_an_unreadable_file_came_between(request_, hand):
    first, second = (question.name for question in hand.lesson.questions[:2])
    mark(request_, hand, "Amina", 1.5, name=first)
    mark(request_, hand, "Amina", 2, name=second)
    grade(request_)
    before = rows(request_)["Amina"]
    assert (before["waiting"], before["prose"]) == ("0", "3.5")
    hand_in(request_.submitted.parent, hand, "Amina", b"%PDF-1.7")
    grade(replace(request_, yes=True))
    assert rows(request_)["Amina"]["total"] == "0"
    hand_in(request_.submitted.parent, hand, "Amina", answered(hand))
    grade(replace(request_, yes=True))
    assert rows(request_)["Amina"] == before, "it is the very answer that was marked"
    hand_in(request_.submitted.parent, hand, "Amina", b"%PDF-1.7")
    grade(replace(request_, yes=True))
    hand_in(request_.submitted.parent, hand, "Amina", answered_once_more(hand, first))
    grade(replace(request_, yes=True))
    assert rows(request_)["Amina"]["waiting"] == "1", "and this is another one"


def test_a_change_by_hand_of_a_tests_points_counts(request_, hand, course):
    test = f"test_{hand.components[0]}"
    worth = hand.lesson.points()[hand.components[0]]
    before = float(rows(request_)["Amina"]["total"])
    mark(request_, hand, "Amina", worth - 1, name=test)
    grade(request_)
    assert assert_one_total(request_, hand, course, "Amina") == before - 1
    assert rows(request_)["Amina"]["by_hand"] == "-1"
    assert "Changed by hand" in page(request_, hand, "Amina")


def test_points_by_hand_stay_where_a_test_is_worth_less(request_, hand, with_lesson):
    """One point of two becomes one of one: what is told is what is recorded."""
    name = f"test_{hand.components[-1]}"
    mark(request_, hand, "Amina", 1, name=name)
    grade(request_)
    before = rows(request_)["Amina"]
    heard = Heard(True)
    with_lesson(new_points={hand.components[-1]: 1})
    grade(request_, terminal=heard)
    row = rows(request_)["Amina"]
    assert "Amina" not in {one.student for one in heard.asked}, "11 of 16 is less than 11 of 15"
    assert (row["total"], row["max_total"]) == (before["total"], "15")
    with gradebook(request_) as found:
        assert found.find_grade(name, hand.lesson.name, hand.lesson.id, "Amina").score == 1


def test_nothing_is_written_anew_where_nothing_has_changed(request_, hand):
    path = page_of(request_, hand, "Amina")
    before = path.stat().st_mtime_ns
    grade(request_)
    assert path.stat().st_mtime_ns == before


def test_lateness_costs_what_the_policy_says_and_everybody_sees_it(
    request_, hand, course, with_due
):
    tests = sum(hand.lesson.points().values())
    changed = with_due(percent_per_day=10)
    grade(replace(request_, yes=True))
    total = assert_one_total(request_, hand, changed, "Diego")
    assert total == pytest.approx(tests * 0.8)
    diego, amina = rows(request_)["Diego"], rows(request_)["Amina"]
    assert (diego["late"], amina["late"]) == ("late", "")
    assert float(diego["penalty"]) == pytest.approx(tests * 0.2)
    assert float(amina["total"]) == tests
    shown = page(request_, hand, "Diego")
    assert "That is 1 day 2 hours after the deadline, 2026-10-05 22:00 UTC." in shown
    assert "points were taken off" in shown


def test_an_attempt_without_a_time_has_not_that_of_the_one_before(request_, hand, with_due):
    with_due(percent_per_day=10)
    grade(replace(request_, yes=True))
    assert "1 day 2 hours after the deadline" in page(request_, hand, "Diego")
    path = hand.put(request_.submitted, "Diego", hand.wrong(hand.components[0]))
    path.with_name("timestamp.txt").unlink()
    grade(replace(request_, yes=True))
    row, shown = rows(request_)["Diego"], page(request_, hand, "Diego")
    assert (row["submitted"], row["late"], row["penalty"]) == ("", "", "0")
    assert "2026-10-07" not in shown and "after the deadline" not in shown
    with gradebook(request_) as found:
        assert found.find_submission(hand.lesson.id, "Diego").timestamp is None


def test_a_penalty_follows_the_points_that_are_given_later(request_, hand, with_due):
    changed = with_due(percent_per_day=10)
    grade(replace(request_, yes=True))
    mark(request_, hand, "Diego", 2)
    grade(request_)
    total = assert_one_total(request_, hand, changed, "Diego")
    assert total == pytest.approx((sum(hand.lesson.points().values()) + 2) * 0.8)


def test_a_total_that_a_new_deadline_would_lower_is_asked_about(request_, hand, with_due):
    changed = with_due(percent_per_day=10)
    heard = Heard(False)
    grade(request_, terminal=heard)
    assert [(one.student, one.drops) for one in heard.asked] == [("Diego", True)]
    assert assert_one_total(request_, hand, changed, "Diego") == heard.asked[0].before
    assert rows(request_)["Diego"]["penalty"] == "0"


def test_an_extension_moves_one_students_deadline(request_, hand, with_due):
    changed = with_due(percent_per_day=10)
    lines = f"student,lesson,due\nDiego,{hand.lesson.id},2026-10-08T22:00:00Z\n"
    (request_.out / "extensions.csv").write_text(lines)
    grade(request_)
    assert_one_total(request_, hand, changed, "Diego")
    row = rows(request_)["Diego"]
    assert (row["late"], row["due"], row["penalty"]) == ("", "2026-10-08T22:00:00+00:00", "0")
    assert rows(request_)["Amina"]["due"] == "2026-10-05T22:00:00+00:00"


@pytest.mark.parametrize(("in_results", "taken"), [(True, None), (False, 6.0)])
def test_nbgraders_own_autograde_takes_off_what_the_policy_says(
    request_, hand, monkeypatch, course, in_results, taken
):
    monkeypatch.setattr(preprocessors, "course", lambda: replace(course, late=LatePolicy(50)))
    with gradebook(request_) as found:
        submission = found.find_submission(hand.lesson.id, "Diego")
        submission.assignment.duedate = submission.timestamp - timedelta(hours=1)
        found.db.commit()
    config = Config()
    configure_results(config, request_.out)
    if not in_results:
        del config.AssignPenalties.work
    about = {
        "notebook": hand.lesson.name, "assignment": hand.lesson.id, "student": "Diego",
        "db_url": f"sqlite:///{request_.out / 'gradebook.db'}",
    }  # fmt: skip
    step = preprocessors.AssignPenalties(config=config)
    step.preprocess(nbformat.v4.new_notebook(), {"nbgrader": about})
    with gradebook(request_) as found:
        notebook = found.find_submission_notebook(hand.lesson.name, hand.lesson.id, "Diego")
        assert notebook.late_submission_penalty == taken


def test_points_that_the_instructor_changed_lower_nobodys_share(request_, hand, with_lesson):
    """All points of a lesson are halved: nobody is accused, nobody is asked about."""
    halves = {name: points / 2 for name, points in hand.lesson.points().items()}
    halves |= {question.name: question.points / 2 for question in hand.lesson.questions}
    with_lesson(due=DUE, new_points=halves)
    heard = Heard(True)
    grade(request_, terminal=heard)
    assert heard.asked == []
    row = rows(request_)["Amina"]
    assert float(row["total"]) == pytest.approx(sum(hand.lesson.points().values()) / 2)
    assert row["repairs"] == ""


def test_other_points_that_are_declined_leave_the_lesson_on_one_scale(request_, hand, with_lesson):
    """A question is worth more: whoever has no points for it would have a smaller share."""
    (request_.out / "roster.csv").write_text("id\nAmina\nDiego\nElif\nNobody\n")
    grade(request_)
    before = rows(request_)
    assert {"Amina", "Nobody"} <= before.keys()
    with_lesson(new_points={hand.lesson.questions[0].name: 20.0})
    grade(request_)
    assert rows(request_) == before
    assert {row["max_total"] for row in before.values()} == {before["Amina"]["max_total"]}
    grade(replace(request_, yes=True))
    after = rows(request_)
    assert {row["max_total"] for row in after.values()} == {after["Nobody"]["max_total"]}
    assert float(after["Nobody"]["max_total"]) > float(before["Nobody"]["max_total"])


def test_the_rubric_stands_beside_the_answer_for_instructors_alone(request_, hand):
    name = f"{hand.lesson.name}.ipynb"
    path = request_.out / "nbgrader" / "autograded" / "Amina" / hand.lesson.id / name
    cells = json.loads(path.read_text())["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    place = sources.index("Because a view shares its numbers.")
    rubric = hand.lesson.questions[0].rubric
    assert rubric in sources[place - 1] and "for you alone" in sources[place - 1]
    assert rubric.split("\n")[0] not in page(request_, hand, "Amina")


def everything_recorded(request, hand):
    """What stands in the gradebook but for ids, in the graded notebooks, and in the feedback."""
    with gradebook(request) as found:
        submissions = found.assignment_submissions(hand.lesson.id)
        parts = [
            part
            for one in submissions
            for part in (*one.notebooks[0].grades, *one.notebooks[0].comments)
        ]
        rows = sorted(
            str({name: value for name, value in part.to_dict().items() if name != "id"})
            for part in parts
        )
        rows += sorted(
            f"{one.student.id} {one.timestamp} {one.extension} {one.late_submission_penalty}"
            for one in submissions
        )
    folder = request.out / "nbgrader" / "autograded"
    graded = {str(path): path.read_bytes() for path in folder.glob("*/*/*")}
    pages = {
        path.parts[-3]: BeautifulSoup(path.read_bytes(), "html.parser").get_text(" ").split()
        for path in request.out.glob("feedback/*/*/*.html")
    }
    return rows, graded, pages


def test_nbgraders_own_commands_would_record_the_same(request_, hand, with_due, monkeypatch):
    """So formgrader, and an instructor who grades with nbgrader, find what they expect."""
    course = with_due(percent_per_day=10)
    monkeypatch.setattr(preprocessors, "course", lambda: course)
    grade(replace(request_, yes=True))
    mark(request_, hand, "Amina", 1.5, name=hand.lesson.questions[0].name)
    grade(replace(request_, yes=True))
    ours = everything_recorded(request_, hand)
    config = Config()
    configure_results(config, request_.out)
    config.JudgeSubmission.sandbox = "none"
    monkeypatch.setattr(preprocessors, "runner_with", lambda *_: pytest.fail("it is known"))
    for converter in (Autograde, GenerateFeedback):
        directory = CourseDirectory(config=config)
        directory.assignment_id = hand.lesson.id
        converter(directory, config=config, force=True).start()
    assert [len(part) for part in ours[1:]] == [5, 3]
    assert everything_recorded(request_, hand) == ours


def test_the_first_secret_is_kept_and_another_one_is_asked_about(request_):
    before = {name: row["total"] for name, row in rows(request_).items()}
    assert (request_.out / "seed").read_text().strip() == SEED
    with pytest.raises(WrongUsage, match="graded with another secret"):
        grade(replace(request_, secret="another"))
    assert (request_.out / "seed").read_text().strip() == SEED
    grade(replace(request_, secret="another", yes=True))
    assert (request_.out / "seed").read_text().strip() == "another"
    assert {name: row["total"] for name, row in rows(request_).items()} == before


def test_a_secret_that_was_never_kept_is_not_drawn_anew(request_):
    (request_.out / "seed").unlink()
    with pytest.raises(WrongUsage, match="give the same --seed once more"):
        grade(request_)
    grade(replace(request_, secret=SEED))
    assert (request_.out / "seed").read_text().strip() == SEED
