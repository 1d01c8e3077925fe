"""Reads the wanted parts of a JSON text, and drops all others while they are read.

A notebook of 300 MB is 300 MB of pictures around a few pages of code. Dropped parts are never held
in memory. The kept size, the depth of nesting and the number of brackets are bounded, so malicious
text takes seconds, not hours. Of dropped parts, only the strings and brackets are validated.
The usual library, ijson, holds each string whole, and does not read NaN and UTF-16 as Jupyter does.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from autograder.language import _
from autograder.results.remarks import Problem
from autograder.results.safe_names import plain

MOST_KEPT = 64 << 20  # characters, all kept strings together
COST = 64  # characters that a kept value counts at least, since each object takes memory
DEEPEST = 1000  # levels of nesting; Jupyter's own reader takes no more
MOST_BRACKETS = 10_000_000  # in dropped parts; they are what takes time
LONGEST_NUMBER = 1000  # characters

MOST_FAILURES = 30  # objects of a damaged text; each may take as long as the whole text

LEAF = None  # a string, a number, true, false or null

_SPACE = re.compile(r"[ \t\r\n]*+")
_IN_STRING = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BETWEEN_BRACKETS = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_NUMBER_OR_WORD = re.compile(r"[-+.0-9A-Za-z]*+")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where the longest match at a position ends; each of these patterns may match nothing."""
    match = pattern.match(text, at)
    return match.end() if match else at


def read_wanted(content: Iterable[bytes], wanted: object) -> object:
    """The wanted parts of a JSON text, which is given in pieces.

    `wanted` is an object of the wanted members, a list of the part to keep of each item, or LEAF.
    A string or number is kept in any wanted place; an object or a list in place of another kind of
    value is returned empty. Raises Problem: not_json, too_deep, too_large_kept, too_many_brackets.
    """
    return _Reader(_decoded(content)).all(wanted)


def _decoded(content: Iterable[bytes]) -> Iterator[str]:
    head, decoder = b"", None
    try:
        for piece in content:
            head += piece
            if decoder is None and len(head) >= 4:  # the encoding shows in as many bytes
                decoder = _decoder_of(head)
            if decoder:
                yield decoder.decode(head)
                head = b""
        yield (decoder or _decoder_of(head)).decode(head, final=True)
    except UnicodeDecodeError as error:
        raise _not_json(str(error)) from error


def _decoder_of(head: bytes) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(json.detect_encoding(head))("surrogatepass")


def _not_json(reason: str) -> Problem:
    return Problem("not_json", reason=plain(reason)[:200])


