"""A novel to train a language model on, and how a text file of one's own is read.

`persuasion.txt` is "Persuasion" by Jane Austen (1775-1817), published in 1817. It is in the public
domain. The transcription is Project Gutenberg's (ebook 105), as Debian's package
r-cran-janeaustenr 1.0.0 has it; here each paragraph is one line.
"""

import os
from pathlib import Path

from ...shared.language import _

PERSUASION = Path(__file__).with_name("persuasion.txt")
LEAST = 50_000  # characters


class BadText(ValueError):
    """A file that no model can be trained on; the message says why."""


def read(path: str | os.PathLike, held_out: float = 0.1) -> tuple[str, str]:
    """The text of a file, in two parts, to train on and to validate on: its end, `held_out` of it.

    They are parted at the end of a line, or within one if none ends near there. Raises BadText if
    the file is missing, is no UTF-8 or has fewer than LEAST characters.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        message = _("{path} is not encoded in UTF-8. Save it as UTF-8 plain text, and try again.")
        raise BadText(message.format(path=path)) from error
    except OSError as error:
        message = _("{path} could not be read ({reason}). Is it in this notebook's folder?")
        raise BadText(message.format(path=path, reason=error.strerror)) from error
    if len(text) < LEAST:
        message = _(
            "{path} has {actual:,} characters; expected at least {least:,}. A model learns little "
            "from less: take a longer text."
        )
        raise BadText(message.format(path=path, actual=len(text), least=LEAST))
    place = round(len(text) * (1 - held_out))
    end = text.find("\n", place)
    if 0 <= end < (place + len(text)) / 2:  # else too little would be left, or nothing
        place = end
    return text[:place].strip(), text[place:].strip()
