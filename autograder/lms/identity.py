"""Tells of recorded results which student of the LMS, or of the roster, they are of."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from autograder.results.model import SubmissionResult
from autograder.results.names import normal, safe_name

from .file_names import ParsedName, canvas, exchange, moodle
from .roster import Roster


def named_in(path: str) -> ParsedName | None:
    """What a file's path in what an LMS gave tells of the student; None where nothing."""
    parts = PurePosixPath(path).parts
    for part in parts:
        if named := moodle(part) or exchange(part):
            return named
    return canvas(parts[-1]) if parts else None


def is_newer(submitted: str, original: str, before: str, original_before: str) -> bool | None:
    """Whether something was handed in after what was `before`; None where nothing tells.

    Times are in UTC; `original` are paths in what the LMS gave. Canvas numbers all that is handed
    in. Moodle's worksheet has one time for whatever zip it is given with, so an equal time may be
    that of another attempt.
    """
    now, then = named_in(original), named_in(original_before)
    if now and then and now.layout == then.layout == "canvas" and now.attempt and then.attempt:
        return now.attempt >= then.attempt
    if submitted and before and not (submitted == before and now and now.layout == "moodle"):
        return submitted >= before
    return None if before else True


def ids_in(roster: Roster, results: Iterable[SubmissionResult]) -> dict[str, str]:
    """The roster's ids of students who were recorded under what the LMS calls them.

    Whom the grader told from others of the same name is not among them, nor are two who would get
    the same id.
    """
    found: dict[str, set[str]] = {}
    for result in results:
        if result.student in roster.by_id:
            continue
        named = named_in(result.original) or ParsedName("students", result.student)
        if safe_name(named.label) == result.student:
            known = [student.id for student in roster.find(named.name, named.lms_id)]
            found.setdefault(result.student, set()).update(known)
    clear = {student: ids.pop() for student, ids in found.items() if len(ids) == 1}
    claims = Counter(clear.values())
    return {student: id for student, id in clear.items() if claims[id] == 1}


def by_person(
    results: Sequence[SubmissionResult], roster: Roster | None
) -> list[list[SubmissionResult]]:
    """Results of one lesson that are of one student to the LMS, together; the roster's come first.

    More than one is a result that stayed under the LMS's name, beside that of the student's id.
    """
    found: dict[tuple[str, ...], list[SubmissionResult]] = {}
    known = roster.by_id if roster else {}
    for result in results:
        named = named_in(result.original)
        person: tuple[str, ...] = (result.student,)
        if named and named.lms_id:
            # Numbers of Moodle's participants mean others in another assignment.
            name = normal(named.name) if named.layout == "moodle" else ""
            person = (named.layout, named.lms_id, name)
        elif roster and roster.kind == "canvas" and result.student in known:
            person = ("canvas", known[result.student].lms_id, "")
        found.setdefault((result.lesson, *person), []).append(result)
    return [
        sorted(own, key=lambda one: (one.student not in known, one.student))
        for own in found.values()
    ]
