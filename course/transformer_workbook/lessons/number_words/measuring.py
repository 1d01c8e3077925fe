"""The whole translator beside one without a part, or with a part of the student's own."""

import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...own_code.store import inside, is_stand_in, use
from ...shared.language import _, say
from ..number_words import words as number_words
from .model import SETTING, built_with, in_place, knock_out, trained
from .playing import decoded, german_parts, source

SENTENCES = (725, 54, 45)
MEASURED = 200  # unseen numbers, less than a second with one thread


@dataclass(frozen=True)
class Comparison:
    """Translations side by side, and how many unseen numbers each translator gets right."""

    labels: tuple[str, ...]  # of the translators
    german: tuple[str, ...]
    english: tuple[tuple[str, ...], ...]  # one row for each sentence, one text for each translator
    right: tuple[tuple[bool, ...], ...]
    share: tuple[int, ...]  # of MEASURED

    def __repr__(self) -> str:
        lines = []
        for german, texts, right in zip(self.german, self.english, self.right, strict=True):
            lines.append(german)
            for label, text, good in zip(self.labels, texts, right, strict=True):
                lines.append(f"   {_mark(good)} {label}: {text}")
        return "\n".join([*lines, self._shares()])

    def _repr_html_(self) -> str:
        # A German number word is longer than a phone is wide.
        layout = "text-align:left;vertical-align:top;min-width:7em;overflow-wrap:anywhere"

        def row(tag: str, cells: Sequence[str]) -> str:
            row_cells = "".join(f"<{tag} style='{layout}'>{cell}</{tag}>" for cell in cells)
            return f"<tr>{row_cells}</tr>"

        rows = [row("th", [_("German"), *map(html.escape, self.labels)])]
        for german, texts, right in zip(self.german, self.english, self.right, strict=True):
            marked = zip(map(_mark, right), map(html.escape, texts), strict=True)
            rows.append(row("td", [html.escape(german), *map("&nbsp;".join, marked)]))
        table = f"<table style='margin-left:0'>{''.join(rows)}</table>"
        return f"<div style='overflow-x:auto'>{table}</div><p>{html.escape(self._shares())}</p>"

    def _shares(self) -> str:
        pairs, share = zip(self.labels, self.share, strict=True), _("{label}: {right}")
        shares = ", ".join(share.format(label=label, right=right) for label, right in pairs)
        said = _("Right, of {count} numbers that were not in the training data: {each}.")
        return said.format(count=MEASURED, each=shares)


def compare(*sentences: int | str, without: str) -> Comparison:
    """The whole translator beside the one without a part; for `sentences` see `translate`.

    Without sentences it translates those of SENTENCES. Raises ValueError for an unknown part.
    """
    label = _(knock_out(without).label)
    parts = [german_parts(sentence) for sentence in sentences or SENTENCES]
    models = (trained(), trained(without))
    english = [decoded(model, source(*parts)) for model in models]
    shares = tuple(_right(without=name) for name in ("", without))
    return _comparison((_("whole"), label), parts, english, shares)


def with_yours(*names: str, sentences: Sequence[int | str] = SENTENCES) -> Comparison:
    """The translator, with components of yours in place of its own and its trained weights.

    A component that has not passed its check is left to its stand-in. Prints which do.
    """
    components = use(*names)
    components = components if len(names) > 1 else (components,)
    # A file alone does not say so: where it cannot be loaded, there is a stand-in in spite of it.
    pairs = zip(names, components, strict=True)
    yours = {name: part for name, part in pairs if not is_stand_in(part)}
    parts_inside = inside(*yours)
    if standing_in := sorted(name for name, part in parts_inside.items() if is_stand_in(part)):
        text = _("inside of these, stand-ins: {names}")
        say(text.format(names=", ".join(standing_in)))
    parts = [german_parts(sentence) for sentence in sentences]
    model = built_with(yours)
    with in_place(yours):
        english = decoded(model, source(*parts))
        translated = decoded(model, source(*map(number_words.german_tokens, unseen())))
    share = _count_right(translated)
    label = _("with your {names}").format(names=", ".join(yours)) if yours else _("whole")
    if len(yours) > 2:
        used = {name for name, part in parts_inside.items() if not is_stand_in(part)}
        count = len(used | yours.keys())
        label = _("with {count} parts of yours").format(count=count)
    return _comparison((label,), parts, [english], (share,))


@cache
def unseen() -> list[int]:
    """Numbers that were not in the training data."""
    return SETTING.splits().test[:MEASURED]


@cache
def _right(without: str) -> int:
    rows = source(*map(number_words.german_tokens, unseen()))
    return _count_right(decoded(trained(without), rows))


def _count_right(translated: list[list[str]]) -> int:
    pairs = zip(translated, unseen(), strict=True)
    return sum(words == number_words.english_tokens(n) for words, n in pairs)


def _comparison(labels, parts, english, shares) -> Comparison:
    rows = list(zip(*english, strict=True))
    german = tuple("".join(words) for words in parts)
    written = tuple(tuple(map(_shortened, texts)) for texts in rows)
    right = [
        [words == _expected(n) for words in texts] for n, texts in zip(parts, rows, strict=True)
    ]
    return Comparison(labels, german, written, tuple(map(tuple, right)), shares)


def _expected(german: list[str]) -> list[str] | None:
    """The right English for German tokens; None where they are no number."""
    try:
        return number_words.english_tokens(number_words.parse_german("".join(german)))
    except ValueError:
        return None


def _shortened(words: list[str]) -> str:
    text = number_words.join_english(words) or _("(nothing)")
    return textwrap.shorten(text, 64, placeholder=" ...")


def _mark(right: bool) -> str:
    return "✓" if right else "✗"
