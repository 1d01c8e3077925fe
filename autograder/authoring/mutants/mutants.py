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
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace

from transformer_workbook.shared.syntax import parse

from .edit import Edit
from .mistakes_in_expressions import mutate_expression
from .mistakes_in_statements import mutate_defaults, mutate_statement
from .source import ParsedSource, meaning_of_text, meaning_of_tree
from .torch_facts import UNSEEN

MOST_MUTANTS = 400  # mutants of one source


def mutants(
    component: str, source: str, right: Iterable[str] = (), most: int = MOST_MUTANTS
) -> list[Edit]:
    """The mutants of a source, at most `most`, ordered as they stand in it.

    None of them has the syntax tree of the source, of another mutant, or of a source in `right`.
    Where there are too many, kinds and lines are kept in balance, and a hash decides between
    mutants of one kind and line.
    """
    meanings = {meaning_of_tree(parse(text)) for text in (source, *right)}
    made, copies = list[Edit](), Counter[str]()
    for edit in _mutated(ParsedSource(source)):
        meaning = edit.meaning or meaning_of_text(edit.source)
        if meaning is None or meaning in meanings:
            continue
        meanings.add(meaning)
        copies[edit.change] += 1
        made.append(replace(edit, component=component, copy=copies[edit.change]))
    chosen = set(map(id, _balanced(made, most)))
    return [mutant for mutant in made if id(mutant) in chosen]


def _mutated(source: ParsedSource) -> Iterator[Edit]:
    """All edits that the rules generate, in the order of the places that they change."""
    for node in _in_order(source.tree):
        if _is_left_alone(source, node):
            continue
        if isinstance(node, ast.stmt):
            yield from mutate_statement(source, node)
        elif isinstance(node, ast.expr):
            for kind, new in mutate_expression(source, node):
                yield from source.swap(kind, node, new)
        elif isinstance(node, ast.arguments):
            yield from mutate_defaults(source, node)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes in it, each before what is in it."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _is_left_alone(source: ParsedSource, node: ast.AST) -> bool:
    return (
        source.is_unseen(node)
        or not source.fields(node).isdisjoint(("msg", "bases", "type_params"))
        or any(
            isinstance(outer, ast.keyword) and outer.arg in UNSEEN
            for outer in (node, *source.around(node))
        )
    )


def _balanced(made: list[Edit], most: int) -> list[Edit]:
    """At most `most` of them: each kind in its turn, and within a kind each line in its turn."""
    by_key = sorted(made, key=lambda mutant: mutant.key)
    by_line = _in_turns(by_key, lambda mutant: (mutant.family, mutant.number))
    return _in_turns(by_line, lambda mutant: mutant.family)[:most]


def _in_turns(ordered: list[Edit], group: Callable[[Edit], Hashable]) -> list[Edit]:
    """The first of each group, then the second of each, and so on; by key within a turn."""
    count, turns = Counter[Hashable](), []
    for mutant in ordered:
        count[group(mutant)] += 1
        turns.append((count[group(mutant)], mutant.key, mutant))
    return [mutant for _, _, mutant in sorted(turns, key=lambda turn: turn[:2])]
