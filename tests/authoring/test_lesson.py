"""A lesson that is not right is an error that says where."""

import ast
import json
import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace

import pytest
import torch
from the_course import COURSE

import transformer_workbook
from autograder.authoring.prove.equivalents import read_equivalents
from autograder.authoring.record_lesson import catalogue
from autograder.errors import AuthoringError
from autograder.judging.judge import Judge
from autograder.lesson import components
from autograder.lesson.calls import check_calls
from autograder.lesson.cases import Case, watch_first_of_alike
from autograder.lesson.cell_code import parsed
from autograder.lesson.components import reference_source
from autograder.lesson.notebook import instructor_notebook, student_notebook


def test_the_toy_lesson_is_read(toy):
    lesson = toy.course().lesson("00-toy")
    split = lesson.components["split_heads"]
    assert [blank.name for blank in split.blanks] == ["cut", "heads"]
    assert split.released.count("____") == 2
    assert lesson.points() == {"split_heads": 3, "bug_hunt_1": 2}
    assert lesson.components["bug_hunt_1"].released.count("dim=0") == 1


def fault_of(toy) -> str:
    """What is said of a lesson once all of it is read."""
    with pytest.raises(AuthoringError) as caught:
        lesson = toy.course().lesson("00-toy")
        assert lesson.components and lesson.questions and lesson.visible() and lesson.hidden("s")
        assert read_equivalents(lesson.folder, list(lesson.components))
    return str(caught.value)


