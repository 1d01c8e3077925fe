"""What an author types: `new-lesson` makes what holds, `watch` proves what has changed, and
`remove-lesson` leaves nothing.
"""

import json
from pathlib import Path

import pytest

import transformer
from autograder.authoring.build import build, leftovers
from autograder.authoring.new_lesson import new_lesson
from autograder.authoring.remove_lesson import names_used, remove_lesson
from autograder.authoring.watch import Watch
from autograder.errors import WrongUsage
from autograder.lesson import components
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.lesson import LESSONS
from transformer_workbook.diagnosis.recorded_lessons import recorded
from transformer_workbook.shared import probes
from transformer_workbook.shared.probing import gather


@pytest.fixture
def empty(tmp_path):
    """course.toml with no lesson, a folder for lessons and one for what runs in their notebooks."""
    (tmp_path / "lessons").mkdir()
    text = COURSE_FILE.read_text()
    start, end = text.index("lessons = ["), text.index("\n]", text.index("lessons = ["))
    file = tmp_path / "course.toml"
    file.write_text(text[:start] + "lessons = [" + text[end:])
    return file, tmp_path / "lessons", tmp_path / "in_notebook"


@pytest.mark.parametrize(
    "component", ["split_heads", "scaled_dot_product_attention", "LayerNorm", "MultiHeadAttention"]
)
def test_a_new_lesson_has_a_line_of_its_own_and_cases_that_the_reference_passes(empty, component):
    new_lesson("07-mine", [component, "causal_mask"], *empty, bug_hunt=True, question=True)
    new_lesson("03-before-it", ["padding_mask"], *empty)
    course = read_course(*empty)
    assert [lesson.id for lesson in course.lessons] == ["03-before-it", "07-mine"]
    lesson = course.lesson("07-mine")
    (blank,) = lesson.components[component].blanks
    assert blank.text and lesson.questions and (lesson.title, lesson.minutes) == ("Mine", 30)
    assert lesson.builds == f"{component}, causal_mask"
    assert {*lesson.visible()} == {*lesson.hidden("s")} == {component, "causal_mask", "bug_hunt_1"}
    for name in (component, "causal_mask"):
        hidden = [case for test in lesson.hidden("s")[name] for case in test.cases]
        for case in (*lesson.visible()[name], *hidden):
            probe = getattr(probes, case.probe)
            evidence = gather(probe, vars(transformer), name, case.inputs)
            assert not evidence.failure and "output" in evidence.tensors, evidence.failure


def test_what_a_component_defines_several_times_has_a_first_blank(empty, monkeypatch):
    source = "def either(x):\n    if x:\n        return x\n    return -x\n"
    monkeypatch.setattr(components, "definitions", lambda *_: {"either": [(Path(), source)]})
    new_lesson("07-mine", ["either"], *empty)
    (blank,) = read_course(*empty).lesson("07-mine").components["either"].blanks
    assert (blank.name, blank.text) == ("return", "x")


def test_a_new_lesson_does_not_write_over_probes(empty):
    (empty[2] / "mine").mkdir(parents=True)
    with pytest.raises(WrongUsage, match="mine is there already"):
        new_lesson("08-mine", ["split_heads"], *empty)


@pytest.mark.parametrize(
    ("name", "component", "says"),
    [
        ("mine", "LayerNorm", "called like 14-decoder-only"),
        ("13-Mine", "LayerNorm", "called like 14-decoder-only"),
        ("03-mine", "LayerNorm", "is taken"),
        ("99-mine", "LayerNrom", "write the reference of 'LayerNrom' first"),
    ],
)
def test_what_cannot_be_made_says_why_and_writes_nothing(name, component, says):
    before = COURSE_FILE.read_text(), sorted(LESSONS.iterdir())
    with pytest.raises(WrongUsage, match=says):
        new_lesson(name, [component])
    assert (COURSE_FILE.read_text(), sorted(LESSONS.iterdir())) == before


