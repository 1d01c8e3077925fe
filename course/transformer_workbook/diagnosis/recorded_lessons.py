"""Reads the lessons' files that ship with the package: index, texts, recorded evidence."""

import difflib
import gzip
import json
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..shared.evidence import Evidence
from ..shared.language import _, language
from ..shared.packing import BadData, unpack
from ..shared.probing import module_name
from .case_results import RecordedMisconception
from .compare import Expected, Rule
from .evidence_sketches import Sketch
from .statement_hashes import hashes_in, statements

LESSONS = Path(__file__).parents[1] / "lessons"


class Unknown(LookupError):
    """A name that the course does not have; the message offers one that it has."""


def index() -> dict[str, Any]:
    """The lessons and their components, in order."""
    return _texts(LESSONS / "index.json", language())


def lesson_texts(lesson: str) -> dict[str, Any]:
    """A lesson's blanks, hints, cases and misconceptions, by component. Raises Unknown."""
    if lesson not in index()["lessons"]:
        raise Unknown(
            _(
                "The notebook asks for {name!r}, which this version of the package does not know. "
                "Update the package, or take the notebook that came with it."
            ).format(name=lesson)
        )
    return _texts(LESSONS / module_name(lesson) / "recorded.json", language())


@cache
def _texts(file: Path, tag: str) -> dict[str, Any]:
    """A file's texts in the language of a tag, where there are any."""
    in_language = file.with_suffix(f".{tag}.json")
    tree: dict[str, Any] = json.loads((in_language if in_language.is_file() else file).read_bytes())
    return tree


def lesson_of(component: str) -> str:
    """The lesson of a component. Raises Unknown; its message offers a close name, or all names."""
    lessons: dict[str, str] = {
        name: id for id, entry in index()["lessons"].items() for name in entry["components"]
    }
    if component in lessons:
        return lessons[component]
    by_lower_case = {name.lower(): name for name in lessons}
    close = difflib.get_close_matches(component.lower(), by_lower_case, n=1)
    message = _("There is no component called {name!r} in this course. Did you mean {close}?")
    if not close:
        message = _("There is no component called {name!r} in this course. There are: {known}.")
    shown = [name for name in lessons if not name.startswith("bug_hunt_")]
    meant = by_lower_case[close[0]] if close else ""
    raise Unknown(message.format(name=component, close=meant, known=", ".join(shown)))


@dataclass(frozen=True)
class Recorded:
    """The visible cases of one component, by case: probe, inputs, and what to judge evidence by.

    In those `watched` the obligations are judged, too. `misconceptions` are the recorded ones.
    """

    probes: dict[str, str]
    inputs: dict[str, dict[str, Any]]
    watched: set[str]
    expected: dict[str, Expected]
    misconceptions: list[RecordedMisconception]


@cache
def recorded(lesson: str, component: str, lessons: Path = LESSONS) -> Recorded:
    """The cases of a component's check, with the evidence in the lesson's folder in `lessons`.

    Raises OSError, BadData or KeyError where there is none.
    """
    file = lessons / module_name(lesson) / "recorded.safetensors.gz"
    tree = _evidence(file, file.stat().st_mtime_ns)[component]
    expected = {
        case: Expected(
            Evidence.from_tree(entry["reference"]),
            {name: Rule(**rule) for name, rule in entry["rules"].items()},
            entry["masks"],
        )
        for case, entry in tree.items()
    }
    misconceptions: dict[str, dict[str, Sketch | None]] = {}
    for case, entry in tree.items():
        for name, evidence in entry["known"].items():
            misconceptions.setdefault(name, {})[case] = evidence and Sketch.from_tree(evidence)
    return Recorded(
        {case: entry["probe"] for case, entry in tree.items()},
        {case: entry["inputs"] for case, entry in tree.items()},
        {case for case, entry in tree.items() if entry["watched"]},
        expected,
        [
            RecordedMisconception(key.partition(" ")[0], evidence)
            for key, evidence in misconceptions.items()
        ],
    )


@cache
def _evidence(file: Path, written: int) -> dict[str, Any]:
    """All that is recorded of a lesson, by component: reading it takes a fifth of a second.

    `written` is its time: a file that `build` has changed is read once more.
    """
    try:
        packed = gzip.decompress(file.read_bytes())
    except (EOFError, zlib.error) as error:
        raise BadData(_("the file is damaged")) from error
    tree: dict[str, Any] = unpack(packed)
    return tree


def released_lines(component: dict[str, Any]) -> dict[str, str]:
    """A component's blanks with their lines as released; `component` is its entry in the texts."""
    return {name: blank["line"] for name, blank in component["blanks"].items()}


def written_right(lesson: str, component: str, source: str) -> set[str]:
    """The blanks whose statement a student wrote exactly as some right answer has it."""
    written = hashes_in(source)
    blanks = lesson_texts(lesson)["components"][component]["blanks"]
    return {name for name, blank in blanks.items() if written.intersection(blank["right"].split())}


def share_written_right(lesson: str, component: str, source: str) -> float:
    """The fraction of a student's statements that some right answer has as well."""
    right = {*_right_statements(lesson, component)}
    written = statements(source).values()
    return sum(statement in right for statement in written) / len(written) if written else 0.0


def _right_statements(lesson: str, component: str) -> list[str]:
    """The hashes of right answers' statements, each as often as an answer has it at most."""
    hashes: str = lesson_texts(lesson)["components"][component]["right_statements"]
    return hashes.split()
