"""The table of what maps where, and the folders that `autograder collect` writes."""

import contextlib
import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from rich.console import Console
from rich.prompt import Confirm
from rich.table import Table
from rich.text import Text

from autograder import files
from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import read_course
from autograder.lms.file_names import brief_path
from autograder.lms.kept_worksheets import (
    KEPT_COLLECTED,
    keep_if_clear,
    roster_in,
    told_of_another,
    untimed,
)
from autograder.lms.roster import ROSTER, Roster, misfit
from autograder.lms.students_of_results import came_astray, is_newer
from autograder.results.model import Problem, Submission
from autograder.results.outdir import below, require_apart
from autograder.results.safe_names import encodable, safe_file_name, short_list, shown

from .collect import COLLECTED, EARLIER, TIMESTAMP, Collected, Mapped, collect, require_lessons

MOST_ROWS = 40  # of the table in a terminal
MOST_ABSENT = 10  # students who are named
COLUMNS = ("student", "lesson", "file", "submitted", "late", "counts", "original", "note",
           "assignment")  # fmt: skip


def show_mapping(found: Collected, console: Console, everything: Path) -> None:
    """Print what was found, and which files need a look. `everything` names the file with all."""
    count = len(found.rows)
    console.print(_by_lesson(found))
    rows = [row for row in found.rows if _remark(row)]
    if rows:
        console.print(_table(rows[:MOST_ROWS]))
    message = ngettext(
        "What maps where: {count} file, in {path}.",
        "What maps where: {count} files, in {path}; {odd} of them have a remark.",
        count,
    ).format(count=count, path=everything, odd=len(rows))
    console.print(message, markup=False, soft_wrap=True)
    lost = sum(not row.student for row in found.rows)
    if lost:
        message = ngettext(
            "{count} file belongs to nobody, and is not graded.",
            "{count} files belong to nobody, and are not graded.",
            lost,
        )
        console.print(message.format(count=lost), style="yellow", markup=False)
    for student, reason in [*found.unknown.items()][:MOST_ROWS]:
        console.print(f"{student}: {reason}", style="yellow", markup=False, soft_wrap=True)
    if len(found.unknown) > MOST_ROWS:
        message = _("… and {count} more students of whom the roster does not tell who they are")
        message = message.format(count=len(found.unknown) - MOST_ROWS)
        console.print(message, style="yellow", markup=False, soft_wrap=True)


def _table(rows: list[Mapped]) -> Table:
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


def _remark(row: Mapped) -> str:
    remarks = [_("late") if row.late else "", row.note]
    if row.assignment and row.counts:
        remarks.append(_("not the lesson of most others"))
    return ", ".join(remark for remark in remarks if remark)


def _by_lesson(found: Collected) -> Table:
    counts = Counter(submission.lesson for submission in found.submissions)
    late = Counter(submission.lesson for submission in found.submissions if submission.late)
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


