"""Reads what a search in the sandbox returned, which the student's code beside it can forge.

Only what can be true of the student's source is accepted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..edits.edit import REPAIRING, Edit
from ..traces.divergence import FirstDivergence, ReferenceTraces, divergence_from_tree
from .choice import EDIT_FIELDS, Repair


def read_divergence(
    tree: Mapping[str, Any], references: Mapping[str, ReferenceTraces], source: str
) -> FirstDivergence | None:
    """The first wrong value that `find_repair` returned; None if there is none, or it is forged."""
    return divergence_from_tree(tree.get("first_divergence"), references, source)


def read_repair(tree: Mapping[str, Any], source: str, failing: Sequence[str]) -> Repair | None:
    """The repair that `find_repair` returned; None if there is none, or it is forged."""
    fixed = tree.get("fixed")
    edit, also = (_edit(tree, prefix, source) for prefix in ("", "also_"))
    if not (edit and type(fixed) is int and 0 <= fixed <= len(failing)):
        return None
    if "also_kind" in tree and not also:
        return None
    value = tree.get("value", "")
    if not isinstance(value, str) or value not in source or not (fixed or value):
        return None
    return Repair(edit, fixed, len(failing), also, value)


def _edit(tree: Mapping[str, Any], prefix: str, source: str) -> Edit | None:
    kind, line, old, changed = (tree.get(prefix + name) for name in EDIT_FIELDS)
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
    return Edit(kind, line, old, str(changed or "")) if is_possible else None
