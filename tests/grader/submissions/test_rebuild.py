"""A submission is rebuilt from the release; each repair is told, and costs no answer."""

import ast
import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import compute_checksum

from autograder.submissions import rebuild as repairing
from autograder.submissions.read_notebook import read_notebook
from autograder.submissions.rebuild import new_definitions, rebuild
from autograder.submissions.salvage.salvage import salvage
from transformer_workbook import __version__


def test_what_lay_behind_a_cut_is_lost_and_what_was_deleted_is_not(hand):
    notebook = hand.filled()
    first, last = hand.components[0], hand.components[-1]
    del notebook.cells[place_of(notebook, first)]
    text = json.dumps(notebook)
    cut = text[: text.index(f'"grade_id": "{last}"')].encode()
    (saved,) = salvage("a.ipynb", cut)
    repairs = rebuild(hand.lesson, hand.released, saved.notebook).repairs
    said = {remark.key: remark.text for remark in repairs}
    assert first in said["answer_missing"] and last in said["answer_lost"]
    assert "reply_lost" in said and "reply_missing" not in said
    assert all("end of the file" in said[key] for key in ("answer_lost", "reply_lost"))


@pytest.fixture
def rebuilt(hand):
    def of(notebook):
        content = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
        return rebuild(hand.lesson, hand.released, read_notebook(content))

    return of


def keys(rebuilt):
    return [repair.key for repair in rebuilt.repairs]


def answers(rebuilt):
    return {cell.name: cell.source for cell in rebuilt.cells if cell.kind == "answer"}


def added(rebuilt):
    return [cell.source for cell in rebuilt.cells if cell.kind == "added"]


def marks(cell):
    return cell.metadata.get("nbgrader", {})


def is_test(cell):
    return marks(cell).get("grade") and not marks(cell).get("solution")


def place_of(notebook, grade_id):
    return next(i for i, c in enumerate(notebook.cells) if marks(c).get("grade_id") == grade_id)


def assert_whole(rebuilt, hand):
    """All answers are there, and the graded cells are the release's, each of them once."""
    assert answers(rebuilt) == hand.right
    graded = [c for c in rebuilt.notebook.cells if marks(c)]
    expected = [c for c in hand.released.cells if marks(c)]
    assert [marks(c) for c in graded] == [marks(c) for c in expected]
    for actual, original in zip(graded, expected, strict=True):
        if is_test(original):
            assert actual.source == original.source


@pytest.mark.parametrize("kind", ["missing", "edited"])
def test_a_test_cell_is_that_of_the_release(rebuilt, hand, kind):
    notebook = hand.filled()
    place = place_of(notebook, f"test_{hand.components[0]}")
    if kind == "edited":
        notebook.cells[place].source = "100.0"
    else:
        del notebook.cells[place]
    result = rebuilt(notebook)
    assert keys(result) == [f"test_{kind}"]
    assert_whole(result, hand)


@pytest.mark.parametrize("earlier", ["", "____", "def {name}(*args):\n    return None\n"])
def test_of_a_copied_answer_cell_the_last_that_was_changed_counts(rebuilt, hand, earlier):
    name = hand.components[0]
    notebook = hand.filled()
    copy = new_code_cell(earlier.format(name=name), id="copy")
    copy.metadata["nbgrader"] = dict(marks(notebook.cells[place_of(notebook, name)]))
    notebook.cells.insert(place_of(notebook, name), copy)
    result = rebuilt(notebook)
    assert keys(result) == ["answer_twice"]
    assert_whole(result, hand)


def test_a_copied_cell_used_for_something_else_is_a_cell_of_the_students_own(rebuilt, hand):
    name = hand.components[0]
    notebook = hand.filled()
    copy = new_code_cell(f"print({name})", id="copy")
    copy.metadata["nbgrader"] = dict(marks(notebook.cells[place_of(notebook, name)]))
    notebook.cells.insert(place_of(notebook, name) + 1, copy)
    result = rebuilt(notebook)
    assert_whole(result, hand)
    assert added(result) == [f"print({name})"]


def test_a_copy_that_was_left_as_released_does_not_win(rebuilt, hand):
    name = hand.components[0]
    notebook = hand.filled()
    released = hand.released.cells[place_of(hand.released, name)]
    released.id = "copy"
    notebook.cells.append(released)
    assert answers(rebuilt(notebook)) == hand.right


def test_answers_without_marks_are_found_by_their_ids(rebuilt, hand):
    notebook = hand.filled()
    for cell in notebook.cells:
        cell.metadata.clear()
    result = rebuilt(notebook)
    assert set(keys(result)) == {"answer_by_id"}
    assert_whole(result, hand)


