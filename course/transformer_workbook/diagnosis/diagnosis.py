"""What a check and the grader tell of a component that fails."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    """Why a component fails, in the words `says`; false if no cause is known.

    `misconception` is the name of the known mistake, if it is one. `blanks` are those to ask a hint
    for.
    """

    misconception: str = ""
    says: str = ""
    blanks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.says)
