"""From files to grades, feedback, report and gradebook."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.commands import grade as pipeline
from autograder.commands import request
from autograder.commands.grade import grade, judge_step
from autograder.commands.request import Request
from autograder.errors import WrongUsage
from autograder.grading.run.local import LocalWorkers
from autograder.judging.judge import Judge
from autograder.nbgrader.recorder import Recorder
from autograder.nbgrader.settings import gradebook_url
from autograder.results.outdir import alone
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner

from ..conftest import SEED

# One worker: the class is graded once and looked at from many sides.
pytestmark = pytest.mark.xdist_group("graded class")


def rows(out: Path, name: str) -> list[dict]:
    with open(out / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def summary(out: Path) -> dict[str, dict]:
    return {row["student"]: row for row in rows(out, "summary.csv")}


def again(graded_class, **changes) -> list:
    request = Request(graded_class.submitted, graded_class.out, sandbox="none", secret=SEED)
    return grade(Request(**(vars(request) | changes)))


def test_every_submission_has_its_row(graded_class):
    found = {name: (row["score"], row["status"]) for name, row in summary(graded_class.out).items()}
    points = graded_class.graded["Amina"].max_score
    assert found["Amina"] == found["[a-z]*"] == (f"{points:g}", "passed")
    assert found["Cut"] == ("0", "error")
    assert found["Nobody"] == ("0", "missing")
    assert found["Lost"] == ("0", "error")
    assert 0 < float(found["Diego"][0]) < points
    assert found["Empty"][0] == "0"
    assert found["'=cmd <b>bold"][1] == "error"
    assert found["Everyday"] == (f"{points:g}", "passed")
    assert len(found) == 9


def test_a_folder_with_an_empty_and_a_filled_notebook_says_which_was_graded(graded_class):
    told = (graded_class.out / "feedback/Everyday/00-warm-up/warm-up.html").read_text()
    assert "warm-up (1).ipynb was graded" in told and "Not graded: warm-up.ipynb." in told
    kept = graded_class.out / "nbgrader/autograded/Everyday/00-warm-up/warm-up.ipynb"
    assert kept.stat().st_size < 2**20


def test_what_cannot_be_graded_says_why(graded_class):
    found = {name: row["message"] for name, row in summary(graded_class.out).items()}
    assert "it is cut off" in found["Cut"]
    assert found["Nobody"] == "The student's folder is empty."
    assert found["Lost"] == "There is no lesson of this name."
    assert found["Amina"].endswith("tests passed.")


def test_grades_are_in_the_notebooks_order(graded_class, lesson):
    of = [row for row in rows(graded_class.out, "grades.csv") if row["student"] == "Amina"]
    expected = [
        (component, test.name) for component, tests in lesson.hidden(SEED).items() for test in tests
    ]
    assert sorted((row["component"], row["test"]) for row in of) == sorted(expected)
    assert list(dict.fromkeys(row["component"] for row in of)) == list(lesson.components)


def test_the_gradebook_holds_the_same_points(graded_class):
    expected: dict[tuple, float] = {}
    for row in rows(graded_class.out, "grades.csv"):
        key = (row["student"].removeprefix("'"), row["lesson"], row["component"])
        expected[key] = expected.get(key, 0) + float(row["score"])
    with Gradebook(gradebook_url(graded_class.out / "gradebook.db")) as gradebook:
        found = {
            (one.student.id, one.assignment.name, grade.name.removeprefix("test_")): (
                grade.auto_score
            )
            for assignment in gradebook.assignments
            for one in assignment.submissions
            for notebook in one.notebooks
            for grade in notebook.grades
            if grade.name.startswith("test_")
        }
    assert found == expected


def test_answers_in_prose_wait_for_a_person(graded_class, hand):
    with Gradebook(gradebook_url(graded_class.out / "gradebook.db")) as gradebook:
        lesson = hand.lesson
        question = lesson.questions[0].name
        written = gradebook.find_grade(question, lesson.name, lesson.id, "=cmd <b>bold")
        empty = gradebook.find_grade(question, lesson.name, lesson.id, "Amina")
        assert written.needs_manual_grade and written.auto_score is None
        assert empty.auto_score == 0 and not empty.needs_manual_grade
    page = feedback(graded_class, "=cmd <b>bold")
    assert "not graded yet" in page


def feedback(graded_class, student: str) -> str:
    lesson = graded_class.graded["Amina"].lesson
    path = graded_class.out / "feedback" / student / lesson / f"{lesson[3:]}.html"
    return path.read_text(encoding="utf-8")


def test_feedback_is_there_for_all_also_for_what_could_not_be_read(graded_class):
    there = {path.parts[-3] for path in (graded_class.out / "feedback").rglob("*.html")}
    assert there == {"Amina", "Diego", "Empty", "Everyday", "=cmd <b>bold", "[a-z]*",
                     "Cut", "Lost", "Nobody"}  # fmt: skip
    page = feedback(graded_class, "Cut")
    assert "it is cut off" in page and "What to do" in page and "Hand in that file" in page


def test_what_was_lost_with_the_end_of_a_file_is_not_told_as_left_as_it_was(hand, tmp_path):
    hunt = next(name for name in hand.components if hand.lesson.components[name].is_bug_hunt)
    notebook = json.dumps(hand.filled())
    cut = notebook[: notebook.index(f'"grade_id": "{hunt}"')].encode()
    hand.put(tmp_path / "submitted", "Cut", cut)
    request = Request(tmp_path / "submitted", tmp_path / "out", sandbox="none", secret=SEED)
    (result,) = grade(request)
    lost = {one.component for one in result.test_results if one.status == "lost"}
    assert hunt in lost and "missing" not in {one.status for one in result.test_results}
    page = (tmp_path / "out" / result.page).read_text(encoding="utf-8")
    assert "not tried" not in page.lower() and "You have not answered" not in page
    assert page.count("Lost with the end of the file.") > 1
    assert "lost" in {row["status"] for row in rows(tmp_path / "out", "grades.csv")}


def with_backquotes(page: str) -> str:
    """A page's HTML with its code between backquotes, as messages have it."""
    return re.sub("</?code>", "`", page).replace("&#39;", "'")


