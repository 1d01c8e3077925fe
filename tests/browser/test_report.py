"""The report on a class in a browser: sorted and filtered without a network, cards on a phone."""

import pytest
from the_course import COURSE

from autograder.judging.judge import TestResult
from autograder.reports.report import write_report
from autograder.results.submission import SubmissionResult

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report on sixty students of two sections, a third of whom failed."""
    course = COURSE
    lesson = course.lessons[0]
    name = next(iter(lesson.components))
    test_results = {
        status: (TestResult(name, "shapes", points, 4.0, status, "", ""),)
        for status, points in {"passed": 4.0, "failed": 0.0}.items()
    }
    results = [
        SubmissionResult(
            f"student {n:02}",
            lesson.id,
            4.0,
            test_results["passed" if n % 3 else "failed"],
            section=f"tutorial {n % 2}",
        )
        for n in range(60)
    ]
    return write_report(tmp_path_factory.mktemp("report"), results, course)


def test_rows_are_filtered_and_sorted_offline(report, browser):
    page = browser.new_context(offline=True).new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(report.as_uri())
    rows = page.locator("#scores tbody tr:visible")
    filters = page.locator(".filters:has(+ .scroll > #scores)")
    assert rows.count() == 60
    filters.locator("input").fill("student 1")
    assert rows.count() == 10
    filters.locator("select").select_option("tutorial 0")
    assert rows.count() == 5
    assert filters.locator("output").inner_text() == "5 / 60"
    filters.locator("input").fill("")
    for total in ("0", "4"):
        page.locator("#scores thead button", has_text="Total").click()
        assert rows.first.locator("td").last.inner_text() == total
    assert errors == []


def test_on_a_phone_rows_are_cards(report, browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#scores tbody tr").first.bounding_box()["height"] < 200
    assert page.locator("#scores td.empty:visible").count() == 0
