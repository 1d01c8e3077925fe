"""An answer in prose is marked in nbgrader's formgrader; afterwards all results have one total."""

import csv
import io
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import expect, sync_playwright
from rich.console import Console

from autograder.grading.export.export import KINDS
from autograder.grading.export.export import run as export
from autograder.grading.gradebook.record import read_results
from autograder.grading.pipeline import grade
from autograder.grading.request import Request
from autograder.lesson.course import read_course
from autograder.lesson.notebook import reference_notebook, to_bytes

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Amina has answered one question of lesson 00, and all her code is right."""
    folder, course = tmp_path_factory.mktemp("formgrader"), read_course()
    lesson = course.lessons[0]
    notebook = reference_notebook(course, lesson)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == lesson.questions[0].name:
            cell.source = "Only the strides change."
    path = folder / "in" / "Amina Khan_12345_assignsubmission_file" / f"{lesson.name}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(to_bytes(notebook))
    roster = folder / "roster.csv"
    roster.write_text("id,name,lms_id\nAmina,Amina Khan,777\n")
    request = Request(folder / "in", folder / "out", sandbox="none", roster=roster)
    grade(request)
    return request, course, lesson


@pytest.fixture(scope="module")
def formgrader(graded, tmp_path_factory):
    """The address of formgrader on the results."""
    request = graded[0]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root",
        f"--ServerApp.port={port}", "--IdentityProvider.token=", "--ServerApp.password=",
        "--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}",
        f"--ServerApp.root_dir={request.out}",
    ]  # fmt: skip
    log = tmp_path_factory.mktemp("log") / "log"
    with (
        log.open("w") as file,
        subprocess.Popen(command, cwd=request.out, env=os.environ, stderr=file) as server,
    ):
        address = f"http://127.0.0.1:{port}/formgrader"
        try:
            for _ in range(240):
                assert server.poll() is None, log.read_text()[-3000:]
                try:
                    urllib.request.urlopen(f"{address}/manage_assignments", timeout=30).close()
                    break
                except (ConnectionError, urllib.error.URLError):
                    time.sleep(0.5)
            yield address
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def test_points_and_a_comment_reach_every_result(graded, formgrader, browser):
    request, course, lesson = graded
    question, tests = lesson.questions[0], sum(lesson.points().values())
    with Gradebook(f"sqlite:///{request.out / 'gradebook.db'}") as gradebook:
        id = gradebook.find_submission(lesson.id, "Amina").notebooks[0].id
    page = browser.new_page()
    page.goto(f"{formgrader}/submissions/{id}/")
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
    total = tests + 1.5
    (row,) = rows(request.out / "summary.csv")
    assert (float(row["total"]), row["prose"], row["waiting"]) == (total, "1.5", "0")
    shown = (request.out / "feedback/Amina" / lesson.id / f"{lesson.name}.html").read_text()
    assert re.search(rf'class="score">{total:g} of ', shown)
    assert "say <strong>which</strong> strides" in shown
    assert f'aria-label="{total:g}: ' in (request.out / "report.html").read_text()
    (result,) = read_results(request.out, course)
    assert result.total == total
    console = Console(file=io.StringIO())
    for kind in KINDS:
        code = export(request.out, kind, None, "", console)
        # The names of files in Canvas are not known: this class came from Moodle.
        assert code == (kind == "canvas"), console.file.getvalue()
    folder = request.out / "export"
    exported = {
        "canvas": rows(folder / "canvas/grades.csv")[-1][lesson.title],
        "moodle": rows(folder / f"moodle/grades-{lesson.id}.csv")[-1]["Grade"],
        "csv": list(rows(folder / "grades.csv")[-1].values())[-1],
        "json": json.loads((folder / "grades.json").read_text())[0]["total"],
    }
    assert {kind: float(value) for kind, value in exported.items()} == dict.fromkeys(KINDS, total)


def rows(path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


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
