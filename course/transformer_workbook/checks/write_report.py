"""Writes the report of a check: its rows, and the hints to offer."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from ..diagnosis.case_results import CaseResult, most_telling
from ..diagnosis.compare import Finding
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.finding_sentences import (
    blanks_at_fault,
    blanks_in_place,
    describe_call,
    explain,
    open_blanks,
)
from ..diagnosis.grids import grids
from ..diagnosis.misconception_text import is_like_the_template
from ..diagnosis.recorded_lessons import lesson_texts, recorded, released_lines, written_right
from ..shared.evidence import Evidence
from ..shared.language import N_
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import find_probe
from ..shared.words import wording_of
from .report import Check, Row


def report_of(
    lesson: str,
    name: str,
    results: dict[str, CaseResult],
    evidence: dict[str, Evidence],
    source: str,
    cause: Diagnosis,
) -> Check:
    """The report on a component: the most telling case first, and its cause if one is known."""
    entry = lesson_texts(lesson)["components"][name]
    right = written_right(lesson, name, source)
    in_doubt = _blanks_in_doubt(entry, right, source)
    has_blanks = "____" in source or is_like_the_template(lesson, name, source)
    write = partial(
        _row,
        lesson,
        name,
        blanks=in_doubt if has_blanks else {},  # in another design they have no place
        advise=not cause.misconception,
    )
    first = most_telling(results)
    in_order = sorted(results.items(), key=lambda item: item[0] != first)
    rows = [write(case, result.findings, case == first) for case, result in in_order]
    if not any(row.findings for row in rows):
        return Check(entry["defines"], rows)
    likely = [blank for blank in cause.blanks if blank not in right]
    likely = likely or _blanks_of_first_failure(evidence, in_doubt)
    if not (cause and entry["blanks"]) or (has_blanks and cause.blanks):
        likely = likely or _all_blanks(name, entry, right, cause)
    calls = [f'wb.hint("{blank}")' for blank in dict.fromkeys(likely)]
    return Check(entry["defines"], rows, calls, cause=cause.says)


def _row(
    lesson: str,
    name: str,
    case: str,
    findings: list[Finding],
    is_first: bool,
    blanks: dict[str, str],
    advise: bool,
) -> Row:
    """What is said of one case; numbers are shown of the first one alone."""
    entry, cases = lesson_texts(lesson)["components"][name], recorded(lesson, name)
    defines, title = entry["defines"], entry["cases"][case]
    call = describe_call(defines, cases.inputs[case], entry["arguments"])
    if not findings:
        return Row(title, call, [], [], _verb(""))
    finding = next((entry for entry in findings if entry.kind != "as_before"), findings[0])
    words = wording_of(find_probe(lesson, cases.probes[case]))
    sentence = explain(finding, defines, blanks, advise and is_first, words)
    shown = grids(finding, words=words) if is_first else []
    return Row(title, call, [sentence], shown, _verb(finding.kind))


def _verb(kind: str) -> str:
    """The verb of a report for what a component did, by the kind of its finding."""
    if kind in ("failure.exception", "failure.out_of_memory"):
        return N_("raised")
    is_value = kind and not kind.startswith("failure.") and kind not in OBLIGATIONS
    return N_("returned") if is_value else N_("found")


def _blanks_in_doubt(entry: dict[str, Any], right: Collection[str], source: str) -> dict[str, str]:
    """The blanks that may be wrong, with their lines as released."""
    in_doubt = {name: line for name, line in released_lines(entry).items() if name not in right}
    # A blank that is still open is seen in its line.
    return in_doubt if "____" in source else blanks_in_place(source, in_doubt)


def _blanks_of_first_failure(
    evidence: Mapping[str, Evidence], in_doubt: dict[str, str]
) -> list[str]:
    """The blanks still open in the first line that failed, or else those that caused it."""
    failures = (part.failure for part in evidence.values())
    failure = next((failure for failure in failures if failure and failure.line), None)
    if failure is None:
        return []
    if "____" in failure.line:
        return open_blanks(failure.line, in_doubt)
    return blanks_at_fault(failure, in_doubt)


def _all_blanks(
    name: str, entry: dict[str, Any], right: Collection[str], cause: Diagnosis
) -> list[str]:
    """All blanks that are not written right; of a bug hunt, which has none, its name."""
    blanks = list(entry["blanks"]) or [name]
    in_doubt = [blank for blank in blanks if blank not in right]
    return in_doubt or ([] if cause and entry["blanks"] else blanks)
