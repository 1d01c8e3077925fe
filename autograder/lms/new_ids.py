"""Tells by a roster whose those submissions are that were collected without it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.handed_in import HandedIn, a_row_of_each
from autograder.results.safe_names import safe_name
from autograder.results.submission import SubmissionId

from .file_names import named
from .roster import Roster


def new_ids(roster: Roster, rows: Iterable[HandedIn]) -> dict[SubmissionId, str]:
    """The roster's ids for submissions under what the LMS calls their students.

    The LMS's number tells whose one is; without one, a name does, but not that of whom the grader
    told from others of the same name. No two of a lesson get one id, nor one that has another.
    """
    submissions, found = a_row_of_each(rows), dict[SubmissionId, str]()
    for row in submissions.values():
        if row.student in roster.by_id:
            continue
        source = named(row)
        known = roster.find(row.name, row.lms_id)
        is_sure = roster.row(row.name, row.lms_id) or (
            source.layout.numbers_uploads and all(student.lms_id == row.lms_id for student in known)
        )
        if len(known) == 1 and (is_sure or safe_name(source.label) == row.student):
            found[row.id] = known[0].id
    claims = Counter((lesson, id) for (_student, lesson), id in found.items())
    return {
        (student, lesson): id
        for (student, lesson), id in found.items()
        if claims[lesson, id] == 1 and (id, lesson) not in submissions
    }


def require_same_class(
    given: Roster, path: Path, kept: Roster, kept_path: Path, rows: Sequence[HandedIn]
) -> None:
    """Refuse a roster of other students than the `kept` one and than collected `rows` are of.

    Raises WrongUsage.
    """
    common = len(kept.by_id.keys() & given.by_id.keys())
    collected = {student for student, _lesson in a_row_of_each(rows)}
    fitting = collected & given.by_id.keys()
    fitting |= {student for student, _lesson in new_ids(given, rows)}
    if 2 * common < len(kept.students) and 2 * len(fitting) < len(collected):
        raise WrongUsage(
            _("{path} has {common} of the {count} students in {kept}, and {fitting} of the "
              "{recorded} whose results are in it. Another class, or another LMS with other ids, "
              "needs an OUT of its own"),
            path=path, common=common, count=len(kept.students), kept=kept_path,
            fitting=len(fitting), recorded=len(collected),
        )  # fmt: skip
