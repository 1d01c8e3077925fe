"""Runs changed sources in the student's namespace, on the cases of the check."""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from types import FrameType
from typing import Any

from ..diagnosis.compare import Finding, compare
from ..diagnosis.recorded_lessons import Recorded
from ..shared.evidence import Evidence, Probe
from ..shared.forbidden_calls import forbidden
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import gather, gather_once, standing_in

FILE = "<repair>"
MOST_LINES = 20_000  # that changed code with a `while` may run in its cases


class Endless(BaseException):
    """Changed code has run more than MOST_LINES lines."""


class CandidateRunner:
    """Runs changed sources in the student's namespace, on the cases of the check.

    `probes` and `recorded` are those of the cases. `written_right` returns the lines of a source
    that right answers have too. `namespace` has the globals of the student's cells, `defines` is
    the name that a source defines, `refused` are the built-ins that it may not call. While the
    runner is entered, the namespace holds `stand_ins` instead of all other components.
    """

    def __init__(
        self,
        probes: Mapping[str, Probe],
        recorded: Recorded,
        written_right: Callable[[str], Collection[str]],
        namespace: dict[str, Any],
        defines: str,
        stand_ins: Mapping[str, Any],
        refused: Collection[str],
    ):
        self._probes, self._recorded, self._namespace = probes, recorded, namespace
        self.written_right = written_right
        self._defines, self._stand_ins, self._refused = defines, stand_ins, refused

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        defined = self._namespace.get(self._defines)
        replaced = {**self._stand_ins, self._defines: defined}
        with (
            forbidden(self._refused),
            standing_in(self._namespace, replaced),
            warnings.catch_warnings(action="ignore"),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            yield

    def fails(self, source: str, cases: Collection[str]) -> bool:
        """Whether a source fails one of the cases, or cannot be run."""
        return self._finds_something(source, cases, judged=True)

    def is_wrong(self, source: str, case: str) -> bool:
        """Whether the result of a source in a case is wrong, or it cannot be run.

        Obligations beside the result, such as unchanged inputs, are not checked.
        """
        return self._finds_something(source, [case], judged=False)

    def kinds_of_findings(self, source: str, cases: Collection[str]) -> set[str]:
        """In what ways a source is wrong in some case."""
        exec(compile(source, FILE, "exec", dont_inherit=True), self._namespace)
        return {finding.kind for case in cases for finding in self._findings(case, judged=True)}

    def _finds_something(self, source: str, cases: Collection[str], judged: bool) -> bool:
        """Whether a source is wrong in some case; obligations are `judged` or left out."""
        try:
            code = compile(source, FILE, "exec", dont_inherit=True)
            with _limited() if "while " in source else contextlib.nullcontext():
                exec(code, self._namespace)
                return any(self._findings(case, judged) for case in cases)
        except BaseException:
            return True

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
