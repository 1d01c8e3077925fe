"""A change of one place that makes failing cases pass tells where a mistake is."""

import ast

import pytest
import torch
from right_answers import LAYER_NORM
from torch import nn
from torch.nn import functional as F

from transformer_workbook.checks.trial import stand_ins_before
from transformer_workbook.diagnosis.recorded_lessons import (
    lesson_texts,
    recorded,
)
from transformer_workbook.edits.candidates import candidates
from transformer_workbook.edits.edit import EDIT_KINDS, REPAIRING, Edit
from transformer_workbook.edits.rules.repairs_by_addition import STEPS
from transformer_workbook.repair.candidate_runner import CandidateRunner
from transformer_workbook.repair.found_repair import Repair, is_likely, sentence
from transformer_workbook.repair.overfitting import overfits
from transformer_workbook.repair.search import search
from transformer_workbook.shared.probing import find_probe

LONG = 60.0  # seconds: a busy machine may not end a search early


def searched(source, lesson="03-add-and-norm", name="LayerNorm", **more):
    """What the search finds for a source; `more` is bound in the student's namespace."""
    known = recorded(lesson, name)
    namespace = {"torch": torch, "nn": nn, "F": F, "__name__": "__main__", **more}
    exec(source, namespace)
    runner = CandidateRunner(
        {case: find_probe(lesson, probe) for case, probe in known.probes.items()},
        known,
        lambda _source: (),
        namespace,
        lesson_texts(lesson)["components"][name]["defines"],
        stand_ins_before(lesson, name),
        (),
    )
    own = namespace[name]
    with runner.entered():
        fails = {case for case in known.expected if runner.fails(source, [case])}
    passing = [case for case in known.expected if case not in fails]
    failing = [case for case in known.expected if case in fails]
    found = search(runner, source, failing, passing, seconds=LONG) if failing else None
    assert namespace[name] is own
    return found


@pytest.mark.parametrize(
    ("old", "new", "kind", "line"),
    [
        ("mean(dim=-1", "mean(dim=1", "axis", "mean = x.mean(dim=1, keepdim=True)"),
        ("(x - mean) /", "(x + mean) /", "operator", None),
        ("torch.sqrt(variance + self.eps)", "(variance + self.eps)", "root", None),
        ("correction=0)", "correction=0) ** 2", "operand", None),
        (" + self.beta", " + self.beta * 1.0 + x", "operand", None),
        ("variance + self.eps)", "variance) + self.eps", "grouping", None),
    ],
)
def test_a_change_in_one_place_is_found(old, new, kind, line):
    assert old in LAYER_NORM
    source = LAYER_NORM.replace(old, new)
    found = searched(source)
    assert found.edit.kind == kind
    changed = next(text.strip() for text in source.splitlines() if new in text)
    assert found.edit.line == changed == (line or changed)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("torch.ones(d_model)", "torch.rand(d_model)", "function"),
        ("mean = x.mean(dim=-1, keepdim=True)", "mean = x.mean(-1)", "keepdim"),
    ],
)
def test_what_is_missing_or_too_many_is_found(old, new, kind):
    assert old in LAYER_NORM
    found = searched(LAYER_NORM.replace(old, new))
    assert found.edit.kind == kind


def test_a_line_that_is_written_right_is_not_changed():
    right = {"mean = x.mean(dim=-1, keepdim=True)"}
    lines = {one.line for one in candidates(LAYER_NORM, written_right=right) if one.kind == "axis"}
    assert lines == {"variance = x.var(dim=-1, keepdim=True, correction=0)"}


