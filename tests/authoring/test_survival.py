"""What is said of mutants that live, from made-up results."""

import pytest

from autograder.authoring.mutants.mutants import mutants
from autograder.authoring.prove.equivalents import Equivalent
from autograder.authoring.prove.survival import survival
from autograder.authoring.prove.trials import TrialResult

SOURCE = """\
def f(x, y):
    total = x + y
    return total.sum(dim=1)
"""
CLEAR, UNCLEAR, GREEN = (
    TrialResult(True, True, True),
    TrialResult(True, True, False),
    TrialResult(True, False, False),
)
ALIVE, RED = TrialResult(False, False, False), TrialResult(False, True, False)
ONE = "x + y -> x - y"


@pytest.fixture
def made():
    return mutants("f", SOURCE)


def try_all(made, result, equivalents=(), secrets=("a",), most=None, under=None):
    """All mutants are clearly wrong, but for one, which has the given fate."""

    def results_of(some, secret):
        one = result if under is None else under[secret]
        return [one if ONE in mutant.change else CLEAR for mutant in some]

    return survival(made, equivalents, most, secrets, results_of)


def test_what_is_wrong_and_loses_and_is_red_is_counted(made):
    tally = try_all(made, CLEAR)
    assert tally.made == tally.tried == tally.lose == tally.red == len(made) > 20
    assert tally.faults == []


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (ALIVE, f"f: line 2: {ONE} [operator] survives the hidden tests"),
        (RED, f"f: line 2: {ONE} [operator] survives the hidden tests, though the check fails it"),
        (GREEN, f"f: line 2: {ONE} [operator] loses points and its check is green"),
    ],
)
def test_a_mutant_that_lives_or_is_green_is_a_fault(made, result, said):
    tally = try_all(made, result)
    assert tally.faults == [said]
    assert len(tally.survivors) + len(tally.green) == 1


def test_a_mutant_has_to_lose_points_under_each_secret(made):
    under = {"a": UNCLEAR, "b": UNCLEAR, "c": ALIVE}
    tally = try_all(made, None, secrets="abc", under=under)
    (fault,) = tally.faults
    assert fault == f"f: line 2: {ONE} [operator] survives the hidden tests under 1 of 3 secrets"


def test_a_mutant_that_is_clearly_wrong_is_tried_once(made):
    under = {"a": CLEAR, "b": ALIVE}
    assert try_all(made, None, secrets="ab", under=under).faults == []


@pytest.mark.parametrize(
    "entry",
    [
        Equivalent("f", "so", changes=(ONE,)),
        Equivalent("f", "so", changes=(f"line 2: {ONE}",)),
        Equivalent("f", "so", kind="operator"),
        Equivalent("f", "so", kind="operator", lines=("total = x + y",)),
    ],
)
def test_an_equivalent_explains_a_survivor_and_nothing_else(made, entry):
    tally = try_all(made, ALIVE, [entry])
    assert tally.faults == [] and tally.equivalent == 1 and tally.survivors == []
    assert "its check is green" in try_all(made, GREEN, [entry]).faults[-1]


@pytest.mark.parametrize(
    ("entry", "result", "said"),
    [
        (Equivalent("f", "so", changes=(ONE,)), CLEAR,
         f"f: line 2: {ONE} [operator] is listed in equivalent.toml, and a hidden test fails it"),
        (Equivalent("f", "so", changes=(ONE,)), RED,
         f"f: line 2: {ONE} [operator] is listed in equivalent.toml, and the check fails it"),
        (Equivalent("f", "so", changes=("x -> z",)), CLEAR,
         "f: equivalent.toml lists 'x -> z', which is no mutant"),
        (Equivalent("f", "so", kind="operator"), CLEAR,
         "f: equivalent.toml lists operator, and the tests see all of it"),
        (Equivalent("f", "so", kind="jump"), CLEAR,
         "f: equivalent.toml lists jump, which is no mutant"),
        (Equivalent("f", "so", kind="operator", lines=("return 1",)), CLEAR,
         "f: equivalent.toml lists operator in 'return 1', which is no mutant"),
    ],
)  # fmt: skip
def test_an_equivalent_that_explains_nothing_is_a_fault(made, entry, result, said):
    assert try_all(made, result, [entry]).faults == [said]


def test_some_of_the_mutants_are_the_same_ones_each_time(made):
    tried = []

    def results_of(some, secret):
        tried.append(some)
        return [CLEAR] * len(some)

    for order in (made, made[::-1]):
        assert survival(order, [], 10, ["a"], results_of).tried == 10
    assert tried[0] == tried[1] and len({mutant.family for mutant in tried[0]}) > 3
