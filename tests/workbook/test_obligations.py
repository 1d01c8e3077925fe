"""What every component owes is seen by the harness, whatever the component computes."""

from functools import partial

import pytest
import torch
from torch import nn

from transformer_workbook.diagnosis.compare import Expected, compare
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.obligations import (
    OBLIGATIONS,
    SECOND_SEED,
    Violations,
    call_once,
    call_twice,
)
from transformer_workbook.shared.probing import gather

X = torch.arange(6.0).reshape(2, 3)


def call(component, x):
    return {"y": component(x)}


def use(component, x):
    return {"y": component(3, dropout=0.5).eval()(x)}


def violations_of(probe, component, **inputs) -> dict:
    """What the component did that it should not have."""
    _, violations = call_twice(probe, component, inputs or {"x": X})
    return {name: value for name, value in vars(violations).items() if value}


class Scaled(nn.Module):
    def __init__(self, size, dropout=0.1):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(x * self.weight)


def test_a_component_that_behaves_is_blameless():
    assert violations_of(call, torch.exp) == {}
    assert violations_of(use, Scaled) == {}
    assert Evidence(values=vars(Violations())).values.keys() == set(OBLIGATIONS)


class Doubling:
    def __call__(self, x):
        return 2 * x


class Overwriting:
    def __call__(self, x):
        return x.mul_(2)


def test_a_callable_object_without_a_name_is_watched_like_a_function():
    for component in (Doubling(), partial(torch.mul, 2.0)):
        assert violations_of(call, component) == {}
    assert violations_of(call, Overwriting()) == {"inputs_changed": ["x"]}


def test_a_cache_by_shape_shows_in_the_result():
    cache = {}

    def cached(x):
        return cache.setdefault(x.shape, 2 * x)

    found, _ = call_twice(call, cached, {"x": X})
    assert not torch.equal(found["y"], 2 * X)


def test_a_module_that_keeps_its_first_mask_shows_in_the_result():
    class Keeps(Scaled):
        hidden = None

        def forward(self, x):
            if self.hidden is None or self.hidden.shape != x.shape:
                self.hidden = x > 2
            return x.masked_fill(self.hidden, 0.0)

    found, _ = call_twice(use, Keeps, {"x": X})
    assert not torch.equal(found["y"], X.masked_fill(X > 2, 0.0))


def test_what_grows_from_call_to_call_shows_in_the_result():
    def grows(x, seen=[]):  # noqa: B006
        seen.append(x)
        return torch.cat(seen)

    found, _ = call_twice(call, grows, {"x": X})
    assert found["y"].shape == (4, 3)


def test_weights_are_as_new_when_a_module_is_used_again():
    def train(component, x):
        module = component(3, dropout=0.0)
        before = module.weight.detach().clone()
        module(x).sum().backward()
        gradient = module.weight.grad.clone()
        with torch.no_grad():
            module.weight.add_(1)
        return {"before": before, "gradient": gradient}

    found, _ = call_twice(train, Scaled, {"x": X})
    assert torch.equal(found["before"], torch.ones(3))
    assert torch.equal(found["gradient"], X.sum(dim=0))


def in_place(x):
    return x.add_(1)


def in_a_list(xs):
    return xs[0].add_(1)


def seeded(x):
    torch.manual_seed(1)
    return x + torch.rand(())


def without_gradients(x):
    torch.set_grad_enabled(False)
    return x


def in_double(x):
    torch.set_default_dtype(torch.float64)
    return x


