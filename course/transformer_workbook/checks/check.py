"""The visible check: calls a component on public inputs and reports the results."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ..diagnosis.case_results import CaseResult, most_telling
from ..diagnosis.compare import Finding
from ..diagnosis.component_results import component_results
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
from ..diagnosis.recorded_lessons import (
    Unknown,
    index,
    lesson_of,
    lesson_texts,
    lines_written_right,
    recorded,
    released_lines,
    written_right,
)
from ..diagnosis.statement_hashes import hash_of_code, hashes_in
from ..own_code.cells import successor
from ..own_code.store import (
    NoStandIn,
    is_saved_version,
    is_stale,
    is_stand_in,
    own_source,
    own_text,
    problem_without,
    save,
    stand_in,
)
from ..repair.choice import Repair
from ..repair.search import SECONDS
from ..repair.workbench import Workbench
from ..shared.evidence import Evidence, Failure
from ..shared.forbidden_calls import forbidden
from ..shared.language import _, say
from ..shared.notebook import notebook_namespace
from ..shared.obligations import OBLIGATIONS
from ..shared.probing import as_refused, find_probe, gather, standing_in
from ..shared.words import wording_of
from .cause import cause_of
from .code_analysis import repair_in_child
from .first_lines import first_lines
from .report import Check, Row
from .search_task import search_task
from .session import current_lesson


def check(component: object = None) -> Check:
    """Check a component, given as its name or as an object; save its code if all cases pass.

    Without one, the report names those of the lesson. Shows the report and returns it; it is true
    if all cases passed. Raises AssertionError for a failure while nbgrader validates the notebook.
    """
    report, look_further = _examined(component, SECONDS)
    report.show()
    if not report and os.environ.get("NBGRADER_EXECUTION") == "validate":
        raise AssertionError(repr(report))
    return report.replaced_by(look_further())


def examine(component: object) -> Check:
    """The report of `check`, not shown; no code is changed to find a cause."""
    report, _look_further = _examined(component, seconds=0)
    return report


def fixed(bug_hunt: str) -> object:
    """What a bug hunt of this lesson defines: the student's if its check passes, else a stand-in.

    Says which it is. Raises Unknown for a name that is no bug hunt's.
    """
    name, lesson = _name_and_lesson(bug_hunt)
    defines = lesson_texts(lesson)["components"][name]["defines"]
    if examine(name):
        say(_("yours: {names}").format(names=defines))
        return notebook_namespace()[defines]
    try:
        standing_in = stand_in(defines, lesson)
    except NoStandIn as error:
        message = _(
            '{name} has no stand-in: no later cell uses it. Fix yours first; wb.check("{hunt}") '
            "says what is wrong."
        )
        raise NoStandIn(message.format(name=defines, hunt=name)) from error
    message = _("a stand-in from the course's package, until you have fixed yours: {name}")
    say(message.format(name=defines))
    return standing_in


def _examined(component: object, seconds: float) -> tuple[Check, Callable[[], Check]]:
    """The report with what is known at once, and a function that searches for a surer cause.

    The search takes up to `seconds`.
    """

    def only(report: Check) -> tuple[Check, Callable[[], Check]]:
        return report, lambda: report

    try:
        name, lesson = _name_and_lesson(component)
    except Unknown as unknown:
        return only(Check(str(component), [], note=str(unknown)))
    namespace = dict(notebook_namespace())
    entry = lesson_texts(lesson)["components"][name]
    defines = entry["defines"]
    if not isinstance(component, str):
        namespace[defines] = component
    defined = namespace.get(defines)
    if is_stand_in(defined):
        return only(Check(defines, [], note=_stand_in_note(defines)))
    if defines in namespace:
        new_name = successor(defines, namespace)
        if new_name is not None:
            return only(Check(defines, [], note=_renamed_note(defines, new_name)))
    with first_lines():
        evidence = evidence_of(lesson, name, notebook_namespace(), defined)
    written = own_text(defines, namespace)
    results = component_results(lesson, name, evidence, written)
    failing = {case: result.findings[0] for case, result in results.items() if result.findings}
    if failing and hash_of_code(written) == entry["as_released"]:
        return only(_untouched(report_of(lesson, name, results, evidence, written, Diagnosis())))
    if len(failing) == len(results) and all(
        first.kind == "failure.missing" for first in failing.values()
    ):
        return only(Check(defines, [], note=explain(next(iter(failing.values())), defines)))
    if is_stale(defines, namespace):
        return only(Check(defines, [], note=_stale_note(defines)))
    if written and _is_replaced(defined, notebook_namespace().get(defines)):
        return only(Check(defines, [], note=_replaced_note(defines)))

    def report_with(cause: Diagnosis) -> Check:
        report = report_of(lesson, name, results, evidence, written, cause)
        if is_saved_version(defined):
            return replace(report, note=_saved_version_note(defines))
        if report and not name.startswith("bug_hunt_"):
            return _save(report, name, namespace)
        return report

    if at_once := cause_of(lesson, name, results, written):  # no search could find a surer one
        if _came_with_it(entry, at_once, written):
            return only(replace(report_with(Diagnosis()), note=_left_note(defines)))
        return only(report_with(at_once))

    def look_further() -> Check:
        repair = repair_of(lesson, name, results, written, notebook_namespace(), seconds)
        return report_with(cause_of(lesson, name, results, written, repair))

    report = report_with(Diagnosis())
    return (report, look_further) if failing and seconds else only(report)


def repair_of(
    lesson: str,
    component: str,
    results: dict[str, CaseResult],
    source: str,
    namespace: dict[str, Any],
    seconds: float = SECONDS,
) -> Repair | None:
    """A change of the student's code that fixes the failing cases; None if none is found in time.

    `source` is the student's code, `namespace` the globals of the student's functions.
    """
    task = search_task(lesson, component, source, results)
    if task is None:
        return None
    return repair_in_child(_bench(lesson, component, namespace), source, task, seconds)


def _bench(lesson: str, component: str, namespace: dict[str, Any]) -> Workbench:
    """A workbench for changed versions of a component, with stand-ins for those before it."""
    recorded_cases, entry = (
        recorded(lesson, component),
        lesson_texts(lesson)["components"][component],
    )
    return Workbench(
        {case: find_probe(lesson, probe) for case, probe in recorded_cases.probes.items()},
        recorded_cases,
        partial(lines_written_right, lesson, component),
        namespace,
        entry["defines"],
        _stand_ins(lesson, component),
        entry["forbidden"],
    )


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
    evidence_by_case = {}
    with (
        forbidden(entry["forbidden"]) as called,
        standing_in(namespace, _stand_ins(lesson, component)),
    ):
        for case in recorded_cases.expected:
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
            called.clear()
    return evidence_by_case


def _stand_ins(lesson: str, component: str) -> dict[str, object]:
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


def _name_and_lesson(component: object) -> tuple[str, str]:
    """The component's name in the index and its lesson, the current one first. Raises Unknown."""
    if component is None:
        names = list(lesson_texts(current_lesson() or next(iter(index()["lessons"])))["components"])
        raise Unknown(
            _('Name a component: wb.check("{name}"). Those of this lesson are: {names}.').format(
                name=names[0], names=", ".join(names)
            )
        )
    name = component if isinstance(component, str) else getattr(component, "__name__", "")
    if not name:
        raise Unknown(
            _(
                "check takes the name of a component or the component itself, but got {actual}."
            ).format(actual=type(component).__name__)
        )
    here = current_lesson()
    if here:
        components = lesson_texts(here)["components"]
        if name in components:
            return name, here
        for hunt, entry in components.items():
            if entry["defines"] == name:
                return hunt, here
    return name, lesson_of(name)


