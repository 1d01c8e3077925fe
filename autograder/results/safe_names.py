"""Escapes names and texts of students, so that showing and storing them is safe."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import PurePath
from typing import TypeVar

from autograder.language import _

MOST_NAMED = 5  # students, or files, in a message
LONGEST = 120  # characters; a folder's name may hold 255 bytes

# Control characters; line separators; bidirectional controls, with which a name could pose as
# another; surrogates, which stand for undecodable bytes in a folder's name.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_ODD = f"{_CONTROLS}\u202a-\u202e\u2066-\u2069"
_IN_TEXT = re.compile(f"[{_ODD}]")
_IN_NAME = re.compile(f"[\t\n{_ODD}]")
_IN_TABLE = re.compile(f"[\t\n{_CONTROLS}]")  # an LMS's names with bidirectional controls stay
# A backslash that begins an escape stays, so that what is escaped stays as it is.
_SEPARATOR = re.compile(r"/|\\(?!x[0-9a-f]{2}|u[0-9a-f]{4})")
# What systems, editors and Jupyter put beside students' files: it is passed over without a word.
_OF_SYSTEMS = re.compile(
    r"\._|~\$|(?:__MACOSX|\.ipynb_checkpoints|\.DS_Store|Thumbs\.db|desktop\.ini)\Z"
)
# What the course puts beside lessons; and into a clone of it, where "course" is beside these.
_OF_THE_COURSE = re.compile(r"transformer_workbook\Z|my_transformer\b")
_OF_A_CLONE = {"autograder", "benchmarks", "binder", "docs", "solutions", "tests"}
COURSES = ({"autograder", "course"}, {"course", "environment.yml"})  # marks of a clone
_HIDDEN = re.compile(r"\.(?!\s)")  # ". Khan" has no first name
_CUT = re.compile(r"\\(?:x[0-9a-f]?|u[0-9a-f]{0,3})?\Z")  # an escape without its end
_BEHIND = re.compile(r"(?:(?<=\\x[0-9a-f]{2})|(?<=\\u[0-9a-f]{4}))[^\x00-\x7f]")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,9}\Z")
_MARKED = re.compile(r"… [0-9a-f]{8}\Z")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_NUMBER = re.compile(r"(\d{1,30})(?:[.,](\d{1,30}))?([eE]\+?\d{1,2})?", re.ASCII)
SECTIONS = " and "  # between the sections of one student, as Canvas joins them
NAMELESS = "unnamed"  # stands in for an empty name


def shown(name: str) -> str:
    """A name with control characters (and undecodable bytes) written as escapes.

    It names the student in the gradebook and in OUT, so it is short enough for a folder's name.
    """
    text = _IN_NAME.sub(_escape, name)
    if len(text) <= LONGEST and len(text.encode()) <= 2 * LONGEST:
        return text
    if (marked := _MARKED.search(text)) and len(text[: marked.start()].encode()) <= LONGEST:
        return text  # it was shortened before
    short = _CUT.sub("", text.encode()[:LONGEST].decode(errors="ignore"))
    return f"{short}… {mark_of(name)}"


def short_list(texts: Sequence[str], most: int = MOST_NAMED) -> str:
    """The first of them, with commas, and a mark where there are more."""
    return ", ".join(texts[:most]) + (" …" if len(texts) > most else "")


def normal(name: str) -> str:
    """A name in which equal letters are equal characters (NFC), without spaces around it."""
    return unicodedata.normalize("NFC", name).strip()


def letters(name: str) -> str:
    """A name's letters and digits alone, as Canvas writes names into those of files."""
    return re.sub(r"[\W_]", "", normal(name).casefold())


def unaccented(name: str) -> str:
    """The same without accents."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return letters("".join(sign for sign in split if not unicodedata.combining(sign)))


def respelled(ids: Iterable[str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Each id with another that is the same where spreadsheets or copying went.

    These drop leading zeros, write 7.0 and 1.2E+05, and put in signs that nobody sees.
    """
    by_value: dict[str, list[str]] = {}
    for name in names:
        by_value.setdefault(_value(name), []).append(name)
    rounded = [value for value in by_value if "E" in value]
    pairs = []
    for id in ids:
        value = _value(id)
        near = by_value if "E" in value else rounded
        values = [value, *(name for name in near if name != value and _rounds_to(value, name))]
        pairs += [(id, name) for same in values for name in by_value.get(same, ()) if name != id]
    return pairs


