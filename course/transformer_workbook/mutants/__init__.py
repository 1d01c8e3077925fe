"""Mutants: wrong answers made by rule, by changing a right one in one place.

Each rule looks at the syntax tree of a source and proposes changes that people make by mistake:
another axis, a call left out, two arguments the wrong way round. The change is written into the
text of the source, and the rest of the text stays as it is. The same source gives the same
mutants in the same order, on every machine.

Nothing is changed that no test can see: docstrings, annotations, texts of errors, the device of a
tensor (tests run on one kind of device only), the order of assignments that use nothing of each
other, gradients where none are recorded, and in place only what is used again.
"""

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..shared.syntax import parse
from .expressions import of_expression
from .source import Edit, Source, code_of, is_docstring, meaning_of_text, meaning_of_tree
from .statements import of_defaults, of_statement
from .torch_facts import UNSEEN

MOST = 400  # mutants of one source

KINDS = {
    "axis": "another axis",
    "argument": "an argument left out, or two of them exchanged",
    "flag": "a keyword left out, or a flag turned round",
    "call": "a call left out",
    "function": "another function, much alike",
    "operator": "another operator, or its operands exchanged",
    "operand": "one side of an operation alone",
    "constant": "another number",
    "condition": "a condition inverted, always true or always false",
    "name": "another name of the scope",
    "attribute": "another attribute of the object",
    "statement": "a statement left out",
    "order": "two statements exchanged",
    "block": "a statement moved into a block or out of it",
    "in place": "an operation that changes what it was given",
    "shared": "one object many times, in place of many objects",
    "detached": "no gradient flows through an expression",
    "default": "another default value",
    "result": "the results in another order, or one of them missing",
    "slice": "other bounds",
    "index": "the entries of a subscript exchanged, or one left out",
    "loop": "a loop that is one turn shorter or longer",
    "jump": "a break or continue of another kind",
    "context": "a with statement or a decorator left out",
}


@dataclass(frozen=True)
class Mutant:
    """A source changed in one place: `old`, in the source's line `line`, has become `new`.

    `text` is that line, without its comment. `copy` numbers mutants that would otherwise read the
    same, of two places in one line.
    """

    component: str
    kind: str
    line: int
    text: str
    old: str
    new: str
    source: str
    copy: int = 1

    @property
    def change(self) -> str:
        """The change in one line; no other mutant of the same source has the same."""
        again = f" ({self.copy})" if self.copy > 1 else ""
        return f"line {self.line}: {self.old} -> {self.new}{again}"

    @property
    def key(self) -> str:
        """A hash that mutants are ordered by where only some are kept or tried."""
        return hashlib.sha256(f"{self.component}|{self.change}".encode()).hexdigest()


def mutants(
    component: str, source: str, right: Iterable[str] = (), most: int = MOST
) -> list[Mutant]:
    """The mutants of a source, at most `most`, ordered as they stand in it.

    None of them has the syntax tree of the source, of another mutant, or of a source in `right`.
    Where there are too many, kinds and lines are kept in balance, and a hash decides between
    mutants of one kind and line.
    """
    known = {meaning_of_tree(parse(text)) for text in (source, *right)}
    made, copies = list[Mutant](), Counter[Any]()
    lines = [code_of(line) for line in source.splitlines()]
    for edit in edits(Source(source)):
        text = source[: edit.start] + edit.text + source[edit.end :]
        meaning = edit.meaning or meaning_of_text(text)
        if meaning is None or meaning in known:
            continue
        known.add(meaning)
        copies[edit.line, edit.old, edit.new] += 1
        copy = copies[edit.line, edit.old, edit.new]
        line = lines[edit.line - 1]
        made.append(Mutant(component, edit.kind, edit.line, line, edit.old, edit.new, text, copy))
    kept = set(map(id, _balanced(made, most)))
    return [mutant for mutant in made if id(mutant) in kept]


def edits(source: Source) -> Iterator[Edit]:
    """All changes that the rules propose, in the order of the places that they change."""
    for node in _changeable(source.tree):
        if isinstance(node, ast.stmt):
            yield from of_statement(source, node)
        elif isinstance(node, ast.expr):
            for kind, new in of_expression(source, node):
                yield from source.swap(kind, node, new)
        elif isinstance(node, ast.arguments):
            yield from of_defaults(source, node)


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in which a change could be seen, each before what is in it."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "msg", "bases", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or is_docstring(child):
                continue
            if isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.keyword) and child.arg in UNSEEN:
                continue
            if isinstance(child, ast.Raise):
                yield child  # no test reads the error's text
            else:
                yield from _changeable(child)


def _balanced(made: list[Mutant], most: int) -> list[Mutant]:
    """At most `most` of them: each kind in its turn, and within a kind each line in its turn."""
    by_key = sorted(made, key=lambda mutant: mutant.key)
    by_line = _in_turns(by_key, lambda mutant: (mutant.kind, mutant.line))
    return _in_turns(by_line, lambda mutant: mutant.kind)[:most]


def _in_turns(ordered: list[Mutant], group: Callable[[Mutant], Hashable]) -> list[Mutant]:
    """The first of each group, then the second of each, and so on; by key within a turn."""
    count, turns = Counter[Hashable](), []
    for mutant in ordered:
        count[group(mutant)] += 1
        turns.append((count[group(mutant)], mutant.key, mutant))
    return [mutant for _, _, mutant in sorted(turns, key=lambda turn: turn[:2])]
