"""The running notebook: its lesson, its namespace, and the message for an open blank."""

import re
from types import TracebackType
from typing import Any

from .. import __version__
from ..diagnosis import crashes
from ..diagnosis.finding_sentences import open_blanks
from ..diagnosis.recorded_lessons import Unknown, index, lesson_texts, released_lines
from ..own_code import colab
from ..own_code.cells import watch_cells
from ..own_code.paths import home
from ..shared.language import _, say, speak
from ..shared.notebook import running_shell
from .display import FAILED, Box

_lesson: str | None = None  # that `start` named


def current_lesson() -> str | None:
    """The lesson that `start` named; None before it was called."""
    return _lesson


def start(lesson: str, version: str = "", language: str = "") -> None:
    """Begin or resume a lesson: the first cell of each notebook calls this.

    `version` is that of the package that the notebook was made with, `language` the notebook's,
    in which everything is said from here on. Chooses torch's number of threads, once in a kernel.
    """
    from ..shared.threads import measured_threads

    global _lesson
    speak(language)
    try:
        title = lesson_texts(lesson)["title"]
    except Unknown as unknown:
        Box("", _version_note(version), str(unknown), color=FAILED).tell()
        return
    _lesson = lesson
    _explain_name_errors()
    watch_cells()
    Box(
        _("Ready: {title}.").format(title=title),
        _version_note(version),
        _saved_note(),
        _colab_note(),
        measured_threads(),
    ).tell()


def _saved_note() -> str:
    from ..own_code.store import saved

    components = [name for entry in index()["lessons"].values() for name in entry["components"]]
    names = ", ".join(name for name in components if name in saved())
    if names:
        return _("Your own code that is here so far: {names}.").format(names=names)
    return _(
        "None of your own code is saved here yet; stand-ins take its place where a lesson needs it."
    )


def _colab_note() -> str:
    """How code is kept on Colab; empty elsewhere."""
    if colab.drive_folder():
        return _("Your code is kept in your Google Drive: {folder}").format(folder=home())
    if not colab.on_colab():
        return ""
    return _(
        "On Colab your code lasts as long as this runtime. To keep it, run wb.pack() at the end: "
        "it downloads your code, and wb.unpack() takes it back next time. Or run wb.use_drive() "
        "once: it keeps your code in your Google Drive."
    )


def _version_note(version: str) -> str:
    """What to do if the notebook was made with another version of the package; else empty."""
    if version in ("", __version__):
        return ""
    return _(
        "This notebook was made for version {notebook} of the course's package, and version "
        "{package} is installed. That is fine as long as all cells work. If one does not, and the "
        "notebook is older, take the new notebook and copy your answers into it. If the package "
        "is older, update the package: in a copy of the course, run `git pull` and `pip install "
        "./course` in a terminal, then restart the kernel; on Colab, choose Runtime > Disconnect "
        "and delete runtime, then run this cell again."
    ).format(notebook=version, package=__version__)


def _explain_name_errors() -> None:
    """Show a sentence instead of the traceback when a cell reaches an open blank.

    For any other undefined name, add a sentence below the traceback: most often the cell that
    defines it has not run yet.
    """
    shell = running_shell()
    if shell is None:
        return

    def explain(
        shell: Any,
        kind: type[NameError],
        error: NameError,
        traceback: TracebackType | None,
        tb_offset: int | None = None,
    ) -> list[str] | None:
        if "'____'" not in str(error):
            shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
            if advice := crashes.advice_on_unassigned(error):
                say(advice)
                return None
            name = getattr(error, "name", None) or str(error)
            call = rf"\bwb\.(check|hint|answer|use)\({re.escape(name)}\b"
            function = re.search(call, _last_line(error))
            if function:
                says = _('Names go between quotes: wb.{function}("{name}").')
                say(says.format(function=function[1], name=name))
                return None
            says = _(
                "Nothing called {name} is defined so far. If another cell of this notebook defines "
                "it, run that cell first; after a restart of the kernel, run all cells from the "
                "top. Otherwise look for a typo."
            )
            say(says.format(name=name))
            return None
        line, names = blank_at(error)
        calls = _(" or ").join(f'wb.hint("{name}")' for name in names) or "wb.hint()"
        say(
            _(
                "A blank is still empty here: {line}\nReplace ____ with your code, then run the "
                "cell again. For help: {hint}"
            ).format(line=line, hint=calls)
        )
        return []

    shell.set_custom_exc((NameError,), explain)


def _last_line(error: NameError) -> str:
    """The line that raised an error."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].line or "" if frames else ""


def blank_at(error: NameError) -> tuple[str, list[str]]:
    """The line of the blank that raised `error`, and the names of the blanks in that line."""
    import traceback

    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.line and "____" in frame.line:
            line = frame.line.strip()
    return line, blanks_of_line(line)


def blanks_of_line(line: str) -> list[str]:
    """The names of the current lesson's blanks that are open in `line`."""
    if _lesson is None:
        return []
    components = lesson_texts(_lesson)["components"].values()
    by_component = (open_blanks(line, released_lines(component)) for component in components)
    return next(filter(None, by_component), [])