def report_of(
    lesson: str,
    name: str,
    results: dict[str, CaseResult],
    evidence: dict[str, Evidence],
    source: str,
    cause: Diagnosis,
) -> Check:
    entry, recorded_cases = lesson_texts(lesson)["components"][name], recorded(lesson, name)
    released = released_lines(entry)
    right = written_right(lesson, name, source)
    open_to_doubt = {blank: line for blank, line in released.items() if blank not in right}
    if "____" not in source:  # a blank that is still open is seen in its line
        open_to_doubt = blanks_in_place(source, open_to_doubt)
    has_blanks = "____" in source or is_like_the_template(lesson, name, source)
    shown_blanks = open_to_doubt if has_blanks else {}  # in another design they have no place
    first = most_telling(results)

    def row(case: str, findings: list[Finding]) -> Row:
        words = wording_of(find_probe(lesson, recorded_cases.probes[case]))
        findings = [one for one in findings if one.kind != "as_before"] or findings
        sentences = [
            explain(one, entry["defines"], shown_blanks, not cause.misconception, words)
            for one in findings[:1]
        ]
        call = describe_call(entry["defines"], recorded_cases.inputs[case], entry["arguments"])
        shown = []
        if case == first and findings:  # of the others no table is shown
            shown = grids(findings[0], words=words)
        return Row(entry["cases"][case], call, [*filter(None, sentences)], shown, _verb(findings))

    rows = [
        row(case, result.findings)
        for case, result in sorted(results.items(), key=lambda item: item[0] != first)
    ]
    if not any(row.findings for row in rows):
        return Check(entry["defines"], rows)
    failures = [one.failure for one in evidence.values() if one.failure and one.failure.line]
    likely = [blank for blank in cause.blanks if blank not in right]
    if not likely and failures:
        likely = _blanks_of(failures[0], open_to_doubt)
    blanks = list(entry["blanks"]) or [name]
    if has_blanks or not cause or not entry["blanks"]:
        doubtful = [blank for blank in blanks if blank not in right]
        likely = likely or doubtful or ([] if cause and entry["blanks"] else blanks)
    calls = [f'wb.hint("{blank}")' for blank in dict.fromkeys(likely)]
    return Check(entry["defines"], rows, calls, cause=cause.says)


