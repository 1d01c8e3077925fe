"""Probes bring back evidence, whatever the component returned."""

import linecache

import pytest
import torch

from transformer_workbook.diagnosis.compare import Expected, compare
from transformer_workbook.diagnosis.finding_sentences import explain
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.probing import (
    TWO_DEVICES,
    fill_norms,
    gather,
    gradients,
    named,
    what_dropout_did,
    where_it_runs,
)


@pytest.mark.parametrize("output", [None, 1.5, (torch.ones(2),)])
def test_what_is_no_tensor_has_no_gradients(output):
    x = torch.ones(2, requires_grad=True)
    assert gradients(output, {"x": x}) == {"x.grad": None}


class Scale:
    wight = torch.ones(2)


def told(probe) -> str:
    """What is told of a Scale, against a reference that the probe likes."""
    of, good = ({"Scale": one} for one in (Scale, type("Scale", (), {"weight": torch.ones(2)})))
    found, reference = (gather(probe, namespace, "Scale", {}) for namespace in (of, good))
    (finding,) = compare(found, Expected(reference))
    return explain(finding, "Scale")


def test_a_name_that_the_course_fixes_and_the_answer_lacks_is_said_as_such():
    said = told(lambda scale: {"weight": named(scale(), "weight")})
    assert said == (
        "Your Scale has no attribute `weight`, a name that other code relies on. It has `wight`: "
        "was that meant?"
    )


ENDLESS = """
def add_up(x):
    total = 0
    while x.sum() > 0:
        for number in x:
            total = total + number
    return total
"""


@pytest.mark.parametrize("watched", [True, False])
def test_a_loop_that_never_stops_is_stopped_and_named(watched):
    namespace = {}
    lines = ENDLESS.splitlines(keepends=True)
    linecache.cache["<a cell>"] = (len(ENDLESS), None, lines, "<a cell>")
    exec(compile(ENDLESS, "<a cell>", "exec"), namespace)
    inputs = {"x": torch.ones(2)}
    probe = lambda add_up, x: {"sum": add_up(x)}  # noqa: E731
    evidence = gather(probe, namespace, "add_up", inputs, watched, seconds=0.3)
    (finding,) = compare(evidence, Expected(Evidence()))
    assert explain(finding, "add_up") == (
        "It did not finish: it was stopped after 0.3 seconds of computing. Look for what takes so "
        "long, such as a loop that never stops, in the line `while x.sum() > 0:`."
    )


class Tired(torch.nn.Module):
    """Its dropout does nothing any more once it was called in eval mode."""

    def __init__(self, dropout=0.5):
        super().__init__()
        self.p = dropout

    def forward(self, x):
        if not self.training:
            self.p = 0.0
        return torch.nn.functional.dropout(x, self.p)


def test_dropout_that_eval_mode_turns_off_for_good_is_found():
    def drop(component, x):
        return {"output": component()(x)}

    inputs = {"x": torch.ones(100)}
    kept = gather(drop, {"Drop": torch.nn.Dropout}, "Drop", inputs)
    tired = gather(drop, {"Drop": Tired}, "Drop", inputs)
    assert (kept.tensors["output"] == 0).any()
    assert not (tired.tensors["output"] == 0).any()


def test_a_dropout_that_is_passed_in_keeps_its_rate():
    def weaken(x, dropout):
        dropout.p = 0.0
        return dropout(x)

    def drop(function, x):
        return {"output": function(x, torch.nn.Dropout(0.5))}

    failure = gather(drop, {"weaken": weaken}, "weaken", {"x": torch.ones(3)}).failure
    assert failure.message == "a dropout that was passed in has another rate `p` afterwards"


GIVEN = torch.full((1000, 3, 4), 2.0)


def what_is_told_of(drop) -> list:
    torch.manual_seed(1)
    return list(what_dropout_did(GIVEN, drop(GIVEN)).values())


def test_what_dropout_did_is_told_without_any_luck():
    assert what_is_told_of(torch.nn.Dropout(0.1)) == [0.1, True, True]
    assert what_is_told_of(torch.nn.Dropout(0.5)) == [0.5, True, True]
    assert what_is_told_of(torch.nn.Dropout1d(0.5)) == [0.5, False, True]
    assert what_is_told_of(lambda x: torch.nn.Dropout(0.5)(x) / 2) == [0.5, True, False]
    assert what_is_told_of(lambda x: x) == [0.0, False, True]
    assert what_is_told_of(lambda x: None) == []


def norm(*names: str) -> torch.nn.Module:
    module = torch.nn.Module()
    for name, start in zip(names, (torch.ones, torch.zeros), strict=True):
        module.register_parameter(name, torch.nn.Parameter(start(3)))
    return module


def test_norms_are_filled_alike_whatever_their_names():
    values = [
        [one.tolist() for one in module.parameters()]
        for module in (norm("gamma", "beta"), norm("weight", "bias"), norm("b", "a"))
        if fill_norms(module)
    ]
    assert values[0] == values[1] == values[2]
    assert values[0][0] != values[0][1]


def looked_up(position_of):
    table = torch.nn.Embedding(4, 2).to("meta")
    x = torch.ones(3, 2, device="meta")
    return where_it_runs(lambda: (x + table(position_of(x))).device.type)


@pytest.mark.parametrize(
    ("position_of", "where"),
    [
        (lambda x: torch.arange(3, device=x.device), "meta"),
        (lambda x: torch.arange(3).to(x.device), "meta"),
        (lambda x: torch.arange(3), TWO_DEVICES),
        (lambda x: torch.tensor([int(row.sum()) for row in x], device=x.device), "meta"),
        (lambda x: torch.tensor([int(row.sum()) for row in x]), TWO_DEVICES),
        (lambda x: torch.tensor([row.sum().long() for row in x]), TWO_DEVICES),
        (lambda x: torch.tensor([row.sum().long() for row in x], device=x.device), "meta"),
    ],
)
def test_a_tensor_on_another_device_than_the_rest_is_seen(position_of, where):
    assert looked_up(position_of) == where


@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("first", [True, False], ids=["first call", "later call"])
def test_who_presses_stop_in_a_notebook_stops_the_whole_check(watched, first):
    calls = []

    def stopped(x):
        calls.append(x)
        if first or len(calls) > 1 or not watched:
            raise KeyboardInterrupt
        return x

    call = (lambda f, x: {"y": f(x)}), {"f": stopped}, "f", {"x": torch.ones(2)}, watched
    with pytest.raises(KeyboardInterrupt):
        gather(*call, can_be_stopped=True)
    assert len(calls) == (1 if first or not watched else 2)


def test_where_nobody_is_a_students_own_interrupt_is_evidence():
    def raises(x):
        raise KeyboardInterrupt

    evidence = gather(lambda f, x: {"y": f(x)}, {"f": raises}, "f", {"x": torch.ones(2)})
    assert evidence.failure.type == "KeyboardInterrupt"
