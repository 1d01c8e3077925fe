"""Tries the candidates in the student's own namespace, within a few seconds.

First, edits that make the first wrong value right. Then each edit alone, anywhere. If none fixes
all failing cases, pairs: each of the edits that bring the result closest to the right one, together
with every other edit.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any

import torch

from ..edits.candidates import candidates, second_candidates
from ..edits.edit import Edit
from ..traces.divergence import FirstDivergence
from ..traces.trace import RESULT
from ..traces.values import TracedValue
from .choice import Repair, as_repair, best, is_sure
from .line import Line
from .overfitting import overfits
from .time_limit import run_within
from .workbench import Workbench

SECONDS = 5.0
FOR_VALUES = 0.4  # of SECONDS, for edits that make the first wrong value right
FOR_LINE = 0.15  # of SECONDS, for substitutes in its line
# Numbers that one edit of a line, or two, must make right: fewer may be right by chance.
FOR_ONE, FOR_TWO = 2, 6
FEW = 4  # failing cases of which a fast one is tried first
SLOWER = 2.0  # times the fastest of these: fast enough
STEPS = (5, 6, 3, 2)  # edits, by tier, that are tried together with every other one
PER_DISTANCE = 2  # of these, at most so many that bring the result equally near
# The kinds of edits for an input that is changed in place; others would fix that by chance.
OF_CHANGED_INPUTS = {"new-object", "copy", "call", "statement", "owner"}
# Those that change numbers: where only a dtype is wrong, some give it without changing any number.
OF_NUMBERS = {
    "square", "root", "normalized", "reciprocal", "complement", "factor", "divisor", "term",
    "difference",
}  # fmt: skip


@dataclass(frozen=True)
class _Problem:
    """What to fix: the failing cases, a fast one first, and the lines to change first."""

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
        """The edits of the source; if lines are given in `only`, of these."""
        right = self.bench.written_right(self.source)
        edits = candidates(self.source, self.first, only=only, written_right=right)
        return (one for one in edits if self._can_be_meant(one))

    def _can_be_meant(self, edit: Edit) -> bool:
        """Whether an edit of this kind can be more than a way round what is wrong."""
        if "inputs_changed" in self._kinds:
            return edit.kind in OF_CHANGED_INPUTS
        return self._kinds != {"dtype"} or edit.kind not in OF_NUMBERS

    @cached_property
    def _kinds(self) -> set[str]:
        return self.bench.kinds_of_findings(self.source, self.cases[:FEW])

    def seconds(self, step: Edit, only: Collection[str] = ()) -> Iterator[Edit]:
        """The edits to try after a step; if lines of its source are given in `only`, of these."""
        right = self.bench.written_right(step.source)
        return second_candidates(self.source, step, self.first, only, right)

    @cached_property
    def _wrong(self) -> set[str]:
        return self.bench.wrong_variables(self.source, self.cases[:FEW])

    def spoils(self, source: str) -> bool:
        """Whether an edit only compensates for the mistake, with a wrong value in a variable."""
        return bool(self.bench.wrong_variables(source, self.cases[:FEW]) - self._wrong)

    def as_repair(self, candidate: Edit) -> Repair | None:
        """The candidate as a repair; None if it breaks a case or fixes none of the failing ones."""
        return as_repair(
            candidate, self.bench.fails(candidate.source, [*self.cases, *self.passing]), self.cases
        )


def search(
    bench: Workbench,
    source: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str] = (),
    seconds: float = SECONDS,
    on_repair: Callable[[Repair], None] | None = None,
) -> Repair | None:
    """The edit, or the two edits, that fix all failing cases and break no other.

    None if no such repair is found in time. Lines in `first` are changed before others. Whenever a
    repair is found, `on_repair` is called with the best one so far. Changed code may crash, and the
    time limit raises an exception anywhere: so call this only in a process that may die.
    """
    repairs: list[Repair] = []
    until = time.monotonic() + seconds

    def find() -> None:
        cases = _by_time(bench, source, failing)
        problem = _Problem(bench, source, cases, list(passing), first, until)
        wrong = bench.first_divergence(source, cases, problem.passing)
        one = None
        if wrong and (wrong.own or wrong.name != RESULT):
            first_stage, second_stage = (
                replace(problem, until=until - (1 - share) * seconds)
                for share in (FOR_VALUES, FOR_VALUES + FOR_LINE)
            )
            if set(wrong.lines) <= {wrong.line}:
                one = _repair_line(first_stage, wrong) or _repair_value(second_stage, wrong)
            else:
                one = _repair_value(first_stage, wrong) or _repair_line(second_stage, wrong)
        for repair in _with_a_second(problem, one) if one else _anywhere(problem, wrong):
            repairs.append(repair)
            so_far = best(repairs)
            if on_repair and so_far:
                on_repair(so_far)

    with bench.entered():
        run_within(seconds, find)
    return best(repairs)


def look_for_cause(
    bench: Workbench,
    source: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str],
    traced: bool,
    seconds: float,
    send: Callable[[dict[str, Any]], None],
) -> None:
    """Send the first wrong value, if the source is `traced`, then each repair that is the best yet.

    What is sent is read by `found.read_divergence` and `found.read_repair`. Lines in `first` are
    changed before others, for up to `seconds`; 0 leaves the search out.
    """
    wrong = None
    if traced:
        with bench.entered():
            wrong = bench.first_divergence(source, failing, passing)
    send({"first_divergence": wrong.to_tree()} if wrong else {})
    if seconds:
        search(bench, source, failing, passing, first, seconds, lambda best: send(best.to_tree()))


def _repair_value(problem: _Problem, wrong: FirstDivergence) -> Repair | None:
    """An edit that makes the first wrong value right, whatever is wrong after it."""
    for candidate in problem.candidates(wrong.lines):
        if problem.is_late:
            return None
        if repair := _making_right(problem, wrong, candidate):
            return repair
    return None


def _repair_line(problem: _Problem, wrong: FirstDivergence) -> Repair | None:
    """One edit, or two, of the wrong value's line alone, which may substitute any expression."""
    numbers = _telling_numbers(wrong.expected) * len(problem.cases)
    edits: list[tuple[Edit, Edit | None]] = []

    def look(line: Line) -> None:
        edits.extend((fix, None) for fix in line.fixes(problem.until))
        if not edits:
            edits.extend(line.fixes_of_two(problem.until, numbers < FOR_TWO))

    if numbers >= FOR_ONE and not wrong.is_written_right:
        problem.bench.at_line(problem.source, wrong, look)
    repairs = (_making_right(problem, wrong, one, other) for one, other in edits)
    return next(filter(None, repairs), None)


