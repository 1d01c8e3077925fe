"""What the package knows of the lessons: their index, texts and recorded evidence."""

import difflib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .evidence import Evidence
from .explain import texts
from .packing import unpack
from .verdicts import Expected, Known, Rule

RECORDED = Path(__file__).parents[1] / "recorded"


class Unknown(LookupError):
    """A name that is not in the course; the message says what is."""


@cache
def index() -> dict:
    """The lessons and their components, in order."""
    return json.loads((RECORDED / "index.json").read_text(encoding="utf-8"))


@cache
def lesson_texts(lesson: str) -> dict:
    """A lesson's blanks, hints, cases and misconceptions."""
    if lesson not in index()["lessons"]:
        raise Unknown(texts()["check"]["old_package"].format(name=lesson))
    return json.loads((RECORDED / f"{lesson}.json").read_text(encoding="utf-8"))


def lesson_of(component: str) -> str:
    """The lesson that a component belongs to. Raises Unknown with the closest name there is."""
    known = {name: id for id, one in index()["lessons"].items() for name in one["components"]}
    if component in known:
        return known[component]
    close = difflib.get_close_matches(component, known, n=1, cutoff=0.0)[0]
    raise Unknown(texts()["check"]["unknown"].format(name=component, close=close))


@dataclass(frozen=True)
class Recorded:
    """The visible cases of one component."""

    probes: dict[str, str]
    inputs: dict[str, dict]
    expected: dict[str, Expected]
    known: list[Known]


@cache
def recorded(lesson: str, component: str, folder: Path = RECORDED) -> Recorded:
    """The cases of a component's check, with the recorded evidence."""
    tree = unpack((folder / f"{lesson}.evidence").read_bytes())[component]
    expected = {
        case: Expected(
            Evidence.from_tree(entry["reference"]),
            {name: Rule(**rule) for name, rule in entry["rules"].items()},
            entry["masks"],
        )
        for case, entry in tree.items()
    }
    names = list(dict.fromkeys(name for entry in tree.values() for name in entry["known"]))
    known = [
        Known(
            name,
            {
                case: entry["known"][name] and Evidence.from_tree(entry["known"][name])
                for case, entry in tree.items()
            },
        )
        for name in names
    ]
    return Recorded(
        {case: entry["probe"] for case, entry in tree.items()},
        {case: entry["inputs"] for case, entry in tree.items()},
        expected,
        known,
    )