def test_an_answer_under_another_name_is_found_by_its_likeness(rebuilt, hand):
    name = hand.components[0]
    notebook = hand.filled()
    place = place_of(notebook, name)
    source = hand.right[name].replace(f"def {name}", "def my_own")
    notebook.cells[place] = new_code_cell(source, id="other")
    result = rebuilt(notebook)
    assert keys(result) == ["answer_by_likeness"]
    assert answers(result)[name] == source


def test_an_answer_like_nothing_is_found_by_its_place(rebuilt, hand):
    name = hand.components[0]
    notebook = hand.filled()
    place = place_of(notebook, name)
    notebook.cells[place] = new_code_cell("from elsewhere import *", id="other")
    result = rebuilt(notebook)
    assert keys(result) == ["answer_by_position"]
    assert answers(result)[name] == "from elsewhere import *"


def test_a_deleted_answer_cell_is_put_back_empty(rebuilt, hand):
    name = hand.components[0]
    notebook = hand.filled()
    del notebook.cells[place_of(notebook, name)]
    result = rebuilt(notebook)
    assert keys(result) == ["answer_missing"]
    assert answers(result)[name] == hand.lesson.components[name].released


def test_another_kernel_is_told_and_replaced(rebuilt, hand):
    notebook = hand.filled()
    notebook.metadata.kernelspec.name = "ir"
    result = rebuilt(notebook)
    assert keys(result) == ["kernel"]
    assert result.notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("change", [{"grade": False}, {"locked": False}, {"checksum": "f" * 32}])
def test_changed_marks_count_for_nothing(rebuilt, hand, change):
    notebook = hand.filled()
    marks(notebook.cells[place_of(notebook, f"test_{hand.components[0]}")]).update(change)
    result = rebuilt(notebook)
    assert keys(result) == ["points"]
    assert_whole(result, hand)


def test_the_checksums_of_nbgraders_own_release_are_no_change(rebuilt, hand):
    notebook = hand.filled()
    for cell, original in zip(notebook.cells, hand.released.cells, strict=True):
        if marks(cell):
            marks(cell)["checksum"] = compute_checksum(original)
            marks(cell)["cell_type"] = cell.cell_type
    assert not rebuilt(notebook).repairs


@pytest.mark.parametrize("has_checksums", [False, True])
def test_points_that_the_instructor_has_changed_since_accuse_nobody(rebuilt, hand, has_checksums):
    notebook = hand.filled()
    for cell, original in zip(notebook.cells, hand.released.cells, strict=True):
        if marks(cell).get("points"):
            marks(cell)["points"] += 3
            original.metadata.nbgrader["points"] = marks(cell)["points"]
        if marks(cell) and has_checksums:
            marks(cell)["checksum"] = compute_checksum(original)
    result = rebuilt(notebook)
    assert not result.repairs
    assert_whole(result, hand)


def test_points_that_a_student_changed_do_not_fit_nbgraders_checksum(rebuilt, hand):
    notebook = hand.filled()
    place = place_of(notebook, f"test_{hand.components[0]}")
    checksum = compute_checksum(hand.released.cells[place])
    marks(notebook.cells[place]).update(points=1000, checksum=checksum)
    assert keys(rebuilt(notebook)) == ["points"]


def test_the_version_of_the_notebook_is_read_from_its_first_cell(rebuilt, hand):
    notebook = hand.filled()
    assert rebuilt(notebook).version == __version__
    for cell in notebook.cells:
        cell.source = cell.source.replace(__version__, "0.0.7")
    assert rebuilt(notebook).version == "0.0.7"
    for cell in notebook.cells:
        cell.source = cell.source.replace("wb.start(", "start(")
    assert rebuilt(notebook).version == ""


def test_an_extra_graded_cell_earns_nothing(rebuilt, hand):
    notebook = hand.filled()
    cell = new_code_cell("100.0", id="extra")
    cell.metadata["nbgrader"] = {
        "grade": True, "grade_id": "bonus", "points": 100, "solution": False, "locked": False,
        "schema_version": 3, "task": False,
    }  # fmt: skip
    notebook.cells.append(cell)
    result = rebuilt(notebook)
    assert keys(result) == ["graded_cell"]
    assert_whole(result, hand)
    assert added(result) == ["100.0"]


@pytest.mark.parametrize("schema", [0, 1, 99, "x", None])
def test_another_schema_of_the_marks_stops_nothing(rebuilt, hand, schema):
    notebook = hand.filled()
    for cell in notebook.cells:
        if marks(cell):
            marks(cell)["schema_version"] = schema
    assert_whole(rebuilt(notebook), hand)


def test_added_cells_keep_their_place_among_the_answers(rebuilt, hand):
    first, second = hand.components[:2]
    notebook = hand.filled()
    notebook.cells.insert(place_of(notebook, second), new_code_cell("between = 1", id="b"))
    notebook.cells.insert(place_of(notebook, first), new_code_cell("before = 1", id="a"))
    notebook.cells.append(new_code_cell("after = 1", id="c"))
    result = rebuilt(notebook)
    order = [cell.source if cell.kind == "added" else cell.name for cell in result.cells]
    assert order[:4] == ["before = 1", first, "between = 1", second]
    assert order[-1] == "after = 1"
    assert not result.repairs


