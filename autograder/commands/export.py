"""The command `export`: grades for an LMS or a spreadsheet, and each lesson's feedback as a zip."""

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import read_course
from autograder.lesson.which_lesson import Lessons
from autograder.lms.exported_totals import Export, note_without_total, zip_feedback
from autograder.lms.kept_worksheets import roster_in
from autograder.lms.roster import ROSTER
from autograder.nbgrader.recorder import read_results
from autograder.results.handed_in import a_row_of_each, rows_in
from autograder.results.outdated_points import outdated_points
from autograder.results.safe_names import below
from autograder.results.submission import SubmissionResult
from autograder.results.tables import number, table_csv

FORMATS = ("canvas", "moodle", "csv")
BOM = "\ufeff"  # without it, Excel takes UTF-8 for the encoding of its own country


def export_command(
    out: Path,
    kind: str,
    sheet: Path | None,
    lesson: str,
    console: Console,
    columns: Sequence[str] = (),
) -> int:
    """Write OUT/export, and print what was written; the exit code."""
    if kind not in FORMATS:
        raise WrongUsage(_("--for is one of {known}, not {given!r}"), known=", ".join(FORMATS),
                         given=kind or _("nothing"))  # fmt: skip
    if columns and kind != "canvas":
        raise WrongUsage(_("--column is for --for canvas alone"))
    course = read_course()
    results = recorded = read_results(out, course)
    wanted = Lessons(course.lessons).named(lesson) if lesson else ""
    if lesson:
        results = [result for result in results if wanted and result.lesson == wanted]
        if not results:
            raise WrongUsage(_("{path} has no result of a lesson {lesson!r}"), path=out,
                             lesson=lesson)  # fmt: skip
    roster = roster_in(out)
    if kind == "canvas" and not sheet and roster and roster.kind == kind:
        sheet = out / ROSTER
    rows = a_row_of_each(rows_in(out))
    export = Export(
        out, course, results, roster, rows, sheet, recorded, wanted, columns=tuple(columns)
    )
    _writer(kind)(export)
    for message in export.told + outdated_points(export.results, course.lessons):
        console.print(message, markup=False, soft_wrap=True)
    waiting = sum(result.marks.waiting for result in export.results)
    if waiting:
        message = ngettext(
            "{count} answer in prose waits for your points; until then, its total has those of an "
            "earlier answer, or none.",
            "{count} answers in prose wait for your points; until then, totals have those of an "
            "earlier answer, or none.",
            waiting,
        )
        console.print(message.format(count=waiting), style="yellow", markup=False)
    for message in export.failed:
        console.print(message, style="red", markup=False, soft_wrap=True)
    for path in export.written:
        console.print(str(path), markup=False, soft_wrap=True)
    return 1 if export.failed else 0


def _writer(kind: str) -> Callable[[Export], None]:
    from autograder.lms.export_canvas import for_canvas
    from autograder.lms.export_moodle import for_moodle

    return {"canvas": for_canvas, "moodle": for_moodle, "csv": for_csv}[kind]


def for_csv(export: Export) -> None:
    """OUT/export/grades.csv: a row a student, a column a lesson, for spreadsheets."""
    lessons = export.lessons
    rows = []
    for student, name, section in _students(export):
        results = {result.lesson: result for result in export.results if result.student == student}
        totals = [results[lesson.id].total if lesson.id in results else None for lesson in lessons]
        # A sum without the lesson on which the grader failed would be a zero for it.
        is_whole = all(result.total is not None for result in results.values())
        whole = sum(total or 0.0 for total in totals) if is_whole else None
        rows.append((student, name, section, *totals, whole))
    most = [export.most(lesson) for lesson in lessons]
    names = [f"{lesson.id} (of {number(of)})" for lesson, of in zip(lessons, most, strict=True)]
    header = ("student", "name", "section", *names, f"total (of {number(sum(most))})")
    export.write(export.out / "export/grades.csv", BOM + table_csv(header, rows))
    note_without_total(export, export.results)
    zip_feedback(export, export.out / "export", lambda result: _plain_name(result))


def _students(export: Export) -> list[tuple[str, str, str]]:
    """Id, name and section of the roster's students, and of all others who handed in."""
    people = export.roster.students if export.roster else ()
    students = {person.id: (person.id, person.name, person.section) for person in people}
    strangers = {result.student for result in export.results} - students.keys()
    return sorted([*students.values(), *((student, "", "") for student in strangers)])


def _plain_name(result: SubmissionResult) -> str:
    return str(below(PurePosixPath(), result.student, result.page.name))
