"""How students' code was confined when it last ran, for the summary and the report."""

from pathlib import Path

from .results import read_json, write_json
from .run import Runner
from .texts import TEXTS, text


def note(work: Path, runner: Runner) -> None:
    """Remember how this runner confines what it runs."""
    how = {"sandbox": runner.sandbox, "memory": runner.memory_limit}
    if any((read_json(_file(work)) or {}).get(key) != value for key, value in how.items()):
        write_json(_file(work), how)


def sentence(work: Path) -> str:
    """The same in a sentence; empty where nothing has run yet."""
    tree = read_json(_file(work)) or {}
    try:
        return text(
            "confinement",
            "sentence",
            sandbox=TEXTS["confinement"]["sandbox"][tree["sandbox"]],
            memory=TEXTS["confinement"]["memory"][tree["memory"]],
        )
    except KeyError:
        return ""


def _file(work: Path) -> Path:
    return work / "confinement.json"
