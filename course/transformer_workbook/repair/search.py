"""Tries the candidates in the student's own namespace, within a few seconds."""

import contextlib
import ctypes
import io
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from types import FrameType
from typing import Any

from ..shared.evidence import Evidence
from ..shared.fence import forbidden
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import gather, gather_once, standing_in
from ..verdicts.judge import judge
from ..verdicts.lesson_index import Recorded
from .candidates import Candidate, Repair, best, candidates
from .unused import goes_round

SECONDS = 3.0
FEW = 4  # failing cases of which the fastest is tried first
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
        return self._tried(source, cases, gather)

    def fails_at_once(self, source: str, case: str) -> bool:
        """Whether a source fails a case by what it returns, whatever it owes beside that."""
        return bool(self._tried(source, [case], gather_once))

    def _tried(self, source: str, cases: Collection[str], call: _Gather) -> set[str]:
        try:
            code = compile(source, FILE, "exec", dont_inherit=True)
            with _limited() if "while " in source else contextlib.nullcontext():
                exec(code, self._namespace)
                return {case for case in cases if self._fails(case, call)}
        except _TimeIsUp:
            raise
        except BaseException:
            return set(cases)

    def _fails(self, case: str, call: _Gather) -> bool:
        known, of_case = self._known, self._known.expected[case]
        evidence = call(self._probes[case], self._namespace, self._defines, known.inputs[case])
        kept = {
            name: value
            for name, value in of_case.reference.values.items()
            if name in OBLIGATIONS and name not in evidence.values
        }
        evidence = Evidence(evidence.tensors, {**kept, **evidence.values}, evidence.failure)
        return bool(judge(evidence, of_case.reference, of_case.rules, of_case.masks))


def search(
    bench: Workbench,
    source: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str] = (),
    seconds: float = SECONDS,
) -> Repair | None:
    """The change of one place that mends most of the failing cases, and breaks none.

    None where there is none that mends half of them, or none is found in time. Lines in `first`
    are changed before others.
    """
    helping: list[Repair] = []
    until = time.monotonic() + seconds
    with bench.entered(), _stopped_after(seconds):
        fastest = _fastest(bench, source, failing)
        for repair in _helping(bench, source, fastest, failing, passing, first, until):
            helping.append(repair)
            if repair.mended == repair.failing:
                break  # the candidates that follow are less likely
    return best(helping)


def _fastest(bench: Workbench, source: str, failing: Collection[str]) -> str:
    """The failing case that takes the least time, among a few."""

    def seconds(case: str) -> float:
        start = time.perf_counter()
        bench.fails_at_once(source, case)
        return time.perf_counter() - start

    return min(list(failing)[:FEW], key=seconds)


def _helping(
    bench: Workbench,
    source: str,
    fastest: str,
    failing: Collection[str],
    passing: Collection[str],
    first: Collection[str],
    until: float,
) -> Iterator[Repair]:
    for candidate in candidates(source, first):
        if time.monotonic() > until:
            return
        if bench.fails_at_once(candidate.source, fastest):
            continue
        repair = judged(candidate, bench.fails(candidate.source, [*failing, *passing]), failing)
        if repair and not goes_round(source, candidate):
            yield repair


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
            for _turn in range(100):  # one that is on its way is raised here
                pass
