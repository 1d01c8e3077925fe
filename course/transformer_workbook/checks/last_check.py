"""The last check of a lesson: what is open, and how to hand the notebook in."""

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from ..diagnosis.finding_sentences import blanks_left_open
from ..diagnosis.recorded_lessons import lesson_texts, released_lines
from ..own_code import colab
from ..own_code.store import is_saved_as, is_stale, own_text, saved
from ..shared.language import _
from ..shared.notebook import notebook_namespace
from ..shared.probing import module_name
from .check import examine
from .display import FAILED, PASSED, Box
from .questions import answers_in, graded_cells_in, is_answer, notebook_of
from .session import current_lesson


def finish(download: bool = False) -> None:
    """Check every part of the current lesson again and print what is open.

    On Colab, `download=True` also has the browser download the notebook.
    """
    lesson = current_lesson()
    if lesson is None:
        Box("", _("Run the first cell of the notebook, then this one again.")).tell()
        return
    notebook = notebook_of(lesson)
    components = lesson_texts(lesson)["components"]
    states = {
        name: _open_since(lesson, name, notebook or {})
        for name in components
        if _is_only_saved(lesson, name)
    }
    earlier = [name for name, state in states.items() if not state]
    parts = {name: states.get(name) or _open_in(lesson, name) for name in components
             if name not in earlier}  # fmt: skip
    parts |= _open_files(lesson) | _open_questions(notebook)
    still_open = [f"{name}: {state}" for name, state in parts.items() if state]
    heading = _("Nothing is open in {title}: all {count} parts are done.")
    if still_open:
        heading = _("Still open in {title}:")
    count = len(parts) + len(earlier)
    Box(
        heading.format(title=lesson_texts(lesson)["title"], count=count),
        still_open,
        _("You can hand it in all the same: what is done counts.") if still_open else "",
        _saved_earlier_note(earlier),
        _questions_note(notebook),
        _how_to_hand_in(lesson, notebook, download),
        _hand_in_files(lesson, download) if "hand_in" in lesson_texts(lesson) else "",
        color=FAILED if still_open else PASSED,
    ).tell()


def _saved_earlier_note(names: list[str]) -> str:
    if not names:
        return ""
    message = _(
        "Passed and saved earlier: {names}. Their cells have not run in this session; to check "
        "these parts again, run them first."
    )
    return message.format(names=", ".join(names))


def _questions_note(notebook: dict[str, Any] | None) -> str:
    if notebook is None:
        return _("This cell cannot see whether the questions are answered: have a look yourself.")
    if colab.on_colab():
        return ""
    return _("Answers to questions were read from the notebook as it was last saved.")


def _is_only_saved(lesson: str, name: str) -> bool:
    """Whether a component passed in an earlier session, and its cell has not run in this one."""
    defines = lesson_texts(lesson)["components"][name]["defines"]
    return defines in saved() and defines not in notebook_namespace()


def _open_since(lesson: str, name: str, notebook: dict[str, Any]) -> str:
    """What is open in the notebook's cell of a component that is saved; empty if it is the same."""
    entry = lesson_texts(lesson)["components"][name]
    written = graded_cells_in(notebook).get(name, "")
    if blanks := blanks_left_open(written, released_lines(entry)):
        return _("still empty: {names}").format(names=", ".join(blanks))
    if written and not is_saved_as(entry["defines"], written):
        return _("its cell has other code than what was saved; run it, and its check")
    return ""


def _open_in(lesson: str, name: str) -> str:
    """What is open in a component or a bug hunt; empty if nothing is."""
    entry = lesson_texts(lesson)["components"][name]
    namespace = notebook_namespace()
    if entry["defines"] not in namespace:
        return _("its cell has not run in this session")
    source = own_text(entry["defines"], namespace)
    if blanks := blanks_left_open(source, released_lines(entry)):
        return _("still empty: {names}").format(names=", ".join(blanks))
    if is_stale(entry["defines"], namespace):
        return _("its last version did not run to its end; fix that cell and run it again")
    return "" if examine(name) else _('does not pass yet; see wb.check("{name}")').format(name=name)


def _open_files(lesson: str) -> dict[str, str]:
    """What is open in the files that are handed in beside the notebook, if there are to be any."""
    component = lesson_texts(lesson).get("hand_in")
    if component is None:
        return {}
    return {component: _hand_in_of(lesson).open_in(Path.cwd())}


def _hand_in_of(lesson: str) -> ModuleType:
    """The lesson's module that knows the files which are handed in beside its notebook."""
    return importlib.import_module(f"transformer_workbook.lessons.{module_name(lesson)}.ready")


def _hand_in_files(lesson: str, download: bool) -> str:
    """Names the files that are handed in beside the notebook; on Colab, downloads them, too."""
    files: tuple[str, ...] = _hand_in_of(lesson).FILES
    message = _("With it, and in the same folder, hand in {names}. They are in {folder}.")
    if download and colab.on_colab():
        for path in map(Path, files):
            if path.is_file():
                colab.download(path)
    return message.format(names=", ".join(files), folder=Path.cwd())


def _open_questions(notebook: dict[str, Any] | None) -> dict[str, str]:
    """What is open in each question of the notebook; empty if it is answered."""
    few = _("a few words so far; write a sentence or two")
    return {
        name: "" if is_answer(answer) else few if answer else _("no answer yet")
        for name, answer in answers_in(notebook or {}).items()
    }


def _how_to_hand_in(lesson: str, notebook: dict[str, Any] | None, download: bool) -> str:
    name = f"{lesson.partition('-')[2]}.ipynb"
    if not colab.on_colab():
        return _(
            "To hand it in, save the notebook (Ctrl+S, or Cmd+S) and give the file {name} to your "
            "instructor."
        ).format(name=name)
    if not download:
        return _(
            "To get the file that you hand in, choose File > Download > Download .ipynb, or run "
            "wb.finish(download=True)."
        )
    if notebook is None:
        return _("Colab did not hand over the notebook. Choose File > Download > Download .ipynb.")
    path = Path.cwd() / name
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1), encoding="utf-8")
    colab.download(path)
    return _("The browser downloads {name}: hand in that file.").format(name=name)
