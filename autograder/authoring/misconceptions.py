"""What the misconceptions of a component do in its cases, each alone and two at once."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations, pairwise

from autograder.judging.batches import OF_AUTHORS
from autograder.judging.case_runner import CaseRunner
from autograder.language import _
from autograder.lesson.components import Component, KnownAnswer
from autograder.lesson.translation import PAIR
from autograder.sandbox.job import LIMITED, RunnerFault
from transformer_workbook.diagnosis.case_results import (
    BOTH,
    RecordedMisconception,
    assess,
    behave_alike,
    recorded_misconception,
    unexplained,
)
from transformer_workbook.diagnosis.compare import WRONG_FORMS, WRONG_TYPES, Expected, compare
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.syntax import parse

MOST_PAIRED = 32  # misconceptions of a component, in their order
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
HIDE_NUMBERS = {"failure", *WRONG_TYPES, *WRONG_FORMS}

_Change = tuple[int, int, list[str]]  # from and to which token of the right code, and what is there


def recorded_misconceptions(
    component: Component, expected: dict[str, Expected], case_runner: CaseRunner
) -> list[RecordedMisconception]:
    """The component's misconceptions with their evidence, in their order, and then pairs of them.

    `expected` is the reference's evidence, by call. Pairs are left out that single misconceptions
    explain, those that are like another pair, and those that were stopped.

    Raises RunnerFault, also if one was stopped: what it does must not depend on the machine.
    """
    wrong = component.wrong
    of_singles = case_runner.evidence_of_many(
        component.name, [answer.source for answer in wrong], limits=OF_AUTHORS
    )
    for answer, evidence in zip(wrong, of_singles, strict=True):
        for call, found in evidence.items():
            if kind := _stopped(found):
                raise RunnerFault(
                    _("{component}: the misconception {name} was stopped in {call}: {kind}. Build "
                      "again with less beside it; if it is stopped again, shorten what it does"),
                    component=component.name, name=answer.name, call=call, kind=kind,
                )  # fmt: skip
    singles = [
        recorded_misconception(expected, answer.name, evidence)
        for answer, evidence in zip(wrong, of_singles, strict=True)
    ]
    in_numbers = {
        answer.name: answer
        for answer, evidence in zip(wrong, of_singles, strict=True)
        if not answer.says.startswith(PAIR.partition("{}")[0])
        and any(_shows_in_numbers(evidence[call], expected[call]) for call in expected)
    }
    together = [*pairs(component, [*in_numbers.values()][:MOST_PAIRED])]
    of_pairs = case_runner.evidence_of_many(
        component.name, [pair.source for pair in together], limits=OF_AUTHORS
    )
    recorded_pairs = [
        recorded_misconception(expected, pair.name, evidence)
        for pair, evidence in zip(together, of_pairs, strict=True)
        if unexplained(assess(expected, singles, evidence))
        and not any(map(_stopped, evidence.values()))
    ]
    return singles + _unlike(recorded_pairs)


def _stopped(evidence: Evidence) -> str:
    """What stopped a call, which on a calmer machine has another result; empty if nothing did."""
    failure = evidence.failure
    return failure.kind if failure and failure.kind in LIMITED else ""


def _shows_in_numbers(evidence: Evidence, expected: Expected) -> bool:
    """Whether a case fails for numbers: what raises, or has another shape, would hide a second."""
    kinds = {finding.kind.partition(".")[0] for finding in compare(evidence, expected)}
    return bool(kinds) and kinds.isdisjoint(HIDE_NUMBERS)


def pairs(component: Component, wrong: Sequence[KnownAnswer]) -> Iterator[KnownAnswer]:
    """Each two misconceptions at once that change other places of the right code."""
    right = TOKEN.findall(component.source)
    changed = [(answer.name, _changes(right, TOKEN.findall(answer.source))) for answer in wrong]
    for (first, ours), (second, theirs) in combinations(changed, 2):
        changes, tokens = sorted(ours + theirs, reverse=True), list(right)
        if any(later[0] <= earlier[1] for later, earlier in pairwise(changes)):
            continue
        for start, stop, instead in changes:
            tokens[start:stop] = instead
        try:
            parse("".join(tokens))
        except SyntaxError:
            continue
        yield KnownAnswer(f"{first}{BOTH}{second}", component.name, "".join(tokens))


def _changes(right: list[str], wrong: list[str]) -> list[_Change]:
    codes = SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes()
    return [(start, end, wrong[i:j]) for tag, start, end, i, j in codes if tag != "equal"]


def _unlike(pairs: list[RecordedMisconception]) -> list[RecordedMisconception]:
    """The pairs that no other one behaves like."""
    alike = {pair.name for two in combinations(pairs, 2) if behave_alike(*two) for pair in two}
    return [pair for pair in pairs if pair.name not in alike]
