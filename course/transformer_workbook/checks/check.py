"""The visible check: calls a component on public inputs and says what came of it."""

import os
from dataclasses import replace

from ..own_code.store import is_stale, own_source, save, stand_in
from ..shared.evidence import Evidence
from ..shared.explain import describe_call, explain, open_blanks, texts
from ..shared.fence import forbidden
from ..shared.lesson_index import Unknown, index, lesson_of, lesson_texts, recorded
from ..shared.probing import as_refused, find_probe, gather, standing_in
from ..shared.verdicts import Result, assess
from .report import Check, Row
from .session import current_lesson, notebook_namespace, released_lines


def check(component) -> Check:
    """Check a component, given by its name or itself; save it when all passed.

    Shows what it found, and returns it as an object that is true when all cases passed.
    """
    outcome = examine(component).show()
    if not outcome and os.environ.get("NBGRADER_EXECUTION") == "validate":
        raise AssertionError(repr(outcome))
    return outcome


def examine(component) -> Check:
    """What `check` finds, without showing it."""
    try:
        name, lesson = _name_and_lesson(component)
    except Unknown as unknown:
        return Check(str(component), [], note=str(unknown))
    namespace = dict(notebook_namespace())
    entry = lesson_texts(lesson)["components"][name]
    if not isinstance(component, str):
        namespace[entry["defines"]] = component
    evidence = evidence_of(lesson, name, notebook_namespace(), namespace.get(entry["defines"]))
    known = recorded(lesson, name)
    results = assess(known.expected, known.known, evidence)
    outcome = _describe(lesson, name, results, evidence)
    if is_stale(entry["defines"], notebook_namespace()):
        note = texts()["check"]["stale"].format(component=entry["defines"])
        outcome = replace(outcome, note=note)
    elif outcome and not name.startswith("bug_hunt_"):
        outcome = _save(outcome, name)
    return outcome


def evidence_of(lesson: str, component: str, namespace: dict, found) -> dict[str, Evidence]:
    """Call each visible case's probe, with stand-ins for all other components.

    The stand-ins are put into the very namespace of the student's functions, and taken out again.
    """
    entry = lesson_texts(lesson)["components"][component]
    defines = entry["defines"]
    known = recorded(lesson, component)
    own = namespace.get(defines) is found
    others = {
        name: stand_in(name, id)
        for id, one in index()["lessons"].items()
        for name in one["components"]
        if id <= lesson and name != component
    }
    target = namespace if own else {**namespace, defines: found}
    found = {}
    with forbidden(entry["forbidden"]) as called, standing_in(namespace, others):
        for case in known.expected:
            probe = find_probe(lesson, known.probes[case])
            evidence = gather(probe, target, defines, known.inputs[case])
            found[case] = as_refused(evidence, called)
            called.clear()
    return found


def _name_and_lesson(component) -> tuple[str, str]:
    name = component if isinstance(component, str) else getattr(component, "__name__", "")
    if not name:
        raise Unknown(texts()["check"]["needs_name"].format(came=type(component).__name__))
    here = current_lesson()
    if here:
        of = lesson_texts(here)["components"]
        if name in of:
            return name, here
        for hunt, entry in of.items():
            if entry["defines"] == name:
                return hunt, here
    return name, lesson_of(name)


def _describe(lesson: str, name: str, results: dict[str, Result], evidence: dict) -> Check:
    entry = lesson_texts(lesson)["components"][name]
    known = recorded(lesson, name)
    rows, named, lines = [], [], []
    for case, result in results.items():
        # Findings of one case often repeat one another; the first few say enough.
        advise = not result.misconception
        sentences = [
            explain(found, entry["defines"], released_lines(entry), advise)
            for found in result.findings[:3]
        ]
        call = describe_call(entry["defines"], known.inputs[case])
        mistake = result.misconception
        says = entry["misconceptions"][mistake]["says"] if mistake else ""
        rows.append(Row(entry["cases"][case], call, sentences, says))
        if result.misconception and result.misconception not in named:
            named.append(result.misconception)
        failure = evidence[case].failure
        if failure and failure.line:
            lines.append(failure.line.strip())
    blanks = list(entry["blanks"]) or [name]
    # Cells of two components may hold the same line; only this one's blanks are meant.
    likely = [blank for line in lines[:1] for blank in open_blanks(line, released_lines(entry))]
    likely += [blank for one in named if (blank := entry["misconceptions"][one]["blank"])]
    failed = any(row.findings for row in rows)
    helpful = list(dict.fromkeys(likely or blanks)) if failed else []
    calls = [f'wb.hint("{blank}")' for blank in helpful]
    return Check(entry["defines"], rows, calls)


def _save(outcome: Check, name: str) -> Check:
    source, uses = own_source(name, notebook_namespace())
    if not source:
        return outcome
    try:
        path = save(name, source, uses)
    except OSError as error:
        return replace(outcome, note=texts()["check"]["not_saved"].format(problem=error))
    note = texts()["check"]["saved"].format(path=f"{path.parent.name}/{path.name}")
    return replace(outcome, note=note)
