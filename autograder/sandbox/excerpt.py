"""Cuts out of a module of stand-ins the definitions that a student's process may hold."""

import ast
from collections.abc import Collection, Iterator
from functools import cache

from transformer_workbook.shared.syntax import parse


def excerpt(source: str, names: Collection[str], without: str) -> str:
    """The imports of a module, the definitions of `names`, and the definitions they use.

    Everything else is left out, and always the definition of `without`: no process that runs a
    student's code holds the component that the student has to write.
    """
    return _cached_excerpt(source, frozenset(names), without)


@cache
def _cached_excerpt(source: str, names: frozenset[str], without: str) -> str:
    body = parse(source).body
    defining = {name: statement for statement in body for name in _defined(statement)}
    defining.pop(without, None)
    needed, waiting = set[ast.stmt](), set(names)
    while waiting:
        statement = defining.get(waiting.pop())
        if statement and statement not in needed:
            needed.add(statement)
            waiting |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    statements = [it for it in body if it in needed or isinstance(it, ast.Import | ast.ImportFrom)]
    return ast.unparse(ast.Module(statements, [])) if needed else ""


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
