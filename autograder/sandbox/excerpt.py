"""Cuts out of a module of stand-ins the definitions that a student's process may hold."""

import ast
from collections import defaultdict
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
    body, binding = parse(source).body, defaultdict(list)
    for statement in body:
        bound = set(_bound(statement))
        for name in bound if without not in bound else ():
            binding[name].append(statement)
    needed, waiting = set[ast.stmt](), set(names)
    while waiting:
        for statement in binding.pop(waiting.pop(), []):
            needed.add(statement)
            waiting |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    imports = ast.Import | ast.ImportFrom
    statements = [node for node in body if node in needed or isinstance(node, imports)]
    return ast.unparse(ast.Module(statements, [])) if needed else ""


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a module's statement binds, or whose objects it changes, as `sizes[0] = 1`."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Name(name, ast.Store()):
            yield name
        case ast.Subscript(ast.Name(name), ctx=ast.Store()):
            yield name
        case ast.Attribute(ast.Name(name), ctx=ast.Store()):
            yield name
        case ast.alias(name, alias):
            yield alias or name.partition(".")[0]
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            pass  # their variables are their own
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _bound(child)
