"""The report on a class in a browser: sorted and filtered without a network, cards, on paper."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from the_course import COURSE

from autograder.judging.judge import TestResult
from autograder.reports.report import write_report
from autograder.results.remarks import Remark
from autograder.results.submission import Marks, SubmissionResult

pytestmark = pytest.mark.browser
PAPER = 960  # pixels: letter paper in landscape, without its margins
UNFOLD = "[...document.querySelectorAll('details')].forEach(one => { one.open = true; })"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """On sixty students of two sections, a third of whom failed, and one who handed in nothing."""
    absent = Remark("problem", "not_handed_in")
    results, open_prose = [], Marks(max_prose=4.0, open=4.0)
    for lesson in COURSE.lessons:
        name, component = next(iter(lesson.components.items()))
        failed = TestResult(name, "shapes", 0.0, 4.0, "failed", component.wrong[0].name, "")
        passed = TestResult(name, "shapes", 4.0, 4.0, "passed", "", "")
        for n in range(60):
            tests, more = (passed if n % 3 else failed,), {"section": f"tutorial {n % 2}"}
            one = SubmissionResult(
                f"student {n:02}", lesson.id, 4.0, tests, marks=open_prose, **more
            )
            results.append(one)
        results.append(SubmissionResult("absent", lesson.id, 4.0, problem=absent))
    return write_report(tmp_path_factory.mktemp("report"), results, COURSE)


def test_rows_are_filtered_and_sorted_offline(report, browser):
    page, errors = browser.new_context(offline=True).new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(report.as_uri())
    page.evaluate(UNFOLD)
    rows = page.locator("#scores tbody tr:visible")
    filters = page.locator(".filters:has(+ .scroll > #scores)")
    assert rows.count() == 61
    filters.locator("input").fill("student 1")
    assert rows.count() == 10
    filters.locator("select").select_option("tutorial 0")
    assert rows.count() == 5
    assert filters.locator("output").inner_text() == "5 / 61"
    filters.locator("select").select_option("")
    filters.locator("input").fill("")
    for points in ("0", "4"):
        page.locator("#scores thead button", has_text="03").click()
        assert rows.first.locator("td[data-sort]").nth(3).get_attribute("data-sort") == points
        assert rows.last.locator("th").inner_text() == "absent", "where there is nothing is last"
    assert errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it_on_a_phone_and_on_paper(report, browser, theme):
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=theme)
    page.goto(report.as_uri())
    page.evaluate(UNFOLD)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#scores td.empty:visible").count() == 0
    page.set_viewport_size({"width": PAPER, "height": 700})
    page.reload()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") == PAPER
    assert page.locator("#scores").bounding_box()["width"] <= PAPER, "no column is cut"
    assert page.locator("#scores tbody tr").last.bounding_box()["height"] > 0, "nothing is folded"
    assert page.locator(".filters:visible").count() == 0