def test_nothing_of_a_student_runs_in_feedback_or_report(graded_class):
    pages = [path.read_text() for path in (graded_class.out / "feedback").rglob("*.html")]
    pages.append((graded_class.out / "report.html").read_text())
    # The report has a script of its own, which its policy names by a hash.
    pages[-1], ours = re.subn(r"<script>\n?\"use strict\";.*?</script>", "", pages[-1], flags=re.S)
    assert ours == 1
    for page in pages:
        lower = page.lower()
        assert "<script" not in lower
        assert not re.search(r"<[^>]*\son\w+\s*=", lower)
        assert not re.search(r"<[^>]*(?:href|src)\s*=\s*(?![\"'](?:#|feedback/))", lower)
        assert "<b>bold" not in lower
    assert "&lt;b&gt;bold" in pages[-1]
    assert "&lt;script&gt;" in feedback(graded_class, "=cmd <b>bold")


def test_nothing_that_students_get_holds_a_hidden_test(graded_class, lesson):
    for path in (graded_class.out / "feedback").rglob("*.html"):
        page = path.read_text()
        assert "HIDDEN TESTS" not in page
        assert "rubric" not in page.lower()
    release = graded_class.out / "nbgrader" / "release" / lesson.id / f"{lesson.name}.ipynb"
    assert "HIDDEN TESTS" not in release.read_text()


def test_the_report_tells_of_all_that_an_instructor_needs(graded_class, hand):
    page = with_backquotes((graded_class.out / "report.html").read_text())
    says = hand.lesson.components[hand.components[0]].wrong[0].says
    for words in ("Nobody", "Lost", "Cut", "(1).ipynb", says.split(".")[0].split("'")[0]):
        assert words in page


