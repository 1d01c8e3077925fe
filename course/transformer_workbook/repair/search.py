"""Tries the candidates in the student's own namespace, within a few seconds.

First those that make the first wrong value right. Then each alone, anywhere. Where none mends all
failing cases, pairs: the changes that bring the result closest to the right one, each together with
every other change.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest

import torch

from ..edits.candidates import candidates, second_candidates
from ..edits.edit import Edit
from ..traces.divergence import FirstDivergence
from ..traces.trace import RESULT
from ..traces.values import TracedValue
from .bench import Workbench
from .choice import Repair, best, is_sure, judged
from .line import Line
from .overfitting import overfits
from .time_limit import run_within

SECONDS = 6.0
FOR_VALUES = 0.4  # of them, for changes that make the first wrong value right
FOR_LINE = 0.15  # and then for whatever else may stand in its line
# Numbers that have to be right with a change of a line alone, and with two: fewer may be by chance.
FOR_ONE, FOR_TWO = 2, 6
FEW = 4  # failing cases of which a fast one is tried first
SLOWER = 2.0  # times the fastest of these: fast enough
STEPS = (5, 6, 3, 2)  # changes, by tier, that are tried together with every other
ALIKE = 2  # of these, at most so many that bring the result equally near
# What can be wrong where an input is changed: another value in its place mends that by chance.
OF_CHANGED_INPUTS = {"anew", "copy", "call", "statement", "owner"}


@dataclass(frozen=True)
class _Problem:
    """What is to be mended: the failing cases, a fast one first; the lines to change first."""

    bench: Workbench
    source: str
    cases: Sequence[str]
    passing: Sequence[str]
    first: Collection[str]
    until: float

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def candidates(self, only: Collection[str] = ()) -> Iterator[Edit]:
        """The changes of the source; where lines are given, of these alone."""
        right = self.bench.written_right(self.source)
        found = candidates(self.source, self.first, only=only, written_right=right)
        return (one for one in found if one.kind in OF_CHANGED_INPUTS or not self._changes_inputs)

    @cached_property
    def _changes_inputs(self) -> bool:
        return self.bench.changes_inputs(self.source, self.cases[:FEW])

    def seconds(self, step: Edit, only: Collection[str] = ()) -> Iterator[Edit]:
        """The changes to try beside a step; where lines of its source are given, of these alone."""
        right = self.bench.written_right(step.source)
        return second_candidates(self.source, step, self.first, only, right)

    @cached_property
    def _wrong(self) -> set[str]:
        return self.bench.wrong_variables(self.source, self.cases[:FEW])

    def spoils(self, source: str) -> bool:
        """Whether a change makes up for the mistake by giving another variable a wrong value."""
        return bool(self.bench.wrong_variables(source, self.cases[:FEW]) - self._wrong)

    def judged(self, candidate: Edit) -> Repair | None:
        """The candidate as a repair; None if it breaks a case or mends none of the failing ones."""
        return judged(
            candidate, self.bench.fails(candidate.source, [*self.cases, *self.passing]), self.cases
        )


def search(
    bench: Workbench,
    source: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str] = (),
    seconds: float = SECONDS,
    tell: Callable[[Repair], None] | None = None,
) -> Repair | None:
    """The change that mends most of the failing cases and breaks none; or two that mend all.

    None where there is none that mends half of them or makes the first wrong value right, or none
    is found in time. Lines in `first` are changed before others. `tell` is called with the best so
    far whenever one is found. Changed code may crash, and the time ends with an exception anywhere:
    so call this only in a process that may die.
    """
    found: list[Repair] = []
    until = time.monotonic() + seconds

    def find() -> None:
        cases = _by_time(bench, source, failing)
        problem = _Problem(bench, source, cases, list(passing), first, until)
        wrong = bench.first_divergence(source, cases, problem.passing)
        one = None
        if wrong and (wrong.own or wrong.name != RESULT):
            of_value, of_line = (
                replace(problem, until=until - (1 - share) * seconds)
                for share in (FOR_VALUES, FOR_VALUES + FOR_LINE)
            )
            if set(wrong.lines) <= {wrong.line}:
                one = _of_line(of_value, wrong) or _of_value(of_line, wrong)
            else:
                one = _of_value(of_value, wrong) or _of_line(of_line, wrong)
        for repair in _with_a_second(problem, one) if one else _anywhere(problem, wrong):
            found.append(repair)
            so_far = best(found)
            if tell and so_far:
                tell(so_far)

    with bench.entered():
        run_within(seconds, find)
    return best(found)


def _of_value(problem: _Problem, wrong: FirstDivergence) -> Repair | None:
    """A change with which the first wrong value is right, whatever is wrong after it."""
    for candidate in problem.candidates(wrong.lines):
        if problem.is_late:
            return None
        if repair := _making_right(problem, wrong, candidate):
            return repair
    return None


def _of_line(problem: _Problem, wrong: FirstDivergence) -> Repair | None:
    """A change, or two, of the wrong value's line alone: whatever else may stand there."""
    numbers = _telling_numbers(wrong.expected) * len(problem.cases)
    found: list[tuple[Edit, Edit | None]] = []

    def look(line: Line) -> None:
        found.extend((mending, None) for mending in line.mends(problem.until))
        if not found:
            found.extend(line.mends_of_two(problem.until, numbers < FOR_TWO))

    if numbers >= FOR_ONE and not wrong.is_written_right:
        problem.bench.at_line(problem.source, wrong, look)
    repairs = (_making_right(problem, wrong, one, other) for one, other in found)
    return next(filter(None, repairs), None)