def _verb(findings: list[Finding]) -> str:
    """The verb of a report for what a component did: returned, raised."""
    kind = findings[0].kind if findings else ""
    if kind in ("failure.exception", "failure.out_of_memory"):
        return _("raised")
    is_value = kind and not kind.startswith("failure.") and kind not in OBLIGATIONS
    return _("returned") if is_value else _("found")


def _untouched(report: Check) -> Check:
    """The report on an unchanged bug hunt: the results, without a cause."""
    note = _(
        "{component} is as it came, and its bugs are yours to find. Compare what it returned with "
        "what was expected. Once you have changed a line, the check says what it makes of that."
    )
    return replace(report, note=note.format(component=report.component))


def _came_with_it(entry: dict[str, Any], cause: Diagnosis, source: str) -> bool:
    """Whether all that is wrong is a bug that a bug hunt came with, in lines left as they were."""
    statements = entry["misconceptions"].get(cause.misconception, {}).get("released")
    return bool(statements) and hashes_in(source).issuperset(statements)


def _left_note(component: str) -> str:
    return _(
        "What is still wrong in {component} came with it, and is yours to find. Compare what it "
        "returned with what was expected."
    ).format(component=component)


def _stale_note(component: str) -> str:
    """What to do if the version that ran is out of date: the last one may have fixed its faults."""
    return _(
        "Your last version of the cell that defines {component} did not run to its end, and the "
        "version before it is out of date. Fix that cell, run it, then check again."
    ).format(component=component)


def _is_replaced(given: object, current: object) -> bool:
    """Whether a cell has defined another object since, in place of the one to be checked."""
    is_a_cells = not is_saved_version(current) and not is_stand_in(current)
    return current is not None and current is not given and is_a_cells


def _replaced_note(component: str) -> str:
    return _(
        "What was passed to this check is not the one that {component} names now. To check that "
        'one, run wb.check("{component}").'
    ).format(component=component)


def _renamed_note(component: str, now: str) -> str:
    """What to do if a component's cell no longer defines it, but defines `now`, if not empty."""
    if now:
        return _(
            "Your cell now defines {now}, and the check looks for {component}. What an earlier run "
            "of the cell defined is not checked. Write {component} instead of {now}, run the cell, "
            "then check again."
        ).format(component=component, now=now)
    return _(
        "The cell that defined {component} has run again since, and defines it no more. What its "
        "earlier run defined is not checked. Run the cell that defines {component} now, then check "
        "again."
    ).format(component=component)


def _stand_in_note(component: str) -> str:
    return _(
        "{component} is the stand-in from the course's package here, which wb.use gave. Run the "
        "cell with your own {component}, then check again."
    ).format(component=component)


def _saved_version_note(component: str) -> str:
    return _(
        "This check tried your saved {component}, which wb.use gave, and no cell of this notebook. "
        "To check what a cell defines, run that cell, then check again."
    ).format(component=component)


def _blanks_of(failure: Failure, released: dict[str, str]) -> list[str]:
    """The blanks that are still open in a failure's line, or else those that caused it."""
    if "____" in failure.line:
        return open_blanks(failure.line, released)
    return blanks_at_fault(failure, released)


def _not_saved_note(name: str, namespace: dict[str, Any], source: str, uses: list[str]) -> str:
    """Why code is not saved that would be of no use in later lessons; empty if it is of use."""
    if not source:
        return _(
            "All checks passed, but your code was not saved for later lessons: no single statement "
            "of this notebook was found that defines all of {component}. Write it as one class or "
            "function in a cell of its own, run the cell, then check again."
        ).format(component=name)
    problem = problem_without(namespace, name, source, uses)
    return problem and _(
        "All checks passed, but your code was not saved for later lessons: without this "
        "notebook, {problem}. Write what it needs from other cells, imports too, as statements "
        "outside of any loop, run these cells, then check again."
    ).format(problem=problem)


def _save(report: Check, name: str, namespace: dict[str, Any]) -> Check:
    """Save the component's source, if it is found; the report with a note about it."""
    source, uses = own_source(name, namespace)
    if note := _not_saved_note(name, namespace, source, uses):
        return replace(report, note=note)
    try:
        path = save(name, source, uses)
    except OSError as error:
        return replace(
            report,
            note=_(
                "All checks passed, but your code could not be saved for later lessons "
                "({problem}). To find out why, run `python -m transformer_workbook doctor` in a "
                "terminal."
            ).format(problem=error),
        )
    note = _("Saved as your own code in {path}; later lessons build on it.").format(
        path=f"{path.parent.name}/{path.name}"
    )
    return replace(report, note=note)