def test_the_report_leads_to_each_students_feedback(graded_class, lesson):
    page = (graded_class.out / "report.html").read_text()
    led_to = {unquote(address) for address in re.findall(r'<a href="([^"]+)"', page)}
    there = {
        path.relative_to(graded_class.out).as_posix()
        for path in (graded_class.out / "feedback").rglob("*.html")
    }
    assert led_to == there
    assert f"feedback/=cmd <b>bold/{lesson.id}/{lesson.name}.html" in there
    # Read out, a link is more than a number.
    for student in ("Diego", "=cmd &lt;b&gt;bold"):
        assert re.search(rf'<a [^>]*aria-label="[\d.]+: [^"]*{student}[^"]*{lesson.id}"', page)


def test_nbgraders_export_leaves_the_grades_of_grade_alone(graded_class, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(graded_class.out, out, ignore=shutil.ignore_patterns("work", "nbgrader"))
    export = [sys.executable, "-m", "nbgrader", "export"]
    subprocess.run(export, cwd=out, check=True, capture_output=True, timeout=300)
    assert (out / "grades.csv").read_bytes() == (graded_class.out / "grades.csv").read_bytes()
    assert {row["student_id"] for row in rows(out, "gradebook.csv")} >= {"Amina", "Diego"}


def test_nothing_is_graded_twice(graded_class, monkeypatch):
    def never(self, *args, **kwargs):
        raise AssertionError("this was graded before")

    before = {
        name: (graded_class.out / name).read_bytes() for name in ("grades.csv", "summary.csv")
    }
    monkeypatch.setattr(Runner, "run", never)
    monkeypatch.setattr(Recorder, "record", never)
    graded = again(graded_class)
    assert {one.student for one in graded} == graded_class.graded.keys()
    for name, content in before.items():
        assert (graded_class.out / name).read_bytes() == content


def test_a_part_of_the_class_leaves_the_other_rows(graded_class):
    before = (graded_class.out / "grades.csv").read_bytes()
    (one,) = again(graded_class, student="Amina")
    assert one.student == "Amina"
    assert (graded_class.out / "grades.csv").read_bytes() == before


def test_a_page_is_in_the_language_of_its_notebook(hand, course, tmp_path):
    korean = type(hand)(course, hand.lesson, "ko")
    for student, of in (("Amina", hand), ("Minji", korean)):
        notebook = of.wrong(of.components[0])
        notebook.cells.append({"cell_type": "markdown", "metadata": {}, "source": "It is slow."})
        of.put(tmp_path / "in", student, notebook)
    korean.put(tmp_path / "in", "Silent", korean.wrong(korean.components[0]))
    grade(Request(tmp_path / "in", tmp_path / "out", sandbox="none", secret=SEED))
    assert len({row["score"] for row in summary(tmp_path / "out").values()}) == 1
    cause = hand.lesson.components[hand.components[0]].wrong[0].says
    texts = ["점수", "답 셀 바깥에"]
    texts += map(hand.lesson.catalogue("ko").say, (cause, hand.lesson.title))
    for student, language in (("Amina", "en"), ("Minji", "ko")):
        page = next((tmp_path / "out/feedback" / student).rglob("*.html")).read_text()
        assert f'<html lang="{language}">' in page
        assert [text.split("`")[-1] in page for text in texts] == [language == "ko"] * 4
    page = next((tmp_path / "out/feedback/Silent").rglob("*.html")).read_text()
    assert "이 질문에 답하지 않았습니다" in page


def test_a_fault_of_the_grader_is_tried_again_and_then_told(hand, tmp_path, monkeypatch):
    hand.put(tmp_path / "in", "Amina", hand.filled())
    hand.put(tmp_path / "in", "Unlucky", hand.filled({hand.components[0]: "unlucky = 1"}))
    test_results, tried = Judge.test_results, []

    def faulty(self, outcome):
        if any("unlucky" in cell.source for cell in current[-1].cells):
            tried.append(1)
            raise OSError("the disk is full")
        return test_results(self, outcome)

    current, run = [], Runner.run
    monkeypatch.setattr(
        Runner, "run", lambda self, work, *limits: current.append(work) or run(self, work, *limits)
    )
    monkeypatch.setattr(Judge, "test_results", faulty)
    request = Request(tmp_path / "in", tmp_path / "out", sandbox="none", secret=SEED)
    console = Console(file=io.StringIO(), width=120)
    assert pipeline.grade_command(request, console) == 1
    assert len(tried) == 2
    found = summary(tmp_path / "out")
    assert found["Amina"]["status"] == "passed"
    assert (found["Unlucky"]["status"], found["Unlucky"]["score"]) == ("grader_fault", "")
    assert "the disk is full" in found["Unlucky"]["message"]
    assert {
        row["score"] for row in rows(tmp_path / "out", "grades.csv") if row["student"] == "Unlucky"
    } == {""}

    # When the fault is gone, the same command ends the work.
    monkeypatch.setattr(Judge, "test_results", test_results)
    assert pipeline.grade_command(request, console) == 0
    assert summary(tmp_path / "out")["Unlucky"]["score"] != ""


def test_a_lesson_whose_notebook_cannot_be_made_costs_its_own_submissions_alone(
    hand, course, tmp_path, monkeypatch
):
    def faulty(course, lesson, made=judge_step.student_notebook, **language):
        if lesson.id != hand.lesson.id:
            raise OSError("its picture is gone")
        return made(course, lesson, **language)

    other = type(hand)(course, course.lesson("01-attention"))
    monkeypatch.setattr(judge_step, "student_notebook", faulty)
    hand.put(tmp_path / "in", "Amina", hand.filled())
    other.put(tmp_path / "in", "Diego", other.filled())
    grade(Request(tmp_path / "in", tmp_path / "out", sandbox="none", secret=SEED))
    found = summary(tmp_path / "out")
    assert found["Amina"]["status"] == "passed"
    assert (found["Diego"]["status"], found["Diego"]["score"]) == ("grader_fault", "")
    assert "its picture is gone" in found["Diego"]["message"]


def test_wrong_usage_is_one_line_and_exit_code_2(tmp_path):
    (tmp_path / "in" / "anna" / "00-warm-up").mkdir(parents=True)
    for wrong in (
        {"submitted": tmp_path / "nowhere"},
        {"lesson": "99-none"},
        {"scheduler": "tcp://here:1"},
        {"out": tmp_path / "in" / "out"},
        {"student": "bea"},
        {"time_limit": float("nan")},
    ):
        request = {"submitted": tmp_path / "in", "out": tmp_path / "out", "sandbox": "none"} | wrong
        with pytest.raises(WrongUsage) as raised:
            grade(Request(**request))
        assert "\n" not in str(raised.value)
    command = [sys.executable, "-m", "autograder", "grade", str(tmp_path / "nowhere"), "--out",
               str(tmp_path / "out")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "is not there" in done.stderr


def test_one_more_runs_at_a_time_than_there_are_processors_where_memory_has_room(monkeypatch):
    monkeypatch.setattr(request.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    for gigabytes, jobs in ((1, 1), (8, 2), (64, 9)):
        monkeypatch.setattr(request, "memory", lambda size=gigabytes: size << 30)
        assert request.usual_jobs() == jobs


def test_one_run_at_a_time_writes_to_a_folder(graded_class):
    with alone(graded_class.out), pytest.raises(WrongUsage, match="another run"):
        again(graded_class)


def test_what_was_disturbed_is_judged_once_more_alone(monkeypatch):
    begun = []

    def grade(submission, runners):
        begun.append(submission)
        if begun.count(submission) == 1 and submission == "disturbed":
            raise RunnerFault("other submissions misbehaved meanwhile")
        return [submission]

    grader = SimpleNamespace(grade=grade, limits=0, limits_of_reference=0, prepare=lambda _: None)
    monkeypatch.setattr(LocalWorkers, "_pool_with", lambda *_: SimpleNamespace(size=2))
    judged = LocalWorkers("none", 2, [], print).judge(grader, ["disturbed", "a", "b"])
    assert dict(judged) == {0: ["disturbed"], 1: ["a"], 2: ["b"]}
    assert begun[-1] == "disturbed"
