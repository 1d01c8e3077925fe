"""Escapes names and texts of students, so that showing and storing them is safe."""

import hashlib
import re

LONGEST = 120  # characters; a folder's name may hold 255 bytes

# Control characters; line separators; bidirectional controls, with which a name could pose as
# another; surrogates, which stand for undecodable bytes in a folder's name.
_ODD = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_ODD}]")
_IN_NAME = re.compile(f"[\t\n{_ODD}]")


def shown(name: str) -> str:
    """A name with control characters (and undecodable bytes) written as escapes.

    It names the student in the gradebook and in OUT, so it is short enough for a folder's name.
    """
    text = _IN_NAME.sub(_escape, name)
    if len(text) <= LONGEST and len(text.encode()) <= 2 * LONGEST:
        return text
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    short = text.encode()[:LONGEST].decode(errors="ignore")
    return f"{short}… {mark}"


def plain(text: str) -> str:
    """Text with control characters written as escapes, except line ends and tabs."""
    return _IN_TEXT.sub(_escape, text.replace("\r\n", "\n").replace("\r", "\n"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
