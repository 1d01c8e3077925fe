"""The notebook that is running: which lesson, which names, and what a blank left open says."""

import re
import sys

from .. import __version__
from ..own_code import colab
from ..own_code.paths import home
from ..shared.explain import open_blanks
from ..shared.lesson_index import Unknown, index, lesson_texts
from ..shared.texts import say, texts

PACKAGE = "transformer_workbook"


class _Session:
    lesson: str | None = None


def current_lesson() -> str | None:
    """The lesson that `start` named, if it was called."""
    return _Session.lesson


def start(lesson: str, version: str = "") -> None:
    """Begin (or go on with) a lesson: the first cell of each notebook calls this.

    `version` is that of the package that the notebook was made with.
    """
    from ..own_code.store import saved

    said = texts()["start"]
    _compare(version)
    try:
        title = lesson_texts(lesson)["title"]
    except Unknown as unknown:
        say(str(unknown))
        return
    _Session.lesson = lesson
    _explain_names()
    say(said["ready"].format(title=title))
    mine = [name for one in index()["lessons"].values() for name in one["components"]]
    mine = [name for name in mine if name in saved()]
    say(said["carried"].format(names=", ".join(mine)) if mine else said["nothing"])
    if colab.drive_folder():
        say(said["on_drive"].format(folder=home()))
    elif colab.on_colab():
        say(said["on_colab"])


def _compare(version: str) -> None:
    """Say so where the notebook and the package are of different versions."""
    said = texts()["start"]
    notebook, package = _numbers(version), _numbers(__version__)
    if notebook and notebook != package:
        text = said["newer_notebook" if notebook > package else "older_notebook"]
        say(text.format(notebook=version, package=__version__))


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def notebook_namespace() -> dict:
    """The names that the student's cells define; outside of a notebook, those of the caller."""
    shell = _shell()
    if shell is not None:
        return shell.user_ns
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(PACKAGE):
        frame = frame.f_back
    return frame.f_globals if frame is not None else {}


def in_notebook() -> bool:
    """Whether a Jupyter kernel is running this (a terminal shows no HTML)."""
    return getattr(_shell(), "kernel", None) is not None


def _shell():
    if "IPython" not in sys.modules:
        return None
    return sys.modules["IPython"].get_ipython()


def _explain_names() -> None:
    """Where a cell reaches a blank, say so in a sentence instead of a traceback.

    Any other name that is not defined gets a sentence below its traceback: most often the cell
    that defines it has not run yet.
    """
    shell = _shell()
    if shell is None:
        return

    def tell(shell, kind, error, traceback, tb_offset=None):
        if "'____'" not in str(error):
            shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
            say(texts()["start"]["not_defined"].format(name=getattr(error, "name", None) or error))
            return None
        line, names = blank_at(error)
        calls = " or ".join(f'wb.hint("{name}")' for name in names) or "wb.hint()"
        say(texts()["start"]["blank"].format(line=line, hint=calls))
        return []

    shell.set_custom_exc((NameError,), tell)


def blank_at(error: NameError) -> tuple[str, list[str]]:
    """The line of the blank that raised `error`, and the names of the blanks in it."""
    import traceback

    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.line and "____" in frame.line:
            line = frame.line.strip()
    return line, blanks_of_line(line)


def blanks_of_line(line: str) -> list[str]:
    """The blanks of the current lesson that are open in `line`."""
    if _Session.lesson is None:
        return []
    for component in lesson_texts(_Session.lesson)["components"].values():
        found = open_blanks(line, released_lines(component))
        if found:
            return found
    return []


def released_lines(component: dict) -> dict[str, str]:
    """The blanks of a component with their lines, as `open_blanks` wants them."""
    return {name: blank["line"] for name, blank in component["blanks"].items()}
