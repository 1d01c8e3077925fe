"""A lesson that is not right is an error that says where."""

import pytest

from autograder.authoring.prove.equivalents import read_equivalents
from autograder.lesson.blanks import AuthoringError
from autograder.lesson.course import unlisted


def test_the_toy_lesson_is_read(toy):
    lesson = toy.course().lesson("00-toy")
    split = lesson.components["split_heads"]
    assert [blank.name for blank in split.blanks] == ["cut", "heads"]
    assert split.released.count("____") == 2
    assert lesson.points() == {"split_heads": 3, "bug_hunt_1": 2}
    assert lesson.components["bug_hunt_1"].released.count("dim=0") == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("blanks.toml", "split_heads:cut:x.view", "split_heads:cut:x.veiw", "is not there"),
        ("blanks.toml", '"A head has d_k features."', '""', "hints"),
        ("blanks.toml", '"A head has d_k features.", ', "", "hints"),
        ("blanks.toml", 'name = "heads"', 'name = "cut"', "there 2 times"),
        ("blanks.toml", 'name = "misspelt"', 'name = "viewed"', "viewed"),
        ("blanks.toml", 'says = "view mixes."', 'says = ""', "says"),
        ("blanks.toml", 'filling = "cut"', 'filling = ""', "empty filling"),
        ("blanks.toml", "forbidden", "forbiden", "forbiden"),
        ("blanks.toml", "torch.einsum", "torch.einsun", "torch does not have"),
        ("blanks.toml", 'name = "split_heads"', 'name = "split_haeds"', "split_haeds"),
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
        ("equivalent.toml", '"split_heads"', '"merge_heads"', "no component 'merge_heads'"),
        ("equivalent.toml", "The lesson promises nothing of gradients.", " ", "no reason"),
        ("equivalent.toml", 'kind = "detached"', 'kind = "detach"', "a kind is one of"),
        ("equivalent.toml", 'kind = "detached"', "", "either a change or a kind"),
        ("equivalent.toml", 'kind = "detached"', 'line = "return heads"', "change or a kind"),
        ("equivalent.toml", "change = ", 'line = ""\nchange = ', "a line goes with a kind"),
        ("equivalent.toml", "reason", "reasons", "unknown reasons"),
        ("equivalent.toml", "[[equivalent]]", "[[equal]]", "unknown equal"),
    ],
)
def test_a_fault_in_a_lesson_is_named_with_its_place(toy, file, old, new, said):
    toy.replace(file, old, new)
    with pytest.raises(AuthoringError) as caught:
        lesson = toy.course().lesson("00-toy")
        assert lesson.components and lesson.questions and lesson.visible() and lesson.hidden("s")
        assert read_equivalents(lesson.folder, list(lesson.components))
    assert said in str(caught.value)
    assert "00-toy" in str(caught.value) or file in str(caught.value)


def test_a_stray_file_and_a_missing_one_are_errors(toy):
    (toy.folder / "notes.txt").write_text("?")
    with pytest.raises(AuthoringError, match="stray file notes.txt"):
        toy.course()
    (toy.folder / "notes.txt").unlink()
    (toy.folder / "hidden.py").unlink()
    with pytest.raises(AuthoringError, match=r"hidden\.py is missing"):
        toy.course()


def test_a_folder_that_the_course_does_not_list_is_found(toy):
    (toy.folder.parent / "01-stray").mkdir()
    assert [path.name for path in unlisted(toy.course(), toy.folder.parent)] == ["01-stray"]


def test_hidden_inputs_depend_on_the_secret_alone(toy):
    lesson = toy.course().lesson("00-toy")

    def drawn(secret):
        return lesson.hidden(secret)["split_heads"][0].cases[0].inputs["x"]

    assert drawn("a").equal(drawn("a"))
    assert not drawn("a").equal(drawn("b"))
