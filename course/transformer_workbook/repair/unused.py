"""Tells whether a change only makes cases pass by leaving something of the answer unused.

Such a change is a way round the mistake, and leads a student away from it.
"""

import ast
from collections import Counter

from ..mutants.source import FUNCTIONS
from ..shared.syntax import parse

_LOOPS = ast.For | ast.While


def leaves_more_unused(before: str, after: str) -> bool:
    """Whether more parameters and values are never read after a change than before it."""
    return bool(_unused(after) - _unused(before))


def _unused(text: str) -> Counter[str]:
    """How many values of each variable are never read, by function and variable."""
    found: Counter[str] = Counter()
    for function in ast.walk(parse(text)):
        if isinstance(function, FUNCTIONS) and not isinstance(function, ast.Lambda):
            found.update(f"{function.name} {name}" for name in _unused_in(function))
    return found


def _unused_in(function: ast.FunctionDef) -> list[str]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    loads = [node for node in names if isinstance(node.ctx, ast.Load)]
    read = {node.id for node in loads}
    arguments = [one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)]
    loops = [node for node in ast.walk(function) if isinstance(node, _LOOPS)]
    unused = [name for name in arguments if name not in read]
    for statement in ast.walk(function):
        if isinstance(statement, ast.Assign | ast.AugAssign):
            around = [loop for loop in loops if any(statement is one for one in ast.walk(loop))]
            start = min([loop.lineno for loop in around], default=statement.end_lineno or 0)
            later = {node.id for node in loads if node.lineno > start}
            stored = [node for node in names if isinstance(node.ctx, ast.Store)]
            inside = {id(node) for node in ast.walk(statement)}
            unused += [node.id for node in stored if id(node) in inside and node.id not in later]
    return unused
