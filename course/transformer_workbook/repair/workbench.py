"""Runs changed sources in the student's namespace, on the cases of the check."""

import contextlib
import io
import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import FrameType
from typing import Any

import torch

from ..diagnosis.compare import Finding, compare
from ..diagnosis.recorded_lessons import Recorded
from ..shared.evidence import Evidence, Probe
from ..shared.forbidden_calls import forbidden
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import gather, gather_once, standing_in
from ..traces.divergence import (
    FirstDivergence,
    ReferenceTraces,
    first_divergence,
    is_right,
    wrong_variables,
)
from ..traces.trace import MOST_LINES, Assigned, Endless, traced
from .line import Line, at_line
from .time_limit import TimeIsUp

FILE = "<repair>"
MOST_TRACES = 64  # in the cache: the student's own source is traced first, and needed again


class Workbench:
    """Runs changed sources in the student's namespace, on the cases of the check.

    `probes` and `recorded` are those of the cases, `references` the values of right answers.
    `written_right` returns the lines of a source that right answers have too. `namespace` has the
    globals of the student's cells, `defines` is the name that a source defines, `refused` are the
    built-ins that it may not call. While the bench is entered, the namespace holds `stand_ins`
    instead of all other components.
    """

    def __init__(
        self,
        probes: Mapping[str, Probe],
        recorded: Recorded,
        references: Mapping[str, ReferenceTraces],
        written_right: Callable[[str], Collection[str]],
        namespace: dict[str, Any],
        defines: str,
        stand_ins: Mapping[str, Any],
        refused: Collection[str],
    ):
        self._probes, self._recorded, self._namespace = probes, recorded, namespace
        self.references, self.written_right = references, written_right
        self._defines, self._stand_ins, self._refused = defines, stand_ins, refused
        self._trace = lru_cache(maxsize=MOST_TRACES)(self._trace)  # type: ignore[method-assign]

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
        return {case for case, off in self._tried(source, cases, judged=True).items() if off}

    def kinds_of_findings(self, source: str, cases: Collection[str]) -> set[str]:
        """In what ways a source is wrong in some case."""
        exec(compile(source, FILE, "exec", dont_inherit=True), self._namespace)
        return {finding.kind for case in cases for finding in self._findings(case, judged=True)}

    def distance(self, source: str, case: str) -> float:
        """How far the result of a source in a case is from the expected one: 0 if it is right.

        Obligations beside the result, such as unchanged inputs, are not checked.
        """
        return self._tried(source, [case], judged=False)[case]

    def first_divergence(
        self, source: str, failing: Collection[str], passing: Collection[str]
    ) -> FirstDivergence | None:
        """The first wrong value of a source; None if no watched variable has one."""
        if not self.references:
            return None
        traces = self._traces(source, [*failing, *passing])
        return first_divergence(
            traces, self.references, failing, source, self.written_right(source)
        )

    def at_line(self, source: str, wrong: FirstDivergence, look: Callable[[Line], None]) -> None:
        """Call `look` when the line of the first wrong value gives that: see `line.at_line`."""

        def run() -> None:
            exec(compile(source, FILE, "exec", dont_inherit=True), self._namespace)
            probe, inputs = self._probes[wrong.case], self._recorded.inputs[wrong.case]
            gather_once(probe, self._namespace, self._defines, inputs)

        at_line(source, wrong, run, FILE, look)

    def wrong_variables(self, source: str, cases: Collection[str]) -> set[str]:
        """The variables to which a source gives a wrong value in some case."""
        return (
            wrong_variables(self._traces(source, cases), self.references)
            if self.references
            else set()
        )

    def makes_right(self, source: str, wrong: FirstDivergence, failing: Collection[str]) -> bool:
        """Whether a changed source has the right value instead of `wrong`, in all failing cases."""
        traces = self._traces(source, [wrong.case])
        if not self._is_right(wrong, traces):
            return False
        others = [case for case in failing if case != wrong.case]
        traces = self._traces(source, others)
        return all(self._is_right(replace(wrong, case=case), traces) for case in others)

    def _is_right(self, wrong: FirstDivergence, traces: Mapping[str, list[Assigned]]) -> bool:
        return is_right(wrong, traces.get(wrong.case, []), self.references[wrong.case])

    def _traces(self, source: str, cases: Collection[str]) -> dict[str, list[Assigned]]:
        return {case: self._trace(source, case) for case in cases}

    def _trace(self, source: str, case: str) -> list[Assigned]:
        probe, inputs = self._probes[case], self._recorded.inputs[case]
        return trace_of(probe, self._namespace, self._defines, source, inputs)

    def _tried(self, source: str, cases: Collection[str], judged: bool) -> dict[str, float]:
        """How far a source is off in each case; obligations are `judged` or left out."""
        try:
            code = compile(source, FILE, "exec", dont_inherit=True)
            with _limited() if "while " in source else contextlib.nullcontext():
                exec(code, self._namespace)
                return {case: distance(self._findings(case, judged)) for case in cases}
        except TimeIsUp:
            raise
        except BaseException:
            return dict.fromkeys(cases, math.inf)

    def _findings(self, case: str, judged: bool) -> list[Finding]:
        recorded, criteria = self._recorded, self._recorded.expected[case]
        call = self._probes[case], self._namespace, self._defines, recorded.inputs[case]
        evidence = gather(*call, case in recorded.watched) if judged else gather_once(*call)
        obligations = {
            name: value
            for name, value in criteria.reference.values.items()
            if name in OBLIGATIONS and name not in evidence.values
        }
        evidence = Evidence(evidence.tensors, {**obligations, **evidence.values}, evidence.failure)
        return compare(evidence, criteria)


