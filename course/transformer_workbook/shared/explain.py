"""Turns findings into sentences for learners, with the words of texts.toml."""

import re

from .evidence import Failure
from .texts import texts
from .verdicts import Finding


def explain(
    finding: Finding, component: str, blanks: dict[str, str] | None = None, advise: bool = True
) -> str:
    """One finding as a sentence; with `advise`, a crash is followed by advice on its cause.

    `blanks` maps the component's blanks to their lines as released, in the order of the code.
    """
    group, _, key = finding.text.rpartition(".")
    if group == "failure":
        return _explain_failure(Failure(**finding.details), component, blanks or {}, advise)
    details = dict(finding.details)
    place = details.pop("place", None)
    at = texts()["failure"]["at"].format(place=place) if place else ""
    return texts()["finding"][key].format(name=finding.name, at=at, **details)


def _explain_failure(failure: Failure, component: str, blanks: dict, advise: bool) -> str:
    said = texts()["failure"]
    line = said["in_line"].format(line=failure.line.strip()) if failure.line else said["no_line"]
    suggested = ""
    if failure.suggestion:
        suggested = said["renamed" if failure.kind == "unnamed" else "suggested"]
        suggested = suggested.format(suggestion=failure.suggestion)
    names = open_blanks(failure.line, blanks) if failure.kind == "blank" else []
    sentence = said[failure.kind].format(
        type=failure.type,
        message=failure.message.rstrip("."),
        component=component,
        blank=", ".join(names),
        in_line=line,
        suggested=suggested,
    )
    return " ".join([sentence, *(_advice(failure) if advise else [])])


def open_blanks(line: str, blanks: dict[str, str]) -> list[str]:
    """The blanks that are still open in a line of the student's, which may be partly filled.

    `blanks` maps each blank to its line as released, in the order of the code.
    """
    line = line.strip()
    # A blank that is a whole line matches any line, so the shortest code is tried last.
    for released in sorted(set(blanks.values()), key=lambda text: (-len(_code(text)), text)):
        names = [name for name, text in blanks.items() if text == released]
        pattern = "(.+?)".join(re.escape(piece) for piece in _code(released).split("____"))
        match = re.fullmatch(pattern, _code(line))
        if match:
            fillings = zip(names, match.groups(), strict=False)
            still_open = [name for name, filling in fillings if "____" in filling]
            if still_open:
                return still_open
    left, _, _ = line.partition("=")
    return [name for name, text in blanks.items() if text.partition("=")[0] == left and left]


def _code(line: str) -> str:
    """A line without its comment, which students may change."""
    return line.partition("  #")[0].strip()


def _advice(failure: Failure) -> list[str]:
    if failure.kind != "exception":
        return []
    raised = f"{failure.type}: {failure.message}"
    advice = [crash["says"] for crash in texts()["crash"] if re.search(crash["pattern"], raised)]
    return advice[:1]


def describe_call(component: str, inputs: dict) -> str:
    """The call that a case makes, with shapes for tensors: `attend(query (2, 3, 4), ...)`."""
    return f"{component}({', '.join(f'{name} {_shape(value)}' for name, value in inputs.items())})"


def _shape(value) -> str:
    shape = getattr(value, "shape", None)
    return str(tuple(shape)) if shape is not None else f"= {value}"
