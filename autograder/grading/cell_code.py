"""A cell's source as a syntax tree."""

import ast
import re
import textwrap


def parsed(source: str) -> ast.Module | None:
    """A cell's code; None where it is no Python."""
    # IPython's magics are no Python; to the parser they are statements without effect.
    text = re.sub(r"(?m)^([ \t]*)[%!].*$", r"\1pass", source)
    try:
        return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
