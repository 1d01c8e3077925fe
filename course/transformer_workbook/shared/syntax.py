"""Parses Python, one thread at a time."""

import ast
import threading

# In Python 3.11 the parser counts its recursion for all threads together: where one is interrupted
# (by a finaliser, in garbage collection) and another one parses, both raise SystemError.
_ONE_AT_A_TIME = threading.RLock()


def parse(source: str) -> ast.Module:
    """The syntax tree of a source. Raises SyntaxError, and ValueError for null bytes."""
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def parse_expression(source: str) -> ast.expr:
    """The syntax tree of one expression. Raises as `parse` does."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, mode="eval").body
