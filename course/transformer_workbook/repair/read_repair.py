"""Reads what a search in the sandbox returned, which the student's code beside it can forge.

Only what can be true of the student's source is accepted.
"""

from collections.abc import Mapping
from typing import Any

from ..edits.edit import REPAIRING, Edit
from .choice import EDIT_FIELDS, Repair


def read_repair(tree: Mapping[str, Any], source: str, failing: int) -> Repair | None:
    """The repair of so many failing cases that a search sent; None if there is none, or forged."""
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
