"""How students' code was confined when it last ran, for the summary and the report."""

from pathlib import Path

from autograder.sandbox.runner import Runner

from .outdir import read_json, write_json
from .texts import TEXTS, text

Ways = list[dict[str, str]]  # each a sandbox and what limits memory in it


def way(runner: Runner) -> dict[str, str]:
    """How this runner confines what it runs."""
    return {"sandbox": runner.sandbox, "memory": runner.memory_limit}


def note(work: Path, ways: Ways) -> None:
    """Remember the ways in which a run confined: several where the machines of a cluster differ."""
    if _noted(work) != ways:
        write_json(_file(work), {"ways": ways})


def sentence(work: Path) -> str:
    """The same in words; empty where nothing has run yet."""
    try:
        return " ".join(
            text(
                "confinement",
                "sentence",
                sandbox=TEXTS["confinement"]["sandbox"][way["sandbox"]],
                memory=TEXTS["confinement"]["memory"][way["memory"]],
            )
            for way in _noted(work)
        )
    except (KeyError, TypeError):
        return ""


def _noted(work: Path) -> Ways:
    return (read_json(_file(work)) or {}).get("ways", [])


def _file(work: Path) -> Path:
    return work / "confinement.json"
