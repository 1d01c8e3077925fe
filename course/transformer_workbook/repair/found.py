"""Reads what a search came back with; beside a student's code it can be forged.

Only what can be true of the student's source is taken.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..edits.edit import MENDING, Edit
from ..traces.divergence import FirstDivergence, ReferenceTraces, divergence_from_tree
from .choice import TOLD, Repair


def read_divergence(
    found: Mapping[str, Any], ways: Mapping[str, ReferenceTraces], source: str
) -> FirstDivergence | None:
    """The first wrong value that `probe.place` returned; None where there is none to believe."""
    return divergence_from_tree(found.get("first_divergence"), ways, source)


def read_repair(found: Mapping[str, Any], source: str, failing: Sequence[str]) -> Repair | None:
    """The repair that `probe.place` returned; None where there is none to believe."""
    mended = found.get("mended")
    edit, also = (_edit(found, prefix, source) for prefix in ("", "also_"))
    if not (edit and type(mended) is int and 0 <= mended <= len(failing)):
        return None
    if "also_kind" in found and not also:
        return None
    value = found.get("value", "")
    if not isinstance(value, str) or value not in source or not (mended or value):
        return None
    return Repair(edit, mended, len(failing), also, value)


def _edit(found: Mapping[str, Any], prefix: str, source: str) -> Edit | None:
    kind, line, old, changed = (found.get(prefix + name) for name in TOLD)
    if not (isinstance(kind, str) and isinstance(line, str) and isinstance(old, str)):
        return None
    in_one_line = " ".join(source.split())
    is_possible = (
        kind in MENDING
        and line.strip() != ""
        and line in source
        and " ".join(old.split()) in in_one_line
    )
    # The changed source is never shown.
    return Edit(kind, line, old, str(changed or "")) if is_possible else None
