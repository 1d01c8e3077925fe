"""The benchmark of grading compares like with like."""

import shutil

import pytest
from the_course import COURSE

from autograder.commands.request import Request
from benchmarks import grading


@pytest.fixture(scope="module")
def course():
    return COURSE


@pytest.fixture(scope="module")
def stock(course):
    return grading._stock_notebook(course, course.lesson(grading.LESSON))


def failures_of(notebook, answers: dict[str, str]) -> list[str]:
    """The test cells that raise when all cells are run, as stock nbgrader runs them."""
    namespace, failed = {}, []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            try:
                exec(answers.get(cell.id, cell.source), namespace)
            except AssertionError:
                failed.append(cell.id)
    return failed


def test_the_stock_assignment_has_the_lessons_answers_and_tests(course, stock):
    lesson = course.lesson(grading.LESSON)
    marks = [cell.metadata.get("nbgrader") for cell in stock.cells if "nbgrader" in cell.metadata]
    assert [one.grade_id for one in marks if one.solution] == list(lesson.components)
    points = {one.grade_id: one.points for one in marks if one.grade}
    assert points == {f"test_{name}": value for name, value in lesson.points().items()}
    assert [cell.id for cell in stock.cells if "autograder" in cell.source] == []


def test_the_stock_tests_make_as_many_calls_as_the_hidden_tests(course):
    hidden = course.lesson(grading.LESSON).hidden("calls")
    for name, tests in hidden.items():
        calls = sum(len(test.cases) for test in tests)
        assert f"for case in range({calls}):" in grading.STOCK_TESTS[name]


def test_the_stock_tests_pass_the_reference(stock):
    assert failures_of(stock, {}) == []


@pytest.mark.parametrize("component", ["MultiHeadAttention", "bug_hunt_1"])
def test_the_stock_tests_fail_a_mistake(course, stock, component):
    wrong = course.lesson(grading.LESSON).components[component].wrong[0]
    assert failures_of(stock, {component: wrong.source}) == [f"test_{component}"]


def test_no_two_submissions_are_alike(tmp_path):
    grading.write_class(tmp_path, 5)
    found = [path.read_bytes() for path in tmp_path.glob("*/*/*.ipynb")]
    assert len(found) == len(set(found)) == 5


@pytest.fixture
def table(monkeypatch):
    """Calls the benchmark with commands that take as long as the arguments say."""

    def run(each, start=0.0, at_first=0.0, stock=4.0, help=0.2):
        def ours(folder, count, kept=None):
            slow = 10 if folder.parent.name == "round-1" else 1
            return slow * (start + each * count + (0 if kept else at_first)), count

        monkeypatch.setattr(grading, "_stock", lambda folder, count: (3 + stock * count, count))
        monkeypatch.setattr(grading, "_ours", ours)
        monkeypatch.setattr(grading, "_help", lambda folder: (help, help))
        outcome = grading.against_stock_nbgrader(lambda now: None)
        return {row[0]: row[1:] for row in outcome.rows}, outcome.missed

    return run


def test_a_further_submission_costs_what_thirty_more_cost(table):
    rows, missed = table(0.1, start=2, at_first=1)
    cells = ["4.00 (4.00 to 4.00)", "0.10 (0.10 to 1.00)", "40.0 (4.0 to 40.0)"]
    assert rows["each further one"] == cells
    assert rows["one submission"][1] == "2.1 (2.1 to 21.0)"
    assert rows["32 at first"][1] == "6.2 (6.2 to 62.0)"
    assert rows["32 again"][1] == "5.2 (5.2 to 52.0)"
    assert rows["--help"] == ["", "0.20 (0.20 to 0.20)", ""]
    assert missed == []  # a round on a busy machine does not move the median


def test_a_target_that_is_missed_is_told(table):
    _, missed = table(0.4, start=4, help=0.6)
    assert missed == [
        "one submission: 4.4 s, not 4",
        "32 at first: 16.8 s, not 7",
        "each further one: 10.0 times faster, not 15",
        "--help: 0.6 s, not 0.5",
    ]


def test_cost_that_grows_faster_than_the_class_is_told(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(grading.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(grading, "write_class", lambda folder, count: folder.mkdir())
    monkeypatch.setattr(shutil, "copytree", lambda *_: None)

    def cost_of(power):
        def grade(submitted, out):
            count = int(submitted.name.partition("-")[2] or 1)
            now[0] += 0.01 * count**power

        return grade

    monkeypatch.setattr(grading, "_grade", cost_of(1))
    assert grading.growth(lambda now: None).missed == []
    monkeypatch.setattr(grading, "_grade", cost_of(2))
    assert grading.growth(lambda now: None).missed == [
        "each of the last 900 costs 10.0 times one of the 90 before"
    ]


def test_each_step_that_is_timed_is_there_and_is_put_back(tmp_path):
    before = [getattr(owner, name) for _, owner, name, _ in grading.STEPS]
    with grading._stopwatch() as spent:
        grading.report_step.write_tables(tmp_path, [], [])
    assert spent["tables and report"][0] > 0
    assert [getattr(owner, name) for _, owner, name, _ in grading.STEPS] == before
    assert Request(tmp_path, tmp_path).jobs == 1  # what the others are compared with
