"""Grades what was handed in: collect, rebuild, run, judge, record, report.

Each step is remembered in OUT/work, so a run that was stopped resumes where it stopped.
Submissions run side by side; all that concerns nbgrader happens in one thread.
"""

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from rich.console import Console
from rich.progress import Progress, TaskID

from autograder.errors import WrongUsage
from autograder.grading.grade_translator import (
    TranslatorFault,
    TranslatorFiles,
    TranslatorGrader,
    inspect_files,
)
from autograder.grading.regrades import read_regrades
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.confinement_note import ConfinementNote
from autograder.grading.run.grader import ComponentGrader, Grader, Submitted
from autograder.grading.run.local import LocalWorkers
from autograder.grading.score_changes import (
    Callbacks,
    Declined,
    Replacement,
    ScoreChange,
    ask,
    score_change,
)
from autograder.judging.judge import TestResult
from autograder.language import _
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook
from autograder.lms.kept_worksheets import (
    KEPT,
    is_of_moodle,
    keep_if_clear,
    notes_on_wrong_worksheet,
    roster_in,
    untimed,
    without_file,
)
from autograder.lms.match_recorded_results import (
    assignment_of,
    attempt_of,
    by_person,
    ids_in,
    is_newer,
    is_stray,
    require_same_class,
)
from autograder.lms.roster import ROSTER, Roster, require_known_students
from autograder.nbgrader.recorder import Recorder
from autograder.reports.feedback import PageTexts, page_of_problem
from autograder.reports.regrade_page import write_regrades
from autograder.reports.report import write_report
from autograder.reports.terminal import Terminal, progress_bar, show
from autograder.results.extensions import Deadlines, read_deadlines
from autograder.results.outdir import (
    alone,
    digest,
    load_or_create_secret,
    read_secret,
    replace_file,
    require_apart,
    save_secret,
)
from autograder.results.remarks import Problem, Remark
from autograder.results.safe_names import plain
from autograder.results.saved_results import all_results
from autograder.results.submission import Submission, SubmissionResult
from autograder.results.tables import write_tables
from autograder.sandbox.job import Cell
from autograder.submissions.choose_notebook import chosen
from autograder.submissions.collect import COLLECTED, Collected, collect, require_lessons
from autograder.submissions.collected_table import mapping_csv, rows_of

from .request import Request, checked


@dataclass
class _Task:
    """One submission on its way.

    `result` is what is known so far. `cells` are kept until they have run. `key` is that of what
    is to be recorded, empty where there is nothing to record. `files` are handed in beside the
    notebook. `is_other` is whether it can be another attempt than the one that is recorded.
    """

    result: SubmissionResult
    cells: list[Cell] = field(default_factory=list)
    key: str = ""
    test_results: list[TestResult] | None = None
    files: TranslatorFiles | None = None
    is_other: bool = True


@dataclass(frozen=True)
class _LessonGraders:
    """What judges one lesson's submissions: their cells, and the files that are handed in.

    `released` makes the notebook that students received.
    """

    lesson: Lesson
    released: Callable[[], NotebookNode]
    grader: Grader
    translators: TranslatorGrader | None


def run(request: Request, console: Console) -> int:
    """Grade, with a progress bar and a table at the end; the exit code."""
    if request.sandbox == "none":
        warning = _("Students' code runs unconfined, with your own rights (--sandbox none).")
        console.print(warning, style="yellow", markup=False)
    with progress_bar(console) as bar:
        terminal = Terminal(console, bar, request.yes, request.out)
        course = read_course()
        graded = grade(request, bar, terminal, course)
    show(graded, course, request.out, console, terminal.answers_waiting)
    terminal.show_at_end()
    if not graded:
        console.print(_("Nothing was graded: nothing that was asked for was handed in."))
    faults = any(result.status == "grader_fault" for result in graded)
    return 1 if faults or not graded or terminal.was_kept or terminal.was_misnamed else 0


