"""What `autograder grade` shows in a terminal, and asks there."""

import shlex
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.prompt import Confirm
from rich.table import Table
from rich.text import Text

from autograder.grading.run import confinement_note
from autograder.grading.score_changes import ScoreChange
from autograder.language import _, ngettext
from autograder.lesson.course import Course
from autograder.results.extensions import EXTENSIONS, named_like
from autograder.results.safe_names import short_list
from autograder.results.submission import SAME, STATUSES, SubmissionResult
from autograder.results.tables import in_order, number, points_of
from autograder.submissions.collected_folder import Replacement
from autograder.submissions.collected_table import show_absent, told_of

from .report import needs_a_person

MOST_ROWS = 40  # of a table with a row for each student
MOST_NAMED = 10  # students in a message
WIDEST_NAME = 24  # columns of a terminal


def progress_bar(console: Console) -> Progress:
    """A bar for each lesson and step."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )


class Terminal:
    """Shows how scores change; asks whether they may drop, where somebody can answer.

    With `yes`, the answer to every question is yes; where nobody can answer, it is no. Without a
    `console`, nothing is shown, and nobody is asked.
    """

    def __init__(
        self, yes: bool = False, console: Console | None = None, bar: Progress | None = None
    ):
        self.yes = yes
        self.console = console or Console(quiet=True, force_terminal=False)
        self.bar = bar or Progress(disable=True)
        self.was_kept = self.was_misnamed = False
        self.answers_waiting = 0
        self._at_end: list[str] = []

    def absent(self, results: list[SubmissionResult]) -> None:
        by_lesson: dict[str, list[str]] = {}
        for result in results:
            by_lesson.setdefault(result.lesson, []).append(result.student)
        show_absent(by_lesson, self.console)

    def may_miss(self, message: str, question: str = "") -> bool:
        if self.yes or self._can_ask:  # else the refusal says it
            self._print(f"{message}.")
        return self.agrees(question or _("Grade with this roster?"))

    def moved(self, ids: dict[str, str]) -> None:
        message = _("{student} is {id} in the roster; the results moved there.")
        for student, id in ids.items():
            self._print(message.format(student=student, id=id))

    def may_replace(self, replacements: list[Replacement]) -> bool:
        for message in told_of(replacements):
            self._print(message)
        is_asked = not all(attempt.is_older for attempt in replacements)
        agreed = is_asked and self.agrees(_("Grade these in their place?"))
        if is_asked and not agreed:
            self._print(_("What counted before stays. To replace it, start again with --yes."))
        if any(attempt.is_older for attempt in replacements):
            self._print(
                _("What is older does not count. To grade it all the same, put it into a folder of "
                  "students' folders, and grade that.")
            )  # fmt: skip
        self.was_kept |= not agreed or any(attempt.is_older for attempt in replacements)
        return agreed

    def may_drop(self, changes: list[ScoreChange]) -> bool:
        drops = sum(change.drops for change in changes)
        if self.yes:
            message = _("Recorded scores that change: {count}, {drops} of them downwards.")
        else:
            message = _(
                "Recorded scores that would change: {count}, {drops} of them downwards. Nothing "
                "was changed yet."
            )
        self._print(message.format(count=len(changes), drops=drops))
        self.console.print(changes_table(changes))
        return self.agrees(_("Record these scores?"))

    def may_change_secret(self) -> bool:
        self._print(
            _("This OUT was graded with another secret. With the one that is given now, all "
              "submissions are judged on other hidden inputs, and scores may change.")
        )  # fmt: skip
        return self.agrees(_("Grade with the new secret from now on?"))

    @property
    def _can_ask(self) -> bool:
        return self.console.is_terminal and sys.stdin.isatty()

    def agrees(self, question: str) -> bool:
        """Whether somebody agrees; nobody does where nobody can answer."""
        if self.yes:
            return True
        if not self._can_ask:
            return False
        self.bar.stop()
        try:
            return Confirm.ask(question, console=self.console, default=False)
        except EOFError:
            return False
        finally:
            self.bar.start()

    def declined(self, changes: list[ScoreChange], lessons: Collection[str]) -> None:
        self.was_kept = True
        message = _(
            "Scores that would drop, and stay as they were recorded: {count}. To record the new "
            "ones, start again with --yes."
        )
        self._print(message.format(count=sum(change.drops for change in changes)))
        if lessons:
            message = _(
                "Lessons that have changed themselves were left as they were recorded, all of "
                "their submissions: {lessons}."
            )
            self._print(message.format(lessons=", ".join(sorted(lessons))))

    def changed(self, changes: list[ScoreChange]) -> None:
        if any(change.drops for change in changes):
            return  # shown before
        message = _("Recorded scores that changed: {count}. None of them dropped.")
        self._print(message.format(count=len(changes)))
        self.console.print(changes_table(changes))

    def not_handed_in(self, results: list[SubmissionResult], here: Collection[str]) -> None:
        count = sum(result.lesson not in here for result in results)
        if count:
            message = _("Submissions of other lessons, graded earlier: {count}. Their grades stay.")
            self._print(message.format(count=count))
        for lesson in sorted(here):
            students = sorted(result.student for result in results if result.lesson == lesson)
            if students:
                names = short_list(students, MOST_NAMED)
                message = _(
                    "{lesson}: graded earlier and not in SUBMITTED any more: {count} ({names}). "
                    "Their grades stay."
                )
                self._print(message.format(lesson=lesson, count=len(students), names=names))

    def not_in_gradebook(self, count: int) -> None:
        message = ngettext(
            "Of these, {count} is in the tables and the report only: this gradebook was made after "
            "it. To have it in it, too, put it into SUBMITTED again.",
            "Of these, {count} are in the tables and the report only: this gradebook was made "
            "after them. To have them in it, too, put them into SUBMITTED again.",
            count,
        )
        self._print(message.format(count=count))

    def strangers(self, students: list[str], people: Mapping[str, str], is_whole: bool) -> None:
        close = {student: named_like(student, people) for student in students}
        if is_whole or any(close.values()):
            self.was_misnamed = True
        message = _("{file} names {student}, of whom nothing was handed in.{close}")
        if is_whole:
            message = _("{file} names {student}, who is not in the roster.{close}")
        self._at_end += [
            message.format(file=EXTENSIONS, student=student, close=close[student])
            for student in students
        ]

    def waiting(self, count: int) -> None:
        self.answers_waiting = count

    def at_end(self, messages: list[str]) -> None:
        self._at_end += messages

    def show_at_end(self) -> None:
        """Print what is told below the results, so that it is not scrolled away."""
        for message in self._at_end:
            self.console.print(message, style="yellow", markup=False, soft_wrap=True)

    def _print(self, message: str) -> None:
        self.console.print(message, markup=False, soft_wrap=True)


def changes_table(changes: list[ScoreChange]) -> Table:
    """Who changes and by how much; those who lose points come first."""
    table = Table(title=_("Scores that change"), title_justify="left")
    table.add_column(_("student"), overflow="fold")
    table.add_column(_("lesson"), overflow="fold")
    for name in (_("recorded"), _("now"), _("change")):
        table.add_column(name, justify="right")
    for change in sorted(
        changes, key=lambda change: (not change.drops, change.student, change.lesson)
    ):
        table.add_row(
            Text(change.student),
            Text(change.lesson),
            _points(change.before, change.before_of),
            _points(change.after, change.after_of),
            _gain(change),
            style="red" if change.drops else "",
        )
    return table


def _gain(change: ScoreChange) -> str:
    if change.before is None or change.after is None:
        return ""
    if change.is_reweighed:
        before, after = (round(100 * share, 1) for share in change.shares)
        return f"{before:g} % → {after:g} %"
    return f"{round(change.gain, 6):+g}"


def _points(score: float | None, of: float) -> str:
    if score is None:
        return _("none (grader's fault)")
    return points_of(score, of)


def show(
    graded: list[SubmissionResult], course: Course, out: Path, console: Console, waiting: int = 0
) -> None:
    """Show the scores, how many submissions need a person, and the paths of all files.

    `waiting` is how many answers in prose wait to be marked.
    """
    if len({result.student for result in graded}) > MOST_ROWS:
        _show_large_class(graded, course, out, console)
    else:
        _show_scores(graded, course, console)
    _show_waiting(waiting, out, console)
    written = {
        _("Grades"): "grades.csv",
        _("Summary"): "summary.csv",
        _("Feedback"): "feedback",
        _("Report"): "report.html",
        _("Gradebook"): "gradebook.db",
    }
    width = 3 + max(len(name) for name in written)
    for name, file in written.items():
        console.print(f"{name:<{width}}{out / file}", markup=False, soft_wrap=True)
    confined = confinement_note.sentence(out / "work")
    if confined:
        console.print(confined, markup=False, soft_wrap=True)
    faults = sum(result.status == "grader_fault" for result in graded)
    if faults:
        message = ngettext(
            "{count} submission was not graded because of a fault of the grader; start again, and "
            "look at the report if it stays.",
            "{count} submissions were not graded because of a fault of the grader; start again, "
            "and look at the report if it stays.",
            faults,
        )
        console.print(message.format(count=faults), markup=False)


def _show_large_class(
    graded: list[SubmissionResult], course: Course, out: Path, console: Console
) -> None:
    """How many submissions have each status, and where those are that need a person."""
    console.print(status_table(graded, course))
    if count := sum(needs_a_person(result) for result in graded):
        message = ngettext(
            "{count} submission needs a person: see {path}",
            "{count} submissions need a person: see {path}",
            count,
        )
        message = message.format(count=count, path=out / "report.html")
        console.print(message, soft_wrap=True, markup=False)
    pointer = _("Every submission has its row in {path}").format(path=out / "summary.csv")
    console.print(pointer, soft_wrap=True, markup=False)


def _show_scores(graded: list[SubmissionResult], course: Course, console: Console) -> None:
    """The scores, and what the marks beside them mean."""
    for table in score_tables(graded, course, console.width):
        console.print(table)
    words: dict[str, list[str]] = {}
    for status in dict.fromkeys(result.status for result in graded):
        if status != "passed":
            words.setdefault(STATUSES[status].mark, []).append(STATUSES[status].words)
    if words:
        legend = ", ".join(f"{mark} {' / '.join(names)}" for mark, names in words.items())
        console.print(legend, style="italic", markup=False, soft_wrap=True)


def _show_waiting(count: int, out: Path, console: Console) -> None:
    """How many answers in prose nobody has marked yet, and where to do it."""
    if not count:
        return
    message = ngettext(
        "{count} answer in prose waits for you: mark it in formgrader (cd {out}; jupyter lab), "
        "then grade again.",
        "{count} answers in prose wait for you: mark them in formgrader (cd {out}; jupyter lab), "
        "then grade again.",
        count,
    )
    quoted = shlex.quote(str(out))
    console.print(message.format(count=count, out=quoted), markup=False, soft_wrap=True)


def score_tables(graded: list[SubmissionResult], course: Course, width: int) -> list[Table]:
    """A row a student, a column a lesson: points, and the mark of a status other than passed.

    Several tables where one would be wider than the terminal.
    """
    graded = in_order(graded, list(course.lessons))
    order = {lesson.id: place for place, lesson in enumerate(course.lessons)}
    lessons = sorted(
        _most_points(graded).items(), key=lambda pair: (order.get(pair[0], len(order)), pair[0])
    )
    by_student: dict[str, dict[str, SubmissionResult]] = {}
    for result in graded:
        by_student.setdefault(result.student, {})[result.lesson] = result
    columns = []
    for lesson, points in lessons:
        # The lesson's number alone, so that more columns fit into a narrow window.
        name = lesson[:2] if lesson in order else lesson or "—"
        cells = {id: _cell(row[lesson], points) for id, row in by_student.items() if lesson in row}
        columns.append((Text(f"{name}\n/ {number(points)}"), cells))
    texts = [text for heading, cells in columns for text in (*heading.split(), *cells.values())]
    widest = max(map(len, texts), default=0)
    names = min(max(map(len, by_student), default=0), WIDEST_NAME)
    count = max(1, (width - names - 4) // (widest + 3))
    return [
        _score_table(columns[start : start + count], list(by_student))
        for start in range(0, len(columns), count)
    ]


def _score_table(columns: list[tuple[Text, dict[str, Text]]], students: list[str]) -> Table:
    """A table of these columns, each a heading and cells by student."""
    table = Table(title=_("Scores"), title_justify="left")
    table.add_column(_("student"), overflow="fold", max_width=WIDEST_NAME)
    for heading, _cells in columns:
        table.add_column(heading, justify="right")
    for student in students:
        if any(student in cells for _heading, cells in columns):
            # Text, not markup: a student may be called "[red]".
            table.add_row(Text(student), *(cells.get(student, "") for _heading, cells in columns))
    return table


def _most_points(graded: list[SubmissionResult]) -> dict[str, float]:
    """The points of each lesson; where some of its results are out of fewer, the most."""
    most: dict[str, float] = {}
    for result in graded:
        most[result.lesson] = max(result.max_total, most.get(result.lesson, 0.0))
    return most


def _cell(result: SubmissionResult, most: float) -> Text:
    score = "" if result.total is None else number(result.total)
    if score and abs(result.max_total - most) > SAME:  # other points than the heading's
        score = points_of(result.total or 0.0, result.max_total)
    if result.status == "passed":
        return Text(score)
    return Text(f"{STATUSES[result.status].mark} {score}".strip(), style="yellow")


def status_table(graded: list[SubmissionResult], course: Course) -> Table:
    """How many submissions of each lesson have each status, and their mean points."""
    counts: dict[str, Counter[str]] = {}
    points: dict[str, list[float]] = {}
    most = _most_points(graded)
    for result in in_order(graded, list(course.lessons)):
        counts.setdefault(result.lesson, Counter())[result.status] += 1
        points.setdefault(result.lesson, []).append(result.total_out_of(most[result.lesson]))
    lessons = [lesson.id for lesson in course.lessons if lesson.id in counts]
    unlisted = [lesson for lesson in counts if lesson not in lessons]
    statuses = [key for key in reversed(STATUSES) if any(count[key] for count in counts.values())]
    table = Table(title=_("Submissions by status"), title_justify="left")
    table.add_column(_("lesson"), overflow="fold")
    table.add_column(_("submissions"), justify="right")
    for key in statuses:
        table.add_column(STATUSES[key].words, justify="right")
    table.add_column(_("mean points"), justify="right")
    for lesson in lessons:
        by_status = counts[lesson]
        mean = sum(points[lesson]) / len(points[lesson])
        table.add_row(
            Text(lesson), str(by_status.total()), *(str(by_status[key] or "") for key in statuses),
            _points(round(mean, 2), most[lesson]),
        )  # fmt: skip
    if unlisted:
        by_status = sum((counts[lesson] for lesson in unlisted), Counter())
        table.add_row(
            _("not a lesson"), str(by_status.total()),
            *(str(by_status[key] or "") for key in statuses), "",
        )  # fmt: skip
    return table
