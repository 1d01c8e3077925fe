"""The benchmark of grading compares like with like."""

import shutil

import pytest

from autograder.grading.pipeline import Request
from autograder.lesson.course import read_course
from benchmarks import grading


@pytest.fixture(scope="module")
def course():
    return read_course()


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


def test_a_submission_costs_what_thirty_more_cost(monkeypatch):
    monkeypatch.setattr(grading, "_stock", lambda folder, count: (3 + 4.0 * count, count))
    monkeypatch.setattr(
        grading, "_ours", lambda folder, count, kept=None: (12 + 0.2 * count, count)
    )
    table = grading.against_stock_nbgrader(lambda now: None)
    cells = ["4.00 (4.00 to 4.00)", "0.20 (0.20 to 0.20)", "20.0 (20.0 to 20.0)"]
    assert table.rows[0][1:] == cells
    assert table.missed == []
    monkeypatch.setattr(grading, "_ours", lambda folder, count, kept=None: (0.4 * count, count))
    table = grading.against_stock_nbgrader(lambda now: None)
    assert table.missed == ["10.0 times faster than stock nbgrader, not 15"]


def test_a_round_on_a_busy_machine_does_not_move_the_median(monkeypatch):
    def ours(folder, count, kept=None):
        each = 2.0 if folder.parent.name == "round-1" else 0.2
        return each * count, count

    monkeypatch.setattr(grading, "_stock", lambda folder, count: (4.0 * count, count))
    monkeypatch.setattr(grading, "_ours", ours)
    table = grading.against_stock_nbgrader(lambda now: None)
    assert table.rows[0][2:] == ["0.20 (0.20 to 2.00)", "20.0 (2.0 to 20.0)"]
    assert table.missed == []


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
        grading.pipeline.write_tables(tmp_path, [], [])
    assert spent["tables and report"][0] > 0
    assert [getattr(owner, name) for _, owner, name, _ in grading.STEPS] == before
    assert Request(tmp_path, tmp_path).jobs == 1  # what the others are compared with
