"""Explains wrong results by changing the student's code.

That runs in a child process, for changed code may crash. If it ends without an answer, or cannot be
started, there is no explanation.
"""

import time
from functools import partial
from typing import Any

from ..diagnosis.case_results import CaseResult
from ..diagnosis.recorded_lessons import lesson_texts, lines_written_right, recorded
from ..repair.candidate_runner import CandidateRunner
from ..repair.found_repair import Repair, read_repair
from ..repair.search import SECONDS, search
from ..shared.probing import find_probe
from .child import Send, child
from .search_task import SearchTask, search_task
from .trial import stand_ins_before

GRACE_SECONDS = 2.0  # that a search may take beyond its limit, on a busy machine


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
    return _search(_runner(lesson, component, namespace), source, task, seconds)


def _search(
    runner: CandidateRunner, source: str, task: SearchTask, seconds: float
) -> Repair | None:
    def look(send: Send) -> None:
        repair = search(runner, source, task.failing, task.passing, task.first, seconds)
        send(repair.to_tree() if repair else {})

    with child(look, seconds + GRACE_SECONDS) as process:
        message = process.receive(time.monotonic() + seconds + GRACE_SECONDS) if process else None
        if not isinstance(message, dict):
            return None
        return read_repair(message, source, len(task.failing))


def _runner(lesson: str, component: str, namespace: dict[str, Any]) -> CandidateRunner:
    """What runs changed versions of a component, with stand-ins for those before it."""
    cases, entry = recorded(lesson, component), lesson_texts(lesson)["components"][component]
    return CandidateRunner(
        {case: find_probe(lesson, probe) for case, probe in cases.probes.items()},
        cases,
        partial(lines_written_right, lesson, component),
        namespace,
        entry["defines"],
        stand_ins_before(lesson, component),
        entry["forbidden"],
    )
