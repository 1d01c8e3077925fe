"""Short hashes of statements, which tell whether somebody has written one, and not which."""

import ast
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..shared.syntax import BLOCKS, is_docstring, read

_HASHED = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return),
    *(ast.If, ast.While, ast.For, ast.With),  # without their blocks
)
# A lesson is derived once for each language, and hashing all its answers takes seconds.
KEPT = 2**14  # sources


def hash_of(statement: ast.stmt | ast.Module) -> str:
    """The hash of a statement without its blocks, or of several, however it is laid out."""
    text = ast.unparse(statement) if isinstance(statement, ast.Module) else _head(statement)
    return f"{zlib.crc32(text.encode()):08x}"


@lru_cache(KEPT)
def hashes_in(source: str) -> frozenset[str]:
    """The hashes of the statements in a source; none where Python cannot read it."""
    tree = _parsed(source)
    return frozenset(hash_of(node) for node in ast.walk(tree) if isinstance(node, _HASHED))


def hash_of_code(source: str) -> str:
    """The hash of a whole source; that of nothing where Python cannot read it."""
    return hash_of(_parsed(source))


@lru_cache(KEPT)
def statements(source: str) -> Mapping[int, str]:
    """By its first line, the hash of each statement together with its function, without its blocks.

    Without those that are written in wrong answers as in right ones, such as `return x`. Empty
    where Python cannot read the source.
    """
    return {node.lineno: _hash_in(function, node) for function, node in _within(_parsed(source))}


def _within(node: ast.AST, function: str = "") -> Iterator[tuple[str, ast.stmt]]:
    for block in BLOCKS:
        for child in getattr(node, block, ()):
            if isinstance(child, ast.stmt) and not _says_too_little(child):
                yield function, child
            is_function = isinstance(child, ast.FunctionDef)
            yield from _within(child, child.name if is_function else function)


def _says_too_little(node: ast.stmt) -> bool:
    if isinstance(node, ast.ClassDef | ast.Pass | ast.Break | ast.Continue) or is_docstring(node):
        return True
    value = getattr(node, "value", None)
    return isinstance(node, ast.Return) and isinstance(value, ast.Name | ast.Constant | None)


def _hash_in(function: str, node: ast.stmt) -> str:
    return f"{zlib.crc32(f'{function} {_head(node)}'.encode()):08x}"


def _head(node: ast.stmt) -> str:
    """A statement as Python code, without its blocks."""
    text = ast.unparse(node)
    has_blocks = any(getattr(node, block, None) for block in BLOCKS)
    return text.partition(":\n")[0] if has_blocks else text


def _parsed(source: str) -> ast.Module:
    return read(source) or ast.Module([], [])
