"""What an answer computes, creates or is passed, and never uses."""

import ast
from collections import deque
from collections.abc import Iterator

import torch

from ..shared.syntax import in_one_line, is_module, read

_LOOPS = ast.For | ast.While
# Methods of a tensor that return another one, though no twin of theirs changes it in place.
_RETURN_ANOTHER = {"to", "view", "reshape", "expand", "flip", "roll", "contiguous", "clone"}
# Methods that a list, a set or a module has as well, and that change it.
_SHARED_WITH_OTHER_TYPES = {"add", "apply", "copy", "map", "put", "set", "sort"}


def unused(text: str) -> set[str]:
    """What a source does not use, by names that are equal for all sources.

    Empty if the source cannot be parsed.
    """
    tree = read(text)
    if tree is None:
        return set()
    return {*_values(tree), *_results(tree, text), *_attributes(tree), *_parameters(tree)}


def _values(tree: ast.Module) -> Iterator[str]:
    for function in _functions(tree):
        assigned = {
            node.targets[0].id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for name in _unread_in(function):
            if name in assigned and not name.startswith("_"):
                yield f"{function.name} {name}"


def _results(tree: ast.Module, text: str) -> Iterator[str]:
    """The calls whose result is a new tensor that is thrown away."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Call(ast.Attribute() as method) as call):
                if _makes_a_tensor(method):
                    yield in_one_line(ast.get_source_segment(text, call) or "")


def _makes_a_tensor(method: ast.Attribute) -> bool:
    """Whether a method does nothing but return a new tensor."""
    if is_module(method) or method.attr in _SHARED_WITH_OTHER_TYPES or method.attr.endswith("_"):
        return False
    of_module = {"self", "model"} & {word.lower() for word in ast.unparse(method).split(".")}
    if method.attr == "to" and of_module:
        return False
    return method.attr in _RETURN_ANOTHER or hasattr(torch.Tensor, f"{method.attr}_")


def _attributes(tree: ast.Module) -> Iterator[str]:
    """The attributes of `self` that are set in a class, and read nowhere in the source."""
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name("self"), name, ast.Store()) if name not in read:
                yield f"self.{name}"


def _parameters(tree: ast.Module) -> Iterator[str]:
    for function in _functions(tree):
        for name in _unread_parameters_of(function):
            if name != "self":
                yield f"{function.name} parameter {name}"


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _unread_parameters_of(function: ast.FunctionDef) -> list[str]:
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    arguments = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    return [name for name in arguments if name not in names]


def _unread_in(function: ast.FunctionDef) -> list[str]:
    """The variables of a function to which a value is assigned that nothing reads later.

    What is assigned in a loop may be read in its next turn, from the outermost loop's head on.
    """
    last_read: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            last_read[node.id] = max(node.lineno, last_read.get(node.id, 0))
    unread = []
    for statement, loop in _with_outermost_loops(function):
        if isinstance(statement, ast.Assign | ast.AugAssign):
            start = loop.lineno if loop else statement.end_lineno or 0
            unread += [
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
                and last_read.get(node.id, 0) <= start
            ]
    return unread


def _with_outermost_loops(
    function: ast.FunctionDef,
) -> Iterator[tuple[ast.AST, ast.For | ast.While | None]]:
    """The nodes of a function in the order of `ast.walk`, each with the outermost loop around."""
    waiting: deque[tuple[ast.AST, ast.For | ast.While | None]] = deque([(function, None)])
    while waiting:
        node, loop = waiting.popleft()
        yield node, loop
        if loop is None and isinstance(node, _LOOPS):
            loop = node
        waiting.extend((child, loop) for child in ast.iter_child_nodes(node))
