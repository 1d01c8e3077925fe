"""What a check and the grader tell of a component that fails."""

from dataclasses import dataclass, field

from .grids import Grid


@dataclass(frozen=True)
class Diagnosis:
    """Why a component fails, in the words `says`; false if no cause is known.

    `misconception` is the name of the known mistake, if it is one. `mechanism` is what found the
    cause, one of `checks.cause.MECHANISMS`. `blanks` are those to ask a hint for. `case` is the
    failing case that shows the cause, `grids` its wrong intermediate value.
    """

    misconception: str = ""
    says: str = ""
    mechanism: str = ""
    blanks: tuple[str, ...] = ()
    case: str = ""
    grids: list[Grid] = field(default_factory=list, compare=False)

    def __bool__(self) -> bool:
        return bool(self.says)
