"""Tries an answer on the visible cases, with stand-ins for the components before it."""

import contextlib
from dataclasses import dataclass
from typing import Any

from ..diagnosis.case_results import CaseResult
from ..diagnosis.component_results import component_results
from ..diagnosis.recorded_lessons import index, lesson_texts, recorded
from ..diagnosis.statement_hashes import hash_of_code
from ..own_code.store import NoStandIn, stand_in
from ..shared.evidence import Evidence
from ..shared.forbidden_calls import forbidden
from ..shared.probing import as_refused, find_probe, gather, standing_in
from .answer import Answer
from .first_lines import first_lines


@dataclass(frozen=True)
class Trial:
    """What came of an answer in the visible cases: the evidence, and the results, by case."""

    answer: Answer
    evidence: dict[str, Evidence]
    results: dict[str, CaseResult]

    @property
    def is_untouched(self) -> bool:
        """Whether a wrong answer is the released code, as a bug hunt comes."""
        entry, is_wrong = self.answer.entry, any(case.findings for case in self.results.values())
        if entry["blanks"] or not is_wrong:
            return False
        return hash_of_code(self.answer.source) == hash_of_code(entry["released"])


def try_out(answer: Answer) -> Trial:
    """Call an answer in all visible cases, and compare what it returns."""
    with first_lines():
        evidence = evidence_of(answer.lesson, answer.name, answer.cells, answer.defined)
    results = component_results(answer.lesson, answer.name, evidence)
    return Trial(answer, evidence, results)


def evidence_of(
    lesson: str, component: str, namespace: dict[str, Any], defined: object
) -> dict[str, Evidence]:
    """The evidence of each visible case, with stand-ins for the components before it.

    `defined` is the student's object, `namespace` the globals of its functions, which hold the
    stand-ins during the calls.
    """
    entry = lesson_texts(lesson)["components"][component]
    defines = entry["defines"]
    recorded_cases = recorded(lesson, component)
    is_bound = namespace.get(defines) is defined
    target = namespace if is_bound else {**namespace, defines: defined}
    evidence_by_case = dict[str, Evidence]()
    endless = None
    with (
        forbidden(entry["forbidden"]) as called,
        standing_in(namespace, stand_ins_before(lesson, component)),
    ):
        for case in recorded_cases.expected:
            if endless:  # each other case would take as long
                evidence_by_case[case] = endless
                continue
            probe = find_probe(lesson, recorded_cases.probes[case])
            evidence = gather(
                probe,
                target,
                defines,
                recorded_cases.inputs[case],
                case in recorded_cases.watched,
                can_be_stopped=True,
            )
            evidence_by_case[case] = as_refused(evidence, called)
            if evidence.failure and evidence.failure.kind == "timeout":
                endless = evidence
            called.clear()
    return evidence_by_case


def stand_ins_before(lesson: str, component: str) -> dict[str, object]:
    """The stand-ins of all components before this one that have any.

    Those of later components would solve this one, so the student's own stay.
    """
    stand_ins: dict[str, object] = {}
    for id, entry in index()["lessons"].items():
        for name in entry["components"]:
            if (id, name) == (lesson, component):
                return stand_ins
            with contextlib.suppress(NoStandIn):
                stand_ins[name] = stand_in(name, id)
    return stand_ins
