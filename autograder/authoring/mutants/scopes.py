"""The scope of a node: names bound before it, attributes beside it, uses of its value."""

import ast
import hashlib
from collections.abc import Iterator

from transformer_workbook.shared.syntax import is_module

from .source import COMPREHENSIONS, FUNCTIONS, ParsedSource
from .torch_facts import VIEWS, called_name

NEARBY = 4  # other names tried at one place


def other_names(source: ParsedSource, node: ast.Name) -> list[str]:
    """At most NEARBY names bound in the same function before this place, chosen by a hash."""
    parent = source.parents[node][0]
    if isinstance(parent, ast.Call) and parent.func is node:
        return []
    bound = _bound_before(source, node)
    if node.id not in bound or node.id == "self":
        return []
    others = sorted(bound - {node.id, "self", "_"}, key=lambda name: _rank(node, name))
    return others[:NEARBY]


def other_attributes(source: ParsedSource, node: ast.Attribute) -> list[str]:
    """At most NEARBY other attributes of the object that the source names, chosen by a hash."""
    if not isinstance(node.value, ast.Name) or is_module(node.value):
        return []
    owner = node.value.id
    used = source.attributes[owner, source.class_of(node) if owner == "self" else None]
    others = sorted(used - {node.attr}, key=lambda name: _rank(node, name))
    return others[:NEARBY] if node.attr in used else []


def _rank(node: ast.expr, name: str) -> str:
    place = f"{node.lineno}|{node.col_offset}|{name}"
    return hashlib.sha256(place.encode()).hexdigest()


def _bound_before(source: ParsedSource, node: ast.expr) -> set[str]:
    bound = set()
    for scope in source.around(node):
        if isinstance(scope, FUNCTIONS):
            bound |= _parameters(scope)
            bound |= {
                name.id
                for name in _names_in(scope)
                if isinstance(name.ctx, ast.Store) and name.lineno < node.lineno
            }
        elif isinstance(scope, COMPREHENSIONS):
            bound |= {
                name.id for generator in scope.generators for name in _names_in(generator.target)
            }
    return bound


def _names_in(node: ast.AST) -> Iterator[ast.Name]:
    return (child for child in ast.walk(node) if isinstance(child, ast.Name))


def is_used_again(source: ParsedSource, node: ast.expr) -> bool:
    """Whether anything could see that the value of an expression was changed in place."""
    while isinstance(node, ast.Call) and called_name(node) in VIEWS:
        node = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0]
    if isinstance(node, ast.Attribute | ast.Subscript):
        return True
    if not isinstance(node, ast.Name):
        return False
    scope = next((outer for outer in source.around(node) if isinstance(outer, FUNCTIONS)), None)
    if scope is None or node.id in _parameters(scope):
        return True
    statement = source.statement_of(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if any(isinstance(target, ast.Name) and target.id == node.id for target in targets):
        return False  # the statement binds the name again
    loads = [
        name for name in _names_in(scope) if name.id == node.id and isinstance(name.ctx, ast.Load)
    ]
    return len(loads) > 1


def _parameters(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    args = function.args
    return {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}


def records_no_gradient(source: ParsedSource, node: ast.AST) -> bool:
    """Whether a node stands in a block of torch.no_grad() or torch.inference_mode()."""
    return any(
        called_name(item.context_expr) in ("no_grad", "inference_mode")
        for block in source.around(node)
        if isinstance(block, ast.With)
        for item in block.items
    )
