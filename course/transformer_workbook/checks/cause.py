"""Which cause is told of a component's failures: one, the surest that is known, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says what each mechanism adds.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ..diagnosis.crashes import dropout_remark
from ..diagnosis.explain import blanks_of_value
from ..diagnosis.lesson_index import lesson_texts, recorded
from ..diagnosis.match import Result
from ..diagnosis.meaning import is_like_the_template, misconception_text
from ..repair.choice import Repair
from ..repair.words import sentence
from ..traces.divergence import FirstDivergence
from ..traces.words import grids_of, hint_for, sentences

MECHANISMS = ("misconception", "dropout", "repair", "value")  # the surest first
AFTER_A_SEARCH = ("repair", "value")  # for which the code is changed, and watched, while it runs


@dataclass(frozen=True)
class Cause:
    """What is told of why a component fails, and the mechanism that found it, of MECHANISMS.

    `misconception` is its name, if it is one. `blanks` are those to ask a hint for. `case` is the
    failing case that shows the cause, `grids` the value on the way to its result.
    """

    mechanism: str = ""
    says: str = ""
    misconception: str = ""
    blanks: tuple[str, ...] = ()
    case: str = ""
    grids: list[dict] = field(default_factory=list, compare=False)

    def __bool__(self) -> bool:
        return bool(self.says)


def cause_of(
    lesson: str,
    component: str,
    results: Mapping[str, Result],
    source: str,
    wrong: FirstDivergence | None = None,
    repair: Repair | None = None,
    without: Collection[str] = (),
) -> Cause:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is what the student has written, `wrong` and `repair` are what was found by watching
    and changing it. Leaves out the mechanisms in `without`.
    """
    entry = lesson_texts(lesson)["components"][component]

    def misconception() -> Cause | None:
        named = next(
            (result.misconception for result in results.values() if result.misconception), ""
        )
        if not named:
            return None
        blank = entry["misconceptions"][named]["blank"]
        says = misconception_text(lesson, component, named, source)
        return Cause(says=says, misconception=named, blanks=(blank,) if blank else ())

    def dropping() -> Cause | None:
        return Cause(says=dropout_remark(source))

    def repaired() -> Cause | None:
        return Cause(says=sentence(repair)) if repair else None

    def value() -> Cause | None:
        if not wrong or not wrong.is_aligned or wrong.runs:
            return None  # in a loop that ends at another time, the turns cannot be compared
        if not is_like_the_template(lesson, component, source):
            return None  # a variable of the same name may hold something else there
        released = {name: blank["line"] for name, blank in entry["blanks"].items()}
        says = sentences(
            wrong, recorded(lesson, component).inputs[wrong.case], hint_for(wrong, entry)
        )
        blanks = blanks_of_value(wrong.line, wrong.name, released)
        return Cause(says=says, blanks=tuple(blanks), case=wrong.case, grids=grids_of(wrong))

    ways = dict(zip(MECHANISMS, (misconception, dropping, repaired, value), strict=True))
    for mechanism, way in ways.items():
        found = way() if mechanism not in without else None
        if found:
            return replace(found, mechanism=mechanism)
    return Cause()