def test_an_import_put_into_a_cell_of_the_lesson_is_not_lost(rebuilt, hand):
    notebook = hand.filled()
    setup = next(c for c in notebook.cells if c.cell_type == "code" and not marks(c))
    setup.source += "\nfrom einops import rearrange"
    result = rebuilt(notebook)
    assert keys(result) == ["edited"]
    assert added(result) == ["from einops import rearrange"]


def test_what_was_known_already_is_not_taken_twice():
    released = "import math\n\nx = 3\nshow(x)"
    assert new_definitions("import math\nx = 4\nshow(x)", released) == ""
    changed = "%pip install einops\nimport math\nimport einops\nx = 4\nshow(x)"
    assert new_definitions(changed, released) == "import einops"
    assert new_definitions("def broken(", released) == ""


@pytest.mark.parametrize(
    "source",
    [
        "(ONE, TWO) = (1, 2)",
        "[ONE, (TWO, *REST)] = (1, (2, 3))",
        "x, TWO = (1, 2)",
        "THREE: int = 3",
        "async def helper():\n    pass",
    ],
)
def test_whatever_defines_something_new_in_a_cell_of_the_lesson_is_kept(source):
    released = "import math\n\nx, y = 3, 4\nshow(x)"
    kept = new_definitions(f"{released}\n{source}", released)
    assert ast.dump(ast.parse(kept)) == ast.dump(ast.parse(source))


def test_what_defines_nothing_new_in_a_cell_of_the_lesson_is_not_kept():
    released = "import math\n\nx, y = 3, 4\nz: int = 5\nshow(x)"
    changed = "x = 5\ny, x = 6, 7\nz: int = 8\nx.new = 9\nx[NEW] = 10\nshow(NEW)"
    assert new_definitions(f"{released}\n{changed}", released) == ""


def question_of(notebook):
    return next(c for c in notebook.cells if c.cell_type == "markdown" and marks(c))


def reply_in(result):
    return question_of(result.notebook).source


def test_an_answer_in_prose_is_taken(rebuilt, hand):
    notebook = hand.filled()
    question_of(notebook).source = "Because $a<b$."
    assert reply_in(rebuilt(notebook)) == "<div><p>Because $a&lt;b$.</p></div>"


TEXT = "Because view keeps the order of the numbers, and 3 of them are not enough."


def into_the_question(notebook, place):
    notebook.cells[place - 1].source += f" {TEXT}"


def merged_with_the_question(notebook, place):
    notebook.cells[place - 1].source += f"\n\n{notebook.cells[place].source}\n\n{TEXT}"
    del notebook.cells[place]


def above(notebook, place):
    notebook.cells.insert(place, new_markdown_cell(TEXT, id="mine"))


def behind_the_button(notebook, place):
    notebook.cells.insert(place + 2, new_markdown_cell(TEXT, id="mine"))


def as_a_comment(notebook, place):
    notebook.cells[place + 1].source += f"\n# {TEXT}"


def as_a_string(notebook, place):
    notebook.cells.insert(place + 2, new_code_cell(f'"""{TEXT}"""', id="mine"))


def at_the_end(notebook, place):
    notebook.cells.append(new_markdown_cell(f"Q1: {TEXT}", id="mine"))


ELSEWHERE = (into_the_question, merged_with_the_question, above, behind_the_button, as_a_comment,
             as_a_string, at_the_end)  # fmt: skip


@pytest.mark.parametrize("write", ELSEWHERE)
def test_prose_outside_its_cell_is_shown_in_the_place_of_the_answer(rebuilt, hand, write):
    notebook = hand.filled()
    write(notebook, notebook.cells.index(question_of(notebook)))
    result = rebuilt(notebook)
    assert keys(result) == ["reply_elsewhere"]
    assert TEXT in reply_in(result) and "ritten" in reply_in(result)
    assert_whole(result, hand)
    assert rebuilt(result.notebook).notebook == result.notebook


@pytest.mark.parametrize("write", ELSEWHERE)
def test_prose_that_answers_no_question_is_also_written(rebuilt, hand, write):
    notebook = hand.filled()
    for cell in notebook.cells:
        if marks(cell).get("solution") and marks(cell).get("grade"):
            cell.source = "My answer."
    place = notebook.cells.index(question_of(notebook))
    if write is merged_with_the_question:
        notebook.cells.insert(
            place + 1, new_markdown_cell("My answer.", id=notebook.cells[place].id)
        )
    write(notebook, place)
    result = rebuilt(notebook)
    (written,) = [c for c in result.notebook.cells if c.metadata.get("workbook", {}).get("written")]
    assert TEXT in written.source and reply_in(result) == "My answer."
    assert rebuilt(result.notebook).notebook == result.notebook


