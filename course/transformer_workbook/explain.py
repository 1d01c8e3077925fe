"""Turns findings into sentences for learners; all words come from texts.toml."""

import re
import tomllib
from functools import cache
from pathlib import Path

from .evidence import Failure
from .verdicts import Finding


@cache
def texts() -> dict:
    """The catalogue of what is said to learners."""
    return tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))


def explain(finding: Finding, component: str) -> str:
    """One finding as a sentence."""
    group, _, key = finding.text.rpartition(".")
    if group == "failure":
        return explain_failure(Failure(**finding.details), component)
    details = dict(finding.details)
    place = details.pop("place", None)
    at = texts()["failure"]["at"].format(place=place) if place else ""
    return texts()["finding"][key].format(name=finding.name, at=at, **details)


def explain_failure(failure: Failure, component: str) -> str:
    """A failure as sentences: what happened, in which line, and what to look at."""
    said = texts()["failure"]
    line = said["in_line"].format(line=failure.line.strip()) if failure.line else ""
    suggested = (
        said["suggested"].format(suggestion=failure.suggestion) if failure.suggestion else ""
    )
    sentence = said[failure.kind].format(
        type=failure.type,
        message=failure.message,
        component=component,
        in_line=line,
        suggested=suggested,
    )
    return " ".join([sentence, *_advice(failure)])


def _advice(failure: Failure) -> list[str]:
    if failure.kind != "exception":
        return []
    raised = f"{failure.type}: {failure.message}"
    found = [crash["says"] for crash in texts()["crash"] if re.search(crash["pattern"], raised)]
    return found[:1]


def describe_call(component: str, inputs: dict) -> str:
    """The call that a case makes, with shapes for tensors: `attend(query (2, 3, 4), ...)`."""
    return f"{component}({', '.join(f'{name} {_shape(value)}' for name, value in inputs.items())})"


def _shape(value) -> str:
    shape = getattr(value, "shape", None)
    return str(tuple(shape)) if shape is not None else f"= {value}"
