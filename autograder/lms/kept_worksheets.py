"""Moodle's grading worksheets: all that were ever given are kept, each with the lesson it is of.

A participant has another number in each assignment, so a number tells student and assignment. Most
of a worksheet's participants handed in the lesson that it is of; a stray file of another lesson
decides nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import chain
from pathlib import Path

from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import below, replace_file
from autograder.results.submission import Submission, SubmissionId, SubmissionResult

from .match_recorded_results import assignment_of, is_stray, named_in
from .read_roster import read_roster, read_worksheet
from .roster import ROSTER, Roster

KEPT = "work/worksheets"  # in OUT: <lesson>.csv, and older ones <lesson>.<number>.csv
KEPT_COLLECTED = ".worksheets"  # in a folder that is collected into
HandedIn = Submission | SubmissionResult


def roster_in(
    folder: Path,
    timezone: tzinfo | None = None,
    given: Path | None = None,
    collected: Path | None = None,
) -> Roster | None:
    """The roster that is given, else that kept in a folder, with the worksheets kept there.

    Those count, too, that were kept in a `collected` folder. None where there is no roster. Raises
    WrongUsage.
    """
    path = given or folder / ROSTER
    if not (given or path.is_file()):
        return None
    paths = sorted(chain(_kept(folder), _kept(collected) if collected else ()), key=_age)
    earlier = (read_worksheet(path, timezone, lesson=_lesson_of(path)) for path in paths)
    return replace(read_roster(path, timezone), earlier=tuple(earlier))


def _kept(folder: Path) -> Iterator[Path]:
    """The worksheets kept in OUT or in a folder that is collected into."""
    return chain((folder / KEPT).glob("*.csv"), (folder / KEPT_COLLECTED).glob("*.csv"))


def _lesson_of(path: Path) -> str:
    return path.name.partition(".")[0]


def _age(path: Path) -> tuple[int, str]:
    number = path.name.split(".")[1]
    return -int(number) if number.isdigit() else -(10**9), path.name


def keep_worksheet(folder: Path, lesson: str, content: bytes) -> None:
    """Keep a lesson's worksheet as its newest one in a folder of kept ones; older ones stay."""
    path = below(folder, f"{lesson}.csv")
    before = path.read_bytes() if path.is_file() else content
    others = [*folder.glob(f"{lesson}.*.csv")]
    if before != content and all(before != other.read_bytes() for other in others):
        replace_file(below(folder, f"{lesson}.{len(others) + 1}.csv"), before)
    replace_file(path, content)


def keep_collected(folder: Path, out: Path) -> None:
    """Keep in OUT, too, the worksheets that are kept in a folder that was collected into."""
    known = {path.read_bytes() for path in _kept(out)}
    for path in sorted(_kept(folder), key=_age, reverse=True):  # the newest last
        if (content := path.read_bytes()) not in known:
            keep_worksheet(out / KEPT, _lesson_of(path), content)


def keep_if_clear(folder: Path, path: Path, sheet: Roster, handed_in: Iterable[HandedIn]) -> None:
    """Keep what was given as the roster, if it is a worksheet and of one lesson."""
    lessons = lessons_of(sheet, handed_in) if sheet.kind == "moodle" else []
    if len(lessons) == 1:
        keep_worksheet(folder, lessons[0], path.read_bytes())


def lessons_of(sheet: Roster, handed_in: Iterable[HandedIn]) -> list[str]:
    """The lesson that most of the worksheet's participants handed in; several of as many."""
    votes = Counter(assignment_of(one) for one in handed_in if is_in(sheet, one))
    most = max(votes.values(), default=0)
    return sorted(lesson for lesson, count in votes.items() if count == most)


def is_in(sheet: Roster, one: HandedIn) -> bool:
    """Whether the worksheet has the participant who handed this in."""
    named = named_in(one.original)
    return bool(named and named.lms_id and sheet.participant(named.name, named.lms_id))


def notes_on_wrong_worksheet(
    path: Path, sheet: Roster, recorded: Iterable[HandedIn], handed_in: Sequence[HandedIn]
) -> list[str]:
    """That a worksheet has none of the participants whose files Moodle gave, and what it is of."""
    of_moodle = [one for one in handed_in if is_of_moodle(one)]
    if sheet.kind != "moodle" or not of_moodle or any(is_in(sheet, one) for one in of_moodle):
        return []
    lessons = lessons_of(sheet, recorded)
    message = _("{path} has no participant of this zip, so it tells no times: {what}")
    what = _("it is the worksheet of another assignment.")
    if len(lessons) == 1:
        what = _("it is the worksheet of {lesson}.").format(lesson=lessons[0])
    here = ", ".join(sorted({assignment_of(one) for one in handed_in} - {""}))
    what += " " + _("Give that of {lessons}.").format(lessons=here)
    return [message.format(path=path, what=what)]


def is_of_moodle(one: HandedIn) -> bool:
    """Whether Moodle's zip had it."""
    named = named_in(one.original)
    return named is not None and named.layout == "moodle"


def untimed(handed_in: Sequence[HandedIn], lessons: Iterable[Lesson]) -> list[str]:
    """That lateness was not judged, a sentence for each lesson with a deadline.

    Moodle's worksheet alone tells the times of what is in Moodle's zip.
    """
    told = []
    for lesson in lessons:
        own = [one for one in handed_in if one.lesson == lesson.id and is_of_moodle(one)]
        unknown = sum(not one.submitted for one in own)
        if lesson.due and unknown:
            message = _(
                "{lesson}: no time is known for {unknown} of {count}; lateness was not judged. "
                "Give the worksheet of this assignment with --roster."
            )
            told.append(message.format(lesson=lesson.id, unknown=unknown, count=len(own)))
    return told


def without_file(
    roster: Roster, results: Sequence[SubmissionResult], passed_over: Mapping[SubmissionId, str]
) -> dict[str, dict[str, str]]:
    """Who submitted something according to the worksheet, and of whom nothing is here, by lesson.

    With each student is the lesson that the file handed in is of instead, empty where none is here.
    `passed_over` are strays that are in no result, with the lesson of their assignment.
    """
    lessons = lessons_of(roster, results) if roster.kind == "moodle" else []
    if len(lessons) != 1:
        return {}
    (lesson,) = lessons
    there = {result.student for result in results if result.lesson == lesson}
    strays = {
        result.student: result.lesson
        for result in results
        if is_stray(result) and assignment_of(result) == lesson
    } | {student: own for (student, own), assignment in passed_over.items() if assignment == lesson}
    missing = {
        student.id: strays.get(student.id, "")
        for student in roster.students
        if student.was_submitted and student.id not in there
    }
    return {lesson: missing} if missing else {}
