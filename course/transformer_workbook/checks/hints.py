"""Hints, one rung at a time."""

import html

from ..own_code.store import own_text
from ..shared.lesson_index import index, lesson_texts
from ..shared.texts import texts
from .check import examine
from .display import Shown
from .session import current_lesson, notebook_namespace

_rungs: dict[tuple[str, str], int] = {}
_invited: set[tuple[str, str]] = set()


class Hint(Shown):
    """One rung of a ladder of hints; shown as text, or as a box in a notebook."""

    def __init__(self, heading: str, text: str, more: str):
        self.heading, self.text, self.more = heading, text, more

    def __repr__(self) -> str:
        return "\n".join(part for part in (self.heading, self.text, self.more) if part)

    def _repr_html_(self) -> str:
        heading, text, more = (html.escape(part) for part in (self.heading, self.text, self.more))
        parts = [
            '<div role="note" style="border-left:4px solid #0072B2;padding:.4em .9em;'
            'max-width:52em">'
        ]
        if heading:
            parts.append(
                '<p role="heading" aria-level="4" style="margin:0 0 .3em;font-weight:bold">'
                f"{heading}</p>"
            )
        parts += [f'<p style="margin:0 0 .3em">{part}</p>' for part in (text, more) if part]
        return "".join([*parts, "</div>"])


def hint(blank: str = "") -> Hint:
    """The next hint for a blank, or for a bug hunt; from the first rung to the last.

    Without a name, the blanks that there are. Where nothing has been tried yet, as when all cells
    of a notebook are run at once, the first call spends no hint: it says how to go on.
    """
    return _next(blank).show()


def _next(blank: str) -> Hint:
    said = texts()["hint"]
    lessons = _current_first()
    if not blank:
        names = [name for name in _ladders(lessons[0]) if "." not in name]
        return Hint("", said["which"].format(name=names[0], known=", ".join(names)), "")
    for lesson in lessons:
        ladder = _ladders(lesson).get(blank)
        if ladder:
            if _is_first_of_all(lesson, blank):
                return Hint("", said["try_first"].format(blank=blank, rungs=len(ladder)), "")
            rung = min(_rungs.get((lesson, blank), 0) + 1, len(ladder))
            _rungs[lesson, blank] = rung
            more = said["more"] if rung < len(ladder) else said["last"]
            heading = said["title"].format(rung=rung, rungs=len(ladder), blank=blank)
            return Hint(heading, ladder[rung - 1], more)
    known = ", ".join(name for name in _ladders(lessons[0]) if "." not in name)
    return Hint("", said["unknown"].format(name=blank, known=known), "")


def _is_first_of_all(lesson: str, blank: str) -> bool:
    """Whether a hint is asked for the first time, and nothing has been tried before."""
    if (lesson, blank) in _invited or (lesson, blank) in _rungs:
        return False
    _invited.add((lesson, blank))
    return not any(_is_tried(name, one) for name, one in lesson_texts(lesson)["components"].items()
                   if blank == name or blank.rpartition(".")[2] in one["blanks"])  # fmt: skip


def _is_tried(name: str, component: dict) -> bool:
    """Whether a blank is filled, a bug hunt is over, or the cell was run in two versions."""
    names = notebook_namespace()
    defined = component["defines"]
    text = own_text(defined, names)
    if component["blanks"] and text and text.count("____") < len(component["blanks"]):
        return True
    if text and not component["blanks"] and examine(name):
        return True
    opening = (f"def {defined}(", f"class {defined}(", f"class {defined}:")
    versions = {cell.strip() for cell in names.get("In", []) if any(o in cell for o in opening)}
    return len(versions) > 1


def _current_first() -> list[str]:
    """Blanks of several lessons may have the same name; the one at hand is meant."""
    return sorted(index()["lessons"], key=lambda lesson: lesson != current_lesson())


def _ladders(lesson: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, component in lesson_texts(lesson)["components"].items():
        if component["hints"]:
            found[name] = component["hints"]
        for blank, entry in component["blanks"].items():
            found[blank] = found[f"{name}.{blank}"] = entry["hints"]
    return found