A_BLANK = "blanks.toml: component split_heads blank cut"
HINTS = '["Which two axes does the last one become?", "A head has d_k features.", '
HINTS += '"view, with four sizes."]'


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("blanks.toml", "split_heads:cut:x.view", "split_heads:cut:x.veiw", "is not there"),
        ("blanks.toml", '"A head has d_k features."', '""', "hints"),
        ("blanks.toml", '"A head has d_k features.", ', "", "hints"),
        ("blanks.toml", 'name = "heads"', 'name = "cut"', "there 2 times"),
        ("blanks.toml", 'name = "misspelt"', 'name = "viewed"', "viewed"),
        ("blanks.toml", 'says = "view mixes."', 'says = ""', "says"),
        ("blanks.toml", 'filling = "cut"', 'filling = ""', "filling is ''; expected"),
        ("blanks.toml", "forbidden", "forbiden", "forbiden"),
        ("blanks.toml", "torch.einsum", "torch.einsun", "torch does not have"),
        ("blanks.toml", 'name = "split_heads"', 'name = "split_haeds"', "split_haeds"),
        ("blanks.toml", 'filling = "cut"', 'filling = "cut."', "'not-swapped' is no Python"),
        ("blanks.toml", 'filling = "cut"', 'filling = "parts"', "'not-swapped' uses parts, which"),
        ("blanks.toml", '"x.reshape(batch, ', '"x.reshape(n, ', "uses n, which nothing defines"),
        ("blanks.toml", 'right = "dim=1"', 'right = "dim=7"', "stands 0 times"),
        ("lesson.py", '# %% check="split_heads"', "", "are not the same"),
        ("lesson.py", '# %% answer="split_heads"', '# %% answer="split_head"', "split_head"),
        ("lesson.py", "# Because.", "", "rubric"),
        ("lesson.py", 'points="2"', "", "no points"),
        ("visible.py", '"split_heads": [', '"merge_heads": [', "split_heads"),
        ("visible.py", '"cut", inputs', '"cat", inputs', "'cat'"),
        ("visible.py", 'control="not-swapped"', 'control="nothing"', "'nothing'"),
        ("hidden.py", '"hidden one"', '"hidden odd"', "there 2 times"),
        ("hidden.py", "def tests", "def test", "tests"),
        ("hidden.py", '"a wide table"', '""', "'sharing' does not say what it tests. Write it"),
        ("visible.py", "normal(*", "normal(scale=0.001, *", "and divide: draw.normal(...)"),
        ("blanks.toml", 'broken = "dim=0"', 'broken = ""', "is ''; expected what stands in place"),
        ("equivalent.toml", '"split_heads"', '"merge_heads"', "no component 'merge_heads'"),
        ("equivalent.toml", "The lesson promises nothing of gradients.", " ", "is ' '; expected"),
        ("equivalent.toml", 'kind = "detached"', 'kind = "detach"', "a kind is one of"),
        ("equivalent.toml", 'kind = "detached"', "", "either a change or a kind"),
        ("equivalent.toml", 'kind = "detached"', 'line = "return heads"', "change or a kind"),
        ("equivalent.toml", "change = ", 'line = "x"\nchange = ', "either a change or a kind"),
        ("equivalent.toml", "[[equivalent]]", "[[equal]]", "'equal' Was equivalent meant?"),
        ("lesson.py", 'points="2"', 'points="2,5"', "question '1' has the points '2,5'; expected"),
        ("lesson.py", 'points="2"', 'points="nan"', "question '1' has the points 'nan'; expected"),
        ("lesson.py", 'points="2"', "points=[2]", "question '1' has the points [2]; expected"),
        ("blanks.toml", HINTS, '"abc"', f"{A_BLANK} hints is 'abc'; expected three hints"),
        ("blanks.toml", HINTS, "[1, 2, 3]", f"{A_BLANK} hints 1 is 1; expected a text"),
        ("blanks.toml", '["x.reshape(batch, length, num_heads, d_k)"]', '"cut"',
         f"{A_BLANK} right is 'cut'; expected that it must be array"),
        ("blanks.toml", '"x.view(batch, length, d_k, num_heads).transpose(2, 3)"', "3",
         f"{A_BLANK} wrong cut-reversed filling is 3; expected a text, or a list of texts"),
        ("blanks.toml", 'name = "cut"', 'name = ["cut"]', "blank 1 name is ['cut']; expected"),
        ("blanks.toml", "code = ", "fill = ", "right unflattened fill is '"),
        ("blanks.toml", "code = ", "fil = ", "expected one of code, fill, change"),
        ("blanks.toml", "[[bug_hunt]]", "[bug_hunt]", "bug_hunt is {'bugs': "),
        ("blanks.toml", 'right = "dim=1", ', "", "must contain ['right']"),
        ("visible.py", "return {", "return None and {", "returned None; expected lists of Case"),
        ("visible.py", '[share(draw, "small", 2, 3)]', '[["small"]]', "{'bug_hunt_1': [['small']"),
        ("hidden.py", '"cutting", 3', '"cutting", -3', "cutting: points is -3; expected"),
    ],
)  # fmt: skip
def test_a_fault_in_a_lesson_is_named_with_its_place_and_what_to_do(toy, file, old, new, said):
    toy.replace(file, old, new)
    fault = fault_of(toy)
    assert said in fault and ("00-toy" in fault or file in fault)


@pytest.mark.parametrize("file", ["lesson.py", "blanks.toml", "bug_hunt_1.py", "equivalent.toml"])
def test_a_file_that_is_no_utf8_is_named(toy, file):
    path = toy.folder / file
    path.write_bytes(path.read_bytes() + "# caf\u00e9\n".encode("latin-1"))
    with pytest.raises(AuthoringError, match=rf"{file} is no text in UTF-8: .* position \d+"):
        lesson = toy.course().lesson("00-toy")
        assert lesson.components and read_equivalents(lesson.folder, list(lesson.components))


def test_a_stray_file_and_a_missing_one_are_errors(toy):
    (toy.folder / "notes.txt").write_text("?")
    with pytest.raises(AuthoringError, match="stray file notes.txt"):
        toy.course()
    (toy.folder / "notes.txt").unlink()
    (toy.folder / "lesson.py").unlink()
    with pytest.raises(AuthoringError, match=r"lesson\.py is missing"):
        toy.course()