def values_at(text: str, starts: Iterable[int], wanted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The wanted parts of each object that begins at one of these places of a text.

    A damaged object is passed over, and so is one within an object that was read. A comma too much
    is accepted. Raises Problem, as `read_wanted`, for what is too large, too deep or too damaged.
    """
    done, failures = 0, 0
    for start in starts:
        if start < done:
            continue
        reader = _Reader(iter([]), text, start, commas=True)
        try:
            found = reader.value(wanted)
        except Problem as problem:
            failures += 1
            if problem.remark.key != "not_json" or failures > MOST_FAILURES:
                raise
            continue
        done = reader.at
        if isinstance(found, dict):
            yield found


class _Reader:
    def __init__(self, pieces: Iterator[str], text: str = "", at: int = 0, commas: bool = False):
        self._pieces = pieces
        self._text, self._at = text, at  # the current piece, and the position in it
        self._commas = commas  # whether one may stand behind the last item
        self._before = 0  # characters of the pieces before it
        self._kept, self._brackets = 0, 0

    @property
    def at(self) -> int:
        return self._at

    def all(self, wanted: object) -> object:
        found = self.value(wanted)
        if self._next():
            raise self._wrong(_("something follows its end"))
        return found

    # The position in the text.

    def _more(self) -> bool:
        """Append the next piece to the rest of this one; whether there is any."""
        for piece in self._pieces:
            if piece:
                self._before += self._at
                self._text, self._at = self._text[self._at :] + piece, 0
                return True
        return False

    def _need(self) -> None:
        if not self._more():
            raise self._wrong(_("it ends too early"))

    def _next(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            self._at = _end(_SPACE, self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _take(self, one_of: str) -> str:
        """The same, past it; it has to be one of these. Raises Problem."""
        character = self._next()
        if not character or character not in one_of:
            expected = _(" or ").join(one_of)
            if not character:
                raise self._wrong(_("it ends where {expected} belongs").format(expected=expected))
            message = _("it has {character!r} where {expected} belongs")
            raise self._wrong(message.format(character=character, expected=expected))
        self._at += 1
        return character

    def _wrong(self, reason: str) -> Problem:
        place = _("{reason}: character {number:,}")
        return _not_json(place.format(reason=reason, number=self._before + self._at))

    # What is kept.

    def value(self, wanted: object) -> object:
        character = self._next()
        if character == '"':
            return self._string()
        if character == "{":
            return self._object(wanted) if isinstance(wanted, dict) else self._drop_all({})
        if character == "[":
            return self._list(wanted) if isinstance(wanted, list) else self._drop_all([])
        return self._number_or_word()

    def _object(self, wanted: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return found
        while True:
            if self._next() != '"':
                raise self._wrong(_("a name in quotes belongs here"))
            name = self._string()
            self._take(":")
            if name in wanted:
                found[name] = self.value(wanted[name])
            else:
                self._drop()
            if self._take(",}") == "}" or self._ends("}"):
                return found

    def _list(self, wanted: list[Any]) -> list[Any]:
        found: list[Any] = []
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return found
        while True:
            found.append(self.value(wanted[0]))
            self._keep(0)
            if self._take(",]") == "]" or self._ends("]"):
                return found

    def _ends(self, bracket: str) -> bool:
        """Whether an object or a list ends right behind a comma."""
        if self._commas and self._next() == bracket:
            self._at += 1
            return True
        return False

    def _keep(self, length: int) -> None:
        self._kept += max(length, COST)
        if self._kept > MOST_KEPT:
            raise Problem("too_large_kept", limit=MOST_KEPT >> 20)

    def _string(self) -> str:
        parts = ['"', *self._parts_of_string(), '"']
        try:
            return str(json.loads("".join(parts)))
        except ValueError as error:
            message = _("before here, a string is wrong ({reason})").format(reason=error.args[0])
            raise self._wrong(message) from error

    def _parts_of_string(self) -> Iterator[str]:
        self._at += 1
        while True:
            end = _end(_IN_STRING, self._text, self._at)
            part, self._at = self._text[self._at : end], end
            self._keep(len(part))
            yield part
            if self._ends_string():
                return

    def _ends_string(self) -> bool:
        """Whether the string ends where this part does; if not, fetch the next piece."""
        if self._text.startswith('"', self._at):
            self._at += 1
            return True
        self._need()
        return False

    def _number_or_word(self) -> object:
        while True:
            end = _end(_NUMBER_OR_WORD, self._text, self._at)
            if end - self._at > LONGEST_NUMBER:
                raise self._wrong(_("a number is too long"))
            if end < len(self._text) or not self._more():
                break
        word = self._text[self._at : end]
        try:
            found = json.loads(word)
        except ValueError as error:
            raise self._wrong(_("a value belongs here")) from error
        self._at = end
        self._keep(0)
        return found

    # What is dropped.

    def _drop(self) -> None:
        character = self._next()
        if character == '"':
            self._drop_string()
        elif character and character in "[{":
            self._drop_all(None)
        else:
            self._number_or_word()

    def _drop_string(self) -> None:
        self._at += 1
        while True:
            self._at = _end(_IN_STRING, self._text, self._at)
            if self._ends_string():
                return

    def _drop_all(self, instead: object) -> object:
        """Drop an object or a list with all that is in it."""
        depth = 0
        while True:
            text, at = self._text, self._at
            while (at := _end(_BETWEEN_BRACKETS, text, at)) < len(text):
                if text[at] in "[{":
                    depth += 1
                elif text[at] in "]}":
                    depth -= 1
                else:  # a string that ends in another piece
                    break
                at += 1
                self._brackets += 1
                if depth == 0 or depth > DEEPEST or self._brackets > MOST_BRACKETS:
                    break
            self._at = at
            if depth == 0:
                return instead
            if depth > DEEPEST:
                raise Problem("too_deep")
            if self._brackets > MOST_BRACKETS:
                raise Problem("too_many_brackets", limit=MOST_BRACKETS)
            if at == len(text):
                self._need()
            else:
                self._drop_string()
