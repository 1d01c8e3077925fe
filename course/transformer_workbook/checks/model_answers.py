"""Model answers to the open questions, for those who have written their own."""

import base64
import re

from ..diagnosis.recorded_lessons import lesson_texts
from ..own_code import colab
from ..shared.language import _, say
from ..shared.notebook import in_notebook
from .questions import answers_in, notebook_of
from .session import current_lesson

_LEAST = 20  # characters, each word counted once: less is no answer
_told: set[tuple[str, str]] = set()


def answer(question: str | int) -> None:
    """Show a model answer to a question of the current lesson, and what earns its points.

    Only after the learner has written an answer; where the notebook cannot be read, the first call
    only says so.
    """
    lesson = current_lesson()
    if lesson is None:
        say(_("Run the first cell of the notebook, then this one again."))
        return
    name = f"question_{str(question).removeprefix('question_')}"
    questions = lesson_texts(lesson).get("questions", {})
    if not questions:
        say(_("There are no model answers here: your instructor reads the answers."))
    elif name not in questions:
        known = ", ".join(questions)
        text = _("There is no {name} in this lesson. There are: {known}.")
        say(text.format(name=name, known=known))
    elif refusal := _why_not_yet(lesson, name):
        say(refusal)
    else:
        _show(**{key: unveiled(text) for key, text in questions[name].items()})


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
    words = set(answers_in(notebook).get(name, "").split())
    if sum(map(len, words)) >= _LEAST:
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