def grade(
    request: Request,
    bar: Progress | None = None,
    callbacks: Callbacks | None = None,
    course: Course | None = None,
) -> list[SubmissionResult]:
    """Grade, and write all results; what is recorded of every submission of this run.

    Nothing that was recorded is changed before all submissions are judged and `callbacks` have
    agreed, should scores drop. Raises WrongUsage for what cannot be done, CannotWrite where OUT
    cannot be written.
    """
    course = course or read_course()
    lessons, out = checked(request, course)
    roster = _roster(request, out, course)
    only = lessons[0].id if request.lesson else ""
    collected = collect(request.submitted, course.lessons, only, request.student, roster)
    if not (request.lesson or request.student):
        require_lessons(collected, course.lessons, request.submitted)
    bar, callbacks = bar or Progress(disable=True), callbacks or Callbacks(request.yes)
    callbacks.collected(collected)
    kept = roster_in(out, course.timezone)
    if request.roster and roster and kept:
        require_same_class(roster, request.roster, kept, out / ROSTER, all_results(out / "work"))
    if roster:
        path = request.roster or out / ROSTER
        require_known_students(roster, path, collected.students, callbacks.may_miss)
    with alone(out):
        if request.roster:
            replace_file(out / ROSTER, request.roster.read_bytes())
        if collected.layout != "students":
            replace_file(out / COLLECTED, mapping_csv(rows_of(collected)))
        secret = chosen_secret(request.secret, out, callbacks)
        recorded = list(all_results(out / "work"))
        deadlines = read_deadlines(out, course, _people(collected, recorded, roster))
        recorder = Recorder(out, secret, deadlines, request.time_limit or 0.0)
        if roster and _move_to_ids(roster, recorded, recorder, callbacks):
            recorded = list(recorder.all_known())
        handed_in = (one.student for one in collected.submissions)
        require_apart(out / "work", chain(handed_in, (one.student for one in recorded)))
        people = _people(collected, recorded, roster)
        in_roster = partial(_in_roster, roster)
        recorder.set_regrades(read_regrades(out, course, set(people), in_roster))
        with _workers(request, out) as workers:
            known = (request, course, out, secret, deadlines, recorder, workers, bar, callbacks)
            graded = _Run(*known, roster).all_steps(collected.submissions, lessons)
        if request.roster and roster:
            handed = collected.submissions
            callbacks.at_end(notes_on_wrong_worksheet(request.roster, roster, recorded, handed))
            keep_if_clear(out / KEPT, request.roster, roster, recorder.all_known())
        return graded


def _move_to_ids(
    roster: Roster, recorded: list[SubmissionResult], recorder: Recorder, callbacks: Callbacks
) -> bool:
    """Move results of the LMS's names to the ids that the roster now tells; whether any moved."""
    ids = ids_in(roster, recorded)
    moved = recorder.move(ids, recorded) if ids else set()
    callbacks.moved({one[0]: id for one, id in ids.items() if one in moved})
    callbacks.stayed({one[0]: id for one, id in ids.items() if one not in moved})
    return bool(moved)


def _people(
    collected: Collected | None, results: Iterable[SubmissionResult], roster: Roster | None
) -> dict[str, str]:
    """All who are known, by id: their names, where the roster tells them."""
    found = {one.student: "" for one in results}
    found |= {one.student: "" for one in collected.submissions} if collected else {}
    return found | ({one.id: one.name for one in roster.students} if roster else {})


def _in_roster(roster: Roster | None, name: str) -> str:
    """The id of the one student whom the name or address means; empty where it is not one."""
    found = roster.find(name) if roster else []
    return found[0].id if len(found) == 1 else ""


def _roster(request: Request, out: Path, course: Course) -> Roster | None:
    """The roster that is given, else that of an earlier run, or the one `collect` was given."""
    zone = course.timezone
    return roster_in(out, zone, request.roster) or roster_in(request.submitted, zone)


