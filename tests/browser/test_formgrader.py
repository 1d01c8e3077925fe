"""An answer in prose is marked in nbgrader's formgrader; afterwards all results have one total.

What a student wrote there runs nothing, loads nothing, and leads nowhere but to web pages.
"""

import re
import time
from pathlib import Path

import pytest
from hostile.prose import HOST, PROSE
from jupyter_servers import formgrader
from nbgrader.api import Gradebook
from playwright.sync_api import expect
from the_course import COURSE

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.lesson.notebook import reference_notebook, to_bytes
from autograder.nbgrader.recorder import read_results

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Amina has answered one question of lesson 00, and all her code is right."""
    folder = tmp_path_factory.mktemp("formgrader")
    upload = folder / "in" / "Amina Khan_12345_assignsubmission_file"
    course, lesson = hand_in(upload, "Only the strides change.")
    roster = folder / "roster.csv"
    roster.write_text("id,name,lms_id\nAmina,Amina Khan,777\n")
    request = Request(folder / "in", folder / "out", sandbox="none", roster=roster)
    grade(request)
    return request, course, lesson


def hand_in(folder: Path, reply: str):
    """Fill in lesson 00 rightly, with this answer to its first question."""
    course = COURSE
    lesson = course.lessons[0]
    notebook = reference_notebook(course, lesson)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == lesson.questions[0].name:
            cell.source = reply
    folder.mkdir(parents=True)
    (folder / f"{lesson.name}.ipynb").write_bytes(to_bytes(notebook))
    return course, lesson


@pytest.fixture(scope="module")
def address(graded, tmp_path_factory):
    """The address of formgrader on the results."""
    with formgrader(graded[0].out, tmp_path_factory.mktemp("log") / "log") as address:
        yield address


def test_points_and_a_comment_reach_the_results(graded, address, browser):
    request, course, lesson = graded
    question, tests = lesson.questions[0], sum(lesson.points().values())
    with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as gradebook:
        id = gradebook.find_submission(lesson.id, "Amina").notebooks[0].id
    page = browser.new_page()
    page.goto(f"{address}/submissions/{id}/")
    rubric = " ".join(question.rubric.split())[:40].partition("$")[0].partition("`")[0]
    expect(page.locator("body")).to_contain_text("for you alone")
    assert rubric.strip() in " ".join(page.inner_text("body").split())
    points = page.locator(f"input#{question.name}")
    points.fill("1.5")
    points.press("Tab")
    comment = page.locator(f"textarea#{question.name}-comment")
    comment.fill("Nearly: say **which** strides.")
    comment.press("Tab")
    wait_until_given(request, lesson, question.name)
    page.close()

    grade(request)
    (result,) = read_results(request.out, course)
    assert result.total == tests + 1.5
    shown = (request.out / "feedback/Amina" / lesson.id / f"{lesson.name}.html").read_text()
    assert "say <strong>which</strong> strides" in shown


# Of a student's alone: the course's own text has badges, which are pictures.
ANSWER = ".nbgrader_cell .text_cell_render"
ALLOWED = re.compile(r"^(https?|wss?)://127\.0\.0\.1[:/]")
FOUND = """() => ({
    addresses: [...document.querySelectorAll('%s *')]
        .flatMap(node => ['href', 'src', 'action', 'formaction', 'xlink:href', 'srcset', 'poster']
            .map(name => node.getAttribute(name)).filter(value => value !== null)),
    resolved: [...document.querySelectorAll('a')].map(node => node.href),
    handlers: [...document.querySelectorAll('%s *, nav *')]
        .flatMap(node => node.getAttributeNames())
        .filter(name => name === 'style' || name === 'onerror' || name === 'onload'),
    pictures: document.querySelectorAll('%s img, nav img').length,
    mermaid: document.querySelectorAll('.mermaid').length,
})""".replace("%s", ANSWER)


def test_nothing_of_a_student_runs_or_loads_in_formgrader(browser, tmp_path):
    name = "<img src=x onerror=alert(1)>"
    lesson = hand_in(tmp_path / "in" / name, "\n\n".join(PROSE)[:15_000])[1]
    for number, part in enumerate(PROSE[::80]):
        hand_in(tmp_path / "in" / f"Student{number:03}", part)
    hand_in(tmp_path / "in" / "Amina", "Only the strides change.")
    request = Request(tmp_path / "in", tmp_path / "out", sandbox="none")
    grade(request)
    with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as gradebook:
        ids = {
            submission.student.id: submission.notebooks[0].id
            for submission in gradebook.assignment_submissions(lesson.id)
        }
    assert name in ids
    with formgrader(request.out, tmp_path / "log") as address:
        context = browser.new_context()
        asked, outside, dialogs = {}, [], []
        context.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

        def refuse(route) -> None:
            outside.append(route.request.url)
            route.abort()

        context.route(lambda url: not ALLOWED.match(url), refuse)
        page = context.new_page()
        for student, id in ids.items():
            outside.clear()
            page.goto(f"{address}/submissions/{id}/")
            assert page.locator(f"input#{lesson.questions[0].name}").count() == 1
            found = page.evaluate(FOUND)
            assert found["pictures"] == found["mermaid"] == 0 and not found["handlers"], found
            for shown in found["addresses"]:
                assert re.match(r"(https?://|mailto:|#)", shown), shown
            for led_to in found["resolved"]:
                assert re.match(r"(https?:|mailto:|$)", led_to), led_to
            asked[student] = set(outside)
        page.goto(f"{address}/submissions/{ids[name]}/")
        page.locator(".name-hidden.glyphicon").click()
        expect(page.locator("nav")).to_contain_text(name)
        for place in ("manage_students", f"gradebook/{lesson.id}/{lesson.name}"):
            page.goto(f"{address}/{place}")
            expect(page.locator("tbody")).to_contain_text(name)
        context.close()
    for student in ids:
        page = browser.new_page()
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        feedback = request.out / "feedback" / student / lesson.id / f"{lesson.name}.html"
        page.goto(feedback.as_uri())
        assert not page.evaluate("document.querySelectorAll('img, a[href^=\"javascript\"]').length")
        page.close()
    assert not dialogs
    # nbgrader's page loads MathJax, and the course's badges: for a plain answer, too.
    assert HOST not in str(asked) and set().union(*asked.values()) == asked["Amina"]


def wait_until_given(request, lesson, question: str) -> None:
    """Formgrader saves while one types on; the gradebook has it soon after."""
    for _ in range(100):
        with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as gradebook:
            place = (question, lesson.name, lesson.id, "Amina")
            grade, comment = gradebook.find_grade(*place), gradebook.find_comment(*place)
            if grade.manual_score is not None and comment.manual_comment:
                return
        time.sleep(0.2)
    raise AssertionError("formgrader saved nothing")
