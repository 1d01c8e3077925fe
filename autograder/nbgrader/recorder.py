"""Records judged submissions as nbgrader's own commands would, in one transaction a batch.

nbgrader's course directory is OUT itself: OUT/nbgrader/{source,release,submitted,autograded},
OUT/feedback and OUT/gradebook.db. There is one writer. That a submission counts as recorded is
committed with its points.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path

import nbformat
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbformat import NotebookNode
from nbgrader.api import Base, Gradebook, InvalidEntry, MissingEntry, Notebook
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.errors import WrongUsage
from autograder.files import CannotWrite, replace_file
from autograder.judging.version import version_of
from autograder.language import _, speaking
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import instructor_notebook, to_bytes
from autograder.lms.roster import Roster
from autograder.reports.feedback import PageTexts, page
from autograder.results.extensions import Deadlines, read_deadlines
from autograder.results.outdir import (
    all_results,
    digest,
    load_result,
    read_json,
    save_result,
    write_json,
)
from autograder.results.safe_names import below
from autograder.results.submission import GradebookEntry, SubmissionId, SubmissionResult
from autograder.results.tables import in_order
from autograder.submissions.rebuild import Rebuilt

from .assignments import fit_cells
from .converters import assign, silence, unusable, unwritable
from .graded_notebook import (
    Prose,
    about,
    add_submissions,
    put_grades,
    put_results_in_notebook,
    sanitize,
    save_grades,
    submitted_notebooks,
)
from .marks_and_penalties import (
    Penalties,
    all_with_marks,
    entries,
    entry_of,
    move_deadline,
    settle,
    with_current_deadline,
    with_marks,
)
from .moving import move_results
from .settings import RESULTS_CONFIG, configure_results, gradebook_url
from .state import PAGE, RECORDED, STUDENTS, State

BATCH = 20  # submissions; as many are started over after a run was stopped while it recorded
READ_ONLY = 0o444  # as nbgrader leaves graded notebooks
PATIENCE = 5.0  # seconds that another program may take to end what it is writing


class Recorder:
    """The gradebook of one OUT, and what is recorded there of each submission.

    `time_limit` is that of the run, if it has its own. Its methods raise CannotWrite.
    """

    def __init__(self, out: Path, secret: str, deadlines: Deadlines, time_limit: float = 0.0):
        self.out, self.work = out.resolve(), out.resolve() / "work"
        self._path = self.out / "gradebook.db"
        self._deadlines = deadlines
        self._entries: dict[str, dict[str, GradebookEntry]] = {}  # by lesson and student
        config = Config()
        configure_results(config, self.out)
        config.JudgeSubmission.seed = secret
        # With the lesson's own limit, JudgeSubmission would run again what timed out in this run.
        config.JudgeSubmission.time_limit = time_limit
        self._config = config
        replace_file(self.out / "nbgrader_config.py", RESULTS_CONFIG)
        if self._path.exists():
            _require_writable(self._path)
        else:
            self._make_gradebook()
        with self._gradebook() as gradebook:
            self._state = State.open(gradebook)
        self._penalties = Penalties(self._state, deadlines.course.late)

    def _make_gradebook(self) -> None:
        """Put an empty gradebook in place, and forget what was recorded in another one."""
        for path in (self.work / "assignments").glob("*.json"):
            lesson_version = (read_json(path) or {}).get("lesson")
            write_json(path, {"version": "", "lesson": lesson_version})  # to be made again
        part = self.work / "gradebook.part"
        try:
            part.unlink(missing_ok=True)
            _create(gradebook_url(part))
            # SQLite would apply the log of an earlier gradebook to this one.
            for log in ("-wal", "-shm", "-journal"):
                self._path.with_name(self._path.name + log).unlink(missing_ok=True)
            part.replace(self._path)
        except OSError as error:
            raise CannotWrite.because(self._path, error) from error
        except DatabaseError as error:
            raise unusable(self._path, error.orig) from error

    # The lessons.

    def has_changed(self, lesson: Lesson) -> bool:
        """Whether the gradebook was made for another version of the lesson, or for none."""
        return self._made_for(lesson).get("lesson") != version_of(lesson)

    def prepare(self, course: Course, lesson: Lesson) -> None:
        """Make the lesson an assignment of the gradebook, unless it is one already."""
        notebook = instructor_notebook(course, lesson)
        content = to_bytes(notebook)
        notebook_hash = digest(content.decode())
        is_made = self._made_for(lesson).get("version") == notebook_hash
        if not is_made or self.has_changed(lesson):
            source = below(self.out, "nbgrader", "source", lesson.id, f"{lesson.name}.ipynb")
            replace_file(source, content)
            with self._gradebook() as gradebook:
                gradebook.update_or_create_assignment(lesson.id)
                fit_cells(gradebook, lesson.id, lesson.name, notebook)
            assign(self._config, self._path, lesson.id)
            versions = {"version": notebook_hash, "lesson": version_of(lesson)}
            write_json(self._assignment(lesson), versions)
        with self._gradebook() as gradebook:
            move_deadline(gradebook, lesson)

    def _made_for(self, lesson: Lesson) -> dict[str, str]:
        """The notebook's hash and the lesson's version for which the gradebook was made."""
        return read_json(self._assignment(lesson)) or {}

    def _assignment(self, lesson: Lesson) -> Path:
        return below(self.work, "assignments", f"{lesson.id}.json")

    # What is known of a submission.

    def known(self, student: str, lesson: str) -> SubmissionResult | None:
        """What is recorded of a submission; None where nothing is."""
        return load_result(self.work, student, lesson)

    def all_known(self) -> Iterator[SubmissionResult]:
        """All that is recorded, in an order without meaning."""
        return all_results(self.work)

    def in_gradebook(self, result: SubmissionResult) -> bool:
        """Whether the gradebook holds this submission's points."""
        return bool(self._recorded_hashes(result))

    def is_half_recorded(self, result: SubmissionResult, key: str) -> bool:
        """Whether a run was stopped after this had come into the gradebook, and before the rest.

        It had been agreed to then.
        """
        hashes = self._recorded_hashes(result)
        if hashes.get("key") != key or self.known(*result.id) == result:
            return False  # without a hash of all test results, in nearly all cases
        return hashes == _hashes_of(result, key)

    def is_recorded(self, result: SubmissionResult, key: str) -> bool:
        """Whether this submission is recorded with these results: more time may change them."""
        recorded = self.known(*result.id) if self.has_notebook(result, key) else None
        return recorded is not None and recorded.test_results == result.test_results

    def has_notebook(self, result: SubmissionResult, key: str) -> bool:
        """Whether nbgrader's folders have this very notebook, whatever its test results."""
        is_recorded = self._recorded_hashes(result).get("key") == key
        return is_recorded and self.feedback_path(result).is_file()

    def _recorded_hashes(self, result: SubmissionResult) -> dict[str, str]:
        return self._state.get(RECORDED, result.student, result.lesson)

    def feedback_path(self, result: SubmissionResult) -> Path:
        """Where the student's feedback page is, or would be."""
        return self.out / result.page

    # Recording.

    def keep_rebuilt(self, result: SubmissionResult, rebuilt: Rebuilt) -> None:
        """Keep the rebuilt notebook on disk until it is recorded: a class is large."""
        replace_file(self._rebuilt(result), nbformat.writes(rebuilt.notebook, nbformat.NO_CONVERT))

    def record(
        self,
        lesson: Lesson,
        graded: list[SubmissionResult],
        keys: dict[str, str],
        advance: Callable[[], None],
    ) -> dict[str, str]:
        """Record submissions of one lesson that were taken, each with its student's key.

        `advance` is called twice for each. Returns what went wrong, by student.
        """
        complaints: dict[str, str] = {}
        for start in range(0, len(graded), BATCH):
            complaints |= self._record(lesson, graded[start : start + BATCH], keys, advance)
        return complaints

    def _record(
        self,
        lesson: Lesson,
        graded: list[SubmissionResult],
        keys: dict[str, str],
        advance: Callable[[], None],
    ) -> dict[str, str]:
        for result in graded:
            self._remove_pages(result)
            self._hand_in(result)
        with self._gradebook() as gradebook:
            source = gradebook.find_notebook(lesson.name, lesson.id)
            notebooks, complaints = self._graded_notebooks(lesson, graded, source, advance)
            self._enter(gradebook, source, notebooks)
            entered = []
            for result in graded:
                student = result.student
                if student in complaints:
                    self._state.delete(gradebook, RECORDED, student, lesson.id)
                else:
                    hashes = _hashes_of(result, keys[student])
                    self._state.put(gradebook, RECORDED, hashes, student, lesson.id)
                    entered.append(result)
            self._settle(gradebook, lesson, entered)
            gradebook.db.commit()
        complaints |= self._write_pages(lesson, entered, advance)
        for result in entered:
            if result.student not in complaints:
                save_result(self.work, result)
        return complaints

    def _graded_notebooks(
        self,
        lesson: Lesson,
        graded: list[SubmissionResult],
        source: Notebook,
        advance: Callable[[], None],
    ) -> tuple[dict[str, NotebookNode], dict[str, str]]:
        """Write the graded notebooks; these, and what went wrong with the others, by student."""
        notebooks: dict[str, NotebookNode] = {}
        complaints: dict[str, str] = {}
        for result in graded:
            try:
                notebooks[result.student] = self._graded_notebook(lesson, result, source)
            except CannotWrite:
                raise
            except Exception as error:  # whatever a file is made of, it must not stop others
                complaint = _("nbgrader's notebook cannot be made: {reason}")
                complaints[result.student] = complaint.format(reason=_in_a_line(error))
            advance()
        return notebooks, complaints

    def _enter(
        self, gradebook: Gradebook, source: Notebook, notebooks: dict[str, NotebookNode]
    ) -> None:
        """Enter the notebooks, by student, into the gradebook."""
        for student, row in add_submissions(gradebook, source, notebooks).items():
            prose = Prose(self._state, student, source.assignment.name)
            save_grades(notebooks[student], row, prose)
            prose.remember(gradebook)
        gradebook.db.flush()
        gradebook.db.expire_all()

    def _graded_notebook(
        self, lesson: Lesson, result: SubmissionResult, source: Notebook
    ) -> NotebookNode:
        """The rebuilt notebook with its test results, put where nbgrader has graded ones."""
        path = below(self._folder("submitted", result), f"{lesson.name}.ipynb")
        notebook: NotebookNode = nbformat.read(path, nbformat.NO_CONVERT)
        sanitize(notebook, source)
        more = (result.version, result.late, result.language)
        notebook.metadata["workbook"] = about(lesson, result.repairs, *more)
        with speaking(result.language):
            put_results_in_notebook(notebook, lesson, list(result.test_results))
        graded = self._autograded(result, lesson)
        replace_file(graded, nbformat.writes(notebook, nbformat.NO_CONVERT) + "\n")
        graded.chmod(READ_ONLY)
        timestamp = path.with_name("timestamp.txt")
        if timestamp.is_file():
            replace_file(graded.with_name(timestamp.name), timestamp.read_bytes())
        return notebook

    # Marks by hand, deadlines and penalties.

    def with_marks(self, results: Iterable[SubmissionResult]) -> list[SubmissionResult]:
        """The results with their marks and deadlines as the gradebook has them."""
        results = list(results)
        for result in results:
            self._entry(result)
        return all_with_marks(results, self._entries, self._deadlines)

    def as_recorded(self, result: SubmissionResult) -> SubmissionResult:
        """The result with its marks, and what lateness costs, as they are recorded."""
        marked = with_marks(result, self._entry(result), self._deadlines)
        return self._penalties.with_penalty(marked, as_recorded=True)

    def as_foreseen(self, result: SubmissionResult) -> SubmissionResult:
        """The result as this run will leave it: by the course's deadline and policy of now."""
        marked = with_marks(result, self._entry(result), self._deadlines)
        marked = with_current_deadline(marked, self._deadlines)
        return self._penalties.with_penalty(marked)

    def refresh(
        self,
        lesson: Lesson,
        results: list[SubmissionResult],
        stays: Callable[[SubmissionResult], bool],
        advance: Callable[[], None] = lambda: None,
    ) -> None:
        """Bring deadlines and penalties of one lesson up to date, then pages that they change.

        So are pages that marks and comments by hand have changed since. Of those for which `stays`
        is true, the deadline and the percentage that lateness costs are left as recorded.
        """
        with self._gradebook() as gradebook:
            self._settle(gradebook, lesson, results, stays)
            gradebook.db.commit()
        changed = [
            result
            for result in results
            if self._autograded(result, lesson).is_file()
            and (entry := self._entry(result))
            and self._state.get(PAGE, result.student, lesson.id) != _on_page(entry)
        ]
        self._write_pages(lesson, changed, advance)

    def _settle(
        self,
        gradebook: Gradebook,
        lesson: Lesson,
        results: list[SubmissionResult],
        stays: Callable[[SubmissionResult], bool] = lambda result: False,
    ) -> None:
        by_student = {result.student: result for result in results}
        settled = settle(gradebook, lesson, by_student, self._deadlines, self._penalties, stays)
        if lesson.id not in self._entries:
            self._entries[lesson.id] = entries(gradebook, lesson.id)
        self._entries[lesson.id] |= settled

    def _write_pages(
        self, lesson: Lesson, results: list[SubmissionResult], advance: Callable[[], None]
    ) -> dict[str, str]:
        """Write pages of feedback; what went wrong, by student."""
        complaints: dict[str, str] = {}
        words = cache(partial(PageTexts.of, self._deadlines.course, lesson))  # by language
        with self._gradebook() as gradebook:
            rows = submitted_notebooks(gradebook, lesson.id, [result.student for result in results])
            for result in results:
                try:
                    notebook = nbformat.read(self._autograded(result, lesson), nbformat.NO_CONVERT)
                    row = rows[result.student]
                    put_grades(notebook, row)
                    entry = entry_of(row)
                    texts = words(result.language)
                    html = page(notebook, result.student, lesson.id, entry, texts)
                    replace_file(self.feedback_path(result), html)
                    self._state.put(gradebook, PAGE, _on_page(entry), result.student, lesson.id)
                except CannotWrite:
                    raise
                except Exception as error:
                    complaint = _("no feedback was written: {reason}")
                    complaints[result.student] = complaint.format(reason=_in_a_line(error))
                advance()
            gradebook.db.commit()
        return complaints

    def _entry(self, result: SubmissionResult) -> GradebookEntry | None:
        """What the gradebook holds of a submission; read once for a lesson."""
        if result.lesson not in self._entries:
            with self._gradebook() as gradebook:
                self._entries[result.lesson] = entries(gradebook, result.lesson)
        return self._entries[result.lesson].get(result.student)

    def withdraw(self, result: SubmissionResult) -> None:
        """Take an old grade back where grading failed, or cannot be done any more."""
        self._remove_pages(result)
        if result.fault and result.lesson:
            self._hand_in(result)  # for the instructor to look at
        with self._gradebook() as gradebook:
            self._state.delete(gradebook, RECORDED, result.student, result.lesson)
            with contextlib.suppress(MissingEntry):
                for notebook in gradebook.find_submission(result.lesson, result.student).notebooks:
                    for grade in notebook.grades:
                        grade.auto_score = None
                        # Prose that was marked waits again only for another answer, which
                        # `save_grades` finds out when one comes.
                        if grade.cell.cell_type != "markdown" or grade.manual_score is None:
                            grade.needs_manual_grade = True
            gradebook.db.commit()
        save_result(self.work, result)

    def move(self, ids: Mapping[SubmissionId, str]) -> None:
        """Move what is recorded of submissions to other students' ids."""
        if ids:
            with self._gradebook() as gradebook:
                move_results(self.out, gradebook, self._state, list(self.all_known()), ids)

    def save_students(self, roster: Roster) -> None:
        """Bring nbgrader's students to what the roster says of them; none is removed."""
        said = {"key": digest([[s.id, *s.names, s.email, s.lms_id] for s in roster.students])}
        if self._state.get(STUDENTS) == said:
            return
        with self._gradebook() as gradebook:
            for student in roster.students:
                first, last = student.names
                details = {"first_name": first, "last_name": last, "email": student.email,
                         "lms_user_id": student.lms_id}  # fmt: skip
                gradebook.update_or_create_student(
                    student.id, **{name: value or None for name, value in details.items()}
                )
            self._state.put(gradebook, STUDENTS, said)
            gradebook.db.commit()

    def _hand_in(self, result: SubmissionResult) -> None:
        """Put the rebuilt notebook where nbgrader looks for it."""
        rebuilt = self._rebuilt(result)
        if rebuilt.is_file():
            name = result.lesson_name
            path = below(self._folder("submitted", result), f"{name}.ipynb")
            path.parent.mkdir(parents=True, exist_ok=True)
            rebuilt.replace(path)
        # From this file, nbgrader's own rules for lateness know the time.
        timestamp = self._folder("submitted", result) / "timestamp.txt"
        timestamp.unlink(missing_ok=True)
        if result.submitted:
            replace_file(timestamp, result.submitted)

    def update(self, result: SubmissionResult) -> None:
        """Remember what is said of a submission whose test results and notebook are recorded."""
        if self.known(*result.id) != result:
            save_result(self.work, result)

    def _remove_pages(self, result: SubmissionResult) -> None:
        """Remove the page of feedback, then the graded notebook that it was made of."""
        if not result.lesson:
            return  # it has no folders; the student's own hold all other lessons
        feedback = below(self.out, "feedback", result.student, result.lesson)
        for folder in (feedback, self._folder("autograded", result)):
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def _gradebook(self) -> Iterator[Gradebook]:
        try:
            with silence(), Gradebook(gradebook_url(self._path)) as gradebook:
                yield gradebook
        except (DatabaseError, InvalidEntry) as error:
            raise unwritable(error, self._path) or error from error

    # The files of a submission.

    def _folder(self, step: str, result: SubmissionResult) -> Path:
        return below(self.out, "nbgrader", step, result.student, result.lesson)

    def _autograded(self, result: SubmissionResult, lesson: Lesson) -> Path:
        return below(self._folder("autograded", result), f"{lesson.name}.ipynb")

    def _rebuilt(self, result: SubmissionResult) -> Path:
        return below(self.work, "rebuilt", result.student, f"{result.lesson}.ipynb")


