"""Reads authors' files; those in TOML have a schema here, which says what may stand in them."""

import json
import reprlib
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema

from autograder.errors import AuthoringError, was_meant
from autograder.language import _

SCHEMAS = Path(__file__).parent / "schemas"


def read_source(path: Path) -> str:
    """The text of a file. Raises AuthoringError for another encoding than UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise AuthoringError(
            _("{path} is no text in UTF-8: {error}. Save it in that encoding."),
            path=path, error=error,
        ) from error  # fmt: skip


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file, which fits the schema of its name. Raises AuthoringError.

    A lesson's own TOML file has its schema beside it.
    """
    try:
        data = tomllib.loads(read_source(path))
    except tomllib.TOMLDecodeError as error:
        raise AuthoringError(f"{path}: {error}") from error
    try:
        schema = path.with_suffix(".json")
        _validate(schema if schema.is_file() else SCHEMAS / schema.name)(data)
    except fastjsonschema.JsonSchemaValueException as error:
        raise AuthoringError(f"{path}: {_told(data, error)}") from error
    return data


@cache
def _validate(schema: Path) -> Callable[[object], object]:
    """What raises JsonSchemaValueException for data that does not fit a schema."""
    text = schema.read_text(encoding="utf-8")
    compiled: Callable[[object], object] = fastjsonschema.compile(json.loads(text))
    return compiled


def _told(data: dict[str, Any], error: fastjsonschema.JsonSchemaValueException) -> str:
    """The place of an error, by the names that authors gave, and what is wrong there."""
    places, value = [], data
    for key in error.path[1:]:
        if isinstance(value, list):
            value = value[int(key)]
            named = value.get("name", value.get("folder")) if isinstance(value, dict) else None
            key = named if isinstance(named, str) else str(int(key) + 1)
        else:
            value = value[key]
        places.append(key)
    where = " ".join(places) or _("the file")
    if error.rule == "additionalProperties":
        properties = error.definition["properties"]
        unknown = [name for name in error.value if name not in properties]
        told = ", ".join(f"{name!r}{was_meant(name, properties)}" for name in unknown)
        return _("{where}: not known: {names} Known are {known}").format(
            where=where, names=told, known=", ".join(properties)
        )
    must = error.message.partition(" must ")[2]
    expected = error.definition.get("description") or _("that it must {this}").format(this=must)
    return _("{where} is {value}; expected {expected}").format(
        where=where, value=reprlib.repr(error.value), expected=expected
    )
