"""Answers that were written without sight of the cases are judged as they deserve.

`tests/corpus/README.md` says how they came about. CI tries a part of them, always the same;
`make soak` tries all of them, under three secrets.
"""

import zlib

import pytest

from autograder.authoring.prove.proofs import Proof, Scope
from autograder.sandbox.runner import Runner
from benchmarks.answers import CORPUS, Answer, answers_in, component_of

BLIND, WAYS = (answers_in(CORPUS / of_round) for of_round in ("twentieth", "ways"))


def part_of(names, one_in: int) -> list:
    return [name for name in names if zlib.crc32(repr(name).encode()) % one_in == 0]


@pytest.fixture(scope="module")
def runner():
    with Runner(sandbox="none") as runner:
        yield runner


def misjudged(component: str, chosen: list[Answer], secret: str, runner: Runner) -> list[str]:
    lesson, name = component_of(component)
    proof = Proof(lesson, runner, scope=Scope(secret=secret))
    trials = proof.trials(proof.judge, [lesson.components[name]])
    results = trials.results_of(name, [answer.source for answer in chosen], runner)
    said = []
    for answer, result in zip(chosen, results, strict=True):
        should_fail = answer.kind == "wrong"
        if result.fails_hidden != should_fail:
            said.append(
                f"{answer.name} is {answer.kind}: {'full' if should_fail else 'lost'} marks"
            )
        if result.fails_visible != should_fail:
            said.append(
                f"{answer.name} is {answer.kind}: a {'green' if should_fail else 'red'} check"
            )
    return said


@pytest.mark.parametrize("component", part_of([component for _, component in BLIND], 6))
def test_a_part_of_those_written_blind(component, runner):
    assert misjudged(component, BLIND["twentieth", component], "blind", runner) == []


@pytest.mark.parametrize("component", part_of([component for _, component in WAYS], 12))
def test_right_answers_in_ways_of_their_own(component, runner):
    assert misjudged(component, WAYS["ways", component], "ways", runner) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("secret", ["blind", "deaf", "mute"])
@pytest.mark.parametrize(("of_round", "component"), [*BLIND, *WAYS])
def test_all_of_them(of_round, component, secret, runner):
    assert misjudged(component, (BLIND | WAYS)[of_round, component], secret, runner) == []
