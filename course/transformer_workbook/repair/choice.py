"""Edits that fix cases, and the choice among them."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..edits.edit import Edit


@dataclass(frozen=True)
class Repair:
    """An edit that helps: `fixed` of the `failing` cases pass with it.

    `also` is a second edit, for where one is not enough. It edits the source that `edit` has
    changed, but its line and expression are those of the student's source. `value` is the variable
    that the first edit makes right, if its values were watched.
    """

    edit: Edit
    fixed: int
    failing: int
    also: Edit | None = None
    value: str = ""

    def to_tree(self) -> dict[str, object]:
        """What `found.read_repair` reads."""
        tree: dict[str, object] = {"fixed": self.fixed, "value": self.value}
        for prefix, edit in (("", self.edit), ("also_", self.also)):
            if edit:
                tree |= {prefix + name: getattr(edit, name) for name in EDIT_FIELDS}
        return tree


PUTS_A_VARIABLE_IN = {"variable", "factor", "divisor", "term", "difference", "instead"}
EDIT_FIELDS = ("kind", "line", "old", "source")  # that the process which found an edit returns


def as_repair(edit: Edit, fails: Collection[str], failing: Collection[str]) -> Repair | None:
    """The edit as a repair; None if it breaks a case or fixes none of the failing ones."""
    fixed = len(set(failing) - set(fails))
    if not fixed or set(fails) - set(failing):
        return None
    return Repair(edit, fixed, len(failing))


def best(repairs: Iterable[Repair]) -> Repair | None:
    """The likeliest repair that fixes all cases, before others one that makes a value right."""
    whole = [
        repair
        for repair in repairs
        if repair.fixed == repair.failing
        and is_sure(repair.edit, repair.also)
        and not _turns_a_condition(repair.edit)
        and not _is_a_guess(repair)
    ]
    return min(whole, key=lambda repair: (not repair.value, repair.edit.tier), default=None)


def is_sure(one: Edit, other: Edit | None) -> bool:
    """Whether two edits together are rarely right by chance: likely ones, of the same line."""
    return other is None or (one.line == other.line and one.tier == other.tier == 0)


def _is_a_guess(repair: Repair) -> bool:
    """Whether one case alone speaks for a further variable: some variable fits it by chance."""
    is_alone = repair.failing == 1 and not repair.value
    return is_alone and repair.edit.kind in PUTS_A_VARIABLE_IN


def _turns_a_condition(edit: Edit) -> bool:
    """Whether another branch runs after an edit: so it may only avoid the line that is wrong."""
    is_tested = re.search(r"(^|\s)(if|elif|while)\s", edit.line)
    kinds = ("comparison", "condition", "always", "opposite", "sign")
    return edit.kind == "condition" or bool(is_tested) and edit.kind in kinds
