"""The visible check: calls a component on public inputs and reports the results."""

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from ..diagnosis.case_results import misconceptions_in, unexplained
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.statement_hashes import hashes_in
from ..own_code.store import is_saved_version, own_source, problem_without, save
from ..shared.language import _
from .answer import Answer, NotChecked, find_answer
from .cause import cause_of
from .report import Check
from .trial import Trial, try_out
from .write_report import report_of


def check(component: object = None) -> Check:
    """Check a component, given as its name or as an object; save its code if all cases pass.

    Without one, the report names those of the lesson. Shows the report and returns it; it is true
    if all cases passed. Raises AssertionError for a failure while nbgrader validates the notebook.
    """
    try:
        trial = try_out(find_answer(component))
    except NotChecked as reason:
        return _shown(reason.report)
    return _shown(_report(trial))


def examine(component: object) -> Check:
    """The report of `check`, not shown."""
    try:
        return _report(try_out(find_answer(component)))
    except NotChecked as reason:
        return reason.report


def _shown(report: Check) -> Check:
    """The report, shown; raises AssertionError for a failure while nbgrader validates."""
    report.show()
    if not report and os.environ.get("NBGRADER_EXECUTION") == "validate":
        raise AssertionError(repr(report))
    return report


def _report(trial: Trial) -> Check:
    """The report on a trial, whose code is saved if all cases passed."""
    answer, results = trial.answer, trial.results
    of_answer = (answer.lesson, answer.name, results)
    cause = cause_of(*of_answer, answer.source)
    note = _bug_hunt_note(trial)
    cause = Diagnosis() if note or _is_to_be_found(trial) else cause
    report = report_of(*of_answer, trial.evidence, answer.source, cause)
    if note:
        return replace(report, note=note)
    if is_saved_version(answer.defined):
        return replace(report, note=_saved_version_note(answer.defines))
    is_kept = report and not answer.name.startswith("bug_hunt_")
    return replace(report, note=_save(answer)) if is_kept else report


def _bug_hunt_note(trial: Trial) -> str:
    """What to say instead of a cause that is the student's to find; empty if it is not."""
    if trial.is_untouched:
        return _untouched_note(trial.answer.defines)
    names = misconceptions_in(trial.results)
    if names and not unexplained(trial.results) and all(_came_with(trial, name) for name in names):
        return _left_note(trial, names)
    return ""


def _is_to_be_found(trial: Trial) -> bool:
    """Whether a cause would give away a bug that a bug hunt came with."""
    return any(_came_with(trial, name) for name in misconceptions_in(trial.results))


def _untouched_note(component: str) -> str:
    return _(
        "{component} is as it came, and its bugs are yours to find. Compare what it returned with "
        "what was expected. Once you have changed a line, the check says what it makes of that."
    ).format(component=component)


def _came_with(trial: Trial, misconception: str) -> bool:
    """Whether a mistake is a bug that a bug hunt came with, in lines left as they were."""
    statements = trial.answer.entry["misconceptions"][misconception].get("released")
    return bool(statements) and hashes_in(trial.answer.source).issuperset(statements)


def _left_note(trial: Trial, left: Collection[str]) -> str:
    bugs = trial.answer.entry["misconceptions"].items()
    fixed = {name for name, of_bug in bugs if of_bug.get("released")}.difference(left)
    told = _(
        "What is still wrong in {component} came with it, and is yours to find. Compare what it "
        "returned with what was expected."
    ).format(component=trial.answer.defines)
    return _("One bug is fixed.") + f" {told}" if fixed else told


def _saved_version_note(component: str) -> str:
    return _(
        "This check tried your saved {component}, which wb.use gave, and no cell of this notebook. "
        "To check what a cell defines, run that cell, then check again."
    ).format(component=component)


def _save(answer: Answer) -> str:
    """Save the component's code, if it is found and of use; a note on what became of it."""
    source, uses = own_source(answer.defines, answer.names)
    if note := _not_saved_note(answer.defines, answer.names, source, uses):
        return note
    try:
        path = save(answer.defines, source, uses)
    except OSError as error:
        return _(
            "All checks passed, but your code could not be saved for later lessons "
            "({problem}). To find out why, run `python -m transformer_workbook doctor` in a "
            "terminal."
        ).format(problem=error)
    place = f"{path.parent.name}/{path.name}"
    return _("Saved as your own code in {path}; later lessons build on it.").format(path=place)


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