@pytest.fixture
def with_two_more(toy):
    """The toy course with a lesson on masks, and one that builds on the toy's own component."""
    file = toy.root / "autograder/course.toml"
    file.write_text(file.read_text().replace("[{", "[\n{").replace("}]", "},\n]"))
    for name, component in (("07-mine", "causal_mask"), ("08-on-it", "MultiHeadAttention")):
        new_lesson(name, [component], file, toy.folder.parent, toy.probes.parents[1])
    for path in (
        "course/ko/07-mine/mine.ipynb",
        "course/transformer_workbook/lessons/mine/recorded.json",
        "solutions/transformer/masks.py",
    ):
        (toy.root / path).parent.mkdir(parents=True)
        (toy.root / path).write_text("def causal_mask(): pass")
    return toy, file


def test_a_removed_lesson_leaves_nothing_and_without_its_line_all_of_it_is_named(with_two_more):
    toy, file = with_two_more
    (toy.folder.parent / "09-empty/__pycache__").mkdir(parents=True)
    agreed = []
    assert not remove_lesson("07-mine", agreed.extend, toy.root)
    assert [path.relative_to(toy.root).as_posix() for path in agreed] == [
        "autograder/lessons/07-mine",
        "course/ko/07-mine",
        "course/transformer_workbook/lessons/mine",
        "solutions/transformer/masks.py",
    ]
    listed = file.read_text()
    file.write_text("\n".join(line for line in listed.splitlines() if "07-mine" not in line))
    assert leftovers(toy.course(), toy.root) == agreed
    file.write_text(listed)
    assert remove_lesson("07-mine", root=toy.root)
    assert [lesson.id for lesson in toy.course().lessons] == ["00-toy", "08-on-it"]
    assert leftovers(toy.course(), toy.root) == []
    assert "mine" not in (toy.root / "course/transformer_workbook/lessons/index.json").read_text()


@pytest.mark.parametrize(
    ("name", "says"),
    [("00-toy", "00-toy stays: 08-on-it builds on its split_heads"), ("07-mien", "no lesson '07-")],
)
def test_what_cannot_be_removed_says_why(with_two_more, name, says):
    with pytest.raises(WrongUsage, match=says):
        remove_lesson(name, root=with_two_more[0].root)


def test_what_torch_calls_the_same_is_not_what_a_lesson_builds_on():
    assert "LayerNorm" in names_used(read_course().lesson("07-encoder-and-decoder"))
    assert "RMSNorm" not in names_used(read_course().lesson("15-from-gpt-to-llama"))


HOLD = (
    "proofs 1 to 7 hold: {}. Not tried yet: mutants and the notebook, by `autograder prove 00-toy`"
)


@pytest.fixture
def watch(toy_in_workshop):
    toy = toy_in_workshop
    recorded.cache_clear()
    build(toy.course(), list(toy.course().lessons), [toy.runner], toy.root)
    return toy, Watch("00-toy", toy.runner, toy.course, toy.root)


def test_a_watch_proves_what_a_save_has_changed(watch):
    toy, watch = watch
    assert list(watch.saved()) == [HOLD.format("bug_hunt_1, split_heads")]
    assert list(watch.saved()) == []
    toy.replace("lesson.py", "# ## Heads", "# ## More heads")
    said = list(watch.saved())
    assert said and all(line.startswith("written: ") for line in said)
    cells = json.loads((toy.root / "course/00-toy/toy.ipynb").read_text())["cells"]
    assert any("## More heads" in "".join(cell["source"]) for cell in cells)
    toy.replace("blanks.toml", "Each head takes every so many features.", "Every so many.")
    assert list(watch.saved())[-1] == HOLD.format("split_heads")


def test_a_watch_tells_what_does_not_hold_and_goes_on(watch):
    toy, watch = watch
    toy.replace("blanks.toml", '"cut.transpos(1, 2)"', '"cut.permute(0, 2, 1, 3)"')
    said = "\n".join(watch.saved())
    assert "proof 3: split_heads: the misconception 'misspelt' (blank heads) is in truth" in said
    toy.replace("blanks.toml", '"cut.permute(0, 2, 1, 3)"', '"cut.transpos(1, 2)"')
    assert list(watch.saved())[-1].startswith("proofs 1 to 7 hold")


def test_a_watch_notices_probes_and_proves_again_what_they_call(watch):
    toy, watch = watch
    assert list(watch.saved())
    toy.replace(toy.probes, "num_heads)}", "x)}")
    assert "the reference failed" in "\n".join(watch.saved())
