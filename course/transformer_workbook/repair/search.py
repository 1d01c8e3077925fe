"""Tries the candidates, one at a time, in the student's own namespace, within a few seconds."""

import time
from collections.abc import Collection, Sequence

from ..edits.candidates import candidates
from ..edits.edit import Edit
from .candidate_runner import CandidateRunner
from .found_repair import Repair, is_likely
from .overfitting import overfits

SECONDS = 5.0
FEW = 4  # failing cases of which a fast one is tried first
SLOWER = 2.0  # times the fastest of these: fast enough
# The kinds of edits for an input that is changed in place; others would fix that by chance.
OF_CHANGED_INPUTS = {"new-object", "copy", "call", "statement"}
# Those that change numbers: where only a dtype is wrong, or the code raises, some give another
# dtype without changing any number, such as the square of a mask.
OF_NUMBERS = {"square", "root", "normalized", "reciprocal", "complement"}


def search(
    runner: CandidateRunner,
    source: str,
    failing: Sequence[str],
    passing: Collection[str],
    first: Collection[str] = (),
    seconds: float = SECONDS,
) -> Repair | None:
    """The likeliest edit that fixes all failing cases and breaks no other.

    None if it is not found in time, or says too little. Lines in `first` are changed before others.
    Changed code may crash, or never end: so call this only in a process that may be killed.
    """
    until = time.monotonic() + seconds
    with runner.entered():
        cases = _by_time(runner, source, failing)
        kinds = runner.kinds_of_findings(source, cases[:FEW])
        for edit in candidates(source, first, written_right=runner.written_right(source)):
            if time.monotonic() > until:
                return None
            if not _can_be_meant(edit, kinds) or runner.is_wrong(edit.source, cases[0]):
                continue
            is_fix = not runner.fails(edit.source, [*cases, *passing])
            if is_fix and not overfits(source, edit.source):
                # The candidates that follow are less likely.
                return Repair(edit, len(cases)) if is_likely(edit, len(cases)) else None
    return None


def _can_be_meant(edit: Edit, kinds: set[str]) -> bool:
    """Whether an edit can be more than a way round findings of these kinds."""
    if "inputs_changed" in kinds:
        return edit.kind in OF_CHANGED_INPUTS
    return not kinds <= {"dtype", "failure.exception"} or edit.kind not in OF_NUMBERS


def _by_time(runner: CandidateRunner, source: str, failing: Sequence[str]) -> list[str]:
    """The failing cases: the first of a few that takes little time, then all others."""

    def seconds(case: str) -> float:
        start = time.perf_counter()
        runner.is_wrong(source, case)
        return time.perf_counter() - start

    few = failing[:FEW]
    spent = {case: min(seconds(case) for _turn in range(3)) for case in few}
    fast = next(case for case in few if spent[case] <= SLOWER * min(spent.values()))
    return [fast, *(case for case in failing if case != fast)]
