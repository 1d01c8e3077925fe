"""What is read of a submitted notebook: nbformat 3 or 4, or a malicious file.

nbformat's own reader is not used, since it raises, warns and upgrades in ways that a malicious
file can choose. Only the few fields that a student may have written are read. What Python's own
reader of JSON does with hostile text costs time and memory: `read_notebook` calls it in a process
that may be killed.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograder.language import _
from autograder.results.remarks import Problem
from autograder.results.safe_names import plain

LARGEST_FILE = 100 << 20  # bytes of a file
MOST_CELLS = 2000
LONGEST_SOURCE = 200_000  # characters of a cell
MOST_CODE = 2_000_000  # characters of all cells together

# Colab stores pasted pictures within the markdown.
_PICTURE = re.compile(r"(data:image/[\w.+-]+;base64,)[A-Za-z0-9+/=]+")

_VERSION = re.compile(r"""\bversion\s*=\s*["']([\w.+-]{1,40})["']""")
_LANGUAGE = re.compile(r"""\bwb\.start\([^)]*\blanguage\s*=\s*["']([a-z]{2})["']""")

# What is read of nbgrader's metadata.
_MARKS = ("grade_id", "grade", "solution", "locked", "task", "points", "checksum")
_LARGEST_NUMBER = 2**53
_LONGEST_MARK = 1000  # characters


@dataclass(frozen=True)
class SubmittedCell:
    """One cell as handed in. `metadata` is nbgrader's, which nothing may trust."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    id: str
    metadata: dict[str, Any]

    @property
    def grade_id(self) -> str:
        value = self.metadata.get("grade_id")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True)
class NotebookAsSubmitted:
    """The cells, and the notebook's metadata; `is_cut` is whether the end of the file is lost."""

    cells: tuple[SubmittedCell, ...]
    format: int
    kernel: str
    lesson: str
    version: str = ""
    is_cut: bool = False
    language: str = ""


def parsed(content: bytes) -> NotebookAsSubmitted:
    """The notebook in a file. Raises Problem where it is none."""
    try:
        tree = json.loads(content)
    except RecursionError as error:
        raise Problem("too_deep") from error
    except ValueError as error:
        raise Problem("not_json", reason=plain(str(error))[:200]) from error
    if not isinstance(tree, dict):
        reason = _("its top level is a {type}").format(type=type(tree).__name__)
        raise Problem("not_notebook", reason=reason)
    cells = _list_of_cells(tree)
    if len(cells) > MOST_CELLS:
        raise Problem("too_many_cells", limit=MOST_CELLS)
    read = tuple(cell(tree) for tree in cells)
    if sum(len(cell.source) for cell in read) > MOST_CODE:
        raise Problem("cells_too_large", limit=MOST_CODE)
    metadata = _dict(tree, "metadata")
    number = tree.get("nbformat")
    return NotebookAsSubmitted(
        read,
        number if type(number) is int and abs(number) < _LARGEST_NUMBER else 4,
        _string(_dict(metadata, "kernelspec"), "name"),
        _string(_dict(metadata, "workbook"), "lesson"),
        _named_at_start(_VERSION, read),
        language=_named_at_start(_LANGUAGE, read),
    )


def _named_at_start(pattern: re.Pattern[str], cells: Iterable[SubmittedCell]) -> str:
    """What the first cell of the notebook says of itself; empty if none does."""
    starts = (cell.source for cell in cells if cell.kind == "code" and "wb.start(" in cell.source)
    matches = map(pattern.search, starts)
    return next((match[1] for match in matches if match), "")


def _list_of_cells(tree: dict[str, Any]) -> list[Any]:
    if isinstance(cells := tree.get("cells"), list):
        return cells
    sheets = tree.get("worksheets")  # nbformat 3
    if isinstance(sheets, list):
        cells = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        return [cell for sheet in cells if isinstance(sheet, list) for cell in sheet]
    raise Problem("not_notebook", reason=_("it has no list of cells"))


def cell(tree: object) -> SubmittedCell:
    """A cell of a notebook. Raises Problem where its source is too long."""
    if not isinstance(tree, dict):
        return SubmittedCell("raw", "", "", {})
    kind = tree.get("cell_type")
    kind = kind if kind in ("code", "markdown") else "raw"
    source = tree.get("source", tree.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        source = ""
    if kind != "code":
        source = _PICTURE.sub(r"\1", source)
    if len(source) > LONGEST_SOURCE:
        raise Problem("source_too_large", limit=LONGEST_SOURCE)
    id = tree.get("id")
    marks = _dict(_dict(tree, "metadata"), "nbgrader")
    return SubmittedCell(
        kind,
        _runnable(source),
        _runnable(id[:_LONGEST_MARK]) if isinstance(id, str) else "",
        {name: _mark(marks[name]) for name in _MARKS if name in marks},
    )


def _mark(value: object) -> object:
    """A value of a cell's metadata as far as an editor can have written it; None for others."""
    if isinstance(value, str):
        return _runnable(value[:_LONGEST_MARK])
    is_number = isinstance(value, bool | int | float) and abs(value) < _LARGEST_NUMBER
    return value if is_number else None


def _runnable(source: str) -> str:
    """The source with line ends as Python reads them, and lone surrogates as escapes.

    All other characters stay, so that the code runs and fails as it does in Jupyter. What is shown
    is escaped by `escape.plain`.
    """
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    # No browser sends a lone surrogate, and nothing writes one to a file.
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)


def _dict(tree: dict[str, Any], key: str) -> dict[str, Any]:
    value = tree.get(key)
    return value if isinstance(value, dict) else {}


def _string(tree: dict[str, Any], key: str) -> str:
    value = tree.get(key)
    return plain(value)[:100] if isinstance(value, str) else ""
