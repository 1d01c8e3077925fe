"""A cell's source as a syntax tree."""

import ast
import re
import textwrap
from functools import lru_cache

from transformer_workbook.shared.syntax import read


def python_of(source: str) -> str:
    """A cell's source with a statement without effect in place of each of IPython's magics."""
    return textwrap.dedent(re.sub(r"(?m)^([ \t]*)[%!].*$", r"\1pass", source))


@lru_cache(1024)  # most cells of a class are alike
def parsed(source: str) -> ast.Module | None:
    """A cell's code; None where it cannot be parsed, or is larger or deeper than answers are.

    The tree is kept for the next who asks: nobody may change it.
    """
    return read(python_of(source))
