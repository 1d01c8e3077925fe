"""Formulas as MathML, which browsers draw and read aloud without a script."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

LONGEST = 45  # characters of TeX in a line; a phone may have no room for more


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this: it makes the renderer known."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer: Any, node: nodes.Element) -> None:
    formula = convert(node.astext())
    if len(node.astext()) > LONGEST:
        formula = f'<span class="formula-in-line" tabindex="0">{formula}</span>'
    writer.body.append(formula)
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Element) -> None:
    # A wide formula scrolls, so it has to be reachable by the keyboard.
    formula = convert(node.astext(), display="block")
    writer.body.append(f'<div class="formula" tabindex="0">{formula}</div>')
    raise nodes.SkipNode
