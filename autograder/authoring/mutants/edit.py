"""An edit of a program, and the kinds of edits."""

import hashlib
from dataclasses import dataclass, field

Meaning = tuple[str, ...]  # see `source.meaning_of_tree`
# The families of edits, as equivalent.toml names them; each is a kind, too. Other kinds have one.
FAMILIES = (
    "axis", "name", "attribute", "operator", "constant", "flag", "call", "operand", "argument",
    "function", "order", "statement", "default", "condition", "slice", "index", "loop", "block",
    "result", "jump", "context", "in place", "shared", "detached",
)  # fmt: skip
FAMILY_OF = {family: family for family in FAMILIES} | {
    "axis-given": "axis", "and-or": "operator", "boundary": "operator", "comparison": "operator",
    "sides": "operator", "sign": "operator", "keyword": "flag", "arguments": "argument",
    "gradients": "function", "always": "condition", "no-index": "index", "into-a-block": "block",
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """A program changed in one place: `old`, in the line of code `line`, has become `new`.

    `kind` is one of FAMILY_OF, `line` has no comment, `number` is where it stands, `source` is the
    whole changed program. `copy` tells apart edits of one line that would read the same. `meaning`
    is that of `source`, if it is known already.
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
        return FAMILY_OF[self.kind]

    @property
    def change(self) -> str:
        """The change in one line; no other mutant of the same source has the same."""
        again = f" ({self.copy})" if self.copy > 1 else ""
        return f"line {self.number}: {self.old} -> {self.new}{again}"

    @property
    def key(self) -> str:
        """A hash by which mutants are sorted where only some of them are used."""
        return hashlib.sha256(f"{self.component}|{self.change}".encode()).hexdigest()