def mapping_csv(rows: Iterable[dict[str, str]]) -> bytes:
    """The table as CSV."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def rows_of(found: Collected) -> list[dict[str, str]]:
    """The rows of the table, as CSV has them."""
    return [
        {
            "student": row.student,
            "lesson": row.lesson,
            "file": encodable(row.path),
            "submitted": row.submitted,
            "late": "late" if row.late else "",
            "counts": "yes" if row.counts else "",
            "original": row.original,
            "note": row.note,
            "assignment": row.assignment,
        }
        for row in found.rows
    ]


def run(
    source: Path, folder: Path, roster_file: Path | None, console: Console, yes: bool = False
) -> int:
    """The command: put what was handed in into DIR/<student>/<NN-name>/; the exit code."""
    target, given = folder.resolve(), source.resolve()
    if target == given or given in target.parents:
        raise WrongUsage(_("DIR must not lie inside SOURCE"))
    if folder.exists() and not folder.is_dir():
        raise WrongUsage(_("{path} is a file; DIR is a folder"), path=folder)
    course = read_course()
    zone = course.timezone
    roster = roster_in(folder, zone, roster_file)
    found = collect(source, course.lessons, roster=roster)
    require_lessons(found, course.lessons, source)
    show_mapping(found, console, folder / COLLECTED)
    if roster and not yes:
        _require_class(roster, roster_file or folder / ROSTER, found, console)
    require_apart(folder, [row.student for row in found.rows])
    folders = _Folders(folder)
    failed = folders.put(found)
    there = {(row["student"], row["lesson"]) for row in folders.rows if row["lesson"]}
    if roster:
        handed_in = {lesson for _student, lesson in there}
        lessons = [lesson.id for lesson in course.lessons if lesson.id in handed_in]
        show_absent(absent(there, lessons, roster), console)
    if roster_file:
        files.replace(folder / ROSTER, roster_file.read_bytes())
    told = untimed(folders.with_times(found), course.lessons)
    if roster and roster_file:
        keep_if_clear(folder / KEPT_COLLECTED, roster_file, roster, found.submissions)
        told += told_of_another(roster_file, roster, (), found.submissions)
    for message in told:
        console.print(message, style="yellow", markup=False, soft_wrap=True)
    submissions = len(there)
    students = len({student for student, _lesson in there})
    of_students = ngettext("{count} student", "{count} students", students).format(count=students)
    message = ngettext(
        "{count} submission of {students} is in {path}. To grade it: autograder grade {path} "
        "--out OUT",
        "{count} submissions of {students} are in {path}. To grade them: autograder grade {path} "
        "--out OUT",
        submissions,
    )
    message = message.format(count=submissions, students=of_students, path=folder)
    console.print(message, markup=False, soft_wrap=True)
    for path, reason in failed:
        message = _("{path} was not copied: {reason}").format(path=shown(path), reason=reason)
        console.print(message, style="red", markup=False, soft_wrap=True)
    return 1 if failed else 0


def _require_class(roster: Roster, path: Path, found: Collected, console: Console) -> None:
    """Raise WrongUsage where most who handed in are not in the roster, unless somebody agrees."""
    message = misfit(roster, path, {row.student for row in found.rows if row.student})
    if not message:
        return
    if console.is_terminal and sys.stdin.isatty():
        console.print(f"{message}.", markup=False, soft_wrap=True)
        with contextlib.suppress(EOFError):
            if Confirm.ask(_("Collect with this roster?"), console=console, default=False):
                return
    raise WrongUsage(
        _("{message}, or add --yes to collect all the same"),
        message=message,
    )


class _Folders:
    """The folders that are collected into, and what was collected there before."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: list[dict[str, str]] = []
        index = folder / COLLECTED
        if index.is_file():
            with open(index, newline="", encoding="utf-8-sig") as file:
                self.rows = [
                    {name: row.get(name) or "" for name in COLUMNS} for row in csv.DictReader(file)
                ]

    def put(self, found: Collected) -> list[tuple[str, object]]:
        """Copy what was found; the paths that could not be copied, with the reason."""
        failed: list[tuple[str, object]] = []
        rows = rows_of(found)
        for row, values in zip(found.rows, rows, strict=True):
            if row.read is None:
                if row.student and row.lesson:
                    self._place(row).mkdir(parents=True, exist_ok=True)
                continue
            try:
                content = b"".join(row.read())
            except Problem as problem:
                failed.append((row.path, problem))
                continue
            if before := self._same(row, content):
                row = replace(row, submitted=before["submitted"], late=bool(before["late"]))
                values |= {"submitted": row.submitted, "late": before["late"]}
            older = self._is_older(row)
            if older:
                values["counts"], values["note"] = "", _("an earlier attempt")
            self._write(row, content, earlier=older or not row.counts)
        new = {(row["student"], row["lesson"], row["file"]) for row in rows}
        counted = {(row["student"], row["lesson"]) for row in rows if row["counts"]}
        for old in self.rows:
            if (old["student"], old["lesson"], old["file"]) not in new:
                if old["counts"] and (old["student"], old["lesson"]) in counted:
                    old |= {"counts": "", "note": _("an earlier attempt")}
                rows.append(old)
        rows.sort(key=lambda row: (row["student"], row["lesson"], not row["counts"], row["file"]))
        files.replace(self.folder / COLLECTED, mapping_csv(rows))
        self.rows = rows
        return failed

    def with_times(self, found: Collected) -> list[Submission]:
        """The submissions, with the times that are known of them after all."""
        known = {(row["student"], row["lesson"]): row for row in self.rows if row["counts"]}
        return [
            replace(one, submitted=known.get((one.student, one.lesson), {}).get("submitted", ""))
            for one in found.submissions
        ]

    def _collected(self, row: Mapped) -> list[dict[str, str]]:
        """What was collected before of the submission, and counts."""
        own = (row.student, row.lesson)
        return [
            old for old in self.rows if (old["student"], old["lesson"]) == own and old["counts"]
        ]

    def _same(self, row: Mapped, content: bytes) -> dict[str, str] | None:
        """The row of the very same file, which was collected with a time that now is unknown."""
        path = below(self._place(row), safe_file_name(row.file))
        if row.submitted or not path.is_file() or path.read_bytes() != content:
            return None
        known = (old for old in self._collected(row) if old["submitted"])
        return next((old for old in known if old["original"] == row.original), None)

    def _is_older(self, row: Mapped) -> bool:
        """Whether what was collected before was handed in after this, or this is a stray."""
        is_stray = came_astray(row.original, row.lesson, row.assignment)
        for old in self._collected(row):
            if is_stray != came_astray(old["original"], old["lesson"], old["assignment"]):
                return is_stray
            newer = is_newer(row.submitted, row.original, old["submitted"], old["original"])
            if newer is False:
                return True
        return False

    def _place(self, row: Mapped) -> Path:
        return below(self.folder, row.student, row.lesson)

    def _write(self, row: Mapped, content: bytes, earlier: bool) -> None:
        place = self._place(row)
        if earlier:
            self._keep(place, safe_file_name(row.file), content)
            return
        path = below(place, safe_file_name(row.file))
        if path.is_file() and (before := path.read_bytes()) != content:
            self._keep(place, path.name, before)
        files.replace(path, content)
        stamp = place / TIMESTAMP
        if row.submitted:
            files.replace(stamp, row.submitted.encode())
        else:
            stamp.unlink(missing_ok=True)

    def _keep(self, place: Path, name: str, content: bytes) -> None:
        """Keep an earlier attempt under a number of its own, unless it is kept already."""
        number = 1
        while (path := below(place, EARLIER, str(number), name)).is_file():
            if path.read_bytes() == content:
                return
            number += 1
        files.replace(path, content)
