"""Why a component fails: a name for the grader, and an explanation for the student."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    """Why a component fails, according to the visible cases.

    `misconception` is the name of the known mistake that explains most failing cases; empty if none
    does. `cause` is the explanation for the student: of that mistake, or of another cause.
    """

    misconception: str = ""
    cause: str = ""
