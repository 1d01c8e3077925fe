"""The command line. Each command imports what does its work, so that `--help` is quick.

Exit codes: 0 only if all of it was done, 1 if something failed, 2 for wrong usage.
"""

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .errors import WrongUsage
from .language import _

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130  # the exit code of what Ctrl-C has ended

app = typer.Typer(
    name="autograder",
    help=_("Builds the course, proves its checks, and grades submissions."),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
Lessons = Annotated[list[str] | None, typer.Argument(metavar="[LESSON...]", help=_(
    "Lessons such as 01-attention; all without it."))]  # fmt: skip
Submitted = Annotated[Path, typer.Argument(metavar="SUBMITTED", help=_(
    "A folder, or a zip of it, with <student>/<NN-name>/<name>.ipynb; or what an LMS gives, as "
    "`collect` takes it."
))]  # fmt: skip
RosterFile = Annotated[Path | None, typer.Option("--roster", metavar="CSV", help=_(
    "The class: columns id, name, email, section, lms_id; or the gradebook that Canvas exports, or "
    "Moodle's grading worksheet. It is kept for later runs."
))]  # fmt: skip
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help=_(
    "Submissions that run at the same time; as many as there are processors."
))]  # fmt: skip
NewName = Annotated[str, typer.Argument(metavar="NN-name", help=_("Such as 14-decoder-only."))]
OneLesson = Annotated[str, typer.Option(metavar="NN-name", help=_(
    "Only this lesson: 01-attention, or 01."))]  # fmt: skip


@app.command(help=_("Derive the notebooks and the recorded evidence from autograder/lessons/."))
def build(
    lessons: Lessons = None,
    check: Annotated[bool, typer.Option("--check", help=_(
        "Only compare; exit 1 with the files that differ."))] = False,
) -> None:  # fmt: skip
    with _servers_ahead():
        from .authoring.build import build_command

        _exit(build_command(lessons or [], check=check))


@app.command(help=_("Bring the catalogues of other languages up to date."))
def messages() -> None:
    from .authoring.catalogues import messages_command

    messages_command()


@app.command(
    help=_("Prove that each lesson's checks and tests tell right answers from wrong ones.")
)
def prove(
    lessons: Lessons = None,
    mutants: Annotated[str, typer.Option(metavar="N|all", help=_(
        "Mutants that are tried of each lesson; a few without."
    ))] = "",
    secrets: Annotated[int, typer.Option(metavar="N", min=1, help=_(
        "Draws of the hidden inputs for mutants."))] = 1,
    only_mutants: Annotated[bool, typer.Option("--only-mutants", help=_(
        "Only proof 8: misconceptions and mutants."))] = False,
    notebooks: Annotated[bool | None, typer.Option("--notebooks/--no-notebooks", help=_(
        "Run notebooks and the repository's tests (9, 10): by default, where lessons are named."
    ))] = None,
) -> None:  # fmt: skip
    if mutants not in ("", "all") and not mutants.isdigit():
        raise WrongUsage(_("--mutants is a number or all, not {given!r}"), given=mutants)
    with _servers_ahead():
        from .authoring.prove.proofs import BUDGET, Scope, prove_command

        most = None if mutants == "all" else int(mutants or BUDGET)
        run_notebooks = bool(lessons) if notebooks is None else notebooks
        scope = Scope(most, secrets, only_mutants=only_mutants, notebooks=run_notebooks)
        _exit(prove_command(lessons or [], scope=scope))


@app.command(
    help=_(
        "Sort what was handed in into DIR/<student>/<NN-name>/, and show what maps where.\n\n"
        "SOURCE is the zip that an LMS gives, the inbound folder of nbgrader's exchange, "
        "a folder from Google Drive, a folder of one lesson, or one of students; or a zip of any. "
        "Collected again into the same DIR, the newest attempt counts, and earlier ones are kept."
    )
)
def collect(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help=_("A zip or a folder."))],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_(
        "Where it goes; grade it from there."))],
    roster: RosterFile = None,
    yes: Annotated[bool, typer.Option("--yes", help=_(
        "Also where most who handed in are not in the roster."))] = False,
) -> None:  # fmt: skip
    from .commands.collect import collect_command

    _exit(collect_command(source, folder, roster, _console(), yes))


@app.command(
    help=_(
        "Grade submissions. Started again, it resumes where it stopped.\n\n"
        "Where scores that are recorded already would drop, because a submission or a lesson has "
        "changed, they are shown first and you are asked. Where nobody can be asked, the recorded "
        "ones stay and the exit code is 1, unless there is --yes."
    )
)
def grade(
    submitted: Submitted,
    out: Annotated[Path, typer.Option("--out", metavar="OUT", help=_("Where the results go."))],
    lesson: OneLesson = "",
    student: Annotated[str, typer.Option(metavar="ID", help=_("Only this student's folder."))] = "",
    jobs: Jobs = None,
    sandbox: Annotated[str, typer.Option(metavar="[auto|namespaces|bwrap|none]", help=_(
        "How students' code is confined; 'none' runs it with your own rights."
    ))] = "auto",
    scheduler: Annotated[str, typer.Option(metavar="ADDRESS", help=_(
        "Run on the workers of a scheduler."))] = "",
    seed: Annotated[str, typer.Option(metavar="SECRET", help=_(
        "What the hidden inputs are drawn from; without it, drawn once and kept in OUT."
    ))] = "",
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", min=1, help=_(
        "For one submission, all of it. 60, or the lesson's own."
    ))] = None,
    yes: Annotated[bool, typer.Option("--yes", help=_(
        "Answer yes to all questions: record the new scores also where scores that are recorded "
        "already would drop, and grade also where the roster lacks most students. An attempt that "
        "is known to be older than what was graded counts only if --student names whose it is."
    ))] = False,
    roster: RosterFile = None,
) -> None:  # fmt: skip
    with contextlib.nullcontext() if scheduler else _servers_ahead():
        with _importing():
            from .commands.grade import grade_command
            from .commands.request import SANDBOXES, Request, usual_jobs

        if sandbox not in SANDBOXES:
            message = _("--sandbox is one of {known}, not {given!r}")
            raise WrongUsage(message, known=", ".join(SANDBOXES), given=sandbox)
        jobs = jobs or usual_jobs()
        request = Request(
            submitted, out, lesson, student, jobs, sandbox, scheduler, seed, time_limit, yes, roster
        )
        _exit(grade_command(request, _console()))


