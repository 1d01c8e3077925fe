"""An edit that fixes cases, and whether it is likely to be the fix."""

import re
from dataclasses import dataclass

from ..edits.edit import Edit

EDIT_FIELDS = ("kind", "line", "old", "source")  # that the process which found an edit returns


@dataclass(frozen=True)
class Repair:
    """An edit with which all failing cases pass, so many as `failing` says."""

    edit: Edit
    failing: int

    def to_tree(self) -> dict[str, object]:
        """What `read_repair.read_repair` reads."""
        return {name: getattr(self.edit, name) for name in EDIT_FIELDS}


def is_likely(edit: Edit, failing: int) -> bool:
    """Whether an edit that fixes so many cases is more than a guess, or a way round a line."""
    return not _turns_a_condition(edit) and not _is_a_guess(edit, failing)


def _is_a_guess(edit: Edit, failing: int) -> bool:
    """Whether one case alone speaks for a variable: some variable fits it by chance."""
    return failing == 1 and edit.kind == "variable"


def _turns_a_condition(edit: Edit) -> bool:
    """Whether another branch runs after an edit: so it may only avoid the line that is wrong."""
    is_tested = re.search(r"(^|\s)(if|elif|while)\s", edit.line)
    kinds = ("comparison", "condition", "always", "opposite", "sign")
    return edit.kind == "condition" or bool(is_tested) and edit.kind in kinds
