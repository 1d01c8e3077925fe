"""Which text of a misconception is true of an answer: about the template's code, or behavior."""

import builtins
import keyword
import re

import torch

from .recorded_lessons import lesson_texts, share_written_right

LIKE_THE_TEMPLATE = 0.5  # of an answer's statements, that right answers have as well
# What a text may advise, whatever a student has written.
API = {"math", "torch", "nn", "F", "self", *dir(builtins), *keyword.kwlist}
API |= {name for home in (torch, torch.nn, torch.nn.functional, torch.Tensor) for name in dir(home)}
API |= {"dim", "keepdim", "unbiased", "correction", "dtype", "device", "training"}
NO_CODE = r"\"{3}[\s\S]*?\"{3}|#.*"
TOKEN = r"\w+|[*/]{2}=?|[-+*/=<>!&|@]=|[^\w\s]"


def misconception_text(lesson: str, component: str, misconception: str, source: str) -> str:
    """The text of a misconception: its words about the template's code, or about behavior alone.

    The first are for an answer that is written like the template, and has all names that they
    quote, and all `code` that they quote of the mistake.
    """
    entry = lesson_texts(lesson)["components"][component]
    recorded_texts = entry["misconceptions"][misconception]
    says: str = recorded_texts["says"]
    behaves: str = recorded_texts.get("behaves", says)
    if not is_like_the_template(lesson, component, source):
        return behaves
    available = (
        identifiers_in(source) | quoted(behaves) | {*entry["arguments"], entry["defines"]} | API
    )
    has_code = all(stands_in(piece, source) for piece in recorded_texts.get("code", ()))
    return says if has_code and quoted(says) <= available else behaves


def is_like_the_template(lesson: str, component: str, source: str) -> bool:
    """Whether an answer fills in the template, rather than having a design of its own."""
    return share_written_right(lesson, component, source) >= LIKE_THE_TEMPLATE


def pieces(text: str) -> list[str]:
    """The pieces of code, between backquotes, that a text quotes."""
    return re.findall(r"`([^`]+)`", text)


def quoted(text: str) -> set[str]:
    """The names in the pieces of code that a text quotes."""
    return identifiers_in(" ".join(pieces(text)))


def stands_in(piece: str, source: str) -> bool:
    """Whether code has a piece, token by token; `...` in the piece is any code."""
    code = _tokens(source)
    return all(_tokens(part) in code for part in piece.split("..."))


def _tokens(code: str) -> str:
    tokens = re.findall(TOKEN, re.sub(NO_CODE, "", code))
    return f" {' '.join(tokens)} " if tokens else ""


def identifiers_in(code: str) -> set[str]:
    """The names in code: `self.scale` is one, beside `scale`."""
    return {*re.findall(r"self\.[A-Za-z_]\w*", code), *re.findall(r"[A-Za-z_]\w*", code)}