@pytest.mark.parametrize(
    ("line", "changed", "kind"),
    [
        ("x = x < y", "x = x <= y", "boundary"),
        ("x = x < y", "x = x > y", "comparison"),
        ("x = x - y", "x = y - x", "sides"),
        ("x = x - y", "x = x + y", "operator"),
        ("x = ~y", "x = y", "sign"),
        ("x = x and y", "x = x or y", "and-or"),
        ("x = x.mean(1, keepdim=True)", "x = x.mean(1)", "keyword"),
        ("x = x.mean(1, keepdim=True)", "x = x.mean(1, keepdim=False)", "flag"),
        ("x = g(x, y)", "x = g(y, x)", "arguments"),
        ("x = g(x, y)", "x = g(x)", "argument"),
        ("x = x.softmax()", "x = x.softmax(1)", "axis-given"),
        ("x = x[0]", "x = x\n", "no-index"),
        ("x = x[0, 1]", "x = x[1, 0]", "index"),
        ("if x:\n        y = x", "if True:", "always"),
        ("if g(x):\n        y = x", "if not g(x):", "condition"),
        ("if x:\n        y = x\n    x = y", "y = x\n        x = y", "into-a-block"),
        ("with torch.no_grad():\n        x = y", "with torch.enable_grad():", "gradients"),
        ("x = y", "x = 1 / y", "reciprocal"),
        ("x = y", "x = 1 - y", "complement"),
        ("x = y", "x = y + 1", "one"),
        ("x = y", "x = y - 1", "one-less"),
    ],
)
def test_each_edit_is_of_the_kind_that_is_told(line, changed, kind):
    found = candidates(f"def f(x, y):\n    {line}\n    return x\n")
    assert {one.kind for one in found if changed in one.source} == {kind}


@pytest.mark.parametrize("test", ["mask is None", "n == 0", "n > 1"])
def test_a_condition_is_not_made_true_for_good_by_another_value(test):
    source = f"def f(mask, other, n):\n    if {test}:\n        mask = other * n\n    return mask\n"
    line = f"if {test}:"
    found = {edit.kind for edit in candidates(source) if edit.line == line}
    assert "always" in found
    assert not found & {"name", "constant", "variable", "attribute"}


def test_a_variable_put_in_for_a_single_case_is_a_guess():
    """`/ (mask - p)` for `/ (1 - p)`: it helps where p is 1, and only there."""
    edit = Edit("variable", "line", "old", "source")
    assert not is_likely(edit, failing=1) and is_likely(edit, failing=2)


def test_where_an_input_is_changed_no_other_value_in_its_place_is_tried():
    source = LAYER_NORM.replace("(x - mean) /", "x.sub_(mean) /")
    found = searched(source)
    assert (found.edit.kind, found.edit.old) == ("new-object", "x.sub_(mean)")


def test_where_only_the_dtype_is_wrong_no_number_is_changed():
    """A root of whole numbers is floating point, and those of 0 and 1 are what they were."""
    source = """\
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), num_classes=logits.size(-1))
    scores = logits / temperature
    if top_k is not None:
        least = scores.topk(min(top_k, scores.size(-1)), dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < least, float("-inf"))
    return scores.softmax(dim=-1)
"""
    assert searched(source, "13-decoder-only", "next_token_probabilities") is None


def test_a_right_component_has_nothing_to_mend():
    assert searched(LAYER_NORM) is None


@pytest.mark.parametrize(
    ("old", "new", "is_way_round"),
    [
        ("x = sort(x)\n    return x", "y = x\n    x = sort(x)\n    return y", True),
        ("y = f(x)\n    return g(y)", "y = f(x)\n    y = f(y)\n    return g(x)", True),
        ("y = f(x)\n    return g(y)", "y = f(-x)\n    return g(y)", False),
        (
            "for i in x:\n        f(x)\n        x = i",
            "for i in x:\n        x = i\n        f(x)",
            False,
        ),
        ("return f(x)", "return f(torch)", True),
        ("y = f(x)\n    return g(y)", "y = f(x)\n    return g(x)", True),
        ("y = f(x)\n    return x + y", "y = f(x)\n    return x", True),
        ("y = f(x)\n    return y", "y = f(x)\n    return y\n    f(y)", True),
        ("if f(x):\n        x = 1\n    return x", "if True:\n        x = 1\n    return x", True),
        ("x = f(x) * x\n    return x", "x = 1\n    return x", True),
        ("x = 1\n    return x", "x = 2\n    return x", False),
    ],
)
def test_a_change_that_leaves_something_idle_is_a_way_round(old, new, is_way_round):
    before, after = (f"def h(x):\n    {body}\n" for body in (old, new))
    assert overfits(before, after) == is_way_round