@pytest.mark.parametrize(
    "component, expected",
    [
        (in_place, {"inputs_changed": ["x"]}),
        (seeded, {"state_changed": ["random numbers"]}),
        (without_gradients, {"state_changed": ["gradients"]}),
        (in_double, {"state_changed": ["default dtype"]}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_side_effects_are_noted(component, expected):
    assert violations_of(call, component) == expected
    assert torch.is_grad_enabled() and torch.get_default_dtype() == torch.float32


def test_tensors_in_lists_are_watched_too():
    assert violations_of(lambda f, x: {"y": f([x.clone()])}, in_a_list) == {
        "inputs_changed": ["xs"]
    }


def test_a_model_is_given_back_as_it_was():
    def evaluate(model):
        with torch.no_grad():
            model.eval().weight.add_(1)

    def probe(component, x):
        return {"y": component(Scaled(3)) is None}

    assert violations_of(probe, evaluate) == {
        "modes_changed": ["model"],
        "weights_changed": ["model"],
    }


def test_train_mode_may_differ_by_dropout_alone():
    class Centred(Scaled):
        def forward(self, x):
            return super().forward(x - x.mean(dim=0) if self.training else x)

    assert violations_of(use, Centred) == {"mode_matters": True}


class SeedsItself(Scaled):
    def __init__(self, size, dropout=0.1):
        torch.manual_seed(0)
        super().__init__(size, dropout)


class ChangesTheDtype(Scaled):
    def __init__(self, size, dropout=0.1):
        torch.set_default_dtype(torch.float64)
        super().__init__(size, dropout)


class GoesToEval(Scaled):
    def forward(self, x):
        return super().forward(x if self.eval() else None)


class IsMadeInEval(Scaled):
    def __init__(self, size, dropout=0.1):
        super().__init__(size, dropout)
        self.dropout.eval()


class Freezes(Scaled):
    def forward(self, x):
        return super().forward(x) if self.requires_grad_(False) else None


class SharesItsWeight(Scaled):
    shared = nn.Parameter(torch.ones(3))

    def __init__(self, size, dropout=0.1):
        super().__init__(size, dropout)
        self.weight = self.shared


@pytest.mark.parametrize(
    "component, expected",
    [
        (SeedsItself, {"state_changed": ["seed"]}),
        (ChangesTheDtype, {"state_changed": ["default dtype"]}),
        (GoesToEval, {"modes_changed": ["self"]}),
        (IsMadeInEval, {"modes_changed": ["self"]}),
        (Freezes, {"weights_changed": ["self"]}),
        (SharesItsWeight, {"shares_weights": True}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_module_does_to_itself_is_noted(component, expected):
    def train(component, x):
        return {"y": component(3, dropout=0.0)(x)}

    assert violations_of(train, component) == expected


def test_dropout_may_draw_as_it_likes():
    class OwnDropout(Scaled):
        def forward(self, x):
            return x * (torch.rand_like(x) > 0.5) * 2 if self.training else x

    assert "state_changed" not in violations_of(lambda c, x: {"y": c(3)(x)}, OwnDropout)


def test_methods_of_a_class_are_watched_and_given_back():
    class Halves(Scaled):
        def encode(self, x):
            return x.mul_(2)

    before = dict(vars(Halves))

    def encode(component, x):
        return {"y": component(3).encode(x)}

    assert violations_of(encode, Halves) == {"inputs_changed": ["x"]}
    assert dict(vars(Halves)) == before


def test_what_the_reference_changes_others_may_change_too():
    changes = gather(call, {"f": in_place}, "f", {"x": X})
    leaves = gather(call, {"f": lambda x: x + 1}, "f", {"x": X})
    assert compare(leaves, Expected(changes)) == []
    assert [found.kind for found in compare(changes, Expected(leaves))] == ["inputs_changed"]


def test_a_probe_is_seeded_as_torch_would():
    def draws(component):
        return {"numbers": component()}

    first, again = (call_once(draws, lambda: torch.rand(5), {})["numbers"] for _turn in range(2))
    torch.manual_seed(SECOND_SEED)
    assert torch.equal(first, again) and torch.equal(first, torch.rand(5))


def test_parts_that_are_added_to_a_module_change_no_mode():
    def extend(module):
        module.more = nn.Dropout(0.5)

    def leave(module):
        module.eval()

    for component, changed in ((extend, []), (leave, ["module"])):
        _result, violations = call_twice(
            lambda component: {"done": component(nn.Linear(2, 2)) is None}, component, {}
        )
        assert violations.modes_changed == changed
