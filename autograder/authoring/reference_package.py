"""The reference package's table of contents: each function and class can be imported from it."""

from collections.abc import Iterable
from pathlib import Path

from autograder.lesson.components import SOLUTIONS, definitions

HEAD = '''\
"""The Transformer of "Attention Is All You Need" (Vaswani et al. 2017), built by hand.

Derived from the files of this folder by `autograder build`: do not edit.
"""
'''
WIDTH = 96  # the longest line of the reference: it fits into a cell


def reference_package(solutions: Path = SOLUTIONS) -> bytes:
    """The content of the package's __init__.py: what each file defines, imported and listed."""
    modules: dict[str, list[str]] = {}
    for name, places in definitions(solutions).items():
        for path, _source in places:
            modules.setdefault(path.stem, []).append(name)
    imports = "".join(_import(module, names) for module, names in sorted(modules.items()))
    everything = sorted(name for names in modules.values() for name in names)
    return f"{HEAD}\n{imports}\n__all__ = [\n{_lines(map(repr, everything))}]\n".encode()


def _import(module: str, names: Iterable[str]) -> str:
    # As ruff sorts them: classes before functions.
    names = sorted(names, key=lambda name: (name[0].islower(), name))
    line = f"from transformer.{module} import {', '.join(names)}\n"
    if len(line) <= WIDTH:
        return line
    return f"from transformer.{module} import (\n{_lines(names)})\n"


def _lines(names: Iterable[str]) -> str:
    return "".join(f"    {name},\n" for name in names).replace("'", '"')
