"""The words for evidence: phrases for its names that a learner understands.

A probe names the evidence, so it is decorated with the words: the check in the notebook and the
hidden tests say the same. This module holds the words that several lessons share.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from .language import _


@dataclass(frozen=True)
class Wording:
    """The phrase and the sentences for one piece of evidence.

    `noun` is a noun phrase in the singular, the subject of sentences about types, shapes and
    numbers. `wrong` is a whole sentence for a value different from the reference's, or for a
    relation that does not hold; `when` has other sentences for particular values, by their text
    ("1", "True"); `missing` is the one for evidence that was not returned. Sentences may hold
    {actual} and {expected}; for lists of names also {missing} and {extra}. `is_result` is False
    for a value that a call stores elsewhere, such as in an attribute: if that is None, no `return`
    is missing.
    """

    noun: str = ""
    wrong: str = ""
    when: Mapping[str, str] = field(default_factory=dict)
    missing: str = ""
    is_result: bool = True

    def sentence(self, actual: object) -> str:
        """The sentence for the wrong value `actual`; empty if the general one fits."""
        return self.when.get(str(actual), self.wrong)


Words = Mapping[str, str | Wording]
_Probe = TypeVar("_Probe", bound=Callable[..., object])


def wording(words: Words) -> Callable[[_Probe], _Probe]:
    """Decorate a probe with the words for its evidence; a plain text is a noun phrase.

    A name that ends in "*" stands for all names that begin like it, and {rest} for their end.
    """

    def decorate(probe: _Probe) -> _Probe:
        vars(probe)["wording"] = words
        return probe

    return decorate


def wording_of(probe: Callable[..., object]) -> Words:
    """The words that a probe was decorated with."""
    return getattr(probe, "wording", {})


def phrase(name: str, words: Words) -> Wording:
    """The words for the evidence `name`; `words` come before the general ones.

    The noun is empty if none has a phrase for it.
    """
    entry, rest = _look_up(name, words) or _look_up(name, GENERAL) or ("", "")
    phrasing = entry if isinstance(entry, Wording) else Wording(entry)

    def said(text: str) -> str:
        return _(text).replace("{rest}", rest) if text else ""

    noun = said(phrasing.noun)
    if not noun and name.endswith(".grad"):
        noun = _("the gradient of {name}").format(name=name.removesuffix(".grad"))
    return replace(
        phrasing,
        noun=noun,
        wrong=said(phrasing.wrong),
        when={value: said(text) for value, text in phrasing.when.items()},
        missing=said(phrasing.missing),
    )


def _look_up(name: str, words: Words) -> tuple[str | Wording, str] | None:
    """The words for a name, and what a pattern's "*" stands for in it."""
    if name in words:
        return words[name], ""
    for pattern, phrasing in words.items():
        if pattern.endswith("*") and name.startswith(pattern[:-1]):
            return phrasing, name[len(pattern) - 1 :]
    return None


def count_of(single: str, many: str, noun: str = "") -> Wording:
    """The words for a count that should be 0: sentences for one such thing, and for {actual}."""
    return Wording(noun or "the count", many, {"1": single})


def refused(clause: str) -> Wording:
    """The words for the error that `clause`, such as "a negative size was given", raises."""
    none = "When {what}, nothing was raised; expected a {{expected}}."
    wrong = "When {what}, {{actual}} was raised; expected a {{expected}}."
    noun = "the error"
    return Wording(noun, wrong.format(what=clause), {"none": none.format(what=clause)})


def accepted(clause: str) -> Wording:
    """The words for what must not raise; `clause` is such as "an empty text was given"."""
    sentence = "When {what}, {{actual}} was raised; nothing should be raised there."
    return Wording("the error", sentence.format(what=clause))


# What says nothing where numbers are wrong: of what_dropout_did, and of queries that see no key.
TOLD_LAST = (
    *("share dropped", "each dropped for itself", "the others scaled up"),
    "blind rows alike",
)

# What several lessons call their evidence: a noun, or the fields of a Wording.
_TEXT = Path(__file__).with_name("general_words.json").read_text(encoding="utf-8")
GENERAL: dict[str, Wording] = {
    name: Wording(entry) if isinstance(entry, str) else Wording(**entry)
    for name, entry in json.loads(_TEXT).items()
}
TWO_STEPS = {
    "loss": "the loss of the first step",
    "second_loss": "the loss of the second step",
    "gradient_norms": "the size of the gradients that the optimizer used",
    "weights": "the vector of weights after both steps",
}
GRADIENTS_RECORDED = GENERAL["with_gradients"]
LEFT_NO_TENSOR = GENERAL["share dropped"].missing  # where nothing can be said about dropout
