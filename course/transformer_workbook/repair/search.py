"""Tries the candidates in the student's own namespace, within a few seconds.

First each alone. Where none mends all failing cases, then pairs: the changes that bring the result
closest to the right one, each together with every other change.
"""

import contextlib
import ctypes
import io
import math
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from types import FrameType
from typing import Any

import torch

from ..shared.evidence import Evidence
from ..shared.fence import forbidden
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import gather, gather_once, standing_in
from ..verdicts.judge import Finding, judge
from ..verdicts.lesson_index import Recorded
from .candidates import Candidate, Repair, best, candidates, second_candidates, tier
from .unused import goes_round

SECONDS = 6.0
FEW = 4  # failing cases of which a fast one is tried first
SLOWER = 2.0  # times the fastest of these: fast enough
STEPS = (5, 6, 3, 2)  # changes, by tier, that are tried together with every other
ALIKE = 2  # of these, at most so many that bring the result equally near
LINES = 20_000  # of changed code with a while loop, while it is tried: more is an endless loop
FILE = "<repair>"

_Gather = Callable[..., Evidence]


class Workbench:
    """Where changed sources are tried: what the student's names are bound to, and the cases.

    `probes` are those of the cases. `namespace` has the globals of the student's cells, `defines`
    is the name to define anew. While it is entered, the namespace holds `stand_ins` in the place of
    all other components.
    """

    def __init__(
        self,
        probes: Mapping[str, Callable],
        known: Recorded,
        namespace: dict[str, Any],
        defines: str,
        stand_ins: Mapping[str, Any],
        refused: Collection[str],
    ):
        self._probes, self._known, self._namespace = probes, known, namespace
        self._defines, self._stand_ins, self._refused = defines, stand_ins, refused

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        own = self._namespace.get(self._defines)
        replaced = {**self._stand_ins, self._defines: own}
        with (
            forbidden(self._refused),
            standing_in(self._namespace, replaced),
            warnings.catch_warnings(action="ignore"),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            yield

    def fails(self, source: str, cases: Collection[str]) -> set[str]:
        """The cases that a source fails; all of them where it cannot be run."""
        return {case for case, off in self._tried(source, cases, gather).items() if off}

    def distance(self, source: str, case: str) -> float:
        """How far what a source returns in a case is from what it should return: 0 if it is right.

        Whatever the source owes beside that is not looked at.
        """
        return self._tried(source, [case], gather_once)[case]

    def _tried(self, source: str, cases: Collection[str], call: _Gather) -> dict[str, float]:
        try:
            code = compile(source, FILE, "exec", dont_inherit=True)
            with _limited() if "while " in source else contextlib.nullcontext():
                exec(code, self._namespace)
                return {case: distance(self._findings(case, call)) for case in cases}
        except _TimeIsUp:
            raise
        except BaseException:
            return dict.fromkeys(cases, math.inf)

    def _findings(self, case: str, call: _Gather) -> list[Finding]:
        known, of_case = self._known, self._known.expected[case]
        evidence = call(self._probes[case], self._namespace, self._defines, known.inputs[case])
        kept = {
            name: value
            for name, value in of_case.reference.values.items()
            if name in OBLIGATIONS and name not in evidence.values
        }
        evidence = Evidence(evidence.tensors, {**kept, **evidence.values}, evidence.failure)
        return judge(evidence, of_case.reference, of_case.rules, of_case.masks)


def distance(findings: Collection[Finding]) -> float:
    """How far a result is from the right one: 0 without findings, infinite for an exception.

    Each finding counts at least 1, and at most 2 where it is about numbers.
    """
    return sum(map(_weight, findings))


def _weight(finding: Finding) -> float:
    if finding.text.startswith("failure."):
        return math.inf
    pair = finding.pair
    if pair is None or pair.wrong is None or not isinstance(pair.came, torch.Tensor):
        return 4.0  # a type, a shape, a side effect
    came, expected = (torch.as_tensor(value).double() for value in (pair.came, pair.expected))
    if not came.isfinite().all() or not expected.isfinite().all():
        return 2.0
    off, size = (came - expected).abs().mean().item(), expected.abs().mean().item()
    parts = [off and off / (off + size), pair.wrong.double().mean().item()]
    # What remains of two mistakes may be a factor, of all numbers or of each row.
    parts += [_angle(came.flatten(), expected.flatten())]
    if expected.dim() > 1:
        parts += [_angle(came, expected)]
    return 1.0 + sum(parts) / len(parts)


def _angle(came: torch.Tensor, expected: torch.Tensor) -> float:
    """From 0 where rows are multiples of each other to 1 where they have nothing in common."""
    return 1.0 - torch.cosine_similarity(came, expected, dim=-1).abs().mean().item()


def search(
    bench: Workbench,
    source: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str] = (),
    seconds: float = SECONDS,
) -> Repair | None:
    """The change that mends most of the failing cases and breaks none; or two that mend all.

    None where there is none that mends half of them, or none is found in time. Lines in `first`
    are changed before others.
    """
    found: list[Repair] = []
    until = time.monotonic() + seconds
    with bench.entered(), _stopped_after(seconds):
        cases = _by_time(bench, source, failing)
        steps = _Steps(bench, source, cases)
        for repair in _helping(bench, source, cases, passing, first, until, steps):
            found.append(repair)
            if repair.mended == repair.failing:
                break  # the candidates that follow are less likely
        else:
            found += _pairs(bench, source, cases, passing, first, until, steps)
    return best(found)


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

    def __init__(self, bench: Workbench, source: str, cases: Sequence[str]):
        self._bench, self._source = bench, source
        self._before = {case: bench.distance(source, case) for case in cases[:FEW]}
        self._found: list[tuple[float, int, Candidate]] = []

    def add(self, candidate: Candidate, distance: float) -> None:
        """Note a change, and how far the result is in the first case."""
        first, *others = self._before
        if distance < self._before[first]:
            total = distance + sum(self._bench.distance(candidate.source, one) for one in others)
            if total < sum(self._before.values()):
                self._found.append((total, len(self._found), candidate))

    def nearest(self) -> list[Candidate]:
        """A few of each tier, the likeliest tier first."""
        left, alike = Counter(dict(enumerate(STEPS))), Counter[float]()
        chosen = []
        for total, _place, candidate in sorted(self._found):
            of_tier, total = tier(candidate.kind), round(total, 3)
            if left[of_tier] and alike[total] < ALIKE and not goes_round(self._source, candidate):
                left[of_tier] -= 1
                alike[total] += 1
                chosen.append(candidate)
        return sorted(chosen, key=lambda candidate: tier(candidate.kind))