def chosen_secret(given: str, out: Path, callbacks: Callbacks) -> str:
    """The secret of the hidden inputs: the one that OUT was graded with first.

    Another one is taken, and kept, only if `callbacks` agree: all submissions are judged on other
    inputs then. Raises WrongUsage where they do not.
    """
    kept, graded = read_secret(out), any(all_results(out / "work"))
    if kept and given in ("", kept):
        return kept
    if not given:
        if graded:
            raise WrongUsage(
                _("{path} was graded with a secret that is not kept in it; give the same --seed "
                  "once more, and it will be kept"),
                path=out,
            )  # fmt: skip
        return load_or_create_secret(out)
    if kept and graded and not callbacks.may_change_secret():
        raise WrongUsage(
            _("{path} was graded with another secret. To continue with that one, leave out --seed; "
              "to judge all submissions on other inputs, add --yes"),
            path=out,
        )  # fmt: skip
    return save_secret(out, given)


def _workers(request: Request, out: Path) -> LocalWorkers | Cluster:
    """Where students' code runs, as a context manager."""
    confined = ConfinementNote(out / "work").add
    if request.scheduler:
        return Cluster(request.scheduler, request.sandbox, confined)
    hidden = [request.submitted.resolve(), out]
    return LocalWorkers(request.sandbox, request.jobs, hidden, confined)