def test_what_an_editor_or_a_system_leaves_in_a_lesson_is_no_part_of_it(toy):
    before = toy.course().lesson("00-toy").visible()
    for name in (".lesson.py.swp", ".DS_Store", "#lesson.py#", "lesson.py~"):
        (toy.folder / name).write_bytes(b"\xff")
    (toy.folder / ".#hidden.py").symlink_to("author@host.1234")  # Emacs' lock points nowhere
    (toy.folder / ".ipynb_checkpoints").mkdir()
    after = toy.course().lesson("00-toy")
    assert after.visible().keys() == before.keys() and after.hidden("s")


def test_a_lesson_without_probes_or_cases_is_an_error_that_says_what_to_write(toy):
    toy.probes.unlink()
    with pytest.raises(AuthoringError, match=r"'small' calls 'cut', which .*shared/probes.py does"):
        toy.course().lesson("00-toy").visible()
    (toy.folder / "hidden.py").unlink()
    with pytest.raises(AuthoringError, match=r"'split_heads' has no cases: give it a family"):
        toy.course().lesson("00-toy").hidden("s")


FAMILY = """
[[bug_hunt.family]]
name = "wide"
points = 3
says = "wide tables"
probe = "share"
inputs = { x = ["rows", "columns"] }
"""


def test_a_family_has_visible_and_hidden_cases_whose_sizes_differ(toy):
    with (toy.folder / "blanks.toml").open("a") as file:
        file.write(FAMILY)
    lesson = toy.course().lesson("00-toy")
    visible = lesson.visible()["bug_hunt_1"][1:]
    assert [case.name[4:] for case in visible] == ["", ", again", ", rows of 1", ", float64"]
    rows, columns = visible[0].inputs["x"].shape
    assert rows != columns and visible[0].says == f"wide tables: rows {rows}, columns {columns}"
    assert visible[2].inputs["x"].shape[0] == 1 and visible[3].is_in_float64
    assert lesson.points()["bug_hunt_1"] == 2 + 3
    shapes = {case.inputs["x"].shape for case in lesson.hidden("s")["bug_hunt_1"][1].cases}
    assert len(shapes) > 2 and not shapes <= {case.inputs["x"].shape for case in visible}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["rows", "columns"]', '["rows", "2 * "]', "bug_hunt_1, wide: '2 * ' is no expression"),
        ('["rows", "columns"]', '"draw.nromal(rows)"', "'draw.nromal(rows)' raised AttributeError"),
        ('["rows", "columns"]', '["rows", "rows + 0"]', "no sizes of rows all differ; let [axes]"),
        ("points = 3", "", "must contain ['points']"),
    ],
)
def test_a_family_that_cannot_be_drawn_says_why(toy, old, new, said):
    with (toy.folder / "blanks.toml").open("a") as file:
        file.write(FAMILY.replace(old, new))
    assert said in fault_of(toy)


def test_probes_that_cannot_be_imported_are_named_by_their_file(toy):
    toy.replace(toy.probes, "def cut", "import nothing\n\n\ndef cut")
    with pytest.raises(AuthoringError, match=f"{toy.probes}: ModuleNotFoundError"):
        toy.course().lesson("00-toy").visible()


def test_visible_cases_import_from_the_probes_as_they_are_now(toy):
    imported = "from transformer_workbook.lessons.toy.probes import NAME\n"
    toy.replace("visible.py", "from autograder", f"{imported}from autograder")
    toy.replace("visible.py", 'draw, "small", 2, 3, 4, 5', "draw, NAME, 2, 3, 4, 5")

    def name():
        (case,) = toy.course().lesson("00-toy").visible()["split_heads"]
        return case.name

    toy.replace(toy.probes, "def cut", 'NAME = "before"\n\n\ndef cut')
    assert name() == "before"
    toy.replace(toy.probes, "before", "afterwards")
    assert name() == "afterwards"


