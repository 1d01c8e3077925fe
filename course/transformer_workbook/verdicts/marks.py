"""Marks of statements: short hashes that tell whether somebody has written one, and not which."""

import ast
import zlib

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)


def mark(statement: ast.stmt | ast.Module) -> str:
    """The mark of a statement, or of several, however it is laid out."""
    return f"{zlib.crc32(ast.unparse(statement).encode()):08x}"


def marks(source: str) -> set[str]:
    """The marks of all simple statements in a source; none where Python cannot read it."""
    tree = _parsed(source)
    return {mark(node) for node in ast.walk(tree) if isinstance(node, _SIMPLE)}


def mark_of(source: str) -> str:
    """The mark of a whole source; that of nothing where Python cannot read it."""
    return mark(_parsed(source))


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
