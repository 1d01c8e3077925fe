"""What `autograder grade` shows in a terminal, and asks there."""

import sys
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.prompt import Confirm
from rich.table import Table
from rich.text import Text

from autograder.grading.model import TELLING, Graded
from autograder.grading.run import confinement
from autograder.grading.score_changes import Callbacks, ScoreChange
from autograder.grading.texts import TEXTS, text
from autograder.lesson.course import Course

from .report import needs_a_person, what_happened
from .tables import in_order, number

MOST_ROWS = 40  # of a table with a row for each student


def progress_bar(console: Console) -> Progress:
    """A bar for each lesson and step."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )


class Terminal(Callbacks):
    """Shows how scores change; asks whether they may drop, where somebody can answer."""

    def __init__(self, console: Console, bar: Progress, yes: bool):
        super().__init__(yes)
        self.console, self.bar = console, bar
        self.was_kept = False

    def may_drop(self, changes: list[ScoreChange]) -> bool:
        drops = sum(change.drops for change in changes)
        self._say("drops", count=drops)
        self.console.print(changes_table(changes))
        if self.yes:
            return True
        if not (self.console.is_terminal and sys.stdin.isatty()):
            return False
        self.bar.stop()
        try:
            return Confirm.ask(text("changes", "ask"), console=self.console, default=False)
        except EOFError:
            return False
        finally:
            self.bar.start()

    def kept(self, changes: list[ScoreChange], lessons: list[str]) -> None:
        self.was_kept = True
        self._say("kept", count=sum(change.drops for change in changes))
        if lessons:
            self._say("kept_lessons", lessons=", ".join(lessons))

    def changed(self, changes: list[ScoreChange]) -> None:
        if any(change.drops for change in changes):
            return  # shown before
        self._say("rose", count=len(changes))
        self.console.print(changes_table(changes))

    def not_handed_in(self, count: int) -> None:
        self._say("not_handed_in", count=count)

    def not_in_gradebook(self, count: int) -> None:
        self._say("not_in_gradebook", count=count)

    def _say(self, key: str, **details: object) -> None:
        self.console.print(text("changes", key, **details), markup=False, soft_wrap=True)


def changes_table(changes: list[ScoreChange]) -> Table:
    """Who changes and by how much; those who lose points come first."""
    table = Table(title=text("changes", "table"), title_justify="left")
    table.add_column(text("progress", "student"), overflow="fold")
    table.add_column(text("changes", "lesson"))
    for key in ("before", "after", "difference"):
        table.add_column(text("changes", key), justify="right")
    for one in sorted(changes, key=lambda one: (not one.drops, one.student, one.lesson)):
        whole = None not in (one.before, one.after)
        table.add_row(
            Text(one.student),
            Text(one.lesson),
            _points(one.before, one.before_of),
            _points(one.after, one.after_of),
            f"{round(one.after - one.before, 6):+g}" if whole else "",
            style="red" if one.drops else "",
        )
    return table


def _points(score: float | None, of: float) -> str:
    if score is None:
        return text("changes", "none")
    return text("feedback", "points_of", score=number(score), max_score=number(of))


def show(graded: list[Graded], course: Course, out: Path, console: Console) -> None:
    """The scores, what needs a person, and where everything lies."""
    students = {one.student for one in graded}
    if len(students) > MOST_ROWS:
        console.print(status_table(graded, course))
        attention = [one for one in graded if needs_a_person(one)]
        if attention:
            console.print(attention_table(attention, course))
        if len(attention) > MOST_ROWS:
            path = out / "report.html"
            more = text("progress", "more_in_report", count=len(attention) - MOST_ROWS, path=path)
            console.print(more, soft_wrap=True, markup=False)
        console.print(text("progress", "all_in_summary", path=out / "summary.csv"), soft_wrap=True,
                      markup=False)  # fmt: skip
    else:
        console.print(score_table(graded, course))
    console.print(
        text(
            "progress",
            "written",
            grades=out / "grades.csv",
            summary=out / "summary.csv",
            feedback=out / "feedback",
            report=out / "report.html",
            gradebook=out / "gradebook.db",
        ),
        markup=False,
        soft_wrap=True,
    )
    confined = confinement.sentence(out / "work")
    if confined:
        console.print(confined, markup=False, soft_wrap=True)
    faults = sum(one.status == "grader_fault" for one in graded)
    if faults:
        console.print(text("progress", "faults", count=faults), markup=False)


def score_table(graded: list[Graded], course: Course) -> Table:
    """A row a student, a column a lesson: points, and the mark of a status other than passed."""
    graded = in_order(graded, list(course.lessons))
    order = {lesson.id: place for place, lesson in enumerate(course.lessons)}
    lessons = sorted(
        {one.lesson: one.max_score for one in graded}.items(),
        key=lambda pair: (order.get(pair[0], len(order)), pair[0]),
    )
    used = dict.fromkeys(one.status for one in graded if one.status != "passed")
    legend = ", ".join(f"{TEXTS['status_mark'][key]} {TEXTS['status'][key]}" for key in used)
    title, student = text("progress", "table"), text("progress", "student")
    table = Table(title=title, caption=Text(legend), title_justify="left", caption_justify="left")
    table.add_column(student, overflow="fold")
    for lesson, points in lessons:
        # The lesson's number alone, so that all columns fit into a narrow window.
        name = lesson[:2] if lesson in order else lesson or "—"
        table.add_column(Text(f"{name}\n/ {number(points)}"), justify="right")
    by_student: dict[str, dict[str, Graded]] = {}
    for one in graded:
        by_student.setdefault(one.student, {})[one.lesson] = one
    for student, own in by_student.items():
        # Text, not markup: a student may be called "[red]".
        table.add_row(Text(student), *(_cell(own.get(lesson)) for lesson, _ in lessons))
    return table


def _cell(one: Graded | None) -> Text:
    if one is None:
        return Text("")
    score = "" if one.score is None else number(one.score)
    if one.status == "passed":
        return Text(score)
    return Text(f"{TEXTS['status_mark'][one.status]} {score}".strip(), style="yellow")


def status_table(graded: list[Graded], course: Course) -> Table:
    """How many submissions of each lesson have each status, and their mean points."""
    counts: dict[str, Counter] = {}
    points: dict[str, list[float]] = {}
    most = {}
    for one in in_order(graded, list(course.lessons)):
        counts.setdefault(one.lesson, Counter())[one.status] += 1
        points.setdefault(one.lesson, []).append(one.score or 0.0)
        most[one.lesson] = one.max_score
    known = [lesson.id for lesson in course.lessons if lesson.id in counts]
    others = [lesson for lesson in counts if lesson not in known]
    statuses = [key for key in reversed(TELLING) if any(of[key] for of in counts.values())]
    table = Table(title=text("progress", "by_status"), title_justify="left")
    table.add_column(text("changes", "lesson"), overflow="fold")
    table.add_column(text("progress", "submissions"), justify="right")
    for key in statuses:
        table.add_column(TEXTS["status"][key], justify="right")
    table.add_column(text("progress", "mean"), justify="right")
    for lesson in known:
        of = counts[lesson]
        mean = sum(points[lesson]) / len(points[lesson])
        table.add_row(
            Text(lesson), str(of.total()), *(str(of[key] or "") for key in statuses),
            _points(round(mean, 2), most[lesson]),
        )  # fmt: skip
    if others:
        of = sum((counts[lesson] for lesson in others), Counter())
        table.add_row(
            text("progress", "no_lesson"), str(of.total()),
            *(str(of[key] or "") for key in statuses), "",
        )  # fmt: skip
    return table


def attention_table(graded: list[Graded], course: Course) -> Table:
    """The submissions that a person should look at, each with what happened."""
    title = text("progress", "attention", count=len(graded))
    table = Table(title=title, title_justify="left")
    table.add_column(text("progress", "student"), overflow="fold", max_width=24)
    table.add_column(text("changes", "lesson"), overflow="fold", max_width=24)
    table.add_column(text("progress", "status"))
    table.add_column(text("progress", "message"), overflow="fold")
    for one in in_order(graded, list(course.lessons))[:MOST_ROWS]:
        table.add_row(
            Text(one.student),
            Text(one.lesson),
            TEXTS["status"][one.status],
            Text(what_happened(one)),
        )
    return table