@dataclass
class _Run:
    """One run: the steps in their order, and what they share."""

    request: Request
    course: Course
    out: Path
    secret: str
    deadlines: Deadlines
    recorder: Recorder
    workers: LocalWorkers | Cluster
    bar: Progress
    callbacks: Callbacks
    roster: Roster | None = None

    def all_steps(
        self, submissions: list[Submission], lessons: list[Lesson]
    ) -> list[SubmissionResult]:
        known = {lesson.id for lesson in lessons}
        submissions, strays = self._without_strays(submissions)
        tasks = {"": [_of_no_lesson(one) for one in submissions if one.lesson not in known]}
        for lesson in lessons:
            own = [submission for submission in submissions if submission.lesson == lesson.id]
            if own:
                tasks[lesson.id] = self._judged(lesson, own)
        earlier = self._earlier(tasks, strays)
        tasks, changes, kept, declined = self._agreed(tasks, earlier)
        if self.roster:
            self.recorder.save_students(self.roster)  # pages of feedback tell their names
        graded = [self._settled(task.result) for task in tasks.pop("", [])]
        for lesson in lessons:
            if lesson.id in tasks:
                graded += self._recorded(lesson, tasks[lesson.id])
        if changes:
            self.callbacks.changed(changes)
        graded += kept
        self._refresh(graded, earlier, declined)
        graded, earlier = self.recorder.with_marks(graded), self.recorder.with_marks(earlier)
        people = _people(None, graded + earlier, self.roster)
        strangers = self.deadlines.strangers(set(people))
        if strangers and self._is_everything:
            self.callbacks.strangers(strangers, people, self.roster is not None)
        requests = self._tell_regrades(graded + earlier)
        told = untimed(graded + earlier, self.course.lessons)
        self.callbacks.at_end(told)
        if self.roster:
            for id, students in without_file(self.roster, graded + earlier).items():
                self.callbacks.without_file(id, students)
        self.callbacks.waiting(sum(one.marks.waiting for one in graded + earlier))
        self._report(graded + earlier, told, requests)
        return graded

    def _without_strays(
        self, submissions: list[Submission]
    ) -> tuple[list[Submission], set[tuple[str, str]]]:
        """All but what came with another assignment where the lesson's own submission is graded.

        The second is whose submissions of which lessons these strays are.
        """
        strays = {}
        for one in filter(is_stray, submissions):
            before = self.recorder.known(one.student, one.lesson)
            if before and not is_stray(before):
                strays[one.student, one.lesson] = assignment_of(one)
        message = _("{student}, {lesson}: a file handed in with {assignment} does not count; the "
                    "lesson's own submission does.")  # fmt: skip
        self.callbacks.at_end(
            [
                message.format(student=student, lesson=lesson, assignment=assignment)
                for (student, lesson), assignment in strays.items()
            ]
        )
        kept = [one for one in submissions if (one.student, one.lesson) not in strays]
        return kept, set(strays)

    # Rebuild, run, judge: one lesson's submissions. Nothing is recorded yet.

    def _judged(self, lesson: Lesson, submissions: list[Submission]) -> list[_Task]:
        """Rebuild, run and judge; progress is shown for each of them."""
        work, limit = self.out / "work", self.request.time_limit or 0.0
        lesson.hidden(self.secret)  # drawn here once: points and the judge ask for them
        graders = _LessonGraders(
            lesson,
            cache(partial(student_notebook, self.course, lesson)),
            Grader(lesson, self.secret, None, work, limit),
            TranslatorGrader(lesson, "", None, work, limit) if lesson.translator else None,
        )
        tasks = []
        step = self.bar.add_task(
            _("{lesson}: reading").format(lesson=lesson.id), total=len(submissions)
        )
        for submission in submissions:
            tasks.append(rebuilt_task(graders, submission, self.recorder))
            self.bar.advance(step)
        waiting = [task for task in tasks if task.key and task.test_results is None]
        if waiting:
            description = _("{lesson}: running").format(lesson=lesson.id)
            self.bar.update(step, description=description, total=len(waiting), completed=0)
            self._run(graders.grader, waiting, [task.cells for task in waiting], step)
        if graders.translators:
            self._judge_files(graders.translators, tasks)
        for task in tasks:
            if task.key:
                _conclude(graders, task)
        return tasks

    def _run(
        self,
        grader: ComponentGrader[Submitted, Any],
        tasks: list[_Task],
        submissions: list[Submitted],
        step: TaskID,
    ) -> None:
        """Run and judge what the tasks hand in; a fault of the grader is kept in the task."""
        submissions_judged = self.workers.judge(grader, submissions)
        with contextlib.closing(submissions_judged):
            for place, judged in submissions_judged:
                task = tasks[place]
                if isinstance(judged, Exception):
                    task.result = replace(task.result, fault=_brief(judged))
                else:
                    task.test_results = [*(task.test_results or ()), *judged]
                self.bar.advance(step)

    def _judge_files(self, translators: TranslatorGrader, tasks: list[_Task]) -> None:
        """Judge what is handed in beside the notebooks."""
        waiting, files = [], []
        for task in tasks:
            if task.files is None:
                continue
            known = translators.remembered(task.files)
            if known is None:
                waiting.append(task)
                files.append(task.files)
            else:
                task.test_results = [*(task.test_results or ()), *known]
        if waiting:
            description = _("{lesson}: translating with what was handed in")
            description = description.format(lesson=translators.lesson.id)
            step = self.bar.add_task(description, total=len(waiting))
            self._run(translators, waiting, files, step)

    # Record: what the gradebook, the pages of feedback and later runs know.

    def _agreed(
        self, tasks: dict[str, list[_Task]], earlier: list[SubmissionResult]
    ) -> tuple[dict[str, list[_Task]], list[ScoreChange], list[SubmissionResult], Declined]:
        """The tasks to record, by lesson; how scores change; what stays recorded; the decision."""
        older = self._not_newer([task for own in tasks.values() for task in own])
        changes = [
            change
            for own in tasks.values()
            for task in own
            if task.result not in older and (change := self._score_change(task))
        ]
        if self._is_everything:  # what lateness costs may have changed for these, too
            changes += [change for same in earlier if (change := self._change_of(same, same))]
        lessons = {lesson.id: lesson for lesson in self.course.lessons}

        def has_changed(lesson: str) -> bool:
            return lesson in lessons and self.recorder.has_changed(lessons[lesson])

        declined = ask(changes, has_changed, self.callbacks)
        declined = Declined(declined.submissions | older.submissions, declined.lessons)
        kept = [
            self.recorder.known(task.result.student, task.result.lesson)
            for own in tasks.values()
            for task in own
            if task.result in declined
        ]
        agreed = {
            lesson: [task for task in own if task.result not in declined]
            for lesson, own in tasks.items()
            if lesson not in declined.lessons
        }
        changes = [change for change in changes if change not in declined]
        return agreed, changes, [graded for graded in kept if graded], declined

    def _not_newer(self, tasks: list[_Task]) -> Declined:
        """Submissions that may be older than what is recorded, and must not take its place."""
        found = [one for task in tasks if (one := self._replacement(task))]
        agreed = self.callbacks.may_replace(found) if found else []
        return Declined(frozenset((one.student, one.lesson) for one in found if one not in agreed))

    def _replacement(self, task: _Task) -> Replacement | None:
        """What a submission would replace, where that is not known to be earlier work."""
        now = task.result
        before = self.recorder.known(now.student, now.lesson)
        if not (before and task.is_other) or before.problem or before == now:
            return None
        if self.recorder.is_half_recorded(now, task.key) or is_stray(before) > is_stray(now):
            return None
        newer = is_newer(now.submitted, now.original, before.submitted, before.original)
        if newer:
            return None
        return Replacement(
            now.student, now.lesson, before.submitted, now.submitted,
            (attempt_of(before.original), attempt_of(now.original)),
            is_older=newer is False and not self.request.student,
            is_of_moodle=is_of_moodle(now),
        )  # fmt: skip

    def _score_change(self, task: _Task) -> ScoreChange | None:
        """How a score changes; None where the run that was stopped had agreed to it already."""
        before = self.recorder.known(task.result.student, task.result.lesson)
        if before and self.recorder.is_half_recorded(task.result, task.key):
            return None
        return self._change_of(before, task.result) if before else None

    def _change_of(self, before: SubmissionResult, after: SubmissionResult) -> ScoreChange | None:
        """How the total changes, with what lateness cost until now and what it costs from now."""
        recorded = self.recorder.as_recorded(before)
        return score_change(recorded, self.recorder.as_foreseen(after))

    def _recorded(self, lesson: Lesson, tasks: list[_Task]) -> list[SubmissionResult]:
        """Bring the gradebook, and the pages of feedback, to what was judged."""
        self.recorder.prepare(self.course, lesson)
        graded, waiting, keys = [], [], {}
        for task in tasks:
            if not task.key:
                graded.append(self._settled(task.result))
            elif self.recorder.is_recorded(task.result, task.key):
                self.recorder.update(task.result)
                graded.append(task.result)
            else:
                waiting.append(task.result)
                keys[task.result.student] = task.key
        if not waiting:
            return graded
        description = _("{lesson}: recording").format(lesson=lesson.id)
        step = self.bar.add_task(description, total=2 * len(waiting))
        complaints = self.recorder.record(lesson, waiting, keys, lambda: self.bar.advance(step))
        if complaints:
            again = [result for result in waiting if result.student in complaints]
            complaints = self.recorder.record(lesson, again, keys, lambda: None)
        for one in waiting:
            if one.student in complaints:
                one = self._settled(_faulty(one, lesson, complaints[one.student]))
            graded.append(one)
        return graded

    def _settled(self, result: SubmissionResult) -> SubmissionResult:
        """Remember a result that gives no grade; one that was given before must not stand."""
        if self.recorder.known(result.student, result.lesson) != result:
            self.recorder.withdraw(result)
        if result.problem:
            (shown,) = self.recorder.with_marks([result])
            shown = _with_name(shown, self.roster) if self.roster else shown
            titles = {lesson.id: lesson.title for lesson in self.course.lessons}
            title = titles.get(result.lesson, result.lesson)
            page = page_of_problem(shown, PageTexts(title, timezone=self.course.timezone)).encode()
            path = self.recorder.feedback_path(result)
            if not path.is_file() or path.read_bytes() != page:
                replace_file(path, page)
        return result

    def _refresh(
        self, graded: list[SubmissionResult], earlier: list[SubmissionResult], declined: Declined
    ) -> None:
        """Bring penalties up to date, and the pages that marks by hand have changed since."""
        untouched = frozenset() if self._is_everything else _names(earlier)

        def stays(result: SubmissionResult) -> bool:
            return result in declined or (result.student, result.lesson) in untouched

        for lesson in self.course.lessons:
            own = [one for one in graded + earlier if one.lesson == lesson.id and one.test_results]
            if own:
                self.recorder.refresh(lesson, own, stays)

    def _tell_regrades(self, results: list[SubmissionResult]) -> int:
        """Write the page of requests for regrades, and tell what is wrong; how many wait."""
        decisions = self.recorder.decisions
        if not decisions.regrades.rows and not decisions.regrades.wrong:
            return 0
        entries = self.recorder.entries_of(results)
        waiting = write_regrades(self.out, results, entries, decisions, self.course)
        self.callbacks.regrades(*decisions.remarks(results, entries), waiting)
        return waiting

    # Report: the tables and the page on the class.

    def _report(self, results: list[SubmissionResult], told: list[str], requests: int) -> None:
        lessons = list(self.course.lessons)
        persons = {
            (one.student, one.lesson): number
            for number, own in enumerate(by_person(results, self.roster))
            for one in own
        }
        if self.roster:
            absent = self.recorder.with_marks(self._absent(self.roster, results))
            if absent:
                self.callbacks.absent(absent)
            results = [_with_name(result, self.roster) for result in results + absent]
        write_tables(self.out, results, lessons)
        write_report(self.out, results, self.course, told, persons, requests)

    def _absent(self, roster: Roster, graded: list[SubmissionResult]) -> list[SubmissionResult]:
        """A row for each of the class and each lesson that only others handed in."""
        there = {(result.student, result.lesson) for result in graded}
        # As they are recorded: not the course's where a change of them was declined.
        points = {result.lesson: result.max_score for result in graded}
        points |= {result.lesson: result.max_score for result in graded if result.test_results}
        nothing = Remark("problem", "not_handed_in")
        return [
            SubmissionResult(student.id, lesson.id, points[lesson.id], problem=nothing)
            for lesson in self.course.lessons
            if lesson.id in points
            for student in roster.students
            if (student.id, lesson.id) not in there
        ]

    @property
    def _is_everything(self) -> bool:
        return not (self.request.lesson or self.request.student)

    def _earlier(
        self, tasks: dict[str, list[_Task]], strays: set[tuple[str, str]]
    ) -> list[SubmissionResult]:
        """What is recorded of submissions that this run does not come across.

        Of `strays`, too, it is what came with the lesson's own assignment, and nothing is missing.
        """
        new = _names(task.result for own in tasks.values() for task in own)
        lessons = {lesson.id for lesson in self.course.lessons}
        earlier = [
            result
            for result in self.recorder.all_known()
            if (result.student, result.lesson) not in new
            # What was no lesson may have been put right since.
            and (not self._is_everything or result.lesson in lessons)
        ]
        missing = [one for one in earlier if (one.student, one.lesson) not in strays]
        if self._is_everything and missing:
            here = {lesson for lesson, own in tasks.items() if lesson and own}
            self.callbacks.not_handed_in(missing, here)
        if self._is_everything and earlier:
            lost = sum(
                not self.recorder.in_gradebook(result) for result in earlier if result.test_results
            )
            if lost:
                self.callbacks.not_in_gradebook(lost)
        return earlier