def test_of_cases_that_are_alike_the_first_is_watched_and_those_that_ask_for_it():
    def case(name, probe="split", rows=2, **more):
        return Case(name, probe, {"x": torch.zeros(rows, 3)}, **more)

    cases = [
        case("first"),
        case("alike", rows=4),
        case("asks for it", watched=True),
        case("one row", rows=1),
        case("another probe", probe="join"),
        case("alike again"),
    ]
    watched = [one.name for one in watch_first_of_alike(cases) if one.watched]
    assert watched == ["first", "asks for it", "one row", "another probe"]


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_each_probe_of_a_check_and_of_a_test_is_watched_in_some_case(lesson):
    hidden = Judge(lesson, "watched", None).case_runner.cases
    for cases in (*lesson.visible().values(), *hidden.values()):
        watched = {case.probe for case in cases if case.watched}
        assert watched == {case.probe for case in cases}


def test_hidden_inputs_depend_on_the_secret_alone(toy):
    lesson = toy.course().lesson("00-toy")

    def drawn(secret):
        return lesson.hidden(secret)["split_heads"][0].cases[0].inputs["x"]

    assert drawn("a").equal(drawn("a"))
    assert not drawn("a").equal(drawn("b"))


def test_all_broken_addresses_are_told_at_once(toy):
    toy.replace("blanks.toml", "split_heads:cut:x.view", "split_heads:cut:x.veiw")
    toy.replace("blanks.toml", "split_heads:heads:", "split_heads:haeds:")
    with pytest.raises(AuthoringError) as caught:
        assert toy.course().lesson("00-toy").components
    first, second = str(caught.value).splitlines()
    assert "x.veiw" in first and "`x.view(batch, length, num_heads, d_k)`" in first
    assert "nothing defines 'haeds'; defined are" in second and "cut, heads" in second


def test_a_name_that_the_message_speaks_of_may_be_undefined(toy):
    toy.replace("blanks.toml", 'filling = "cut", says = "', 'filling = "T", says = "T is no name: ')
    assert toy.course().lesson("00-toy").components


@pytest.mark.parametrize(
    ("added", "line", "said"),
    [
        ('wb.hint("cutt")', 2, "wb.hint does not know 'cutt'. Was cut meant?"),
        ('wb.check("split_head")', 2, "wb.check does not know 'split_head'"),
        ('x = wb.use("merge_heads", quiet=True)', 2, "wb.use does not know 'merge_heads'"),
        ('# %% [markdown]\n# Ask `wb.hint("haeds")`.', 3, "'haeds'. Was heads meant?"),
        ('wb.hint("cut"), wb.hint("split_heads.cut"), wb.use("split_heads")', 2, ""),
    ],
)
def test_a_call_of_what_is_not_there_is_told_with_its_line(toy, added, line, said):
    path = toy.folder / "lesson.py"
    path.write_text(f"# %%\n{added}\n\n{path.read_text()}")
    place = re.escape(f"{path}:{line}: ")
    with pytest.raises(AuthoringError, match=place + ".*" + said) if said else nullcontext():
        check_calls(toy.course().lesson("00-toy"), ["split_heads"])


def test_a_quick_cell_is_for_tests_alone_and_leaves_the_ids_of_others(toy):
    before = [cell.id for cell in student_notebook(toy.course(), toy.course().lessons[0]).cells]
    toy.replace(
        "lesson.py", "# %% [markdown]\n", '# %% quick="steps"\nSTEPS = 2\n\n# %% [markdown]\n'
    )
    course = toy.course()
    received = student_notebook(course, course.lessons[0])
    assert [cell.id for cell in received.cells] == before
    quick = student_notebook(course, course.lessons[0], quick=True)
    sources = [cell.source for cell in quick.cells]
    place = sources.index("STEPS = 2")
    del sources[place]
    assert sources == [cell.source for cell in received.cells]
    assert place == 2  # where it stands in the narrative: behind the opening, before the first cell


def test_a_model_answer_is_the_instructors_and_changes_no_other_cell(toy):
    before = [cell.id for cell in student_notebook(toy.course(), toy.course().lessons[0]).cells]
    toy.replace("lesson.py", "# Because.", '# Because.\n\n# %% [markdown] model="1"\n# So it is.')
    course = toy.course()
    lesson = course.lessons[0]
    assert lesson.questions[0].model == "So it is."
    received = student_notebook(course, lesson)
    assert [cell.id for cell in received.cells] == before
    assert "So it is." not in str(received) and "So it is." in str(
        instructor_notebook(course, lesson)
    )