def _making_right(
    problem: _Problem, wrong: FirstDivergence, one: Edit, other: Edit | None = None
) -> Repair | None:
    """The change, or both, as a repair, if the value is right with it and no case is broken."""
    source = (other or one).source
    if not problem.bench.makes_right(source, wrong, problem.cases):
        return None
    fails = problem.bench.fails(source, [*problem.cases, *problem.passing])
    if fails & {*problem.passing} or overfits(problem.source, (other or one).source):
        return None
    mended = len({*problem.cases} - fails)
    return Repair(one, mended, len(problem.cases), other, wrong.own or wrong.name)


def _telling_numbers(expected: TracedValue) -> int:
    """How many different numbers a value has, without 0 and 1, which much comes to by chance."""
    if isinstance(expected, bool | int | float):
        return int(expected not in (0, 1))
    if isinstance(expected, torch.Tensor) and expected.dtype == torch.bool:
        return expected.numel() if expected.any() and not expected.all() else 0
    if isinstance(expected, torch.Tensor):
        return len({*expected.flatten().tolist()} - {0, 1})
    return 1


def _with_a_second(problem: _Problem, one: Repair) -> Iterator[Repair]:
    """A change that makes a value right; and with a second one that mends the rest, if need be."""
    yield one
    if one.mended == one.failing or one.also:
        return
    step, bench = one.edit, problem.bench
    wrong = bench.first_divergence(step.source, problem.cases, problem.passing)
    for other in problem.seconds(step, wrong.lines) if wrong else ():
        if problem.is_late:
            return
        if not bench.makes_right(other.source, wrong, problem.cases):
            continue
        if not bench.fails(other.source, [*problem.cases, *problem.passing]):
            yield replace(one, mended=one.failing, also=other)
            return
    yield from _pairs(problem, [step])


