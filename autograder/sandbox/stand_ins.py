"""Cuts out of a module of stand-ins what a student's process may have of it."""

import ast
from collections.abc import Collection, Iterator
from functools import cache

from transformer_workbook.shared.syntax import parse


def part_of(source: str, names: Collection[str], without: str) -> str:
    """The imports of a module, the definitions of `names`, and what these need of it.

    Nothing else of the module is left, and never the definition of `without`: no process that runs
    a student's code holds that of what the student has to write.
    """
    return _part_of(source, frozenset(names), without)


@cache
def _part_of(source: str, names: frozenset[str], without: str) -> str:
    body = parse(source).body
    defining = {name: statement for statement in body for name in _defined(statement)}
    defining.pop(without, None)
    needed, waiting = set[ast.stmt](), set(names)
    while waiting:
        statement = defining.get(waiting.pop())
        if statement and statement not in needed:
            needed.add(statement)
            waiting |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    kept = [it for it in body if it in needed or isinstance(it, ast.Import | ast.ImportFrom)]
    return ast.unparse(ast.Module(kept, [])) if needed else ""


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
