"""The cells that have run: which of them define a name, and which are new versions of others.

The kernel stores the source of each cell in the list `In`. If the frontend sends the ids of cells
(JupyterLab, VS Code), two sources with one id are versions of one cell; without ids (Colab), no
source counts as a new version of another.
"""

import ast
import contextlib
import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..diagnosis.recorded_lessons import index
from ..shared.notebook import running_shell
from ..shared.syntax import parse

_ids: dict[int, str] = {}  # by place in `In`
_failed: set[int] = set()


def watch_cells() -> None:
    """Note the id of each cell that runs from now on, and whether it failed."""
    shell = running_shell()
    if shell is not None:
        shell.events.register("pre_run_cell", _note_id)
        shell.events.register("post_run_cell", _note_failure)


def _note_id(info: Any) -> None:
    with contextlib.suppress(Exception):  # whatever a frontend sends, the student's cell runs
        shell = running_shell()
        place = len(shell.history_manager.input_hist_parsed)  # it is written there after this
        _failed.discard(place)
        _ids.pop(place, None)
        cell = getattr(info, "cell_id", None) or shell.get_parent()["metadata"]["cellId"]
        if isinstance(cell, str) and info.store_history:
            _ids[place] = cell


def _note_failure(result: Any) -> None:
    with contextlib.suppress(Exception):
        if result.info.store_history and not result.success and result.execution_count:
            _failed.add(result.execution_count)


def has_failed(place: int, text: str) -> bool:
    """Whether a cell, given as one of `runs`, is known to have raised an exception."""
    return place in _failed or _parsed(text) is None


def runs(namespace: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The sources that have run, in their order, each with its place in `In`."""
    history = namespace.get("In", [])
    sources = enumerate(history) if isinstance(history, list) else ()
    return [(place, text) for place, text in sources if isinstance(text, str) and text.strip()]


def defining(name: str, namespace: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Those of `runs` that may define a name."""
    return [(place, text) for place, text in runs(namespace) if _may_define(text, name)]


def successor(name: str, namespace: Mapping[str, Any]) -> str | None:
    """The name that replaced `name`, if its cell ran again and no cell defines `name` any more.

    "" if no name of the cell's new version resembles it. None if a cell still defines `name`, as
    far as can be told.
    """
    last: dict[str | int, str] = {}  # by a cell's id, or its place: its last version
    gone: tuple[str, str | int] | None = None  # a version that defined it, and its cell
    for place, text in runs(namespace):
        cell = _ids.get(place, place)
        if not _may_define(text, name) and _may_define(last.get(cell, ""), name):
            gone = (last[cell], cell)
        last[cell] = text
    if gone is None or any(_may_define(text, name) for text in last.values()):
        return None
    before, cell = gone
    return _new_name(before, last[cell], name)


def _may_define(text: str, name: str) -> bool:
    """Whether a source binds a name, or seems to: in a cell that cannot be parsed, for example."""
    if name not in text:
        return False
    pattern = re.compile(
        rf"^\s*(?:(?:def|class)\s+{re.escape(name)}\b|{re.escape(name)}\s*=[^=])", re.M
    )
    tree = _parsed(text)
    if tree is None:
        return bool(pattern.search(text))
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    # The source of a cell that begins with %%time is a text in a call.
    return name in bound(tree) or any(
        isinstance(value, str) and pattern.search(value) for value in strings
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def bound(tree: ast.AST) -> set[str]:
    """The names that a cell, or a statement, binds where it stands, and as globals."""
    return set(_binding(tree))


def _binding(tree: ast.AST) -> Iterator[str]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            inner = (part for part in ast.walk(node) if isinstance(part, ast.Global))
            yield from (name for part in inner for name in part.names)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        waiting += ast.iter_child_nodes(node)


def _new_name(old: str, new: str, name: str) -> str:
    """The name that a new version binds instead of the old one; empty if none resembles it."""
    trees = [_parsed(text) for text in (old, new)]
    before, after = (bound(tree) if tree else set() for tree in trees)
    lessons = index()["lessons"].values()
    components = {component for lesson in lessons for component in lesson["components"]}
    names = sorted(after - before - components)
    return next(iter(difflib.get_close_matches(name, names, n=1)), "")
