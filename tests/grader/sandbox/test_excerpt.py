"""A student's process holds no definition of what the student has to write."""

import ast
from pathlib import Path

import pytest
from the_course import COURSE

from autograder.sandbox.excerpt import excerpt
from transformer_workbook import lessons

LESSONS = [lesson for lesson in COURSE.lessons if lesson.components]
PROBED = [(lesson, name) for lesson in LESSONS for name in lesson.components]
MODULE = '''"""Stand-ins."""
import math
_half = 0.5
def _twice(x):
    return 2 * x
class First:
    def forward(self, x):
        return _twice(x) * math.pi
class Second(First):
    scale = _half
def third(x):
    return Second().forward(first(x))
print("done")
'''


def names_in(source):
    return {node.name for node in ast.parse(source).body if hasattr(node, "name")}


def test_only_what_is_named_and_what_it_needs_is_left():
    assert names_in(excerpt(MODULE, ["First"], "Second")) == {"First", "_twice"}
    assert names_in(excerpt(MODULE, ["Second"], "third")) == {"First", "Second", "_twice"}
    assert "_half = 0.5" in excerpt(MODULE, ["Second"], "third")
    assert "print" not in excerpt(MODULE, ["third"], "")
    assert excerpt(MODULE, [], "First") == ""


def test_what_is_probed_is_left_out_even_where_another_needs_it():
    assert "First" not in names_in(excerpt(MODULE, ["Second"], "First"))


@pytest.mark.parametrize(
    "assigned",
    [
        "SIZE: int = 3",
        "OTHER, (SIZE, *REST) = 1, (3, 4)",
        "SIZE = 1\nSIZE += 2",
        "SIZE = 1\nSIZE = SIZE + 2",
        "SIZES = {}\nSIZES['a'] = 3\nSIZE = SIZES['a']",
        "class Sizes:\n    pass\nSizes.a = 3\nSIZE = Sizes.a",
        "if math.pi > 3:\n    SIZE = 3\nelse:\n    SIZE = 4",
        "try:\n    from nowhere import SIZE\nexcept ImportError:\n    SIZE = 3",
        "for SIZE in range(4):\n    pass",
        "with open('/dev/null'):\n    SIZE = 3",
    ],
)
def test_what_is_needed_is_kept_however_it_is_assigned(assigned):
    module = f"import math\nSTRAY: int = 1\n{assigned}\ndef size():\n    return SIZE\n"
    left = excerpt(module, ["size"], "")
    exec(compile(left, "<stand-ins>", "exec"), found := {})
    assert found["size"]() == 3 and "STRAY" not in left


@pytest.mark.parametrize(
    "defined",
    ["First = Second = print", "First, Second = 1, 2", "if math:\n    First = 1\n    Second = 2"],
)
def test_what_is_probed_is_left_out_even_where_it_is_assigned_with_another(defined):
    assert excerpt(f"import math\n{defined}\n", ["Second"], "First") == ""


def test_names_in_functions_and_comprehensions_are_none_of_the_modules():
    module = "LIST = [x for x in range(3)]\nclass A:\n    x = 1\ndef f(x):\n    return x\n"
    assert names_in(excerpt(module, ["f"], "")) == {"f"} and "LIST" not in excerpt(
        module, ["f"], ""
    )


@pytest.mark.parametrize(("lesson", "name"), PROBED, ids=lambda it: getattr(it, "id", it))
def test_each_component_is_probed_without_its_own_stand_in_or_one_that_builds_on_it(lesson, name):
    names, module = list(lesson.components), lesson.module
    file = Path(next(iter(lessons.__path__)), module, "standins.py")
    whole = file.read_text(encoding="utf-8") if file.is_file() else ""
    allowed = lesson.stand_ins_for(name)
    left = excerpt(whole, allowed, lesson.components[name].defines)
    assert names_in(left) & set(names) <= set(names[: names.index(name)])
    exec(compile(left, "<stand-ins>", "exec"), found := {})
    assert set(allowed) & names_in(whole) <= found.keys()