@app.command(
    help=_(
        "Write grades for an LMS or a spreadsheet into OUT/export, and feedback as zips.\n\n"
        "For Canvas and Moodle, the zips have the names that the LMS gave to what was handed in, "
        "so that it takes them back. --sheet is what the LMS exports: Canvas's gradebook, or "
        "Moodle's grading worksheet; it is filled in. The roster is taken for it where it is such "
        "a file."
    )
)
def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help=_("What `grade` has written."))],
    kind: Annotated[str, typer.Option("--for", metavar="canvas|moodle|csv", help=_(
        "Who takes it."))],
    sheet: Annotated[Path | None, typer.Option(metavar="CSV", help=_(
        "The LMS's own file, to be filled in."))] = None,
    lesson: OneLesson = "",
    column: Annotated[list[str] | None, typer.Option(metavar="LESSON=TITLE", help=_(
        "A lesson's column in Canvas's gradebook, where its title does not name the lesson: "
        '01="HW 1". Repeat it for several.'
    ))] = None,
) -> None:  # fmt: skip
    from .commands.export import export_command

    _exit(export_command(out, kind, sheet, lesson, _console(), column or ()))


@app.command(help=_("Make a lesson's folder, with comments that lead, and build and prove it."))
def new_lesson(
    name: NewName,
    component: Annotated[list[str], typer.Option(metavar="NAME", help=_(
        "What it builds: a function or class of solutions/. Repeat it for several."
    ))],
    bug_hunt: Annotated[bool, typer.Option("--bug-hunt", help=_("With a bug hunt."))] = False,
    question: Annotated[bool, typer.Option("--question", help=_("With a question."))] = False,
) -> None:  # fmt: skip
    from .authoring.new_lesson import new_lesson_command

    _exit(new_lesson_command(name, component, bug_hunt, question, _console()))


@app.command(help=_("Delete a lesson: folders, line, what is derived, its file of the reference."))
def remove_lesson(
    name: NewName,
    yes: Annotated[bool, typer.Option("--yes", help=_("Without asking."))] = False,
) -> None:
    from .authoring.remove_lesson import remove_lesson_command

    _exit(remove_lesson_command(name, _console(), yes))


@app.command(help=_("Build and prove a lesson on each save, as far as it has changed."))
def watch(
    name: NewName,
) -> None:
    from .authoring.watch import watch_command

    _exit(watch_command(name, _console()))


@app.command(help=_("Write the repository for students: no solution and no test is in it."))
def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_(
        "A folder that is empty or new, or a clone."))],
) -> None:  # fmt: skip
    from .authoring.publish import publish_command

    _exit(publish_command(folder))


@app.command(help=_("Build the site: each lesson as a page, guides, glossary; takes minutes."))
def site(
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help=_(
        "Where it goes; replaced if it exists."))] = Path("build/site/html"),
    record: Annotated[str, typer.Option(metavar="LESSON", help=_(
        "Instead, keep what a real run of it shows."))] = "",
) -> None:  # fmt: skip
    from .authoring.site.build import site_command

    _exit(site_command(folder, _console(), record))


@app.command(help=_("Make up a small class, grade it, and compare with what is expected."))
def demo(
    out: Annotated[Path, typer.Option("--out", metavar="OUT", help=_(
        "Where the made-up class goes."))] = Path("demo"),
) -> None:  # fmt: skip
    with _servers_ahead():
        from .demo import demo_command

        _exit(demo_command(out, _console()))


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def _exit(code: int | None) -> None:
    raise typer.Exit(code or 0)


def main(arguments: list[str] | None = None) -> None:
    """Run a command; an expected error is one clear line, without a traceback."""
    # At the end all memory goes back to the system: looking for garbage first takes a second.
    atexit.register(gc.freeze)
    try:
        app(arguments)
    except WrongUsage as error:
        _fail(error, 2)
    except OSError as error:
        if os.environ.get("AUTOGRADER_DEBUG"):
            raise
        _fail(error, 1)
    except SystemExit as end:
        if end.code != INTERRUPTED:  # typer exits with it after Ctrl-C, and says nothing
            raise
        _fail(_("Stopped. Start it again to resume from here."), INTERRUPTED)
    except Exception as error:
        from .errors import AuthoringError
        from .sandbox.choose_sandbox import SandboxUnavailable

        if isinstance(error, SandboxUnavailable):
            _fail(error, 2)
        if isinstance(error, AuthoringError):
            _fail(error, 1)
        raise


@contextlib.contextmanager
def _servers_ahead() -> Iterator[None]:
    """What runs students' code is started now, while the rest is imported."""
    from .sandbox.server_process import started_ahead

    with started_ahead():
        yield


@contextlib.contextmanager
def _importing() -> Iterator[None]:
    """While this lasts, no garbage is looked for: there is none, and it takes half a second."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _fail(error: object, code: int) -> NoReturn:
    print(f"autograder: {error}", file=sys.stderr)
    sys.exit(code)