def _anywhere(problem: _Problem, wrong: FirstDivergence | None) -> Iterator[Repair]:
    """The changes of any place that mend failing cases; if none mends all of them, two."""
    mends_all = False
    steps = _Steps(problem)
    for repair in _helping(problem, steps):
        source = repair.edit.source
        if problem.spoils(source):
            continue
        is_whole = repair.mended == repair.failing
        mends_all |= is_whole
        if is_whole and wrong and problem.bench.makes_right(source, wrong, problem.cases):
            repair = replace(repair, value=wrong.name)
        yield repair
        if is_whole and (repair.value or not wrong):
            return  # the candidates that follow are less likely
    if not mends_all:
        yield from _pairs(problem, steps.nearest())


def _by_time(bench: Workbench, source: str, failing: Collection[str]) -> list[str]:
    """The failing cases: the first of a few that takes little time, then all others."""

    def seconds(case: str) -> float:
        start = time.perf_counter()
        bench.distance(source, case)
        return time.perf_counter() - start

    few = list(failing)[:FEW]
    spent = {case: min(seconds(case) for _turn in range(3)) for case in few}
    fast = next(case for case in few if spent[case] <= SLOWER * min(spent.values()))
    return [fast, *(case for case in failing if case != fast)]


class _Steps:
    """The changes after which the result is nearest to the right one, though still wrong."""

    def __init__(self, problem: _Problem):
        self._bench, self._source = problem.bench, problem.source
        few = problem.cases[:FEW]
        self._before = {case: self._bench.distance(self._source, case) for case in few}
        self._found: list[tuple[float, int, Edit]] = []

    def add(self, candidate: Edit, distance: float) -> None:
        """Note a change, and how far the result is in the first case."""
        first, *others = self._before
        if distance < self._before[first]:
            total = distance + sum(
                self._bench.distance(candidate.source, other) for other in others
            )
            if total < sum(self._before.values()):
                self._found.append((total, len(self._found), candidate))

    def nearest(self) -> list[Edit]:
        """A few of each tier, the likeliest tier first."""
        left, alike = Counter(dict(enumerate(STEPS))), Counter[float]()
        chosen = []
        for total, _place, candidate in sorted(self._found):
            of_tier, total = candidate.tier, round(total, 3)
            if (
                left[of_tier]
                and alike[total] < ALIKE
                and not overfits(self._source, candidate.source)
            ):
                left[of_tier] -= 1
                alike[total] += 1
                chosen.append(candidate)
        return sorted(chosen, key=lambda candidate: candidate.tier)


def _helping(problem: _Problem, steps: _Steps) -> Iterator[Repair]:
    """The changes of one place that mend a case and break none; `steps` takes what is nearer."""
    for candidate in problem.candidates():
        if problem.is_late:
            return
        distance = problem.bench.distance(candidate.source, problem.cases[0])
        if not distance:
            repair = problem.judged(candidate)
            if repair and not overfits(problem.source, candidate.source):
                yield repair
        if math.isfinite(distance):
            steps.add(candidate, distance)


def _pairs(problem: _Problem, steps: Sequence[Edit]) -> Iterator[Repair]:
    """The first step that mends all failing cases together with another change; or nothing.

    A single failing case is too little: among so many pairs, one mends it by chance.
    """
    bench, cases = problem.bench, problem.cases
    if len(cases) < 2:
        return
    tries = [_with(problem, step) for step in steps]
    for tried in chain.from_iterable(zip_longest(*tries)):
        if problem.is_late:
            return
        if tried is None:
            continue
        step, other, case = tried
        mends = not bench.distance(other.source, case)
        mends = mends and not bench.fails(other.source, [*cases, *problem.passing])
        if (
            mends
            and not overfits(problem.source, other.source)
            and not problem.spoils(other.source)
        ):
            yield Repair(step, len(cases), len(cases), other)
            return


def _with(problem: _Problem, step: Edit) -> Iterator[tuple[Edit, Edit, str]]:
    """A step with each second change of its line, and a case that the step alone does not mend."""
    left = (case for case in problem.cases if problem.bench.distance(step.source, case))
    case = next(left, problem.cases[0])
    for other in problem.seconds(step):
        if is_sure(step, other):
            yield step, other, case
