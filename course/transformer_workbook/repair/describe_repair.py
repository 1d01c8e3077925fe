"""Describes a repair to the student: the place and the kind of edit, never the changed code."""

import re

from ..edits.edit import EDIT_KINDS, Edit
from ..shared.language import _, ngettext
from .choice import Repair

# Where the expression is too long to be quoted.
UNQUOTED = {
    "call": _("one of its calls left out, leaving only what that is applied to"),
    "operand": _("only one of the two sides of one of its operations"),
}


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