def _hashes_of(result: SubmissionResult, key: str) -> dict[str, str]:
    """What is known of a submission once the gradebook holds these results of it."""
    return {"key": key, "test_results": digest(result.to_tree()["test_results"])}


def _on_page(entry: GradebookEntry) -> dict[str, str]:
    """What is known of a page: a hash of all that it shows of the gradebook."""
    return {"shown": entry.page_digest}


def _in_a_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def read_results(out: Path, course: Course) -> list[SubmissionResult]:
    """All that is recorded in OUT, with marks and penalties as the gradebook has them now.

    Nothing is written. Raises WrongUsage where nothing is recorded, CannotWrite for a damaged
    gradebook.
    """
    path, results = out.resolve() / "gradebook.db", list(all_results(out / "work"))
    if not results or not path.is_file():
        raise WrongUsage(_("{path} holds no results; grade into it first"), path=out)
    recorded: dict[str, dict[str, GradebookEntry]] = {}
    try:
        with silence(), Gradebook(gradebook_url(path)) as gradebook:
            penalties = Penalties(State(gradebook), course.late)
            for lesson in {result.lesson for result in results}:
                recorded[lesson] = entries(gradebook, lesson)
    except DatabaseError as error:
        raise unusable(path, error.orig) from error
    deadlines = read_deadlines(out, course)
    marked = all_with_marks(results, recorded, deadlines)
    marked = [penalties.with_penalty(result, as_recorded=True) for result in marked]
    return in_order(marked, list(course.lessons))


def _require_writable(path: Path) -> None:
    """Raise CannotWrite for a gradebook that is damaged, locked or not ours, before any run."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE)) as gradebook:
            gradebook.execute("BEGIN IMMEDIATE")
            (result,) = gradebook.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise sqlite3.DatabaseError(result)
            gradebook.rollback()
    except sqlite3.DatabaseError as error:
        raise unusable(path, error) from error


def _create(url: str) -> None:
    """Make the tables of a gradebook, and note their version.

    nbgrader would start the program `alembic` for the latter, which takes seconds.
    """
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
    finally:
        engine.dispose()
    with Gradebook(url):
        pass  # it adds a course
