"""Tells whether an edit makes cases pass only by making a part of the answer idle.

Such an edit hides the mistake, and misleads the student: after it, something is computed and never
used, is never reached, or depends on constants alone.
"""

import ast
from collections import Counter

from ..diagnosis.unused import unread, unread_parameters
from ..shared.syntax import parse

_ENDS = ast.Return | ast.Raise | ast.Break | ast.Continue
_BLOCKS = ("body", "orelse", "finalbody")


def overfits(before: str, after: str) -> bool:
    """Whether a changed source leaves idle what was not idle before."""
    return bool(idle(after) - idle(before))


def idle(text: str) -> Counter[str]:
    """What a source leaves unused, never reaches, or computes from constants alone."""
    return unread(text) + unread_parameters(text) + _unreached(text) + _constant(text)


def _unreached(text: str) -> Counter[str]:
    """How many statements stand behind the end of their block."""
    count = Counter[str]()
    for node in ast.walk(parse(text)):
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                ends = [place for place, child in enumerate(block) if isinstance(child, _ENDS)]
                count["unreached"] += len(block) - 1 - ends[0] if ends else 0
    return +count


def _constant(text: str) -> Counter[str]:
    """How many conditions, values and iterables are made of constants alone."""
    count = Counter[str]()
    for node in ast.walk(parse(text)):
        match node:
            case ast.If(test=part) | ast.IfExp(test=part) | ast.While(test=part):
                kind = "condition"
            case ast.Assign(value=part) | ast.AugAssign(value=part) | ast.Return(value=part):
                kind = "value"
            case ast.For(iter=part) | ast.comprehension(iter=part):
                kind = "iterable"
            case _:
                continue
        if part is not None and not any(isinstance(inner, ast.Name) for inner in ast.walk(part)):
            count[kind] += 1
    return count
