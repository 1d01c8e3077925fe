"""Model answers to the open questions, for those who have written their own."""

import base64
import re

from ..diagnosis.recorded_lessons import lesson_texts
from ..own_code import colab
from ..shared.language import _, say
from ..shared.notebook import in_notebook
from .display import Box
from .questions import answers_in, is_answer, notebook_of
from .session import current_lesson

_told: set[tuple[str, str]] = set()


def answer(question: str | int) -> None:
    """Show a model answer to a question of the current lesson, and what earns its points.

    Only after the learner has written an answer; where the notebook cannot be read, the first call
    only says so.
    """
    lesson = current_lesson()
    name = f"question_{str(question).removeprefix('question_')}"
    questions = lesson_texts(lesson).get("questions", {}) if lesson else {}
    if refusal := _why_not(lesson, name, questions):
        Box("", refusal).tell()
    else:
        _show(**{key: unveiled(text) for key, text in questions[name].items()})


def _why_not(lesson: str | None, name: str, questions: dict[str, dict[str, str]]) -> str:
    """Why there is no model answer to show; empty if there is."""
    if lesson is None:
        return _("Run the first cell of the notebook, then this one again.")
    if not questions:
        return _("There are no model answers here: your instructor reads the answers.")
    if name not in questions:
        text = _("There is no {name} in this lesson. There are: {known}.")
        return text.format(name=name, known=", ".join(questions))
    return _why_not_yet(lesson, name)


def _why_not_yet(lesson: str, name: str) -> str:
    """What the learner has to do first; empty if the answer is written."""
    notebook = notebook_of(lesson)
    if notebook is None:
        if (lesson, name) in _told:
            return ""
        _told.add((lesson, name))
        return _(
            "The notebook cannot be read from here, so this cell does not know whether you have "
            "answered. Write your own answer first, then run this cell again."
        )
    if is_answer(answers_in(notebook).get(name, "")):
        return ""
    if colab.on_colab():
        return _("Write your own answer first, in a few sentences, then run this cell again.")
    return _(
        "Write your own answer first, in a few sentences. Then save the notebook (Ctrl+S, or "
        "Cmd+S) and run this cell again."
    )


def _show(rubric: str, model: str) -> None:
    # "2 points for three of, 1 point for one or two: ..." is one item.
    items = re.split(r"(?<=[.)]) (?=\d+ points?\b)", " ".join(rubric.split()))
    paragraphs = [" ".join(paragraph.split()) for paragraph in model.split("\n\n")]
    parts = [_("**A model answer**"), *paragraphs] if model else []
    text = "\n\n".join(
        [*parts, _("**What earns the points**"), "\n".join(f"- {item}" for item in items)]
    )
    if in_notebook():
        from IPython.display import display

        display({"text/markdown": text, "text/plain": text}, raw=True)  # with formulas
    else:
        say(text)


def veiled(text: str) -> str:
    """A text as it is recorded: nobody reads it by accident. It is no secret."""
    return base64.b64encode(text.encode()).decode()


def unveiled(text: str) -> str:
    return base64.b64decode(text).decode()
