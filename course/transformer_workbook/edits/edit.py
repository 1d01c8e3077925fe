"""An edit of a program, and the kinds of edits: the sentence of each, and what it is used for."""

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from ..shared.language import _

Meaning = tuple[str, ...]  # see `source.meaning_of_tree`


@dataclass(frozen=True)
class Edit:
    """A program changed in one place: `old`, in the line of code `line`, has become `new`.

    `kind` is one of EDIT_KINDS, `line` has no comment, `source` is the whole changed program. For a
    student's answer, `old` is quoted, and empty if it is too long for that; `new` is never shown.

    Mutants have the `number` of the line and the `component` too. `copy` tells apart mutants of one
    line that would read the same. `meaning` is that of `source`, if it is known already.
    """

    kind: str
    line: str
    old: str
    source: str
    new: str = ""
    number: int = 0
    component: str = ""
    copy: int = 1
    meaning: Meaning | None = field(default=None, compare=False, repr=False)

    @property
    def family(self) -> str:
        """The kind of mutant that it is, as equivalent.toml names it."""
        return EDIT_KINDS[self.kind].family

    @property
    def change(self) -> str:
        """The change in one line; no other mutant of the same source has the same."""
        again = f" ({self.copy})" if self.copy > 1 else ""
        return f"line {self.number}: {self.old} -> {self.new}{again}"

    @property
    def key(self) -> str:
        """A hash by which mutants are sorted where only some of them are used."""
        return hashlib.sha256(f"{self.component}|{self.change}".encode()).hexdigest()


class Kind(NamedTuple):
    """A kind of edit.

    `tier` says how likely it fixes an answer: the likeliest, of tier 0, are tried first. `family`
    is the kind of mutant, "" for what only fixes. `sentence` tells a student what it changes;
    {old} is the changed expression as it was written.
    """

    tier: int
    family: str
    sentence: str


MUTANTS_ALONE = 3  # the tier of what is not tried to fix an answer

EDIT_KINDS = {
    "axis": Kind(0, "axis", _("another axis in place of {old}")),
    "axis-given": Kind(0, "axis", _("an axis named in {old}")),
    "name": Kind(0, "name", _("another variable in place of {old}")),
    "attribute": Kind(0, "attribute", _("another attribute in place of {old}")),
    "operator": Kind(0, "operator", _("another operator in {old}")),
    "sides": Kind(0, "operator", _("the two sides of {old} swapped")),
    "boundary": Kind(0, "operator", _(
        "the boundary itself counted otherwise (`<` or `<=`, `>` or `>=`) in {old}")),
    "comparison": Kind(0, "operator", _("the opposite comparison in place of {old}")),
    "sign": Kind(0, "operator", _("no minus, `~` or `not` in {old}")),
    "and-or": Kind(0, "operator", _("`and` for `or`, or the reverse, in {old}")),
    "constant": Kind(0, "constant", _("another number in place of {old}")),
    "flag": Kind(0, "flag", _("the flag {old} flipped")),
    "keyword": Kind(0, "flag", _("a keyword argument left out of {old}")),
    "call": Kind(0, "call", _("the call {old} left out, leaving only what it is applied to")),
    "operand": Kind(0, "operand", _("only one of the two sides of {old}")),
    "argument": Kind(0, "argument", _("an argument left out of {old}")),
    "arguments": Kind(0, "argument", _("two arguments of {old} swapped")),
    "function": Kind(0, "function", _("another, similar function in place of {old}")),
    "order": Kind(0, "order", _("this line and the next one swapped")),

    "statement": Kind(1, "statement", _("this line left out")),
    "default": Kind(1, "default", _("another default value")),
    "new-object": Kind(1, "", _("a new object instead of one that is changed in place")),
    "steps": Kind(1, "", _("the steps of {old} in a different order")),
    "grouping": Kind(1, "", _(
        "the parts of {old} grouped differently (parentheses, order of calculation)")),
    "square": Kind(1, "", _("the square of {old} instead")),
    "root": Kind(1, "", _("the square root of {old} instead")),
    "minus": Kind(1, "", _("the opposite sign before {old}")),
    "opposite": Kind(1, "", _("the opposite of {old} instead")),
    "transposed": Kind(1, "", _("two axes of {old} swapped")),
    "normalized": Kind(1, "", _("{old} divided by its sum")),
    "keepdim": Kind(1, "", _("the keyword argument `keepdim` in {old}")),
    "dim": Kind(1, "", _("the keyword argument `dim` in {old}")),
    "variable": Kind(1, "", _("a variable in place of the number {old}")),

    "condition": Kind(2, "condition", _("the condition reversed")),
    "always": Kind(2, "condition", _("a condition that is always, or never, fulfilled")),
    "slice": Kind(2, "slice", _("different bounds in {old}")),
    "index": Kind(2, "index", _("another index in {old}")),
    "no-index": Kind(2, "index", _("no index or slice in {old}")),
    "loop": Kind(2, "loop", _("one iteration more, or one fewer")),
    "block": Kind(2, "block", _(
        "this line moved out of the block that it is in (look at the indentation)")),
    "into-a-block": Kind(2, "block", _(
        "this line moved into the block before it (look at the indentation)")),
    "result": Kind(2, "result", _("the results in a different order, or one of them alone")),
    "jump": Kind(2, "jump", _("another way out of the loop")),
    "context": Kind(2, "context", _("no `with`, or no decorator, there")),
    # no_grad for enable_grad, or the reverse.
    "gradients": Kind(2, "function", _("no `with`, or no decorator, there")),
    "moved": Kind(2, "", _("this line elsewhere in its block")),
    "reciprocal": Kind(2, "", _("1 divided by {old} instead")),
    "complement": Kind(2, "", _("1 minus {old} instead")),
    "one": Kind(2, "", _("1 more than {old}")),
    "one-less": Kind(2, "", _("1 less than {old}")),
    "copy": Kind(2, "", _("a copy of {old} instead")),
    "unsqueezed": Kind(2, "", _("one more axis of size 1 in {old}")),
    "correction": Kind(2, "", _("the keyword argument `correction` in {old}")),
    "training": Kind(2, "", _("the keyword argument `training` in {old}")),

    # What a mistake changes, and never fixes: done in place, one object for many, no gradient.
    "in place": Kind(MUTANTS_ALONE, "in place", ""),
    "shared": Kind(MUTANTS_ALONE, "shared", ""),
    "detached": Kind(MUTANTS_ALONE, "detached", ""),
}  # fmt: skip
REPAIRING = {name for name, kind in EDIT_KINDS.items() if kind.tier < MUTANTS_ALONE}
FAMILIES = {kind.family for kind in EDIT_KINDS.values()} - {""}
