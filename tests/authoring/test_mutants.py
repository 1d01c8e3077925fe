"""Each rule makes what it says, and nothing else of the source changes."""

import ast
import difflib

import pytest
from the_course import COURSE

from autograder.authoring.mutants.edit import FAMILIES
from autograder.authoring.mutants.mutants import mutants

IN_FUNCTION = """\
def f(x, y, flag=True, n=3):
    {}
    return x, y
"""
EXAMPLES = [
    ("axis", "x = x.transpose(-2, -1)", "x.transpose(-2, -1) -> x.transpose(-2, 0)"),
    ("axis", "x = x.softmax(dim=-1)", "x.softmax(dim=-1) -> x.softmax(dim=1)"),
    ("axis", "n = x.shape[-1]", "x.shape[-1] -> x.shape[-2]"),
    ("argument", "x = torch.where(x, y, n)", "torch.where(x, y, n) -> torch.where(x, n, y)"),
    ("argument", "x = torch.where(x, y, n)", "torch.where(x, y, n) -> torch.where(x, y)"),
    ("flag", "x = x.mean(1, keepdim=True)", "x.mean(1, keepdim=True) -> x.mean(1)"),
    ("flag", "x = x.mean(1, keepdim=True)", "x.mean(1, keepdim=True) -> x.mean(1, keepdim=False)"),
    ("call", "x = torch.exp(x)", "torch.exp(x) -> x"),
    ("call", "x = x.exp()", "x.exp() -> x"),
    ("function", "x = x.argmax(1)", "x.argmax(1) -> x.argmin(1)"),
    ("operator", "x = x @ y", "x @ y -> x * y"),
    ("operator", "x = x @ y / n", "x @ y / n -> n / (x @ y)"),
    ("operator", "x = x < y", "x < y -> x <= y"),
    ("operator", "x = flag and n", "flag and n -> flag or n"),
    ("operator", "x = ~y", "x = ~y -> x = y"),
    ("operator", "x -= y", "x -= y -> x += y"),
    ("operand", "x = x + y * n", "x + y * n -> y * n"),
    ("constant", "x = x + 2", "x + 2 -> x + 3"),
    ("constant", "x = x * 0.5", "x * 0.5 -> x * 1.0"),
    ("constant", 'x = float("-inf")', "float(\"-inf\") -> float('inf')"),
    ("condition", "if flag:\n        x = y", "if flag: -> if not flag:"),
    ("condition", "if flag:\n        x = y", "if flag: -> if True:"),
    ("condition", "x = x if flag else y", "x if flag else y -> y"),
    ("name", "x = x @ y", "x @ y -> y @ y"),
    ("attribute", "x = x.first + x.second", "x.first + x.second -> x.second + x.second"),
    ("statement", "x = y", "x = y -> (left out)"),
    ("order", "x.backward()\n    x = y", "x.backward(); x = y -> x = y; x.backward()"),
    ("block", "if flag:\n        x = y", "x = y -> (after `if flag:`)"),
    ("block", "if flag:\n        x = y\n    y = x", "y = x -> (into `if flag:`)"),
    ("in place", "z = x + y", "x + y -> x.add_(y)"),
    ("in place", "z = x.masked_fill(y, n)", "x.masked_fill(y, n) -> x.masked_fill_(y, n)"),
    ("in place", "x = x + y", "x = x + y -> x += y"),
    ("in place", "z = F.relu(x)", "F.relu(x) -> F.relu_(x)"),
    ("shared", "x = [g() for _ in range(n)]", "[g() for _ in range(n)] -> [g()] * n"),
    ("detached", "x = y * n", "y * n -> (y * n).detach()"),
    ("default", "pass", "flag=True -> flag=False"),
    ("default", "pass", "flag=True -> flag"),
    ("default", "pass", "n=3 -> n=4"),
    ("result", "pass", "x, y -> y, x"),
    ("result", "pass", "x, y -> x"),
    ("slice", "x = x[:, 1:n]", "x[:, 1:n] -> x[:, 2:n]"),
    ("slice", "x = x[:, 1:n]", "x[:, 1:n] -> x[:, 1:n + 1]"),
    ("slice", "x = x[1:]", "x[1:] -> x[:1]"),
    ("index", "x = x[:, None]", "x[:, None] -> x[None, :]"),
    ("index", "x = x[:, 0]", "x[:, 0] -> x[0]"),
    ("loop", "for z in y:\n        x = z", "for z in y: -> for z in list(y)[1:]:"),
    ("loop", "for z in range(n): x = z", "range(n) -> range(n + 1)"),
    ("jump", "for z in y: break", "break -> continue"),
    ("context", "with torch.no_grad():\n        x = y", "with torch.no_grad(): -> if True:"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "line", "change"), EXAMPLES)
