"""How students' code was confined when it last ran, for the summary and the report."""

from pathlib import Path

from autograder.language import _
from autograder.results.outdir import read_json, write_json
from autograder.sandbox.runner import Runner

SANDBOXES = {
    "namespaces": _("in the sandbox “namespaces”"),
    "bwrap": _("in the sandbox “bwrap”"),
    "none": _("without a sandbox, with the rights of the one who graded"),
}
MEMORY_LIMITS = {
    "group1": _("one limit for all processes of a submission (control group, version 1)"),
    "group2": _("one limit for all processes of a submission (control group, version 2)"),
    "watch": _("a limit for each process, and a watch on all of a submission"),
    "process": _("a limit for each process, as far as the system knows one"),
}


def confinement_of(runner: Runner) -> dict[str, str]:
    """How this runner confines what it runs: its sandbox, and what limits memory there."""
    return {"sandbox": runner.sandbox, "memory": runner.memory_limit}


class ConfinementNote:
    """Writes down in the folder `work` each way in which one run confined students' code.

    There are several where the machines of a cluster differ.
    """

    def __init__(self, work: Path):
        self.work = work
        self._ways: list[dict[str, str]] = []

    def add(self, way: dict[str, str]) -> None:
        if way not in self._ways:
            self._ways.append(way)
            write(self.work, self._ways)


def write(work: Path, ways: list[dict[str, str]]) -> None:
    """Save the ways in which a run confined students' code. Raises CannotWrite."""
    if _read(work) != ways:
        write_json(_path(work), {"ways": ways})


def sentence(work: Path) -> str:
    """What `write` wrote, as sentences; empty if nothing has run yet."""
    try:
        return " ".join(
            _("Students' code ran {sandbox}. Memory: {memory}.").format(
                sandbox=SANDBOXES[way["sandbox"]], memory=MEMORY_LIMITS[way["memory"]]
            )
            for way in _read(work)
        )
    except (KeyError, TypeError):
        return ""


def _read(work: Path) -> list[dict[str, str]]:
    ways: list[dict[str, str]] = (read_json(_path(work)) or {}).get("ways", [])
    return ways


def _path(work: Path) -> Path:
    return work / "confinement.json"