def _helping(
    bench: Workbench,
    source: str,
    cases: Sequence[str],
    passing: Collection[str],
    first: Collection[str],
    until: float,
    steps: _Steps,
) -> Iterator[Repair]:
    """The changes of one place that mend a case and break none; `steps` takes what is nearer."""
    for candidate in candidates(source, first):
        if time.monotonic() > until:
            return
        distance = bench.distance(candidate.source, cases[0])
        if not distance:
            repair = judged(candidate, bench.fails(candidate.source, [*cases, *passing]), cases)
            if repair and not goes_round(source, candidate):
                yield repair
        if math.isfinite(distance):
            steps.add(candidate, distance)


def _pairs(
    bench: Workbench,
    source: str,
    cases: Sequence[str],
    passing: Collection[str],
    first: Collection[str],
    until: float,
    steps: _Steps,
) -> Iterator[Repair]:
    """The first step that mends all failing cases together with another change; or nothing.

    A single failing case is too little: among so many pairs, one mends it by chance.
    """
    if len(cases) < 2:
        return
    tries = [_with(bench, source, step, cases, first) for step in steps.nearest()]
    for tried in chain.from_iterable(zip_longest(*tries)):
        if time.monotonic() > until:
            return
        if tried is None:
            continue
        step, other, case = tried
        mends = not bench.distance(other.source, case)
        mends = mends and not bench.fails(other.source, [*cases, *passing])
        if mends and not goes_round(step.source, other):
            yield Repair(step, len(cases), len(cases), other)
            return


def _with(
    bench: Workbench, source: str, step: Candidate, cases: Sequence[str], first: Collection[str]
) -> Iterator[tuple[Candidate, Candidate, str]]:
    """A step with each second change, and a case that the step alone does not mend."""
    left = (case for case in cases if bench.distance(step.source, case))
    case = next(left, cases[0])
    for other in second_candidates(source, step, first):
        yield step, other, case


def judged(candidate: Candidate, fails: Collection[str], failing: Collection[str]) -> Repair | None:
    """The candidate as a repair; None if it breaks a case or mends none of the failing ones."""
    mended = len(set(failing) - set(fails))
    if not mended or set(fails) - set(failing):
        return None
    return Repair(candidate, mended, len(failing))


class _Endless(BaseException):
    """Changed code runs on and on."""


class _TimeIsUp(BaseException):
    """The seconds of the search are over."""


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """While this lasts, changed code that runs more than LINES lines raises _Endless."""
    left = LINES

    def each_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Endless
        return each_line

    def each_call(frame: FrameType, event: str, argument: Any) -> Any:
        return each_line if frame.f_code.co_filename == FILE else None

    before = sys.gettrace()
    sys.settrace(each_call)
    try:
        yield
    finally:
        sys.settrace(before)


@contextlib.contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """End what runs within, after so many seconds, wherever its Python code is by then.

    Changed code may catch what is raised in it, so it is raised again and again.
    """
    ended, thread = threading.Event(), threading.get_ident()

    def stop() -> None:
        until = seconds
        while not ended.wait(until):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread), ctypes.py_object(_TimeIsUp)
            )
            until = 0.05

    def tell(ignored: Any) -> None:
        if not isinstance(ignored.exc_value, _TimeIsUp):
            telling(ignored)

    # Raised while an object is deleted, it would be told as ignored; it is raised again anyway.
    telling, sys.unraisablehook = sys.unraisablehook, tell
    watch = threading.Thread(target=stop, daemon=True)
    watch.start()
    with contextlib.suppress(_TimeIsUp):
        try:
            yield
        finally:
            while watch.is_alive():
                with contextlib.suppress(_TimeIsUp):
                    ended.set()
                    watch.join()
            sys.unraisablehook = telling
            for _turn in range(100):  # one that is on its way is raised here
                pass