def test_lines_of_blanks_come_first():
    source = "def f(a, b):\n    c = a + b\n    return c - b\n"
    kinds = [(one.kind, one.line) for one in candidates(source, ["return c - b"])]
    of_operators = [line for kind, line in kinds if kind == "operator"]
    assert of_operators[0] == "return c - b"
    assert "c = a + b" in of_operators


def test_every_candidate_is_another_program():
    found = [one.source for one in candidates(LAYER_NORM)]
    assert len(found) > 300
    assert len(found) == len(set(found))
    assert ast.unparse(ast.parse(LAYER_NORM)) not in found
    for source in found:
        ast.parse(source)


@pytest.mark.parametrize("source", ["def f(:", "x = '\0'", "(" * 500 + ")" * 500, ""])
def test_what_cannot_be_parsed_has_no_candidates(source):
    assert list(candidates(source)) == []


def test_changed_code_that_never_ends_is_stopped():
    endless = LAYER_NORM.replace(
        "        mean = x.mean(dim=-1, keepdim=True)\n",
        "        turns = 3\n"
        "        while turns > 0:\n"
        "            mean = x.mean(dim=0, keepdim=True)\n"
        "            turns = turns - 1\n",
    )
    found = searched(endless)  # `turns + 1`, `turns >= 0` ... are among what is tried
    assert found.edit.line == "mean = x.mean(dim=0, keepdim=True)"


def test_helpers_of_the_student_are_used_as_they_are():
    source = LAYER_NORM.replace("x.mean(dim=-1, keepdim=True)", "centre(x, 1)")
    found = searched(source, centre=lambda x, axis: x.mean(dim=axis, keepdim=True))
    assert found.edit.line == "mean = centre(x, 1)"


def test_every_kind_of_change_that_may_mend_has_words():
    without = {name for name, kind in EDIT_KINDS.items() if not kind.sentence}
    assert without == EDIT_KINDS.keys() - REPAIRING == {"in place", "shared", "detached"}
    assert STEPS.keys() <= REPAIRING


def test_the_sentence_shows_the_place_and_never_the_changed_code():
    found = searched(LAYER_NORM.replace("mean(dim=-1", "mean(dim=1"))
    assert sentence(found) == (
        "Look at the line `mean = x.mean(dim=1, keepdim=True)`: with another axis in place of `1`, "
        f"all {found.failing} failing cases pass."
    )


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("for y in x:\n        total += y", "in -x"),
        ("steps = range(1, x - 1)", "x * 1"),
        ("self.x = x", "self.x = x + 1"),
    ],
)
def test_a_change_that_only_happens_to_fit_is_not_tried(body, changed):
    text = f"def f(self, x, y, total=0):\n    {body}\n    return total\n"
    tried = [candidate.source for candidate in candidates(text)]
    assert tried and not [source for source in tried if changed in source]


def test_an_expression_that_stands_twice_in_its_line_is_told_so():
    twice = Edit("axis", "return x.softmax(dim=1).mean(dim=1)", "1", "")
    once = Edit("axis", "return x.softmax(dim=1)", "1", "")
    assert "another axis in place of `1` (in one place)" in sentence(Repair(twice, 2))
    assert "(in one place)" not in sentence(Repair(once, 2))


def test_a_condition_that_is_reversed_is_not_told():
    reversed_ = Edit("condition", "y = x if self.training else None", "", "")
    assert not is_likely(reversed_, failing=2)
