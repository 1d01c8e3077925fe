"""A cell's source as a syntax tree."""

import ast
import re
import textwrap

from transformer_workbook.shared.syntax import parse


def parsed(source: str) -> ast.Module | None:
    """A cell's code; None where it cannot be parsed."""
    # IPython's magics are not Python; replace each by a statement without effect.
    text = re.sub(r"(?m)^([ \t]*)[%!].*$", r"\1pass", source)
    try:
        return parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
