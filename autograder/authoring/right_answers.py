"""What ships with the course of right answers: hashes of their statements.

By these a check blames no line that a right answer has as well. They give no solution away.
"""

import ast
from collections import Counter

from autograder.lesson.blanks import Span
from autograder.lesson.components import Blank, Component
from transformer_workbook.diagnosis.statement_hashes import hash_of, statements
from transformer_workbook.shared.syntax import parse


def right_hashes(component: Component) -> dict[str, list[str]]:
    """The hashes of the statements that right answers have, by the blank in them."""
    found = {blank.name: {_hash_at(component.source, blank.span)} for blank in component.blanks}
    for answer in component.right:
        if answer.blank:
            place, _text = replacement(component.source, answer.source)
            found[answer.blank].add(_hash_at(answer.source, place))
    return {blank: sorted(hashes - {""}) for blank, hashes in found.items()}


def right_statements(component: Component) -> list[str]:
    """The hashes of all statements of right answers, each as often as an answer has it at most."""
    most = Counter[str]()
    for source in (component.source, *(answer.source for answer in component.right)):
        most |= Counter(statements(source).values())
    return sorted(most.elements())


def changed_blanks(component: Component, misconception: str) -> list[str]:
    """The blanks whose statement some variant of a misconception does not have."""
    variants = [answer.source for answer in component.wrong if answer.name == misconception]
    written = [{*statements(source).values()} for source in variants]
    by_line = statements(component.source)

    def is_changed(blank: Blank) -> bool:
        line = component.source.count("\n", 0, blank.span.start) + 1
        statement = by_line[max(first for first in by_line if first <= line)]
        return any(statement not in hashes for hashes in written)

    return [blank.name for blank in component.blanks if is_changed(blank)]


def replacement(source: str, changed: str) -> tuple[Span, str]:
    """The shortest piece of a source that was replaced, and by what."""
    start, most = 0, min(len(source), len(changed))
    while start < most and source[start] == changed[start]:
        start += 1
    end = 0
    while end < most - start and source[-1 - end] == changed[-1 - end]:
        end += 1
    return Span(start, len(source) - end), changed[start : len(changed) - end]


def _hash_at(source: str, span: Span) -> str:
    """The hash of the innermost statement that begins before a place and ends after it."""
    line = source.count("\n", 0, span.start) + 1
    around = [
        node
        for node in ast.walk(parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    is_simple = around and not isinstance(around[-1], ast.FunctionDef | ast.ClassDef)
    return hash_of(around[-1]) if is_simple else ""
