"""The last check of a lesson: what is open, and how to hand the notebook in."""

import json
import os
from pathlib import Path

from ..own_code import colab
from ..own_code.store import is_stale, own_text
from ..shared.explain import open_blanks
from ..shared.lesson_index import index, lesson_texts
from ..shared.texts import say, texts
from .check import examine
from .session import current_lesson, notebook_namespace, released_lines


def finish(download: bool = False) -> None:
    """Check every part of the current lesson again and print what is open.

    On Colab, `download=True` also has the browser download the notebook.
    """
    said = texts()["finish"]
    lesson = current_lesson()
    if lesson is None:
        say(said["no_lesson"])
        return
    notebook = _notebook(lesson)
    parts = {name: _open_in(lesson, name) for name in lesson_texts(lesson)["components"]}
    parts |= _open_questions(notebook)
    still_open = {name: state for name, state in parts.items() if state}
    title = lesson_texts(lesson)["title"]
    say(said["open" if still_open else "done"].format(title=title, count=len(parts)))
    for name, state in still_open.items():
        say(f"  {name}: {state}")
    if still_open:
        say(said["open_is_fine"])
    if notebook is None:
        say(said["not_seen"])
    elif not colab.on_colab():
        say(said["as_saved"])
    say(_how_to_hand_in(lesson, notebook, download))


def _open_in(lesson: str, name: str) -> str:
    """What is open in a component or a bug hunt; empty if nothing is."""
    said = texts()["finish"]
    entry = lesson_texts(lesson)["components"][name]
    namespace = notebook_namespace()
    if entry["defines"] not in namespace:
        return said["not_run"]
    source = own_text(entry["defines"], namespace)
    lines = [line for line in source.splitlines() if "____" in line]
    blanks = [blank for line in lines for blank in open_blanks(line, released_lines(entry))]
    if blanks:
        return said["blanks"].format(names=", ".join(dict.fromkeys(blanks)))
    if is_stale(entry["defines"], namespace):
        return said["stale"]
    return "" if examine(name) else said["failed"].format(name=name)


def _open_questions(notebook: dict | None) -> dict[str, str]:
    """What is open in each question of the notebook; empty if it is answered."""
    questions = {}
    for cell in (notebook or {}).get("cells", []):
        name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
        if name.startswith("question_"):
            answer = "".join(cell.get("source", "")).strip()
            answered = answer and answer != index()["answer_here"]
            questions[name] = "" if answered else texts()["finish"]["no_answer"]
    return questions


def _notebook(lesson: str) -> dict | None:
    """The notebook: on Colab as the browser shows it, else as last saved; None if not found."""
    if colab.on_colab():
        return colab.notebook_as_shown()
    named = Path(os.environ.get("JPY_SESSION_NAME", ""))  # set by Jupyter's server
    here = sorted(Path.cwd().glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in [named, *here]:
        try:
            notebook = json.loads(path.read_text(encoding="utf-8"))
            if notebook["metadata"]["workbook"]["lesson"] == lesson:
                return notebook
        except (OSError, ValueError, KeyError, TypeError):  # not a notebook of the course
            continue
    return None


def _how_to_hand_in(lesson: str, notebook: dict | None, download: bool) -> str:
    said = texts()["finish"]
    name = f"{lesson.partition('-')[2]}.ipynb"
    if not colab.on_colab():
        return said["hand_in"].format(name=name)
    if not download:
        return said["hand_in_colab"]
    if notebook is None:
        return said["no_download"]
    path = Path.cwd() / name
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1), encoding="utf-8")
    colab.download(path)
    return said["downloaded"].format(name=name)
