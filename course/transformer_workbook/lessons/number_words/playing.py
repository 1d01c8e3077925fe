"""Translate with the trained translator, and see where it looks."""

import re
import textwrap

import torch

from ... import show
from ...shared.language import _
from ...show.picture import note
from ...show.widgets import choice, explore
from ..number_words import words as number_words
from ..number_words.words import BOS, ENGLISH, EOS, GERMAN, LARGEST, MAX_LEN, Vocabulary
from .knock_outs import KNOCK_OUTS
from .model import stand_in, trained

END = Vocabulary.SPECIAL[EOS]
WIDE = {"width": "32em", "max_width": "98%"}  # of a control


def translate(sentence: int | str, *, without: str = "") -> str:
    """The translator's English for a number, a German number word, or German parts with spaces.

    `without` names a part that is taken out, one of KNOCK_OUTS. Raises ValueError for anything
    else, with what was expected.
    """
    return number_words.join_english(_written(german_parts(sentence), without))


def attention(sentence: int | str = 725, *, without: str = "") -> show.Picture:
    """Draw where the translator looks: rows are the words it writes, columns the German parts.

    Each row is the mean over the heads of the last layer's cross-attention. For `sentence` and
    `without` see `translate`.
    """
    german = german_parts(sentence)
    english = _written(german, without)
    weights = cross_attention_weights(german, english, without).mean(dim=0)
    said = number_words.join_english(english) or _("(nothing)")
    lines = [f"{''.join(german)} → {said}"]
    if without:
        lines.insert(0, _(KNOCK_OUTS[without].label).capitalize())
    title = "\n".join(textwrap.fill(line, 58, break_long_words=False) for line in lines)
    return show.alignment(weights, [*german, END], [*english, END], title=title)


def heads(sentence: int | str = 725) -> show.Picture:
    """Draw where each head of the encoder's last layer looks while it reads a sentence."""
    german = german_parts(sentence)
    with torch.no_grad():
        trained().encode(source(german))
    weights = trained().encoder.layers[-1].self_attn.weights[0]
    tokens = [*german, END]
    return show.heads(weights, tokens, tokens, title="".join(german))


def explorer(sentence: str = "siebenhundertfünfundzwanzig") -> object:
    """A widget: a number word to translate, a part to take out, and where the translator looks."""

    def draw(sentence: str = sentence, without: str = "") -> show.Picture:
        try:
            return attention(sentence, without=without)
        except ValueError as problem:
            return note(str(problem))

    def text(library):
        look = {"description": _("German, or a number"), "layout": WIDE}
        return library.Text(value=sentence, continuous_update=False, **look)

    options = {_("whole"): "", **{_(out.label): name for name, out in KNOCK_OUTS.items()}}
    return explore(draw, {"sentence": text, "without": choice(_("translator"), options, "")})


def german_parts(sentence: int | str) -> list[str]:
    """The German tokens of a number, of a number word, or of a text of tokens with spaces.

    A number may be written with points, commas or spaces between thousands.
    """
    text = str(sentence).strip()
    grouped = re.fullmatch(r"\d{1,3}([., ]\d{3})+|\d+", text)
    if grouped and len(digits := re.sub(r"\D", "", text).lstrip("0")) <= len(str(LARGEST)):
        return number_words.german_tokens(int(digits or "0"))
    if any(character.isdigit() for character in text):
        message = _(
            "The translator has learned the whole numbers from 0 to 999,999. {actual} is not one "
            "of them: try 725."
        )
        raise ValueError(message.format(actual=textwrap.shorten(text, 40, placeholder=" ...")))
    parts = text.lower().split()
    if parts and all(part in GERMAN.tokens for part in parts):
        return parts
    return number_words.german_tokens(number_words.parse_german(sentence))


def source(*sentences: list[str]) -> torch.Tensor:
    """German tokens as a batch of ids, (N, S), with padding on the right."""
    return number_words.pad([GERMAN.encode(parts, eos=True) for parts in sentences])


def decoded(model, src: torch.Tensor) -> list[list[str]]:
    """What a translator writes for each row of src, as English words."""
    ids = stand_in("greedy_decode")(model, src, MAX_LEN, BOS, EOS)
    return [ENGLISH.decode(row) for row in ids]


def cross_attention_weights(german, english, without: str = "") -> torch.Tensor:
    """The last layer's cross-attention weights, (H, T, S), while it writes the English words."""
    model = trained(without)
    tgt = number_words.pad([ENGLISH.encode(english, bos=True)])
    with torch.no_grad():
        model(source(german), tgt)
    return model.decoder.layers[-1].cross_attn.weights[0]


def _written(german: list[str], without: str) -> list[str]:
    return decoded(trained(without), source(german))[0]
