"""A job for a runner (cells, and plans of probe calls), and the outcome that it returns."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.language import UserFacingError
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.obligations import SECOND_SEED
from transformer_workbook.shared.probing import module_name

from .student.confinement.processes import describe_end

LIMITED, KILLED = ("timeout", "out_of_memory"), describe_end(128 + signal.SIGKILL)


class RunnerFault(UserFacingError):
    """The grader failed, not the student: what depends on this run has no result."""


@dataclass(frozen=True)
class Cell:
    """One cell to run. `kind` is "setup" (the release's), "answer", or "added" (the student's)."""

    name: str
    kind: str
    source: str


@dataclass(frozen=True)
class ProbeCall:
    """One call of one probe: `inputs` are tensors and plain values, `id` names its evidence.

    If it is `watched`, obligations are checked, too, in two more calls.
    """

    id: str
    probe: str
    inputs: dict[str, Any]
    watched: bool = True


@dataclass(frozen=True)
class Plan:
    """The calls that probe one component: answer cell `component` defines the name `defines`.

    `forbidden` are the dotted names of functions that it must not call. `stand_ins` are the
    components of the same lesson whose stand-ins take the place of the student's own.
    """

    component: str
    defines: str
    calls: list[ProbeCall]
    forbidden: Sequence[str] = ()
    stand_ins: Sequence[str] = ()


@dataclass(frozen=True)
class Job:
    """The cells and plans of one submission.

    `stand_ins` gives the lesson of each component of this and earlier lessons. With `double`,
    the default dtype is float64. `files`, by name, lie in the folder in which the cells run.
    `probes` is the module of the students' package that holds the probes, by default the lesson's.
    `seed` seeds the random numbers in that run of a probe whose result counts.
    """

    lesson: str
    cells: list[Cell]
    plans: list[Plan]
    stand_ins: dict[str, str]
    double: bool = False
    seed: int = SECOND_SEED
    files: dict[str, bytes] = field(default_factory=dict)
    probes: str = ""

    @property
    def probes_module(self) -> str:
        return self.probes or f"lessons.{module_name(self.lesson)}.probes"


@dataclass
class Outcome:
    """The result of running one submission.

    `evidence` is by the id of its probe call, with an entry for each; `cells` has the failure of
    each cell that failed, by the cell's name; `refused` the forbidden names that a component
    called; `output` the end of its standard output and error. Where it `was_disturbed`, a limit was
    reached while other submissions misbehaved, or may have taken the memory.
    """

    evidence: dict[str, Evidence] = field(default_factory=dict)
    cells: dict[str, Failure] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    output: str = ""
    seconds: float = 0.0
    sandbox: str = ""
    was_disturbed: bool = False

    @property
    def was_stopped(self) -> bool:
        """Whether a part of it reached a limit, or was ended by the system."""
        failed = [*self.cells.values(), *(evidence.failure for evidence in self.evidence.values())]
        return any(f and (f.kind in LIMITED or f.message == KILLED) for f in failed)
