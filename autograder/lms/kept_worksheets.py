"""Moodle's grading worksheets: all that were ever given are kept, each with the lesson it is of.

A participant has another number in each assignment, so a number tells student and assignment. Most
of a worksheet's participants handed in the lesson that it is of; a stray file of another lesson
decides nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import tzinfo
from itertools import chain
from pathlib import Path

from autograder.files import replace_file
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.results.handed_in import HandedIn, a_row_of_each
from autograder.results.safe_names import below

from .file_names import layout_of
from .read_roster import read_roster, read_worksheet
from .roster import ROSTER, Roster

KEPT = "work/worksheets"  # in OUT: <lesson>.csv, and older ones <lesson>.<number>.csv
KEPT_COLLECTED = ".worksheets"  # in a folder that is collected into


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
    earlier = [*folder.glob(f"{lesson}.*.csv")]
    if before != content and all(before != file.read_bytes() for file in earlier):
        replace_file(below(folder, f"{lesson}.{len(earlier) + 1}.csv"), before)
    replace_file(path, content)


def keep_collected(folder: Path, out: Path) -> None:
    """Keep in OUT, too, the worksheets that are kept in a folder that was collected into."""
    contents = {path.read_bytes() for path in _kept(out)}
    for path in sorted(_kept(folder), key=_age, reverse=True):  # the newest last
        if (content := path.read_bytes()) not in contents:
            keep_worksheet(out / KEPT, _lesson_of(path), content)


def keep_if_clear(folder: Path, path: Path, sheet: Roster, rows: Iterable[HandedIn]) -> None:
    """Keep what was given as the roster, if it is a worksheet and of one lesson."""
    lessons = lessons_of(sheet, rows) if sheet.kind == "moodle" else []
    if len(lessons) == 1:
        keep_worksheet(folder, lessons[0], path.read_bytes())


def lessons_of(sheet: Roster, rows: Iterable[HandedIn]) -> list[str]:
    """The lesson that most of the worksheet's participants handed in; several of as many."""
    handed_in = a_row_of_each(rows).values()
    votes = Counter(row.handed_in_with for row in handed_in if is_in(sheet, row))
    most = max(votes.values(), default=0)
    return sorted(lesson for lesson, count in votes.items() if count == most)


def is_in(sheet: Roster, row: HandedIn) -> bool:
    """Whether the worksheet has the participant who handed this in."""
    return bool(row.lms_id and sheet.participant(row.name, row.lms_id))


def notes_on_wrong_worksheet(
    path: Path, sheet: Roster, before: Iterable[HandedIn], now: Iterable[HandedIn]
) -> list[str]:
    """That a worksheet has none of the participants whose files Moodle gave, and what it is of."""
    of_moodle = [row for row in a_row_of_each(now).values() if layout_of(row).has_worksheet]
    if sheet.kind != "moodle" or not of_moodle or any(is_in(sheet, row) for row in of_moodle):
        return []
    lessons = lessons_of(sheet, before)
    message = _("{path} has no participant of this zip, so it tells no times: {what}")
    told = _("it is the worksheet of another assignment.")
    if len(lessons) == 1:
        told = _("it is the worksheet of {lesson}.").format(lesson=lessons[0])
    here = ", ".join(sorted({row.handed_in_with for row in of_moodle}))
    told += " " + _("Give that of {lessons}.").format(lessons=here)
    return [message.format(path=path, what=told)]


def untimed(rows: Iterable[HandedIn], lessons: Iterable[Lesson]) -> list[str]:
    """That lateness was not judged, a sentence for each lesson with a deadline.

    Moodle's worksheet alone tells the times of what is in Moodle's zip.
    """
    told = []
    of_moodle = [row for row in a_row_of_each(rows).values() if layout_of(row).has_worksheet]
    for lesson in lessons:
        submissions = [row for row in of_moodle if row.lesson == lesson.id]
        unknown = sum(not row.submitted for row in submissions)
        if lesson.due and unknown:
            message = _(
                "{lesson}: no time is known for {unknown} of {count}; lateness was not judged. "
                "Give the worksheet of this assignment with --roster."
            )
            told.append(message.format(lesson=lesson.id, unknown=unknown, count=len(submissions)))
    return told