def _names(results: Iterable[SubmissionResult]) -> frozenset[tuple[str, str]]:
    """Whose submissions of which lessons these are."""
    return frozenset((result.student, result.lesson) for result in results)


def rebuilt_task(graders: _LessonGraders, submission: Submission, recorder: Recorder) -> _Task:
    """Read and rebuild a submission; with its test results, where an earlier run has judged it."""
    lesson, grader = graders.lesson, graders.grader
    points = sum(lesson.points().values())
    try:
        rebuilt, passed_over = chosen(lesson, graders.released(), submission)
    except Problem as problem:
        return _unreadable(submission, problem, points, recorder)
    except Exception as error:  # whatever a file is made of, it must not stop the others
        remark = Remark("problem", "internal", {"reason": _brief(error)})
        return _Task(replace(_without_tests(submission, points), problem=remark, fault=remark.text))
    repairs = (*submission.repairs, *passed_over, *rebuilt.repairs)
    graded = replace(_without_tests(submission, points), repairs=repairs, version=rebuilt.version)
    task = _Task(graded, rebuilt.cells, test_results=grader.remembered(rebuilt.cells))
    if graders.translators:
        task.files = inspect_files(submission.attachments)
    prose = [cell.source for cell in rebuilt.notebook.cells if cell.cell_type == "markdown"]

    def key(result: SubmissionResult) -> str:
        found = digest(grader.key(rebuilt.cells), prose, [repair.text for repair in repairs])
        if result.submitted or result.late:  # feedback tells them
            found = digest(found, result.submitted, result.late)
        if graders.translators and task.files is not None:
            found = digest(found, graders.translators.key(task.files))
        return found

    timed = _with_time_before(graded, recorder)
    if timed != graded and (
        recorder.has_notebook(timed, key(timed))
        or not (graders.translators or recorder.has_other_answers(timed, rebuilt))
    ):
        task.result = graded = timed
    task.key = key(graded)
    if recorder.has_notebook(graded, task.key):
        task.is_other = False
        return task
    has_translator = graders.translators is not None
    task.is_other = has_translator or recorder.has_other_answers(graded, rebuilt)
    recorder.keep_rebuilt(graded, rebuilt)
    return task