def _making_right(
    problem: _Problem, wrong: FirstDivergence, one: Edit, other: Edit | None = None
) -> Repair | None:
    """The edit, or both, as a repair; None if the value stays wrong, or a passing case breaks."""
    source = (other or one).source
    if not problem.bench.makes_right(source, wrong, problem.cases):
        return None
    fails = problem.bench.fails(source, [*problem.cases, *problem.passing])
    if fails & {*problem.passing} or overfits(problem.source, (other or one).source):
        return None
    fixed = len({*problem.cases} - fails)
    return Repair(one, fixed, len(problem.cases), other, wrong.own or wrong.name)


def _telling_numbers(expected: TracedValue) -> int:
    """How many different numbers a value has, without 0 and 1, which are often right by chance."""
    if isinstance(expected, bool | int | float):
        return int(expected not in (0, 1))
    if isinstance(expected, torch.Tensor) and expected.dtype == torch.bool:
        return expected.numel() if expected.any() and not expected.all() else 0
    if isinstance(expected, torch.Tensor):
        return len({*expected.flatten().tolist()} - {0, 1})
    return 1


def _with_a_second(problem: _Problem, one: Repair) -> Iterator[Repair]:
    """A repair that makes a value right; then, if some cases still fail, with a second edit."""
    yield one
    if one.fixed == one.failing or one.also:
        return
    step, bench = one.edit, problem.bench
    wrong = bench.first_divergence(step.source, problem.cases, problem.passing)
    if wrong:
        for other in problem.seconds(step, wrong.lines):
            if problem.is_late:
                return
            if not bench.makes_right(other.source, wrong, problem.cases):
                continue
            if not bench.fails(other.source, [*problem.cases, *problem.passing]):
                yield replace(one, fixed=one.failing, also=other)
                return
    yield from _pairs(problem, [step])


