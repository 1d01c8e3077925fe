"""A cell's source as a syntax tree."""

import ast
import re
import textwrap

from transformer_workbook.shared.syntax import read


def python_of(source: str) -> str:
    """A cell's source with a statement without effect in place of each of IPython's magics."""
    return textwrap.dedent(re.sub(r"(?m)^([ \t]*)[%!].*$", r"\1pass", source))


def parsed(source: str) -> ast.Module | None:
    """A cell's code; None where it cannot be parsed, or is larger or deeper than answers are."""
    return read(python_of(source))