def _conclude(graders: _LessonGraders, task: _Task) -> None:
    """Put together what was found out about a submission; a fault leaves nothing to record."""
    graded = replace(
        task.result,
        test_results=tuple(task.test_results or ()),
        repairs=(*task.result.repairs, *graders.grader.left_out(task.cells)),
        remarks=tuple(graders.grader.remarks(task.cells)),
    )
    if graded.status == "grader_fault":
        messages = (one.message for one in graded.test_results if one.status == "grader_fault")
        graded = _faulty(graded, graders.lesson, graded.fault or next(messages, ""))
        task.key = ""
    task.result, task.cells = graded, []


def _with_name(result: SubmissionResult, roster: Roster) -> SubmissionResult:
    """The result with what the roster says of the student."""
    student = roster.by_id.get(result.student)
    return replace(result, name=student.name, section=student.section) if student else result


def _of_no_lesson(submission: Submission) -> _Task:
    """The task of what lies in no lesson's folder."""
    try:
        for _name, read in submission.notebooks:
            next(read(), b"")
    except Problem as problem:
        return _unreadable(submission, problem, 0.0)
    return _unreadable(submission, Problem("unknown_lesson", close=""), 0.0)


def _with_time_before(now: SubmissionResult, recorder: Recorder) -> SubmissionResult:
    """The result with the time that was recorded, should it be of the same work.

    It is for work of which nothing tells a time now. A stray's other files may have changed since.
    """
    before = recorder.known(now.student, now.lesson)
    if not (before and before.submitted) or is_stray(before) != is_stray(now):
        return now
    if now.submitted and not is_stray(now):
        return now
    return replace(now, submitted=before.submitted, late=before.late)


