"""Answers that were written without sight of the cases are judged as they deserve.

`tests/corpus/README.md` says how they came about. CI tries a part of them, always the same;
`make soak` tries all of them, under other secrets too.
"""

import hashlib
import zlib

import pytest

from autograder.authoring.prove.proofs import Proof, Scope
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner
from benchmarks.corpus import Answer, component_of, corpus

BLIND, WAYS = (
    {name: answers for (of_round, name), answers in corpus().items() if of_round == wanted}
    for wanted in ("blind", "ways")
)
PART = 6  # CI takes each sixth of the answers
PART_OF_WAYS = 18  # and of right answers in ways of their own, those to one component in so many
WITH_WAYS = [
    pytest.param(
        name, marks=[] if zlib.crc32(name.encode()) % PART_OF_WAYS == 0 else pytest.mark.soak
    )
    for name in WAYS
]


def is_in_ci(answer: Answer) -> bool:
    return hashlib.sha256(answer.name.encode()).digest()[0] % PART == 0


@pytest.fixture(scope="module")
def runner():
    with Runner(sandbox="none") as runner:
        yield runner


def misjudged(
    lesson: Lesson, component: str, chosen: list[Answer], secret: str, runner: Runner
) -> list[str]:
    proof = Proof(lesson, runner, scope=Scope(secret=secret))
    trials = proof.trials(proof.judge, [lesson.components[component]])
    results_of = trials.results_of(component, [answer.source for answer in chosen], runner)
    found = []
    for answer, result in zip(chosen, results_of, strict=True):
        if answer.kind == "right" and result.fails_hidden:
            found.append(f"right, and loses points: {answer.name}")
        if answer.kind == "right" and result.fails_visible:
            found.append(f"right, and its check is red: {answer.name}")
        if answer.kind == "wrong" and not result.fails_hidden:
            found.append(f"wrong, and has full marks: {answer.name}")
        if answer.kind == "wrong" and not result.fails_visible:
            found.append(f"wrong, and its check is green: {answer.name}")
        if answer.kind == "unseen" and result.fails_hidden and result.fails_visible:
            found.append(f"seen now, so mark it as wrong: {answer.name}")
    return found


@pytest.mark.parametrize("component", BLIND)
def test_there_are_enough_of_each_kind(component):
    kinds = [answer.kind for answer in BLIND[component]]
    names = [answer.name for answer in BLIND[component]]
    assert len(set(names)) == len(names)
    assert kinds.count("right") >= 10 and kinds.count("wrong") >= 20


@pytest.mark.parametrize("component", BLIND)
def test_each_is_judged_as_it_deserves(component, runner):
    chosen = [answer for answer in BLIND[component] if is_in_ci(answer)]
    assert misjudged(*component_of(component), chosen, "blind", runner) == []


@pytest.mark.parametrize("component", WITH_WAYS)
def test_ways_of_their_own_are_right(component, runner):
    chosen = WAYS[component]
    assert chosen and all(answer.kind == "right" for answer in chosen)
    assert misjudged(*component_of(component), chosen, "ways", runner) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("secret", ["blind", "deaf", "mute"])
@pytest.mark.parametrize("component", BLIND)
def test_all_are_judged_as_they_deserve(component, secret, runner):
    assert misjudged(*component_of(component), BLIND[component], secret, runner) == []
