"""What to tell a student about the place that a repair found.

The sentences name the place and the kind of change; the changed code is never shown.
"""

import re

from ..shared.language import _, ngettext
from .candidates import Candidate, Repair

# By kind; {old} is the changed expression as the student wrote it.
KINDS = {
    "axis": _("an axis other than {old}"),
    "axis-given": _("an axis named in {old}"),
    "name": _("another variable in place of {old}"),
    "attribute": _("another attribute in place of {old}"),
    "operator": _("another operator in {old}"),
    "sides": _("the two sides of {old} swapped"),
    "boundary": _("the boundary itself counted otherwise (`<` or `<=`, `>` or `>=`) in {old}"),
    "comparison": _("the opposite comparison in place of {old}"),
    "sign": _("no minus, `~` or `not` in {old}"),
    "and-or": _("`and` for `or`, or the reverse, in {old}"),
    "constant": _("another number in place of {old}"),
    "flag": _("the flag {old} flipped"),
    "keyword": _("a keyword argument left out of {old}"),
    "call": _("the call {old} left out, leaving only what it is applied to"),
    "operand": _("only one of the two sides of {old}"),
    "argument": _("an argument left out of {old}"),
    "arguments": _("two arguments of {old} swapped"),
    "function": _("another, similar function in place of {old}"),
    "order": _("this line and the next one swapped"),
    "statement": _("this line left out"),
    "moved": _("this line elsewhere in its block"),
    "block": _("this line moved out of the block that it is in (look at the indentation)"),
    "into-a-block": _("this line moved into the block before it (look at the indentation)"),
    "anew": _("a new object instead of one that is changed in place"),
    "steps": _("the steps of {old} in a different order"),
    "lines": _("its steps and those of the lines before it in a different order"),
    "grouping": _("the parts of {old} grouped differently (parentheses, order of calculation)"),
    "square": _("the square of {old} instead"),
    "root": _("the square root of {old} instead"),
    "minus": _("the opposite sign before {old}"),
    "opposite": _("the opposite of {old} instead"),
    "reciprocal": _("1 divided by {old} instead"),
    "complement": _("1 minus {old} instead"),
    "one": _("1 more than {old}"),
    "one-less": _("1 less than {old}"),
    "transposed": _("two axes of {old} swapped"),
    "normalized": _("{old} divided by its sum"),
    "copy": _("a copy of {old} instead"),
    "unsqueezed": _("one more axis of size 1 in {old}"),
    "keepdim": _("the keyword argument `keepdim` in {old}"),
    "dim": _("the keyword argument `dim` in {old}"),
    "correction": _("the keyword argument `correction` in {old}"),
    "training": _("the keyword argument `training` in {old}"),
    "condition": _("the condition reversed"),
    "always": _("a condition that is always, or never, fulfilled"),
    "slice": _("different bounds in {old}"),
    "index": _("another index in {old}"),
    "no-index": _("no index or slice in {old}"),
    "part": _("a part of {old} alone, or one more axis in it (an index or a slice)"),
    "instead": _("a variable in place of {old}"),
    "size": _("another size in place of {old}"),
    "other-keyword": _("another keyword argument in {old}"),
    "loop": _("one iteration more, or one fewer"),
    "result": _("the results in a different order, or one of them alone"),
    "default": _("another default value"),
    "variable": _("a variable in place of the number {old}"),
    "jump": _("another way out of the loop"),
    "context": _("no `with`, or no decorator, there"),
    "owner": _("only what stands before the dot in {old}"),
    "returned": _("something returned at its end"),
    "given": _("one more argument in {old}"),
    "factor": _("{old} multiplied by one more variable, or by its square root"),
    "divisor": _("{old} divided by one more variable, or by its square root or size"),
    "term": _("one more variable added to {old}"),
    "difference": _("one more variable subtracted from {old}"),
}


# Where the expression is too long to be quoted.
OF_A_PART = {
    "call": _("one of its calls left out, leaving only what that is applied to"),
    "operand": _("only one of the two sides of one of its operations"),
}


def sentence(repair: Repair) -> str:
    """Where the mistake is, and of what kind; or of what two kinds."""
    passes = ngettext("the failing case passes", "all {count} failing cases pass", repair.failing)
    passes = passes.format(count=repair.failing)
    one, other = repair.candidate, repair.also
    if other is None:
        says = _("Look at the line `{line}`: with {change}, {passes}.")
        return says.format(line=one.line, change=_change(one), passes=passes)
    says = _("Look at the line `{line}`: with {change}, and with {second}, {passes}.")
    return says.format(line=one.line, change=_change(one), second=_change(other), passes=passes)


def _change(candidate: Candidate) -> str:
    """The kind of a change, as a phrase that quotes what the student has written."""
    if not candidate.old and candidate.kind in OF_A_PART:
        return OF_A_PART[candidate.kind]
    old = f"`{candidate.old}`" if candidate.old else _("a part of it")
    if candidate.old == candidate.line:
        old = _("it")
    elif candidate.old and _stands_twice(candidate):
        old = _("{old} (in one place)").format(old=old)
    return KINDS[candidate.kind].format(old=old)


def _stands_twice(candidate: Candidate) -> bool:
    """Whether the changed expression stands in its line more than once."""
    return len(re.findall(rf"(?<!\w){re.escape(candidate.old)}(?!\w)", candidate.line)) > 1