def _unreadable(
    submission: Submission, problem: Problem, points: float, recorder: Recorder | None = None
) -> _Task:
    """The task of a submission that holds nothing to grade."""
    result = _without_tests(submission, points)
    before = recorder.known(result.student, result.lesson) if recorder else None
    if recorder and before and before.problem == problem.remark:
        result = _with_time_before(result, recorder)
    return _Task(replace(result, repairs=submission.repairs, problem=problem.remark))


def _without_tests(submission: Submission, points: float) -> SubmissionResult:
    """What is known of a submission before anything of it is judged."""
    return SubmissionResult(
        submission.student,
        submission.lesson,
        points,
        submitted=submission.submitted,
        late=submission.late,
        original=submission.original,
    )


def _faulty(graded: SubmissionResult, lesson: Lesson, fault: str) -> SubmissionResult:
    """The submission with the grader's fault in place of all its test results: none counts."""
    tests = [
        (component, test.name, test.points)
        for component, tests in lesson.any_hidden().items()
        for test in tests
    ]
    if lesson.translator:
        tests += [(lesson.translator.component, *test) for test in lesson.translator.tests.items()]
    test_results = tuple(
        TestResult(component, test, 0.0, points, "grader_fault", "", "")
        for component, test, points in tests
    )
    return replace(graded, test_results=test_results, fault=fault)


def _brief(error: Exception) -> str:
    if isinstance(error, TranslatorFault):
        return str(error)
    lines = plain(f"{type(error).__name__}: {error}").strip().splitlines()
    return lines[0][:300]
