"""Tells of recorded results which student of the LMS, or of the roster, they are of."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.safe_names import normal, safe_name
from autograder.results.submission import Submission, SubmissionResult

from .file_names import ParsedName, canvas, exchange, moodle
from .roster import Roster

OF_ANOTHER = "of_another"  # the remark that it was handed in with another lesson's assignment


def named_in(path: str) -> ParsedName | None:
    """What a file's path in what an LMS gave tells of the student; None where nothing."""
    parts = PurePosixPath(path).parts
    for part in parts:
        if named := moodle(part) or exchange(part):
            return named
    return canvas(parts[-1]) if parts else None


def attempt_of(original: str) -> int:
    """The number that Canvas gave to what was handed in; 0 where nothing tells it."""
    named = named_in(original)
    return named.attempt if named and named.layout == "canvas" else 0


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


def assignment_of(one: Submission | SubmissionResult) -> str:
    """The lesson of the assignment that it was handed in with, which for a stray is another."""
    usual = (repair.details["usual"] for repair in one.repairs if repair.key == OF_ANOTHER)
    return next(usual, one.lesson)


def is_stray(one: Submission | SubmissionResult) -> bool:
    """Whether it was handed in with the assignment of another lesson, and nothing tells when.

    Canvas numbers all that is handed in, so there the newest counts wherever it was handed in.
    """
    return came_astray(one.original, one.lesson, assignment_of(one))


def came_astray(original: str, lesson: str, assignment: str) -> bool:
    """The same of a path in what the LMS gave."""
    named = named_in(original)
    return assignment not in ("", lesson) and not (named and named.layout == "canvas")


Moves = dict[tuple[str, str], str]  # the id that a result moves to, by student and lesson


def ids_in(roster: Roster, results: Iterable[SubmissionResult]) -> Moves:
    """The roster's ids for results that were recorded under what the LMS calls their students.

    The LMS's number tells whose a result is; without one, a name does, but not that of whom the
    grader told from others of the same name. No two results of a lesson get one id.
    """
    found: Moves = {}
    for result in results:
        if result.student in roster.by_id:
            continue
        named = named_in(result.original) or ParsedName("students", result.student)
        known = roster.find(named.name, named.lms_id)
        is_sure = roster.row(named.name, named.lms_id) or (
            named.layout == "canvas" and all(one.lms_id == named.lms_id for one in known)
        )
        if len(known) == 1 and (is_sure or safe_name(named.label) == result.student):
            found[result.student, result.lesson] = known[0].id
    claims = Counter((lesson, id) for (_student, lesson), id in found.items())
    return {
        (student, lesson): id for (student, lesson), id in found.items() if claims[lesson, id] == 1
    }


def by_person(
    results: Sequence[SubmissionResult], roster: Roster | None
) -> list[list[SubmissionResult]]:
    """Results of one lesson that are of one student to the LMS, together; the roster's come first.

    More than one is a result that stayed under the LMS's name, beside that of the student's id.
    """
    known = roster.by_id if roster else {}
    owners = {
        (result.lesson, *key): result.student
        for result in results
        if result.student in known and (key := _key_in(result, roster))
    }
    found: dict[tuple[str, str], list[SubmissionResult]] = {}
    for result in results:
        person = result.student
        if person not in known and (key := _key_in(result, roster)):
            named = named_in(result.original)
            row = roster.row(named.name, named.lms_id) if roster and named else None
            person = row.id if row else owners.get((result.lesson, *key), "\0".join(key))
        found.setdefault((result.lesson, person), []).append(result)
    return [
        sorted(own, key=lambda one: (one.student not in known, one.student))
        for own in found.values()
    ]


def _key_in(result: SubmissionResult, roster: Roster | None) -> tuple[str, ...]:
    """What tells the student from others of the LMS, empty where nothing does."""
    named = named_in(result.original)
    if named and named.lms_id:
        # Numbers of Moodle's participants mean others in another assignment.
        name = normal(named.name) if named.layout == "moodle" else ""
        return (named.layout, named.lms_id, name)
    if roster and roster.kind == "canvas" and result.student in roster.by_id:
        return ("canvas", roster.by_id[result.student].lms_id, "")
    return ()


def require_same_class(
    given: Roster, path: Path, kept: Roster, kept_path: Path, results: Iterable[SubmissionResult]
) -> None:
    """Refuse a roster of other students than the `kept` one and than recorded results are of.

    Raises WrongUsage.
    """
    results = list(results)
    common = len(kept.by_id.keys() & given.by_id.keys())
    recorded = {result.student for result in results}
    fitting = recorded & given.by_id.keys()
    fitting |= {student for student, _lesson in ids_in(given, results)}
    if 2 * common < len(kept.students) and 2 * len(fitting) < len(recorded):
        raise WrongUsage(
            _("{path} has {common} of the {count} students in {kept}, and {fitting} of the "
              "{recorded} whose results are in it. Another class, or another LMS with other ids, "
              "needs an OUT of its own"),
            path=path, common=common, count=len(kept.students), kept=kept_path,
            fitting=len(fitting), recorded=len(recorded),
        )  # fmt: skip
