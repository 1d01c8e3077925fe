"""Whether what lesson 11 hands in with its notebook is there, loads, and is one model."""

from pathlib import Path
from types import SimpleNamespace

from safetensors import SafetensorError

from ...shared.language import _
from .card import CARD, fingerprint_on
from .grader_probes import load
from .hand_in import LARGEST, BadHandIn, fingerprint
from .subwords import BadVocabulary

FILES = tuple(LARGEST)


def open_in(folder: Path) -> str:
    """What is open in the files to hand in, and what to do; empty if nothing is.

    The files are read as the grader reads them.
    """
    again = _("run the cell with wb.hand_in again")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        return _("no {names} in {folder}; {again}").format(
            names=", ".join(missing), folder=folder, again=again
        )
    try:
        actual = _fingerprint_of(folder)
    except (BadHandIn, BadVocabulary, SafetensorError, OSError) as error:
        return _("the files do not load ({reason}); {again}").format(reason=error, again=again)
    on_card = fingerprint_on(folder / CARD)
    if not on_card:
        return _(
            "no {card} in {folder} says which model the files are of; run the cell with "
            "translation.model_card, then this one"
        ).format(card=CARD, folder=folder)
    if on_card != actual:
        return _(
            "the files are of another model ({actual}) than {card} describes ({on_card}); run the "
            "cells from the choice of the weights to wb.hand_in again, in this order"
        ).format(actual=actual, card=CARD, on_card=on_card)
    return ""


def _fingerprint_of(folder: Path) -> str:
    """The fingerprint of the model in the files. Raises as `load` does."""
    from ..full_model.standins import make_model

    translator = load(SimpleNamespace(make_model=make_model), folder, max_len=1)
    return fingerprint(translator.model.parameters(), translator.subwords)
