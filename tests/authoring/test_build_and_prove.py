"""A lesson builds to the same bytes each time, and each proof fails when its promise is broken."""

import dataclasses
import json
from pathlib import Path

import pytest

from autograder import cli
from autograder.authoring.build import build, compare
from autograder.authoring.prove.leaks import given_away
from autograder.authoring.prove.notebooks import faults_of
from autograder.authoring.prove.proofs import Proof, Scope
from autograder.authoring.prove.repository import TESTS, faults_of_tests
from autograder.errors import AuthoringError, WrongUsage
from autograder.lesson.course import read_course
from transformer_workbook.diagnosis.recorded_lessons import recorded


@pytest.fixture
def toy(toy_in_workshop):
    return toy_in_workshop


@pytest.fixture(scope="module")
def as_built() -> dict[str, bytes]:
    """What the build of the unchanged toy course writes, once a test has built it."""
    return {}


@pytest.fixture
def built(toy, as_built):
    """The toy course, built; calling it builds it again."""

    def derive():
        recorded.cache_clear()
        course = toy.course()
        return build(course, list(course.lessons), [toy.runner], toy.root)

    if not as_built:
        as_built |= {path: (toy.root / path).read_bytes() for path in derive()}
    recorded.cache_clear()
    for path, content in as_built.items():
        (toy.root / path).parent.mkdir(parents=True, exist_ok=True)
        (toy.root / path).write_bytes(content)
    return derive


def prove(toy, mutants: int | None = 0):
    """Its report, without mutants: they are tried where a test asks for them."""
    lesson = toy.course().lesson("00-toy")
    return Proof(lesson, toy.runner, toy.root, Scope(mutants)).run()


def faults(toy, number: int) -> str:
    """The faults of one proof."""
    return "\n".join(prove(toy).faults[number])


