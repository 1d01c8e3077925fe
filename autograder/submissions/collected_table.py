"""The table of what maps where, as `autograder collect` and `grade` show and keep it."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.language import _, ngettext
from autograder.lms.file_names import brief_path, came_astray, layout_of
from autograder.lms.roster import Roster
from autograder.results.handed_in import HandedIn
from autograder.results.safe_names import short_list, shown

from .collect import Collected
from .collected_folder import Replacement

MOST_ROWS = 40  # of the table in a terminal
MOST_ABSENT = 10  # students who are named


def show_mapping(collected: Collected, console: Console, path: Path) -> None:
    """Print what was found, and which files need a look. `path` is that of the file with all."""
    count = len(collected.rows)
    console.print(_by_lesson(collected))
    rows = [row for row in collected.rows if _remark(row)]
    if rows:
        console.print(_table(rows[:MOST_ROWS]))
    odd = ngettext(
        "{count} of them has a remark", "{count} of them have a remark", len(rows)
    ).format(count=len(rows))
    # Translators: {odd} is "3 of them have a remark".
    message = ngettext(
        "What maps where: {count} file, in {path}.",
        "What maps where: {count} files, in {path}; {odd}.",
        count,
    ).format(count=count, path=path, odd=odd)
    console.print(message, markup=False, soft_wrap=True)
    lost = sum(not row.student for row in collected.rows)
    if lost:
        message = ngettext(
            "{count} file belongs to nobody, and is not graded.",
            "{count} files belong to nobody, and are not graded.",
            lost,
        )
        console.print(message.format(count=lost), style="yellow", markup=False)
    for student, reason in [*collected.unknown.items()][:MOST_ROWS]:
        console.print(f"{student}: {reason}", style="yellow", markup=False, soft_wrap=True)
    if len(collected.unknown) > MOST_ROWS:
        message = _("… and {count} more students of whom the roster does not tell who they are")
        message = message.format(count=len(collected.unknown) - MOST_ROWS)
        console.print(message, style="yellow", markup=False, soft_wrap=True)


def _table(rows: list[HandedIn]) -> Table:
    """A row a file; a column that would be empty is left out, as terminals are narrow."""
    table = Table(title=_("Files with a remark"), title_justify="left")
    parent = PurePosixPath(os.path.commonpath([PurePosixPath(row.path).parent for row in rows]))
    columns = {
        _("handed in"): [
            shown(brief_path(str(PurePosixPath(row.path).relative_to(parent)))) for row in rows
        ],
        _("student"): [row.student for row in rows],
        _("lesson"): [row.lesson for row in rows],
        _("remark"): [_remark(row) for row in rows],
    }
    filled = {name: cells for name, cells in columns.items() if any(cells)}
    for name in filled:
        table.add_column(name, overflow="fold")
    for row, cells in zip(rows, zip(*filled.values(), strict=True), strict=True):
        table.add_row(*map(Text, cells), style="" if row.counts else "yellow")
    return table


def _remark(row: HandedIn) -> str:
    remarks = [_("late") if row.late else "", row.note]
    if row.assignment and row.counts:
        remarks.append(_("not the lesson of most others"))
    return ", ".join(remark for remark in remarks if remark)


def _by_lesson(collected: Collected) -> Table:
    counts = Counter(submission.lesson for submission in collected.submissions)
    late = Counter(submission.lesson for submission in collected.submissions if submission.late)
    table = Table(title=_("What was found"), title_justify="left")
    for name in (_("lesson"), _("submissions"), _("late")):
        table.add_column(name)
    for lesson, count in sorted(counts.items()):
        table.add_row(Text(lesson or "—"), str(count), str(late[lesson] or ""))
    return table


def show_absent(by_lesson: Mapping[str, Sequence[str]], console: Console) -> None:
    """Print who of the roster handed in nothing, by lesson."""
    for lesson, students in by_lesson.items():
        names = short_list(students, MOST_ABSENT)
        message = _("{lesson}: nothing from {count} of the roster ({names})")
        message = message.format(lesson=lesson, count=len(students), names=names)
        console.print(message, markup=False, soft_wrap=True)


def absent(
    there: Collection[tuple[str, str]], lessons: Iterable[str], roster: Roster
) -> dict[str, list[str]]:
    """The students of the roster who are not `there` with a lesson, by lesson."""
    missing = {
        lesson: [student.id for student in roster.students if (student.id, lesson) not in there]
        for lesson in lessons
    }
    return {lesson: students for lesson, students in missing.items() if students}


def not_copied(rows: Iterable[HandedIn]) -> list[str]:
    """What could not be copied, a sentence each."""
    message = _("{path} was not copied: {reason}")
    return [
        message.format(path=shown(row.path), reason=row.note)
        for row in rows
        if row.problem and row.read
    ]


def told_of_strays(rows: Iterable[HandedIn]) -> list[str]:
    """What does not count because the lesson's own submission does, a sentence each."""
    message = _(
        "{student}, {lesson}: a file handed in with {assignment} does not count; the lesson's own "
        "submission does."
    )
    return [
        message.format(student=row.student, lesson=row.lesson, assignment=row.assignment)
        for row in rows
        if came_astray(row) and not row.counts and row.read
    ]


def told_of(replacements: Sequence[Replacement]) -> list[str]:
    """What attempts may not be newer than those that count, a sentence each."""
    if not replacements:
        return []
    message = _("Attempts that may be older than those that count: {count}.")
    told = [message.format(count=len(replacements))]
    if any(layout_of(attempt.now).has_worksheet for attempt in replacements):
        told.append(
            _("Moodle's times are those of the worksheet; give the one of this zip with --roster.")
        )
    unknown = _("at a time that is not known")
    for attempt in replacements:
        now, before = attempt.now.submitted or unknown, attempt.before.submitted or unknown
        message = _("{student}, {lesson}: what counts came {before}; this one came {now}.")
        if attempt.is_older and layout_of(attempt.now).numbers_uploads:
            message = _("{student}, {lesson}: what counts is Canvas's file {before}, not {now}.")
            now, before = str(attempt.now.attempt), str(attempt.before.attempt)
        elif attempt.now.submitted == attempt.before.submitted != "":
            message = _(
                "{student}, {lesson}: another attempt came with the same time, {before}; the "
                "worksheet is older or newer than the zip."
            )
        student, lesson = attempt.now.id
        told.append(message.format(student=student, lesson=lesson, before=before, now=now))
    return told