def test_a_course_may_have_no_model_answers(toy):
    lesson = toy.course().lessons[0]
    assert "wb.answer" in str(student_notebook(toy.course(), lesson))
    assert json.loads(catalogue(lesson))["questions"].keys() == {"question_1"}
    without = replace(toy.course(), model_answers=False)
    assert "wb.answer" not in str(student_notebook(without, lesson))
    assert not json.loads(catalogue(lesson, model_answers=False))["questions"]


def test_a_reference_that_uses_what_a_cell_does_not_have_is_refused(toy, monkeypatch):
    source = reference_source("split_heads").replace("return heads", "return copy.copy(heads)")
    monkeypatch.setattr(components, "reference_source", lambda name: source)
    with pytest.raises(AuthoringError, match=r"the reference uses copy, which the cell"):
        _ = toy.course().lesson("00-toy").components


@pytest.mark.parametrize(
    ("call", "table", "said"),
    [
        ("wb.reveal(it)", "[it]\ntruth = 2\nwrong = [{ guess = 3, says = 'no' }]", ""),
        ("wb.reveal(it)", "", "[it]: truth has to be either here or in wb.reveal"),
        ("wb.reveal(it, len(x))", "[it]\ntruth = 2", "[it]: truth has to be either here or"),
        ("wb.reveal(it, (2 * 1, 3))", "", "[it]: wb.reveal gives a constant truth away"),
        ("x = 1", "[it]\ntruth = 2", "[it]: no wb.reveal in lesson.py compares it"),
        ("wb.reveal(it)", "[it]\ntruth = 2\nwrong = [{ guess = 2.0, says = 'no' }]",
         "[it]: 2.0 is listed as wrong, and is the truth"),
        ("wb.reveal(it, x)", "[it]\nwrong = [{guess = 3, says = 'n'}, {guess = 4, says = 'n'}]",
         "[it]: listed twice: n"),
    ],
)  # fmt: skip
def test_predictions_are_recorded_and_checked(toy, call, table, said):
    toy.replace("lesson.py", "# %% [markdown]\n", f"# %%\n{call}\n\n# %% [markdown]\n")
    (toy.folder / "guesses.toml").write_text(table)
    with pytest.raises(AuthoringError, match=re.escape(said)) if said else nullcontext():
        recorded = json.loads(catalogue(toy.course().lessons[0]))["guesses"]
        assert list(recorded) == ["it"] and "no" not in recorded["it"]


def test_given_code_of_more_than_40_lines_is_folded(toy):
    short, long = "x = 1\n" * 40, "x = 1\n" * 41
    toy.replace("lesson.py", "# %% [", f"# %%\n{short}\n# %%\n{long}\n# %% [")
    cells = student_notebook(toy.course(), toy.course().lessons[0]).cells
    assert [cell.source for cell in cells if cell.metadata.get("jupyter")] == [long.strip()]


def test_an_answer_may_use_what_another_cell_of_the_notebook_imports(toy):
    toy.replace(
        "lesson.py",
        '# %% answer="split_heads"',
        "# %%\n%matplotlib inline\nfrom collections import Counter\n"
        "from transformer_workbook.shared import files\nprint(1 / 0)\n\n"
        '# %% answer="split_heads"',
    )
    namespace = {}
    exec(toy.course().lesson("00-toy").setup, namespace)
    assert namespace["Counter"] is Counter
    assert "files" not in namespace


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_what_the_notebook_imports_is_there_in_grading(lesson):
    namespace = {"wb": transformer_workbook}
    exec(lesson.setup, namespace)
    for cell in student_notebook(COURSE, lesson).cells:
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata:
            for statement in ast.walk(parsed(cell.source)):
                if isinstance(statement, ast.Import):
                    names = [alias.asname or alias.name for alias in statement.names]
                    assert {name.partition(".")[0] for name in names} <= namespace.keys()
