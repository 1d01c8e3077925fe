"""An edit of a program, and the kinds of edits."""

import hashlib
from dataclasses import dataclass, field

Meaning = tuple[str, ...]  # see `source.meaning_of_tree`
# The kinds of edits by family, as equivalent.toml names it.
FAMILIES = {
    "axis": {"axis", "axis-given"},
    "name": {"name"},
    "attribute": {"attribute"},
    "operator": {"operator", "sides", "boundary", "comparison", "sign", "and-or"},
    "constant": {"constant"},
    "flag": {"flag", "keyword"},
    "call": {"call"},
    "operand": {"operand"},
    "argument": {"argument", "arguments"},
    "function": {"function", "gradients"},
    "order": {"order"},
    "statement": {"statement"},
    "default": {"default"},
    "condition": {"condition", "always"},
    "slice": {"slice"},
    "index": {"index", "no-index"},
    "loop": {"loop"},
    "block": {"block", "into-a-block"},
    "result": {"result"},
    "jump": {"jump"},
    "context": {"context"},
    "in place": {"in place"},
    "shared": {"shared"},
    "detached": {"detached"},
}
FAMILY_OF = {kind: family for family, kinds in FAMILIES.items() for kind in kinds}


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
