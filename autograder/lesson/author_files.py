"""Reads authors' files, and says of a value what was expected in its place."""

import reprlib
import tomllib
from pathlib import Path
from typing import Any

from autograder.errors import AuthoringError
from autograder.language import _


def read_source(path: Path) -> str:
    """The text of a file. Raises AuthoringError for another encoding than UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise AuthoringError(
            _("{path} is no text in UTF-8: {error}. Save it in that encoding."),
            path=path, error=error,
        ) from error  # fmt: skip


def read_toml(path: Path, shape: dict[str, Any] | None = None) -> dict[str, Any]:
    """The content of a TOML file of this shape, see `check_shape`. Raises AuthoringError."""
    try:
        data = tomllib.loads(read_source(path))
    except tomllib.TOMLDecodeError as error:
        raise AuthoringError(f"{path}: {error}") from error
    check_shape(str(path), data, shape or {})
    return data


def check_shape(where: str, value: object, shape: Any) -> None:
    """Raise AuthoringError, with the place in `where`, for a value of another type than expected.

    A shape is a class, a list with the shape of each entry, a dict of shapes by key ("*": of all
    keys; a key without one may have any value), or a tuple of shapes of which one has to fit.
    """
    shapes = shape if isinstance(shape, tuple) else (shape,)
    fitting = [one for one in shapes if isinstance(value, _kind(one))]
    if not fitting:
        raise AuthoringError(
            _("{where} is {value}; expected {expected}"), where=where, value=reprlib.repr(value),
            expected=_(" or ").join(map(_called, shapes)),
        )  # fmt: skip
    match value, fitting[0]:
        case list(), [of_entry]:
            for number, entry in enumerate(value, 1):
                check_shape(f"{where} {_name(entry) or number}", entry, of_entry)
        case dict(), dict(of_key):
            for key in value.keys() if "*" in of_key else value.keys() & of_key.keys():
                check_shape(f"{where}: {key}", value[key], of_key.get(key, of_key.get("*")))


def _kind(shape: Any) -> type:
    return shape if isinstance(shape, type) else type(shape)


def _called(shape: Any) -> str:
    kind = _kind(shape)
    if kind is str:
        return _("a text")
    if kind is list:
        return _("a list, [...]")
    if kind is dict:
        return _("a table, {{...}}").format()
    return _("a {kind}").format(kind=kind.__name__)


def _name(entry: object) -> str:
    """What authors call an entry; empty where it has no name."""
    name = entry.get("name") if isinstance(entry, dict) else getattr(entry, "name", None)
    return name if isinstance(name, str) else ""