def test_an_answer_in_prose_that_was_cut_in_two_is_joined(rebuilt, hand):
    notebook = hand.filled()
    question = question_of(notebook)
    place = notebook.cells.index(question)
    half = question.copy()
    question.source, half["source"], half["id"] = "Because of", "the order.", "half"
    notebook.cells.insert(place + 1, half)
    assert reply_in(rebuilt(notebook)) == "Because of\n\nthe order."


def test_what_the_lesson_said_earlier_is_not_the_students(rebuilt, hand):
    notebook = hand.filled()
    text = max(
        (c for c in notebook.cells if c.cell_type == "markdown"), key=lambda c: len(c.source)
    )
    text.source = text.source.replace(" the ", " a ", 1)
    text.id = "earlier"
    assert not rebuilt(notebook).repairs


def cuts(source):
    """Where an answer may be cut: behind its first line, before its last, in it, in its indent."""
    last = source.rindex("\n") + 1
    return [source.index("\n"), last - 1, last + 2, last + 8]


@pytest.mark.parametrize(
    ("cut", "marked"),
    [(0, (True, True)), (1, (True, False)), (2, (False, True)), (3, (True, False))],
)
def test_an_answer_that_was_cut_in_two_is_joined(rebuilt, hand, cut, marked):
    name = hand.components[0]
    notebook = hand.filled()
    place, source = place_of(notebook, name), hand.right[name]
    at = cuts(source)[cut]
    cell = notebook.cells[place]
    parts = [cell, new_code_cell(source[at:].strip("\n"), id="half")]
    cell.source = source[:at].strip("\n")
    parts[1].metadata["nbgrader"] = dict(marks(cell))
    for part, is_marked in zip(parts, marked, strict=True):
        if not is_marked:
            part.metadata.clear()
    notebook.cells[place : place + 1] = parts
    result = rebuilt(notebook)
    assert keys(result) == ["answer_split"]
    assert_whole(result, hand)


@pytest.mark.parametrize("form", ["{}", "Mine:\n```python\n{}\n```\nDone, I think."])
def test_an_answer_merged_with_the_markdown_above_is_read(rebuilt, hand, form):
    name = hand.components[0]
    notebook = hand.filled()
    place = place_of(notebook, name)
    notebook.cells[place - 1].source += "\n\n" + form.format(hand.right[name])
    del notebook.cells[place]
    result = rebuilt(notebook)
    assert keys(result) == ["answer_in_prose"]
    assert answers(result)[name].strip() == hand.right[name].strip()


def test_an_answer_below_its_cell_is_found(rebuilt, hand):
    notebook = hand.filled()
    place = notebook.cells.index(question_of(notebook))
    notebook.cells.insert(place + 1, new_markdown_cell("Because.", id="mine"))
    result = rebuilt(notebook)
    assert keys(result) == ["reply_below"]
    assert reply_in(result) == "Because."


def test_a_deleted_question_is_put_back(rebuilt, hand):
    notebook = hand.filled()
    notebook.cells.remove(question_of(notebook))
    result = rebuilt(notebook)
    assert keys(result) == ["reply_missing"]
    assert reply_in(result) == question_of(hand.released).source


def test_repairing_what_was_repaired_changes_nothing(rebuilt, hand):
    notebook = hand.filled()
    del notebook.cells[place_of(notebook, f"test_{hand.components[0]}")]
    notebook.cells.insert(3, new_code_cell("mine = 1", id="a"))
    once = rebuilt(notebook)
    twice = rebuilt(once.notebook)
    assert not twice.repairs
    assert twice.cells == once.cells
    assert twice.notebook == once.notebook


def test_another_lessons_notebook_is_told(rebuilt, hand):
    notebook = hand.filled()
    notebook.metadata.workbook.lesson = "01-attention"
    assert keys(rebuilt(notebook)) == ["another_lesson"]


def test_a_thousand_cells_are_not_all_compared_exactly(hand, rebuilt, monkeypatch):
    compared = []
    usual = repairing.likeness
    monkeypatch.setattr(
        repairing, "likeness", lambda *given: compared.append(given) or usual(*given)
    )
    notebook = hand.filled()
    first = hand.components[0]
    answer = next(cell for cell in notebook.cells if marks(cell).get("grade_id") == first)
    notebook.cells.remove(answer)
    letters = sorted(answer.source)
    notebook.cells += [new_code_cell("".join(letters) + f"# {n}") for n in range(300)]
    result = rebuilt(notebook)
    assert 0 < len(compared) <= repairing.EXACTLY_COMPARED
    assert "answer_missing" in keys(result)
