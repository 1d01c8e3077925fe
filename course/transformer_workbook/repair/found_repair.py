"""An edit that fixes cases: whether it is likely to be the fix, and what students are told of it.

They are told the place and the kind of the edit, never the changed code.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..edits.edit import EDIT_KINDS, REPAIRING, Edit
from ..shared.language import _, ngettext

EDIT_FIELDS = ("kind", "line", "old", "source")  # that the process which found an edit returns
# Where the expression is too long to be quoted.
UNQUOTED = {
    "call": _("one of its calls left out, leaving only what that is applied to"),
    "operand": _("only one of the two sides of one of its operations"),
}


@dataclass(frozen=True)
class Repair:
    """An edit with which all failing cases pass, so many as `failing` says."""

    edit: Edit
    failing: int

    def to_tree(self) -> dict[str, object]:
        """What `read_repair` reads."""
        return {name: getattr(self.edit, name) for name in EDIT_FIELDS}


def read_repair(tree: Mapping[str, Any], source: str, failing: int) -> Repair | None:
    """The repair of so many failing cases that a search sent; None if there is none, or forged.

    The student's code beside the search can forge it: only what can be true of the source counts.
    """
    kind, line, old, changed = (tree.get(name) for name in EDIT_FIELDS)
    if not (isinstance(kind, str) and isinstance(line, str) and isinstance(old, str)):
        return None
    in_one_line = " ".join(source.split())
    is_possible = (
        kind in REPAIRING
        and line.strip() != ""
        and line in source
        and " ".join(old.split()) in in_one_line
    )
    # The changed source is never shown.
    return Repair(Edit(kind, line, old, str(changed or "")), failing) if is_possible else None


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


def sentence(repair: Repair) -> str:
    """Where the mistake is, and of what kind."""
    passes = ngettext("the failing case passes", "all {count} failing cases pass", repair.failing)
    passes = passes.format(count=repair.failing)
    says = _("Look at the line `{line}`: with {change}, {passes}.")
    return says.format(line=repair.edit.line, change=_change(repair.edit), passes=passes)


def _change(edit: Edit) -> str:
    """The kind of a change, as a phrase that quotes what the student has written."""
    if not edit.old and edit.kind in UNQUOTED:
        return UNQUOTED[edit.kind]
    old = f"`{edit.old}`" if edit.old else _("a part of it")
    if edit.old == edit.line:
        old = _("it")
    elif edit.old and _stands_twice(edit):
        old = _("{old} (in one place)").format(old=old)
    return EDIT_KINDS[edit.kind].sentence.format(old=old)


def _stands_twice(edit: Edit) -> bool:
    """Whether the changed expression stands in its line more than once."""
    return len(re.findall(rf"(?<!\w){re.escape(edit.old)}(?!\w)", edit.line)) > 1