def test_a_rule_makes_what_it_says(kind, line, change):
    made = mutants("f", IN_FUNCTION.format(line))
    assert (kind, change) in {(one.family, f"{one.old} -> {one.new}") for one in made}


def test_there_is_an_example_of_each_kind():
    assert {kind for kind, _, _ in EXAMPLES} == {*FAMILIES}


CLASS = '''\
class Layer(nn.Module):
    """Adds 1 and 2."""

    def __init__(self, size: int = 4):
        super().__init__()
        self.first = nn.Linear(size, size)
        self.second = nn.Linear(size, size)  # the other one

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Twice."""
        if x.dim() < 2:
            raise ValueError(f"{x.dim()} axes, expected 2 " + "or 3")
        ones = torch.ones(3, device=x.device)
        return self.second(self.first(x)) + ones
'''


def test_another_submodule_is_used():
    changes = [mutant.change for mutant in mutants("Layer", CLASS)]
    assert "line 15: self.first(x) -> self.second(x)" in changes


def test_a_decorator_is_left_out():
    (mutant,) = [one for one in mutants("Layer", CLASS) if one.old == "@torch.no_grad()"
                 and one.family == "context"]  # fmt: skip
    assert "no_grad" not in mutant.source and "    def forward" in mutant.source


def test_what_no_test_can_see_stays_as_it_is():
    for mutant in mutants("Layer", CLASS):
        for kept in ('"""Adds 1 and 2."""', '"""Twice."""', "device=x.device"):
            can_go = mutant.family in ("statement", "call", "operand", "name")
            assert kept in mutant.source or can_go
        if "expected" not in mutant.source:
            assert "(left out)" in mutant.new


def test_a_mutant_has_the_rest_of_the_text_as_it_was():
    for mutant in mutants("Layer", CLASS):
        lines = difflib.ndiff(CLASS.splitlines(), mutant.source.splitlines())
        gone = [line for line in lines if line.startswith("- ")]
        whole = mutant.family in ("statement", "order", "block")
        assert len(gone) <= 1 or whole, mutant.change


@pytest.mark.parametrize("source", [CLASS, IN_FUNCTION.format("x = x + y")])
def test_the_same_source_has_the_same_mutants(source):
    assert mutants("f", source) == mutants("f", source)


def test_no_two_mutants_are_the_same_and_none_is_right():
    right = IN_FUNCTION.format("x = x - y")
    source = IN_FUNCTION.format("x = x + y")
    made = mutants("f", source, [right])
    trees = [ast.dump(ast.parse(one.source)) for one in made]
    assert len(set(trees)) == len(trees) == len(mutants("f", source)) - 1
    assert not {ast.dump(ast.parse(text)) for text in (source, right)} & set(trees)


def test_all_mutants_of_the_course_are_code_and_have_a_change_of_their_own():
    for lesson in COURSE.lessons[::3]:
        for component in lesson.components.values():
            made = mutants(component.name, component.source, most=10_000)
            assert len({one.change for one in made}) == len(made) > 20
            assert all("\n" not in one.change for one in made)
            for one in made:
                compile(one.source, component.name, "exec")


def test_too_many_are_cut_down_to_all_kinds_and_lines():
    source = IN_FUNCTION.format("\n    ".join(f"x = x.sum(dim={n}) + y[:, {n}:]" for n in range(9)))
    all_of_them, few = mutants("f", source, most=10_000), mutants("f", source, most=60)
    assert len(few) == 60 < len(all_of_them)
    assert {one.family for one in few} == {one.family for one in all_of_them}
    assert {one.number for one in few} == {one.number for one in all_of_them}
    assert [one for one in all_of_them if one in few] == few


def test_an_operation_in_place_is_tried_where_somebody_could_see_it():
    source = "def f(x):\n    y = x * 2\n    z = y + 1\n    return z\n"
    assert [one.old for one in mutants("f", source) if one.family == "in place"] == ["x * 2"]


def test_no_gradient_is_cut_where_none_is_recorded():
    source = "def f(x):\n    with torch.no_grad():\n        y = x * 2\n    return y\n"
    assert [one.old for one in mutants("f", source) if one.family == "detached"] == ["return y"]


def test_the_order_of_assignments_that_use_nothing_of_each_other_stays():
    source = "def f(x):\n    y = x * 2\n    z = x + 1\n    w = y + z\n    return w\n"
    orders = [one.old for one in mutants("f", source) if one.family == "order"]
    assert orders == ["z = x + 1; w = y + z", "w = y + z; return w"]
