"""What is wrong with a component, as a name for the grader and in words for the student."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    """Why a component fails, found out on the visible cases.

    `misconception` is the name of the known mistake that explains most failing cases; empty where
    none does. `cause` is the explanation in words: of that mistake, or of what else was found.
    """

    misconception: str = ""
    cause: str = ""
