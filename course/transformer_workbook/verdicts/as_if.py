"""The sentences for recorded changes of right answers: what a wrong answer behaves like.

They say what the change does and where, never what the right code is.
"""

from ..shared.language import _
from .diagnosis import Change
from .lesson_index import lesson_of, lesson_texts

# Of what a function is given, or takes for granted.
_GIVEN = {
    "always": _("Your code behaves exactly as if `{name}` were always {value}."),
    "exchanged": _("Your code behaves exactly as if `{name}` and `{other}` were swapped."),
    "instead": _("Your code behaves exactly as if it were given `{other}` instead of `{name}`."),
    "first": _(
        "Your code behaves exactly as if the first entry of `{name}` stood for the whole batch."
    ),
    "through": _("Your code behaves exactly as if `{name}` had gone through `self.{other}` first."),
    "all axes": _(
        "Your code behaves exactly as if it worked along the axis {name} wherever it should work "
        "along the last one."
    ),
    "does nothing": _("Your code behaves exactly as if `self.{name}` did nothing."),
    "stands for": _(
        "Your code behaves exactly as if `self.{other}` stood in place of `self.{name}`."
    ),
    "twice": _("Your code behaves exactly as if `self.{name}` were applied twice each time."),
    "no dropout": _("Your code behaves exactly as if nothing were dropped anywhere in `{name}`."),
    "dropped twice": _(
        "Your code behaves exactly as if dropout acted twice wherever it acts in `{name}`."
    ),
    "cut off": _(
        "Your code behaves exactly as if `{name}` were cut off from the gradient, as detach, .data "
        "or no_grad do."
    ),
    "turned": _("Your code behaves exactly as if True and False were swapped in `{name}`."),
    "transposed": _("Your code behaves exactly as if the last two axes of `{name}` were swapped."),
    "rounded": _(
        "Your code behaves exactly as if `{name}` were rounded to the three digits of bfloat16."
    ),
}
# Of one place of the code, which {where} names.
_CHANGED = {
    "axis": _("Your code behaves exactly as if {where} worked along another axis."),
    "axes": _(
        "Your code behaves exactly as if {where} worked along two axes at once, the last one and "
        "the one before."
    ),
    "argument": _(
        "Your code behaves exactly as if {where} lacked an argument of a call, or swapped two."
    ),
    "flag": _(
        "Your code behaves exactly as if {where} lacked a keyword argument, or flipped a flag."
    ),
    "doubled": _("Your code behaves exactly as if {where} did one of its steps twice."),
    "call": _("Your code behaves exactly as if {where} lacked a call."),
    "function": _("Your code behaves exactly as if {where} called another, similar function."),
    "operator": _(
        "Your code behaves exactly as if {where} had another operator, or its two sides swapped."
    ),
    "operand": _("Your code behaves exactly as if {where} left one part of the calculation out."),
    "constant": _("Your code behaves exactly as if {where} had another number."),
    "condition": _(
        "Your code behaves exactly as if {where} had its condition reversed, or always true or "
        "always false."
    ),
    "name": _("Your code behaves exactly as if {where} used another variable{new}."),
    "attribute": _("Your code behaves exactly as if {where} used another attribute{new}."),
    "statement": _("Your code behaves exactly as if {where} were missing."),
    "order": _("Your code behaves exactly as if {where} and its neighbor were swapped."),
    "block": _(
        "Your code behaves exactly as if {where} stood in a block that it does not belong to, or "
        "outside the one it belongs to. Look at the indentation."
    ),
    "shared": _(
        "Your code behaves exactly as if {where} used one object many times; each place needs one "
        "of its own."
    ),
    "detached": _("Your code behaves exactly as if no gradient flowed through {where}."),
    "default": _("Your code behaves exactly as if the default were `{new}`."),
    "slice": _("Your code behaves exactly as if {where} cut at different bounds."),
    "index": _(
        "Your code behaves exactly as if {where} had the entries of an index swapped, or one of "
        "them left out."
    ),
    "loop": _(
        "Your code behaves exactly as if the loop in {where} ran one iteration more or fewer."
    ),
    "jump": _("Your code behaves exactly as if {where} left the loop in another way."),
    "context": _("Your code behaves exactly as if {where} lacked its `with`, or a decorator."),
}


def sentence(change: Change, component: str, lesson: str) -> str:
    """What to tell a student whose answer to `component` behaves like the change."""
    details = change.details
    if change.kind in ("both", "inner"):
        return _of_misconceptions(change, component, lesson)
    if "name" in details and change.kind in _GIVEN:
        return _GIVEN[change.kind].format(**details)
    if "blank" in details:
        where = _("the blank {blank}").format(blank=details["blank"])
    else:
        where = _("the line `{line}`").format(line=details.get("line", ""))
    new = details.get("new", "")
    if change.kind != "default":
        new = new and _(": `{new}`").format(new=new)
    return _CHANGED[change.kind].format(where=where, new=new)


def _of_misconceptions(change: Change, component: str, lesson: str) -> str:
    """Two misconceptions at once, or one of a component that is built anew inside."""
    details = change.details
    inner = details.get("component", component)
    if inner != component:
        lesson = lesson_of(inner)
    texts = lesson_texts(lesson)["components"][inner]["misconceptions"]
    says = texts[details["misconception"]]["says"]
    if change.kind == "inner":
        return _("As in the exercise {component}: {says}").format(component=inner, says=says)
    other = texts[details["other"]]["says"]
    return _("Two things at once. First: {says} Second: {other}").format(says=says, other=other)