def trace_of(
    probe: Probe,
    namespace: dict[str, Any],
    defines: str,
    source: str,
    inputs: dict[str, Any],
    seed: int | None = None,
) -> list[Assigned]:
    """The values that the variables of a source take in one call of a probe, up to an exception.

    `seed` is that of `call_once`.
    """
    ends = contextlib.suppress(Exception, SystemExit, Endless)
    bound: list[Assigned] = []
    with ends:
        exec(compile(source, FILE, "exec", dont_inherit=True), namespace)
        with traced(source, FILE) as bound, ends:
            gather_once(probe, namespace, defines, inputs, seed)
    return bound


def distance(findings: Collection[Finding]) -> float:
    """How far a result is from the right one: 0 without findings, infinite for an exception.

    Each finding counts at least 1, and at most 2 where it is about numbers.
    """
    return sum(map(_weight, findings))


def _weight(finding: Finding) -> float:
    if finding.kind.startswith("failure."):
        return math.inf
    pair = finding.pair
    if pair is None or pair.wrong is None or not isinstance(pair.actual, torch.Tensor):
        return 4.0  # a type, a shape, a side effect
    actual, expected = (torch.as_tensor(value).double() for value in (pair.actual, pair.expected))
    if not actual.isfinite().all() or not expected.isfinite().all():
        return 2.0
    off, size = (actual - expected).abs().mean().item(), expected.abs().mean().item()
    parts = [off and off / (off + size), pair.wrong.double().mean().item()]
    # What remains of two mistakes may be a factor, of all numbers or of each row.
    parts += [_angle(actual.flatten(), expected.flatten())]
    if expected.dim() > 1:
        parts += [_angle(actual, expected)]
    return 1.0 + sum(parts) / len(parts)


def _angle(actual: torch.Tensor, expected: torch.Tensor) -> float:
    """From 0 where rows are multiples of each other to 1 where they have nothing in common."""
    return 1.0 - torch.cosine_similarity(actual, expected, dim=-1).abs().mean().item()


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """While this lasts, changed code that runs more than MOST_LINES lines raises Endless."""
    left = MOST_LINES

    def each_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless
        return each_line

    def each_call(frame: FrameType, event: str, argument: Any) -> Any:
        return each_line if frame.f_code.co_filename == FILE else None

    before = sys.gettrace()
    sys.settrace(each_call)
    try:
        yield
    finally:
        sys.settrace(before)
