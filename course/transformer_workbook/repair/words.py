"""What to tell a student about the place that a repair found.

The sentences name the place and the kind of change; the changed code is never shown.
"""

from ..shared.language import _, ngettext
from .candidates import Candidate, Repair

# By kind; {old} is the changed expression as the student wrote it.
KINDS = {
    "axis": _("an axis other than {old}"),
    "name": _("another variable in place of {old}"),
    "attribute": _("another attribute in place of {old}"),
    "operator": _("another operator, or its two sides swapped, in {old}"),
    "constant": _("another number in place of {old}"),
    "flag": _("a flag flipped, or a keyword argument left out, in {old}"),
    "call": _("the call {old} left out, leaving only what it is applied to"),
    "operand": _("only one of the two sides of {old}"),
    "argument": _("an argument left out of {old}, or two swapped"),
    "function": _("another, similar function in place of {old}"),
    "order": _("this line and the next one swapped"),
    "statement": _("this line left out"),
    "moved": _("this line elsewhere in its block"),
    "block": _(
        "this line moved into a block, or out of the one it is in (look at the indentation)"
    ),
    "anew": _("a new object instead of one that is changed in place"),
    "steps": _("the steps of {old} in a different order"),
    "lines": _("its steps and those of the lines before it in a different order"),
    "grouping": _("the parts of {old} grouped differently (parentheses, order of calculation)"),
    "square": _("the square of {old} instead"),
    "root": _("the square root of {old} instead"),
    "minus": _("the opposite sign before {old}"),
    "opposite": _("the opposite of {old} instead"),
    "reciprocal": _("1 divided by {old}, or 1 minus it, instead"),
    "one": _("1 more, or 1 less, than {old}"),
    "transposed": _("two axes of {old} swapped"),
    "normalized": _("{old} divided by its sum"),
    "copy": _("a copy of {old} instead"),
    "unsqueezed": _("one more axis of size 1 in {old}"),
    "keepdim": _("the keyword argument `keepdim` in {old}"),
    "dim": _("the keyword argument `dim` in {old}"),
    "correction": _("the keyword argument `correction` in {old}"),
    "training": _("the keyword argument `training` in {old}"),
    "condition": _("the condition reversed, or always the same"),
    "slice": _("different bounds in {old}"),
    "index": _("another index in {old}"),
    "loop": _("one iteration more, or one fewer"),
    "result": _("the results in a different order, or one of them alone"),
    "default": _("another default value"),
    "variable": _("a variable in place of the number {old}"),
    "jump": _("another way out of the loop"),
    "context": _("no `with`, or no decorator, there"),
    "owner": _("only what stands before the dot in {old}"),
    "returned": _("something returned at its end"),
    "given": _("one more argument in {old}"),
    "factor": _(
        "{old} multiplied by one more variable, or divided by it, its square root or its size"
    ),
    "term": _("one more variable added to {old}, or subtracted from it"),
}


def sentence(repair: Repair) -> str:
    """Where the mistake is, and of what kind; or where the two mistakes are."""
    if repair.mended == repair.failing:
        passes = ngettext(
            "the failing case passes", "all {count} failing cases pass", repair.failing
        )
    else:
        passes = _("{fixed} of the {count} failing cases pass")
    passes = passes.format(fixed=repair.mended, count=repair.failing)
    one, other = repair.candidate, repair.also
    if other is None and repair.value and 2 * repair.mended < repair.failing:
        says = _(
            "Look at the line `{line}`: with {change}, `{value}` is as expected. With that alone "
            "some cases still fail, so look on from there."
        )
        return says.format(line=one.line, change=_change(one), value=repair.value)
    if other is None:
        says = _("Look at the line `{line}`: with {change}, {passes}.")
        return says.format(line=one.line, change=_change(one), passes=passes)
    if one.line == other.line:
        says = _(
            "Look at the line `{line}`, which has two mistakes: with {change}, and with {second}, "
            "{passes}."
        )
    else:
        says = _(
            "There are two mistakes. Look at the line `{line}`, for {change}; and at the line "
            "`{other}`, for {second}. With both, {passes}."
        )
    return says.format(
        line=one.line, change=_change(one), other=other.line, second=_change(other), passes=passes
    )


def _change(candidate: Candidate) -> str:
    """The kind of a change, as a phrase that quotes what the student has written."""
    old = f"`{candidate.old}`" if candidate.old else _("a part of it")
    if candidate.old == candidate.line:
        old = _("it")
    return KINDS[candidate.kind].format(old=old)
