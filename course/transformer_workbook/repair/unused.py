"""Tells whether a change only makes cases pass by leaving something of the answer unused.

Such a change is a way round the mistake, and leads a student away from it. One that takes something
out may well leave a value unused that should never have been there.
"""

import ast
from collections import Counter

from ..mutants.source import FUNCTIONS
from ..shared.syntax import parse
from .candidates import Candidate

_LOOPS = ast.For | ast.While
_TAKE_NOTHING_OUT = {"order", "moved", "lines"}
_OTHER_NAME = {"name", "attribute"}


def goes_round(before: str, candidate: Candidate) -> bool:
    """Whether a candidate mends `before` by leaving a value, or a parameter, unread."""
    if candidate.kind in _TAKE_NOTHING_OUT:
        return bool(unread(candidate.source) - unread(before))
    if candidate.kind in _OTHER_NAME:
        return bool(unread_parameters(candidate.source) - unread_parameters(before))
    return False


def unread(text: str) -> Counter[str]:
    """How many values of each variable are never read, by function and variable."""
    return Counter(
        f"{function.name} {name}" for function in _functions(text) for name in _unread_in(function)
    )


def unread_parameters(text: str) -> Counter[str]:
    """The parameters that are never read, by function and name."""
    found = Counter[str]()
    for function in _functions(text):
        names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        arguments = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
        found.update(f"{function.name} {name}" for name in arguments if name not in names)
    return found


def _functions(text: str) -> list[ast.FunctionDef]:
    nodes = ast.walk(parse(text))
    return [node for node in nodes if isinstance(node, FUNCTIONS) and hasattr(node, "name")]


def _unread_in(function: ast.FunctionDef) -> list[str]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    loads = [node for node in names if isinstance(node.ctx, ast.Load)]
    loops = [node for node in ast.walk(function) if isinstance(node, _LOOPS)]
    unused = []
    for statement in ast.walk(function):
        if isinstance(statement, ast.Assign | ast.AugAssign):
            around = [loop for loop in loops if any(statement is one for one in ast.walk(loop))]
            start = min([loop.lineno for loop in around], default=statement.end_lineno or 0)
            later = {node.id for node in loads if node.lineno > start}
            targets = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            unused += [
                node.id
                for node in targets
                if isinstance(node.ctx, ast.Store) and node.id not in later
            ]
    return unused
