"""What a check and the grader tell of a component that fails."""

from dataclasses import dataclass

MECHANISMS = ("misconception", "repair")  # that find causes, the surest first


@dataclass(frozen=True)
class Diagnosis:
    """Why a component fails, in the words `says`; false if no cause is known.

    `misconception` is the name of the known mistake, if it is one. `mechanism` is what found the
    cause, one of MECHANISMS. `blanks` are those to ask a hint for.
    """

    misconception: str = ""
    says: str = ""
    mechanism: str = ""
    blanks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.says)
