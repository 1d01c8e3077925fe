"""Who is known: in what was handed in, in what is recorded, in the roster."""

from collections.abc import Iterable
from dataclasses import replace

from autograder.lms.roster import Roster
from autograder.results.submission import SubmissionResult
from autograder.submissions.collect import Collected


def people(
    collected: Collected | None, results: Iterable[SubmissionResult], roster: Roster | None
) -> dict[str, str]:
    """All who are known, by id: their names, where the roster tells them."""
    found = {one.student: "" for one in results}
    found |= {one.student: "" for one in collected.submissions} if collected else {}
    return found | ({one.id: one.name for one in roster.students} if roster else {})


def with_name(result: SubmissionResult, roster: Roster) -> SubmissionResult:
    """The result with what the roster says of the student."""
    student = roster.by_id.get(result.student)
    return replace(result, name=student.name, section=student.section) if student else result