def derived(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("course", "autograder/source")
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_two_builds_give_the_same_bytes(toy, built):
    first = derived(toy.root)
    assert any(path.endswith(".ipynb") for path in first)
    assert built() == []
    assert derived(toy.root) == first


def test_compare_names_the_file_that_differs_and_the_stray_one(toy, built):
    course = toy.course()
    lessons = list(course.lessons)
    assert compare(course, lessons, toy.root) == []
    notebook = toy.root / "course/00-toy/toy.ipynb"
    notebook.write_text(notebook.read_text().replace("Heads", "Haeds"))
    (toy.root / "course/00-toy/helper.py").write_text("")
    assert compare(course, lessons, toy.root) == [
        "course/00-toy/toy.ipynb",
        "course/00-toy/helper.py",
    ]


def test_a_released_notebook_holds_no_test_no_rubric_and_no_solution(toy, built):
    text = (toy.root / "course/00-toy/toy.ipynb").read_text()
    assert "____" in text and "BEGIN HIDDEN" not in text
    assert "Because." not in text and "num_heads, d_k)" not in text
    cells = json.loads(text)["cells"]
    grades = {cell["metadata"]["nbgrader"]["grade_id"]: cell["metadata"]["nbgrader"]
              for cell in cells if "nbgrader" in cell["metadata"]}  # fmt: skip
    assert grades["test_split_heads"]["points"] == 3 and grades["test_split_heads"]["locked"]
    assert grades["split_heads"]["solution"] and not grades["split_heads"]["grade"]
    assert grades["question_1"]["grade"] and grades["question_1"]["solution"]


def test_all_proofs_hold_for_the_toy_lesson(toy, built):
    report = prove(toy, mutants=None)
    assert report.holds, report.faults
    assert all(report.tried[number] for number in range(1, 9))


def test_authors_answers_have_two_minutes_for_each_call(toy, built, monkeypatch):
    steps, run = [], toy.runner.run

    def noted(job, limits=None, further_plans=None):
        steps.append((limits or toy.runner.limits).share(1000))
        return run(job, limits, further_plans)

    monkeypatch.setattr(toy.runner, "run", noted)
    built()
    assert prove(toy).holds
    assert steps and min(steps) >= 120


def test_a_new_misconception_is_one_line_and_is_named(toy, built, one_more_misconception):
    before = prove(toy).tried[3]
    line = '    { name = "not-swapped"'
    toy.replace("blanks.toml", line, f"{one_more_misconception}\n{line}")
    stale = compare(toy.course(), list(toy.course().lessons), toy.root)
    assert any(path.endswith("recorded.safetensors.gz") for path in stale)
    built()
    report = prove(toy)
    assert report.holds, report.faults
    assert report.tried[3] == before + 1


def test_proof_1_fails_when_the_released_notebook_earns_points(toy, built):
    toy.replace("hidden.py", 'share(draw, "hidden wide", 3, 5)', "constant(draw)")
    with (toy.folder / "hidden.py").open("a") as file:
        file.write(
            "\n\ndef constant(draw):\n"
            "    from autograder.lesson.cases import Case, Rule\n"
            "    inputs = {'x': draw.normal(3, 5).abs() + 1}\n"
            "    return Case('any', 'share', inputs, rules={'shares': Rule('finite')})\n"
        )
    assert "bug_hunt_1, test 'sharing': passes as released" in faults(toy, 1)


def test_proof_1_fails_when_a_blank_left_empty_costs_nothing(toy, built):
    toy.replace("hidden.py", "3, cases,", "3, cases[:0],")
    assert "leaving 'cut' empty loses no points" in faults(toy, 1)


def test_proof_2_fails_when_the_students_cell_is_not_the_references(toy, built):
    notebook = toy.root / "course/00-toy/toy.ipynb"
    notebook.write_text(notebook.read_text().replace("d_k = d_model //", "d_k = 1 + d_model //"))
    found = faults(toy, 2)
    assert "split_heads, test 'cutting': the reference fails it" in found
    assert "Finding(" not in found


def test_proof_2_names_what_differs_from_run_to_run(toy, built):
    toy.replace(toy.probes, '{"shares": share(x)}', '{"shares": share(x) * torch.randn(1)}')
    toy.replace(toy.probes, "\n\n\ndef cut", "\n\nimport torch\n\n\ndef cut")
    built()
    found = faults(toy, 2)
    assert "the reference's 'shares' differs from run to run: fill the parameters" in found


def test_proof_3_fails_for_a_wrong_filling_that_is_right(toy, built):
    toy.replace("blanks.toml", '"cut.transpos(1, 2)"', '"cut.permute(0, 2, 1, 3)"')
    built()
    assert "'misspelt' (blank heads) is in truth right" in faults(toy, 3)


@pytest.mark.parametrize("fillings", ['"cut.swapaxes(1, 2)", "cut"', '"cut", "cut.swapaxes(1, 2)"'])
def test_proof_3_fails_where_one_of_several_fillings_is_right(toy, built, fillings):
    toy.replace("blanks.toml", 'filling = "cut", says', f"filling = [{fillings}], says")
    built()
    assert "the misconception 'not-swapped' (blank heads) is in truth right" in faults(toy, 3)


def test_proof_3_fails_for_two_misconceptions_that_behave_alike(toy, built):
    toy.replace("blanks.toml", '"cut.transpos(1, 2)"', '"cut.clone()"')
    built()
    found = faults(toy, 3)
    assert "'misspelt' (blank heads) is named 'not-swapped'" in found
    assert "they behave alike there; make them one" in found


def test_proof_4_fails_for_a_right_filling_that_is_wrong(toy, built):
    toy.replace("blanks.toml", "x.reshape(batch, length, num_heads, d_k)",
                "x.reshape(batch, num_heads, length, d_k).transpose(1, 2)")  # fmt: skip
    built()
    assert "cut: x.reshape(batch, num_heads, length, d_k)" in faults(toy, 4)


def test_proof_5_fails_when_a_components_points_hang_on_another(toy, built):
    toy.replace(
        toy.probes,
        '{"heads": split_heads(x, num_heads)}',
        '{"heads": split_heads(x, num_heads), '
        '"more": __import__("inspect").unwrap(split_heads).__globals__["share"](x[0])}',
    )
    built()
    said = "with ['cut', 'heads'] filled does not earn the test 'cutting'"
    assert said in faults(toy, 5)


def test_proof_6_fails_for_a_control_that_passes(toy, built):
    toy.replace("visible.py", 'control="not-swapped"',
                'control="not-swapped", rules={"heads": Rule("ignored")}')  # fmt: skip
    toy.replace("visible.py", "import Case", "import Case, Rule")
    built()
    assert "its control 'not-swapped' passes" in faults(toy, 6)


@pytest.mark.parametrize(
    ("file", "leak"),
    [
        ("course/00-toy/notes.md", "cut = x.view(batch, length, num_heads,  d_k)"),
        ("course/transformer_workbook/help.py", "heads=cut.transpose( 1, 2 )"),
        ("course/transformer_workbook/extra.json", '{"a": ["### BEGIN HIDDEN TESTS"]}'),
        ("course/00-toy/old.ipynb",
         '{"cells": [{"source": ["def share(x):\\n", " return x / x.sum(dim=1, keepdim=True)"]}]}'),
        ("course/transformer_workbook/more.py",
         'return { "split_heads": [Test("cutting", 3, cases, "inputs of two shapes")],'),
    ],
)  # fmt: skip
def test_proof_7_finds_a_solution_or_a_hidden_case_wherever_it_lies(toy, built, file, leak):
    (toy.root / file).write_text(leak)
    assert file in faults(toy, 7)


def test_proof_7_finds_another_lessons_solution_and_a_shown_expression_unless_excused(toy, built):
    shown = "cut.transpose(1, 2, out=None)"
    line = "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)"
    toy.replace("lesson.py", "# ## Heads", f"# ## Heads `{line}`\n\n# %%\n{shown}")

    def found() -> list[str]:
        built()
        lessons = toy.course().lesson("00-toy"), read_course().lesson("01-attention")
        course = dataclasses.replace(toy.course(), lessons=lessons)
        faults = given_away(lessons[0], course, toy.root)
        return [fault for fault in faults if fault and "transformer_workbook" not in fault]

    other, own = found()
    assert "toy.ipynb holds a solution of scaled_dot_product_attention of lesson 01" in other
    assert "lesson.py holds a solution of split_heads" in own
    entry = '[[ordinary]]\ncode = "{}"\nreason = "Any."\n'
    entries = "".join(map(entry.format, (line, shown, "unseen = 1")))
    toy.replace("blanks.toml", "[[bug_hunt]]", f"{entries}\n[[bug_hunt]]")
    assert found() == ["'unseen=1' of `ordinary` excuses nothing: remove it"]


def test_proof_9_runs_the_notebook_empty_and_filled_in(toy, built):
    def found() -> list[str]:
        built()
        course = toy.course()
        return list(faults_of(course, course.lesson("00-toy"), toy.root))

    assert found() == []
    always_green = "wb.check = lambda name: print('✓', name)"
    toy.replace(
        "lesson.py",
        '# %% answer="bug_hunt_1"',
        f'# %%\nsplit_heads(1, 2).shape\n\n# %%\n{always_green}\n\n# %% answer="bug_hunt_1"',
    )
    empty, green, filled = found()
    assert "lesson.py:9, as released: " in empty
    assert green.endswith("as released: the check is green, with nothing filled in: ✓ bug_hunt_1")
    assert "lesson.py:9, filled in: AttributeError" in filled


def test_proof_10_has_what_ruff_and_the_tests_of_each_lesson_say(toy, tmp_path):
    lesson = toy.course().lesson("00-toy")
    assert list(faults_of_tests(lesson, tmp_path)) == []
    for name in TESTS:
        path = tmp_path / "tests" / (name if name.endswith(".py") else f"{name}/test_{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    test = 'import pytest\n\n@pytest.mark.parametrize("id", ["00-toy", "01-other"])\n'
    test += 'def test_words(id):\n    assert id == "", "write otherwise"\n'
    (tmp_path / "tests/test_style.py").write_text(test)
    (fault,) = faults_of_tests(lesson, tmp_path)
    assert fault.startswith("FAILED tests/test_style.py::test_words[00-toy] - ")
    assert "write otherwise" in fault


def test_proof_7_fails_for_hidden_cases_that_are_the_visible_ones(toy, built):
    toy.replace("hidden.py", "3, 4, 3, 2)", "2, 3, 4, 5)")
    toy.replace("hidden.py", "1, 5, 4, 2)", "2, 3, 4, 5)")
    assert "all hidden cases have shapes of visible ones" in faults(toy, 7)


def test_proof_8_fails_when_the_check_lacks_what_a_hidden_test_has(toy, built):
    toy.replace("visible.py", "2, 3, 4, 5)", "2, 3, 2, 5)")  # as many heads as rows in a batch
    built()
    report = prove(toy, mutants=None)
    (axis, *_) = found = [mutant.change for mutant in report.mutants.green]
    assert "line 4: d_model // num_heads -> d_model // batch" in found
    assert f"split_heads: {axis} [name] loses points and its check is green" in report.faults[8]
    assert report.mutants.survivors == []


def test_proof_8_fails_when_a_misconception_is_green(toy, built):
    toy.replace("visible.py", 'share(draw, "small", 2, 3)', 'share(draw, "small", 1, 1)')
    built()
    said = "bug_hunt_1: the misconception 'wrong-axis' loses points and its check is green"
    assert said in faults(toy, 8)


def test_proof_8_does_not_take_a_check_that_the_reference_fails(toy, built):
    toy.replace("visible.py", "2, 3, 4, 5)", "2, 3, 5, 4)")  # and not built
    said = "split_heads/visible: small: the reference fails it; was the lesson built"
    assert said in faults(toy, 8)


def test_mutants_can_be_tried_alone_of_one_component(toy, built):
    scope = Scope(None, only_mutants=True, only=frozenset(["bug_hunt_1"]))
    report = Proof(toy.course().lesson("00-toy"), toy.runner, toy.root, scope).run()
    assert report.holds
    assert sum(report.tried.values()) == report.tried[8] > report.mutants.made > 0


def test_what_cannot_be_tried_is_wrong_usage():
    with pytest.raises(WrongUsage, match="a number or all, not 'some'"):
        cli.prove(mutants="some")


def test_a_probe_that_the_reference_fails_is_an_error_that_says_so(toy, built):
    toy.replace(toy.probes, "split_heads(x, num_heads)", "split_heads(x)")
    with pytest.raises(AuthoringError, match="missing 1 required positional argument"):
        built()