def _anywhere(problem: _Problem, wrong: FirstDivergence | None) -> Iterator[Repair]:
    """The edits of any place that fix failing cases; if none fixes all of them, pairs that do."""
    mends_all = False
    steps = _Steps(problem)
    for repair in _helping(problem, steps):
        source = repair.edit.source
        if problem.spoils(source):
            continue
        is_whole = repair.fixed == repair.failing
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
    """The edits after which the result is nearest to the right one, though still wrong."""

    def __init__(self, problem: _Problem):
        self._bench, self._source = problem.bench, problem.source
        few = problem.cases[:FEW]
        self._before = {case: self._bench.distance(self._source, case) for case in few}
        self._nearer: list[tuple[float, int, Edit]] = []

    def add(self, candidate: Edit, distance: float) -> None:
        """Note an edit, if its result is nearer; `distance` is the one in the first case."""
        first, *others = self._before
        if distance < self._before[first]:
            total = distance + sum(
                self._bench.distance(candidate.source, other) for other in others
            )
            if total < sum(self._before.values()):
                self._nearer.append((total, len(self._nearer), candidate))

    def nearest(self) -> list[Edit]:
        """A few of each tier, the likeliest tier first."""
        left, at_distance = Counter(dict(enumerate(STEPS))), Counter[float]()
        chosen = []
        for total, _place, candidate in sorted(self._nearer):
            tier, total = candidate.tier, round(total, 3)
            if (
                left[tier]
                and at_distance[total] < PER_DISTANCE
                and not overfits(self._source, candidate.source)
            ):
                left[tier] -= 1
                at_distance[total] += 1
                chosen.append(candidate)
        return sorted(chosen, key=lambda candidate: candidate.tier)


def _helping(problem: _Problem, steps: _Steps) -> Iterator[Repair]:
    """The edits that fix a case and break none; adds those that bring it nearer to `steps`."""
    for candidate in problem.candidates():
        if problem.is_late:
            return
        distance = problem.bench.distance(candidate.source, problem.cases[0])
        if not distance:
            repair = problem.as_repair(candidate)
            if repair and not overfits(problem.source, candidate.source):
                yield repair
        if math.isfinite(distance):
            steps.add(candidate, distance)


def _pairs(problem: _Problem, steps: Sequence[Edit]) -> Iterator[Repair]:
    """The first step that fixes all failing cases together with another edit; or nothing.

    A single failing case is not enough: among so many pairs, one fixes it by chance.
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
        fixes = not bench.distance(other.source, case)
        fixes = fixes and not bench.fails(other.source, [*cases, *problem.passing])
        if (
            fixes
            and not overfits(problem.source, other.source)
            and not problem.spoils(other.source)
        ):
            yield Repair(step, len(cases), len(cases), other)
            return


def _with(problem: _Problem, step: Edit) -> Iterator[tuple[Edit, Edit, str]]:
    """A step with each second edit of its line, and a case that the step alone does not fix."""
    left = (case for case in problem.cases if problem.bench.distance(step.source, case))
    case = next(left, problem.cases[0])
    for other in problem.seconds(step):
        if is_sure(step, other):
            yield step, other, case