def _value(id: str) -> str:
    """An id without what spreadsheets and copying change; a rounded number with its exponent."""
    text = _UNSEEN.sub("", normal(id))
    number = _NUMBER.fullmatch(text)
    if not number or number[3]:
        return text.upper().replace(",", ".") if number else text
    return f"{Decimal(text.replace(',', '.')).normalize():f}"


def _rounds_to(value: str, full: str) -> bool:
    numbers = [_NUMBER.fullmatch(text) for text in (value, full)]
    digits = [len(number[1] + (number[2] or "")) for number in numbers if number and number[3]]
    if not all(numbers):
        return False
    return len({f"{Decimal(text):.{min(digits) - 1}e}" for text in (value, full)}) == 1


def is_of_systems(name: str) -> bool:
    """Whether systems, editors or Jupyter made a file or a folder of this name."""
    return bool(_OF_SYSTEMS.match(name))


def is_hidden(name: str) -> bool:
    """Whether a file or a folder of this name is no student's."""
    return is_of_systems(name) or bool(_HIDDEN.match(name))


def of_the_course(names: set[str]) -> set[str]:
    """Those of a folder's names that are of the course itself, so no student's work."""
    is_clone = any(course <= names for course in COURSES)
    return {
        name
        for name in names
        if _OF_THE_COURSE.match(name) or (is_clone and name in _OF_A_CLONE)
    }  # fmt: skip


def safe_name(text: str) -> str:
    """Any text as the name of a student or a lesson, which is also one of a folder.

    It is in NFC, without spaces around it, and short. Control characters, separators, and what
    makes a name hidden or climb are written as escapes; an empty name is NAMELESS. A name that is
    safe already stays as it is, so what is collected under it is graded under it.
    """
    name = _SEPARATOR.sub(_escape, shown(normal(text)))
    if is_hidden(name) or name.startswith("."):
        name = _escaped(name[0]) + name[1:]
    # An accent behind an escape would join its last letter.
    while (apart := _BEHIND.sub(_escape_accent, name)) != name:
        name = apart
    return normal(shown(name)) or NAMELESS  # escapes are longer than what they stand for


def safe_file_name(text: str) -> str:
    """The same for a file: one that is too long keeps its suffix."""
    name, suffix = safe_name(text), _SUFFIX.search(text)
    if suffix and not name.endswith(suffix.group()):
        return safe_name(text[: suffix.start()]) + suffix.group()
    return name


def is_safe_name(name: str) -> bool:
    """Whether a folder of this name lies in the folder above it, and is not that one or another."""
    return name not in ("", ".", "..") and "/" not in name and "\0" not in name


class UnsafeName(ValueError):
    """A name that does not stand for one file or folder below the one that it is looked for in."""


P = TypeVar("P", bound=PurePath)


def below(folder: P, *names: str) -> P:
    """The path in a folder, one component for each name. All paths with names of students or
    lessons in them are made here.

    Raises UnsafeName for a name that is empty, climbs, or is more than one component. `safe_name`
    makes safe ones.
    """
    path = folder.joinpath(*names)
    if not all(map(is_safe_name, names)) or path.parts != (*folder.parts, *names):
        message = _(
            "the names {names!r} make no path below {folder}; expected one file or folder for "
            "each, neither empty nor . or .., without / and NUL"
        )
        raise UnsafeName(message.format(names=names, folder=folder))
    return path


def encodable(path: str) -> str:
    """A path or a name as a table has it: control characters, and bytes that are no UTF-8, are
    escapes in it.
    """
    return _IN_TABLE.sub(_escape, path)


def mark_of(text: str) -> str:
    """A short mark that tells a text from others."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def plain(text: str) -> str:
    """Text with control characters written as escapes, except line ends and tabs."""
    return _IN_TEXT.sub(_escape, text.replace("\r\n", "\n").replace("\r", "\n"))


def _escape(match: re.Match[str]) -> str:
    return _escaped(match.group())


def _escape_accent(match: re.Match[str]) -> str:
    return _escape(match) if unicodedata.combining(match.group()) else match.group()


def _escaped(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
